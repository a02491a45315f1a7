import { contentOf } from '../support/crop.ts';
import { takePicture } from '../support/pictures.ts';
import { account, createLink, createPixel, type Stage } from '../support/stage.ts';

/** Filling in the form of a new link, and what comes of it. */
export function creating(stage: () => Stage): void {
	describe('a person who creates a link', () => {
		it('fills in targeting rules by hand, chooses a pixel by its name, and reads the new link', async () => {
			const { editor, service } = stage();
			createLink(service, 'home', 'https://example.com');
			const pixel = createPixel(service, 'Shoppers', 'facebook');
			createPixel(service, 'Readers', 'bing');
			await editor.page.setViewportSize({ width: 1280, height: 1308 });
			const details = await editor.addAction('Link', 'Create link');
			await details.chooseCredential(account);
			await details.fill('url', 'https://example.com/sale');
			await details.pick('domainId', 'short.example');
			await details.fill('alias', 'spring-sale');
			await details.add('Add Field', 'Country Rules');
			await details.addRule('Add Country');
			await details.choose('key', 'Germany');
			await details.fill('value', 'https://example.com/de/sale');
			await details.addRule('Add Country');
			await details.choose('key', 'France');
			await details.fill('value', 'https://example.com/fr/vente');
			await takePicture(editor.page, 'create-form', await contentOf(details.form));
			await details.add('Add Field', 'Pixel Names or IDs');
			await details.choose('pixelIds', 'Shoppers – Meta Pixel (Facebook)');

			await details.execute();
			await details.output.getByText('spring-sale', { exact: true }).waitFor();
			const [created, ...others] = service.requests.filter(({ method }) => method === 'POST');
			const params = {
				...{ alias: 'spring-sale', url: 'https://example.com/sale', domain_id: '1' },
				...{ 'country[0][key]': 'DE', 'country[0][value]': 'https://example.com/de/sale' },
				...{ 'country[1][key]': 'FR', 'country[1][value]': 'https://example.com/fr/vente' },
				...{ 'pixel_ids[]': String(pixel), target_type: '1' },
			};
			const sent = new URLSearchParams(created?.body);
			expect([...sent].sort()).toEqual(Object.entries(params).sort());
			expect(others).toEqual([]);
		});

		it('keeps each field that is added', async () => {
			const { editor } = stage();
			const details = await editor.addAction('Link', 'Update link');
			const isThere = async (text: string) => {
				// The editor may take a field away again a moment after it was added.
				await editor.page.waitForTimeout(1000);
				const count = await details.root.getByText(text, { exact: true }).count();
				expect({ text, isThere: count > 0 }).toEqual({ text, isThere: true });
			};
			for (const field of ['Space', 'Pixel Names or IDs', 'Expiration', 'UTM Parameters']) {
				await details.add('Add Field', field);
				await isThere(field === 'UTM Parameters' ? 'Campaign' : field);
			}
			const utm = ['Source', 'Medium', 'Campaign', 'Term', 'Content', 'ID'];
			const labels = (await details.root.innerText()).split('\n').map((line) => line.trim());
			expect(labels.filter((label) => utm.includes(label))).toEqual(utm);
			for (const [rules, button] of [
				...[['Country Rules', 'Add Country'] as const, ['Language Rules', 'Add Language'] as const],
				['Platform Rules', 'Add Platform'],
				['Rotation Rules', 'Add Destination'],
			] as const) {
				await details.add('Add Field', rules);
				await details.addRule(button);
				await isThere(button);
			}
		});

		it('reads which value the service refuses, and what to do', async () => {
			const { editor, service } = stage();
			createLink(service, 'home', 'https://example.com');
			const details = await editor.addAction('Link', 'Create link');
			await details.chooseCredential(account);
			await details.fill('url', 'https://example.com/new');
			await details.fillId('domainId', '1');
			await details.fill('alias', 'home');
			await details.execute();
			expect(await details.error('message')).toBe(
				'The service did not accept the values (HTTP 422): Alias: The alias has already been taken. Sent: "home"',
			);
			expect(await details.error('description')).toEqual(
				expect.stringMatching(
					/^Correct the values, and run the node again\. The alias is taken by the link home \(ID \d+\); use Create or Update to change it\.$/,
				),
			);
			expect(service.counts().links).toBe(1);
			await takePicture(editor.page, 'error', await contentOf(details.output));
		});
	});
}
