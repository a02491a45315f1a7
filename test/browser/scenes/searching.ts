import { createLink } from '../support/account.ts';
import { account, type Stage } from '../support/stage.ts';

/** Finding links, and bringing them into an order. */
export function searching(stage: () => Stage): void {
	describe('a person who looks for links', () => {
		it('is told where Search looks, finds a word anywhere, and sorts below Options', async () => {
			const { editor, service } = stage();
			for (const [alias, host] of [
				['spring-b', 'shop.example.com'],
				['plain-c', 'spring.example.com'],
				['spring-a', 'spring.example.com'],
				['other', 'shop.example.com'],
			] as const) {
				await createLink(service, { alias, url: `https://${host}/${alias}`, domain_id: '1' });
			}
			await editor.page.setViewportSize({ width: 1280, height: 1240 });
			const details = await editor.addAction('Link', 'Get many links');
			await details.chooseCredential(account);
			await details.add('Add Filter', 'Search');
			await details.root
				.getByText('Searches alias, destination URL and title unless you set Search By')
				.waitFor();
			await details.fill('search', 'spring');
			await details.add('Add Filter', 'Search By');
			await details.choose('searchBy', 'Anywhere');
			await details.add('Add Sort Setting', 'Sort By');
			await details.choose('sortBy', 'Alias');
			await details.add('Add Sort Setting', 'Sort Direction');
			await details.choose('sort', 'Ascending');
			const top = async (text: string) =>
				(await details.root.getByText(text, { exact: true }).first().boundingBox())?.y ?? 0;
			expect(await top('Sort')).toBeGreaterThan(await top('Options'));

			service.reset();
			await details.execute();
			await details.output.locator('tbody tr').first().waitFor();
			expect((await details.rows()).map(([, alias]) => alias)).toEqual([
				'plain-c',
				'spring-a',
				'spring-b',
			]);
			const asked = service.requests.map(({ query }) =>
				new URLSearchParams(query).get('search_by'),
			);
			expect(asked).toEqual(['alias', 'url', 'title']);
		});
	});
}
