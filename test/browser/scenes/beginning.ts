import { contentOf } from '../support/crop.ts';
import { takePicture } from '../support/pictures.ts';
import { account, createPixel, type Stage } from '../support/stage.ts';
import { node, workflowOf } from '../support/workflow.ts';

const shop = 'https://shop.example.com';

const markets = ['Germany', 'france', 'JP', 'Brazil', 'ES', 'UK', 'Czech Republic', 'usa'];

/** A sheet as people write it: names instead of IDs and codes. */
const sheet = Array.from({ length: 20 }, (_, index) => {
	const market = markets[index % markets.length] ?? '';
	return {
		Alias: `spring-${index + 1}`,
		'Destination URL': `${shop}/spring/${index + 1}`,
		Domain: 'short.example',
		Pixels: index % 2 === 0 ? 'Shoppers' : 'Shoppers, readers',
		'Country Rules': `${market}=${shop}/market/${index + 1}`,
	};
});

const codes = ['DE', 'FR', 'JP', 'BR', 'ES', 'GB', 'CZ', 'US'];

/** From an account without links to the first ones. */
export function beginning(stage: () => Stage): void {
	describe('a person with a new account', () => {
		it('learns where the domain comes from, and makes a first link with targeting', async () => {
			const { editor, service } = stage();
			await editor.page.setViewportSize({ width: 1280, height: 1308 });
			const details = await editor.addAction('Link', 'Create link');
			await details.chooseCredential(account);
			await details.fill('url', `${shop}/spring`);
			const list = await details.openList('domainId');
			await list.error.waitFor();
			const text = await list.error.innerText();
			expect(text).toContain('None of your newest 1,000 links has a domain');
			expect(text).toContain('Choose By ID, and enter the ID');
			await takePicture(editor.page, 'new-account', await contentOf(details.form));
			await editor.page.keyboard.press('Escape');

			await details.fillId('domainId', 'short.example');
			await details.root
				.getByText('Find the ID on the website of the service', { exact: false })
				.first()
				.waitFor();
			await details.execute();
			expect(await details.error('message')).toBe(
				'Domain "short.example" was not found among the domains of your newest 1,000 links; use the ID',
			);
			expect(service.counts().links).toBe(0);

			await details.fillId('domainId', '1');
			await details.fill('alias', 'spring');
			await details.add('Add Field', 'Country Rules');
			await details.addRule('Add Country');
			await details.choose('key', 'Germany');
			await details.fill('value', `${shop}/de/spring`);
			await details.execute();
			await details.output.getByText('short.example', { exact: true }).waitFor();
			expect(service.counts().links).toBe(1);
			await takePicture(editor.page, 'first-link', await contentOf(details.form, details.output));
		});

		it('makes twenty links from a sheet that holds names', async () => {
			const { editor, rest, service, credential } = stage();
			const pixels = [
				createPixel(service, 'Shoppers', 'facebook'),
				createPixel(service, 'Readers', 'bing'),
			];
			const nodes = [
				node('Start', 'n8n-nodes-base.manualTrigger', {}),
				node('Sheet', 'n8n-nodes-base.code', { jsCode: `return ${JSON.stringify(sheet)};` }),
				node('Spring links', 'n8n-nodes-link-management.link', {}),
			];
			const { id } = await rest.addWorkflow(workflowOf('Spring', nodes), credential);
			await editor.page.setViewportSize({ width: 1280, height: 820 });
			await editor.openWorkflow(id);
			const details = await editor.openNode('Spring links');
			await details.executePrevious();
			await details.choose('operation', 'Create');
			await details.choose('mappingColumnMode', 'Map Automatically');
			await details.execute();
			expect(await details.error('message')).toBe('20 of 20 items cannot be sent');
			await details.output
				.getByText('was not found among the domains of your newest 1,000 links', { exact: false })
				.first()
				.waitFor();
			expect(service.counts().links).toBe(0);

			await details.fillId('domainId', '1');
			await details.fill('inputsToIgnore', 'Domain');
			await details.execute();
			await details.output.getByText(/^20 items: 20 created/).waitFor();
			const forms = service.requests
				.filter(({ method }) => method === 'POST')
				.map(({ body }) => new URLSearchParams(body));
			expect(forms.map((form) => form.get('country[0][key]')).sort()).toEqual(
				sheet.map((_, index) => codes[index % codes.length]).sort(),
			);
			expect(forms[1]?.getAll('pixel_ids[]')).toEqual(pixels.map(String));
			await takePicture(
				editor.page,
				'sheet-of-names',
				await contentOf(details.input, details.form, details.output),
			);
		});
	});
}
