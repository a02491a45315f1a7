import type { RunningService } from '../../../testkit/service/index.ts';
import { contentOf } from '../support/crop.ts';
import { takePicture } from '../support/pictures.ts';
import { account, apiKey, createLink, type Stage } from '../support/stage.ts';

/** More links than fit into four answers of a list. */
const names = Array.from({ length: 120 }, (_, index) => String(index + 1).padStart(3, '0'));

const destinationOf = (name: string) => `https://example.com/offers/${name}`;

/** What the service was asked for, one query per request. */
const queries = ({ requests }: RunningService) =>
	requests
		.filter(({ method, path }) => method === 'GET' && path === '/api/v1/links')
		.map(({ query }) => Object.fromEntries(new URLSearchParams(query)));

/** Choosing a link from the list that the service fills. */
export function picking(stage: () => Stage): void {
	describe('a person who picks a link from the list', () => {
		it('scrolls, searches, picks, runs and reads it', async () => {
			const { editor, service } = stage();
			const ids = new Map<string, number>();
			for (const name of names) {
				ids.set(name, createLink(service, `offer-${name}`, destinationOf(name)));
			}
			const details = await editor.addAction('Link', 'Get link');
			await details.chooseCredential(account);
			service.reset();
			const list = await details.openList('linkId');

			await list.entries.nth(7).waitFor();
			await takePicture(editor.page, 'link-list', await contentOf(details.form));
			// n8n asks for the second answer by itself, and for each one after it when the list is at its end.
			await list.entries.nth(49).waitFor();
			expect(queries(service).map(({ page }) => page)).toEqual(['1', '2']);
			for (const last of [74, 99, 119]) {
				await list.entries.last().scrollIntoViewIfNeeded();
				await list.entries.nth(last).waitFor();
			}
			expect(queries(service).map(({ page }) => page)).toEqual(['1', '2', '3', '4', '5']);
			const seen = names.toReversed().map((name) => `offer-${name} → ${destinationOf(name)}`);
			expect(await list.entries.allInnerTexts()).toEqual(seen);

			service.reset();
			await editor.page.getByTestId('rlc-search').fill('offer-007');
			await list.entries.filter({ hasText: 'offer-007' }).waitFor();
			expect(await list.entries.count()).toBe(1);
			expect(queries(service)[0]).toMatchObject({ search: 'offer-007', search_by: 'alias' });

			await list.choose('offer-007');
			await details.execute();
			await details.output.getByText('offer-007', { exact: true }).waitFor();
			await details.output.getByText(destinationOf('007'), { exact: true }).waitFor();
			expect(service.requests.at(-1)).toMatchObject({
				method: 'GET',
				path: `/api/v1/links/${ids.get('007')}`,
				status: 200,
			});
			// Wide enough for most of the table.
			await editor.page.setViewportSize({ width: 2300, height: 800 });
			await takePicture(editor.page, 'output', await contentOf(details.output));
		});

		it('reads why there is no list', async () => {
			const { editor, service } = stage();
			service.apiKeys.delete(apiKey);
			const details = await editor.addAction('Link', 'Get link');
			await details.chooseCredential(account);
			const list = await details.openList('linkId');
			const text = await list.error.innerText();
			expect(text).toContain('Could not load list');
			expect(text).toContain('The service did not accept the API key');
			expect(text).toContain('Check your credential');
			await takePicture(editor.page, 'link-list-error', await contentOf(details.form));
		});
	});
}
