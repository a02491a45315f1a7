import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../support/process.ts';
import { apiKey } from '../support/account.ts';
import { contentOf } from '../support/crop.ts';
import { takePicture } from '../support/pictures.ts';
import type { Stage } from '../support/stage.ts';

/** What to enter wrongly, and the sentence that helps. */
const mistakes = [
	{
		what: 'a wrong key',
		key: 'no-such-key-0123456789',
		advice: 'The service did not accept the API key; enter a valid key',
		picture: 'credential-wrong-key',
	},
	{
		what: 'a URL where no API is',
		path: '/wrong',
		advice: 'The service has no API at this address; check Base URL',
	},
	{
		what: 'no URL at all',
		url: 'links',
		advice:
			'Base URL must be the http or https address of the service, such as https://links.example.com',
	},
];

/** The first minutes with the nodes: finding them, and making the credential. */
export function newcomer(stage: () => Stage): void {
	describe('a person who has never seen the nodes', () => {
		it('finds them by searching for "short link"', async () => {
			const { editor } = stage();
			const found = await editor.searchNodes('short link');
			await found.getByText('Pixel', { exact: true }).waitFor();
			expect(await found.allInnerTexts()).toEqual(['Link', 'Pixel']);
			await editor.page.getByText('Create, update, find and delete short links').waitFor();
			const panel = editor.page.getByTestId('node-creator');
			await takePicture(editor.page, 'nodes-panel', await contentOf(panel));
		});

		it.each([
			[
				'Link',
				[
					...['UTM', 'tiny URL', 'click tracking', 'Bitly alternative', 'slug', 'vanity URL'],
					...['custom domain', 'link clicks', 'bit.ly', 'rebrandly', 'create link', 'QR code'],
					...['disable link', 'enable link', 'update link', 'delete link'],
				],
			],
			['Pixel', ['Facebook pixel', 'Meta pixel', 'retargeting pixel', 'Google tag']],
		])('finds %s by other words too', async (node, words) => {
			const { editor } = stage();
			const found = await editor.searchNodes('');
			for (const word of words) {
				await editor.page.getByTestId('node-creator-search-bar').fill(word);
				await found.getByText(node, { exact: true }).waitFor();
			}
		});

		it('creates the credential and sees its test pass', async () => {
			const { editor, service } = stage();
			const details = await editor.addAction('Link', 'Create link');
			const dialog = await details.newCredential();
			await dialog.save(service.url, apiKey);
			await dialog.root.waitFor({ state: 'hidden' });
			expect(service.requests).toMatchObject([
				{
					method: 'GET',
					path: '/api/v1/links',
					headers: { authorization: `Bearer ${apiKey}` },
					status: 200,
				},
			]);

			const again = await details.editCredential();
			await again.root.getByText('Connection tested successfully').waitFor();
			await takePicture(editor.page, 'credential', await contentOf(again.root));
		});

		it.each(mistakes)('reads what to do about $what', async (mistake) => {
			const { editor, service } = stage();
			const { key = apiKey, path = '', url = service.url + path, advice, picture } = mistake;
			const details = await editor.addAction('Link', 'Create link');
			const dialog = await details.newCredential();
			await dialog.save(url, key);
			expect(await dialog.failure()).toContain(advice);
			if (picture) await takePicture(editor.page, picture, await contentOf(dialog.root));
		});

		it.each([
			['does not exist', () => 'http://no-such-host.invalid'],
			// The port of a service that nobody runs any more.
			['answers nothing', () => 'http://127.0.0.1:9'],
			['does not speak https', (url: string) => url.replace('http:', 'https:')],
		])('finds in the docs the code that it is shown of a host that %s', async (_what, urlOf) => {
			const { editor, service } = stage();
			const details = await editor.addAction('Link', 'Create link');
			const dialog = await details.newCredential();
			await dialog.save(urlOf(service.url), apiKey);
			const [code] = /\bE[A-Z_]{4,}\b/.exec(await dialog.failure()) ?? [];
			const page = readFileSync(join(projectRoot, 'docs', 'first-link.md'), 'utf8');
			const [, section = ''] = page.split('### When the credential test fails');
			expect(section.split('\n## ')[0]).toContain(`\`${code}\``);
		});

		it('comes from Docs to the page on the first link', async () => {
			const { editor } = stage();
			const page = /\/docs\/first-link\.md(\?|#|$)/;
			const details = await editor.addAction('Link', 'Create link');
			const docs = details.root.getByRole('link', { name: 'Docs' });
			expect(await docs.getAttribute('href')).toMatch(page);
			const dialog = await details.newCredential();
			const help = dialog.root.getByRole('link', { name: 'docs' });
			expect(await help.getAttribute('href')).toMatch(page);
		});
	});
}
