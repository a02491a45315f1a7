import { contentOf } from '../support/crop.ts';
import { takePicture } from '../support/pictures.ts';
import { createLink, type Stage } from '../support/stage.ts';
import { node, workflowOf } from '../support/workflow.ts';

const shop = 'https://shop.example.com';

/** The sheet of a person: one row leads elsewhere than its link, one is new, and of one the alias was edited. */
const sheet = [
	{ market: 'Germany', alias: 'spring-de', url: `${shop}/de/spring` },
	{ market: 'France', alias: 'spring-fr', url: `${shop}/fr/printemps` },
	{ market: 'Japan', alias: 'spring-jp', url: `${shop}/jp/spring` },
	{ market: 'Brazil', alias: 'spring-br', url: `${shop}/br/spring` },
	{ market: 'Spain', alias: 'spring-spain', url: `${shop}/es/spring` },
];

/** The countries that have a link before the sheet is synced. */
const before = ['de', 'es', 'fr', 'it', 'jp'];

/** The columns of the table that a dry run of each operation returns. */
const tableOfDryRun = ['outcome', 'id', 'alias', 'before', 'after', 'note'];

/** What a code node needs in order to hand on rows. */
const codeFor = (rows: readonly object[]) => `return ${JSON.stringify(rows)};`;

/** Bringing the links of a scope in line with a sheet, and taking values from its columns. */
export function syncing(stage: () => Stage): void {
	describe('a person who keeps a sheet in sync', () => {
		it('fills in the form, looks at the plan, runs it, and is stopped where too much would go', async () => {
			const { editor, rest, service, credential } = stage();
			for (const country of before)
				createLink(service, `spring-${country}`, `${shop}/${country}/spring`);
			const nodes = [
				node('Start', 'n8n-nodes-base.manualTrigger', {}),
				node('Sheet', 'n8n-nodes-base.code', { jsCode: codeFor(sheet) }),
				node('Spring links', 'n8n-nodes-link-management.link', {}),
			];
			const { id } = await rest.addWorkflow(workflowOf('Spring', nodes), credential);
			await editor.page.setViewportSize({ width: 1280, height: 1680 });
			await editor.openWorkflow(id);
			const details = await editor.openNode('Spring links');
			await details.executePrevious();
			await details.choose('operation', 'Sync');
			await details.choose('mappingColumnMode', 'Map Automatically');
			await details.add('Add Scope Field', 'Alias Starts With');
			await details.fill('aliasStartsWith', 'spring-');
			await details.add('Add Scope Field', 'Domain');
			await details.pick('domainId', 'short.example');
			// It is on as soon as it is added.
			await details.add('Add Option', 'Dry Run');
			expect(await details.isOn('dryRun')).toBe(true);
			await takePicture(editor.page, 'sync-form', await contentOf(details.form));

			service.reset();
			await details.execute();
			await details.output.getByText(/^Dry run: nothing was written\. 5 items would be/).waitFor();
			await details.output
				.getByText('Mapped columns: alias, url. Ignored columns: market.', { exact: true })
				.waitFor();
			expect(service.requests.map(({ method }) => method)).toEqual(['GET']);
			const plan = await details.rows();
			expect(plan.map(([outcome, , alias]) => [outcome, alias])).toEqual([
				['unchanged', 'spring-de'],
				['updated', 'spring-fr'],
				['unchanged', 'spring-jp'],
				['created', 'spring-br'],
				['created', 'spring-spain'],
				['disabled', 'spring-it'],
				['disabled', 'spring-es'],
			]);
			expect(await details.headings()).toEqual(tableOfDryRun);
			// Wide enough for the table in the output panel.
			await editor.page.setViewportSize({ width: 2300, height: 1060 });
			await takePicture(editor.page, 'sync-plan', await contentOf(details.output));

			await details.field('dryRun').locator('.el-switch').click();
			await details.execute();
			await details.output
				.getByText(
					/^5 items: 2 created, 1 updated, 2 unchanged[,;].* 2 links that are no longer in the rows were disabled/,
				)
				.waitFor();
			const writes = service.requests.map(({ method }) => method).filter((verb) => verb !== 'GET');
			expect(writes.sort()).toEqual(['POST', 'POST', 'PUT', 'PUT', 'PUT']);
			await editor.page.setViewportSize({ width: 2300, height: 660 });
			await takePicture(editor.page, 'sync-hint', await contentOf(details.output));

			await editor.reset();
			await details.close();
			const rows = await editor.openNode('Sheet');
			await rows.root.locator('.cm-content').fill(codeFor(sheet.slice(0, 1)));
			await rows.close();
			const again = await editor.openNode('Spring links');
			service.reset();
			await again.execute();
			expect(await again.error('message')).toMatch(
				/^4 of the \d enabled links .* are in no row and would be disabled, which is more than Max Removal Percentage \(50 ?%\) allows$/,
			);
			expect(await again.error('description')).toMatch(
				/spring-spain \(ID \d+\), .*If the rows are complete, raise Max Removal Percentage under Options\. A dry run shows the whole plan\.$/,
			);
			expect(service.requests.map(({ method }) => method)).toEqual(['GET']);
			await takePicture(editor.page, 'sync-fuse', await contentOf(again.output));
		});
	});

	it('a person who takes values from columns finds what was filled in after switching there and back', async () => {
		const { editor } = stage();
		const details = await editor.addAction('Link', 'Create or update link');
		await details.fill('url', `${shop}/de/spring`);
		await details.fillId('domainId', '1');
		await details.fill('alias', 'spring-de');
		await details.add('Add Field', 'Space');
		await details.fillId('spaceId', '2');
		for (const choice of ['Map Automatically', 'Map Each Column Manually']) {
			await details.choose('mappingColumnMode', choice);
			expect({ choice, url: await details.value('url') }).toEqual({
				choice,
				url: `${shop}/de/spring`,
			});
			expect(await details.value('alias')).toBe('spring-de');
			expect(await details.id('domainId')).toBe('1');
			expect(await details.id('spaceId')).toBe('2');
		}
	});
}
