import { createLink } from '../support/account.ts';
import type { NodeDetails } from '../support/details.ts';
import type { Stage } from '../support/stage.ts';
import { node, workflowOf } from '../support/workflow.ts';

const shop = 'https://shop.example.com';

const autoMap = 'Map Automatically';

/** Rows as Google Sheets gives them: with the number of each row, and an empty row between two filled ones. */
const sheet = [
	{ row_number: 17, Slug: 'spring-de', 'Long URL': `${shop}/de`, source: 'mail' },
	{ row_number: 18, Slug: '', 'Long URL': '', source: '' },
	{ row_number: 19, Slug: 'spring-fr', 'Long URL': `${shop}/fr`, source: 'mail' },
	{ row_number: 20, Slug: 'spring-es', 'Long URL': `${shop}/es`, source: '' },
];

const aliases = ['spring-de', 'spring-fr', 'spring-es'];

/** Filling fields from the columns of a real sheet, and finding the link of each row. */
export function mapping(stage: () => Stage): void {
	/** Opens a workflow that hands rows to a Link node, and the details of this node. */
	const opened = async (rows: readonly object[], parameters: object): Promise<NodeDetails> => {
		const { editor, rest, credential } = stage();
		const domainId = { __rl: true, mode: 'id', value: '1' };
		const nodes = [
			node('Start', 'n8n-nodes-base.manualTrigger', {}),
			node('Sheet', 'n8n-nodes-base.code', { jsCode: `return ${JSON.stringify(rows)};` }),
			node('Links', 'n8n-nodes-link-management.link', { domainId, ...parameters }),
		];
		const { id } = await rest.addWorkflow(workflowOf('Mapping', nodes), credential);
		await editor.page.setViewportSize({ width: 1280, height: 1400 });
		await editor.openWorkflow(id);
		return await editor.openNode('Links');
	};

	const errorOf = async ({ output }: NodeDetails) =>
		await output.getByTestId('node-error-message').innerText();

	describe('a person whose sheet has its own headings', () => {
		it('reads in the form which headings map, one line for each field with synonyms', async () => {
			const details = await opened(sheet, { operation: 'create' });
			const notice = details.form.getByText('Columns with these names map');
			expect(await notice.count()).toBe(0);
			await details.choose('mappingColumnMode', autoMap);
			const lines = details.form.locator('.notice-content li, [class*="notice"] li');
			await lines.first().waitFor();
			const texts = await lines.allInnerTexts();
			expect(texts.slice(0, 3)).toEqual([
				'Destination URL (long url, original url, destination)',
				'Alias (slug, back-half, short code, custom alias)',
				'Expiration (expires, expires at, expiry, valid until)',
			]);
			expect(texts).toContain('Password, Statistics Password, with Map Passwords under Options');
		});
	});

	describe('a person who updates links from a sheet', () => {
		it('leaves Link empty, and is stopped if one link is chosen for all rows', async () => {
			const { service } = stage();
			const ids: number[] = [];
			for (const alias of aliases) {
				ids.push(await createLink(service, { alias, url: `${shop}/old`, domain_id: '1' }));
			}
			const details = await opened(sheet, { operation: 'update' });
			expect(await details.shows('matchBy')).toBe(false);
			await details.choose('mappingColumnMode', autoMap);
			expect(await details.value('matchBy')).toBe('Alias');
			expect(await details.demanded()).toEqual([]);
			await details.form.getByText('Leave this empty to find the link of each item').waitFor();
			await details.add('Add Option', 'Dry Run');
			expect(await details.isOn('dryRun')).toBe(true);
			await details.execute();
			const rows = await details.rows();
			expect(rows.map(([outcome, , alias]) => [outcome, alias])).toEqual(
				aliases.map((alias) => ['updated', alias]),
			);
			expect(await details.ownWords()).toEqual([]);

			await details.fillId('linkId', String(ids[0]));
			await details.execute();
			expect(await errorOf(details)).toBe(
				'Link is the same for all 3 items, so they would overwrite one link; clear Link and choose Match By, or enter an expression',
			);
			const methods = new Set(service.requests.map(({ method }) => method));
			expect([...methods]).toEqual(['GET']);
		});

		it('sees the fields that each choice of Match By needs', async () => {
			const details = await opened(sheet, { operation: 'upsert' });
			expect(await details.demanded()).toEqual(['Destination URL', 'Alias']);
			expect(await details.isLocatorShown('linkId')).toBe(false);
			await details.choose('matchBy', 'ID');
			await details.form.getByText('Leave this empty to create a link').waitFor();
			expect(await details.isLocatorShown('linkId')).toBe(true);
			expect(await details.demanded()).toEqual([]);
			await details.choose('matchBy', 'Destination URL');
			await details.form
				.getByText('Leave this empty to create a link')
				.waitFor({ state: 'hidden' });
			expect(await details.isLocatorShown('linkId')).toBe(false);
			expect(await details.demanded()).toEqual(['Destination URL']);
		});
	});
}
