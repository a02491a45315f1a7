import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../support/process.ts';
import { contentOf } from '../support/crop.ts';
import { takePicture } from '../support/pictures.ts';
import { apiKey, type Stage } from '../support/stage.ts';

/** What else people search for, by the node that they find. */
const words: Record<string, string[]> = {
	Link: [
		...['UTM', 'tiny URL', 'click tracking', 'Bitly alternative', 'slug', 'vanity URL'],
		...['custom domain', 'link clicks', 'bit.ly', 'rebrandly', 'create link', 'QR code'],
		...['disable link', 'enable link', 'update link', 'delete link'],
	],
	Pixel: ['Facebook pixel', 'Meta pixel', 'retargeting pixel', 'Google tag'],
};

/** The first minutes with the nodes: finding them, and making the credential. */
export function newcomer(stage: () => Stage): void {
	describe('a person who has never seen the nodes', () => {
		it('finds them by "short link" and other words', async () => {
			const { editor } = stage();
			const found = await editor.searchNodes('short link');
			await found.getByText('Pixel', { exact: true }).waitFor();
			expect(await found.allInnerTexts()).toEqual(['Link', 'Pixel']);
			await editor.page.getByText('Create, update, find and delete short links').waitFor();
			const panel = editor.page.getByTestId('node-creator');
			await takePicture(editor.page, 'nodes-panel', await contentOf(panel));
			for (const [node, others] of Object.entries(words))
				for (const word of others) {
					await editor.page.getByTestId('node-creator-search-bar').fill(word);
					await found.getByText(node, { exact: true }).waitFor();
				}
		});

		it('reads the docs, creates the credential, and sees its test pass', async () => {
			const { editor, service } = stage();
			const details = await editor.addAction('Link', 'Create link');
			const toDocs = /\/docs\/first-link\.md(\?|#|$)/;
			const docs = details.root.getByRole('link', { name: 'Docs' });
			expect(await docs.getAttribute('href')).toMatch(toDocs);
			const dialog = await details.newCredential();
			const help = dialog.root.getByRole('link', { name: 'docs' });
			expect(await help.getAttribute('href')).toMatch(toDocs);
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

		it('reads what is wrong with a credential, with the code that the docs explain', async () => {
			const { editor, service } = stage();
			const details = await editor.addAction('Link', 'Create link');
			const dialog = await details.newCredential();
			await dialog.save(service.url, 'no-such-key-0123456789');
			await dialog.root.getByText('More details').click();
			await dialog.root.getByText('More details').waitFor({ state: 'hidden' });
			expect(await dialog.root.innerText()).toContain(
				'The service did not accept the API key; enter a valid key',
			);
			await takePicture(editor.page, 'credential-wrong-key', await contentOf(dialog.root));

			await dialog.save('http://no-such-host.invalid', apiKey);
			await dialog.root.getByText('ENOTFOUND').or(dialog.root.getByText('EAI_AGAIN')).waitFor();
			const page = readFileSync(join(projectRoot, 'docs', 'first-link.md'), 'utf8');
			const [, section = ''] = page.split('### When the credential test fails');
			expect(section.split('\n## ')[0]).toContain('`ENOTFOUND`');
		});
	});
}
