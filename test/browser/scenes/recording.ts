import { Recording } from '../support/pictures.ts';
import type { Stage } from '../support/stage.ts';
import { node, workflowOf } from '../support/workflow.ts';

/** The sheet of a person who plans a campaign. */
const rows = 'newsletter instagram linkedin poster podcast partner radio flyer'
	.split(' ')
	.map((alias) => ({ alias, url: `https://example.com/${alias}` }));

const columns = ['alias', 'url', 'short_url'];

const dataTable = (name: string, parameters: object) => ({
	...node(name, 'n8n-nodes-base.dataTable', parameters),
	typeVersion: 1.1,
});

/** Reads the rows of a table, creates their links, and writes the short URLs into the table. */
function workflowFor(tableId: string) {
	const dataTableId = { __rl: true, mode: 'id', value: tableId };
	return workflowOf('Create the links of a sheet', [
		node('Start', 'n8n-nodes-base.manualTrigger', {}),
		dataTable('Campaign', { dataTableId, operation: 'get', returnAll: true }),
		node('Create links', 'n8n-nodes-link-management.link', {
			...{ operation: 'create', mappingColumnMode: 'autoMapInputData' },
			domainId: { __rl: true, mode: 'id', value: '1' },
		}),
		dataTable('Write short URLs', {
			...{ dataTableId, operation: 'update' },
			filters: {
				conditions: [{ keyName: 'alias', condition: 'eq', keyValue: '={{ $json.alias }}' }],
			},
			columns: { mappingMode: 'defineBelow', value: { short_url: '={{ $json.shortUrl }}' } },
		}),
	]);
}

/** A sheet, its links, and their short URLs in the sheet. */
export function recording(stage: () => Stage): void {
	it('a recording shows a sheet, its links, and their short URLs in the sheet', async () => {
		const { editor, rest, service, credential } = stage();
		const { page } = editor;
		const { id: projectId } = await rest.call<{ id: string }>('GET', '/projects/personal');
		const tables = `/projects/${projectId}/data-tables`;
		const { id: tableId } = await rest.call<{ id: string }>('POST', tables, {
			name: 'Spring campaign',
			columns: columns.map((name) => ({ name, type: 'string' })),
		});
		await rest.call('POST', `${tables}/${tableId}/insert`, { data: rows, returnType: 'id' });
		const { id } = await rest.addWorkflow(workflowFor(tableId), credential);
		await page.setViewportSize({ width: 902, height: 560 });
		const recorded = new Recording(page);
		const showTable = async () => {
			await editor.go(`/projects/${projectId}/datatables/${tableId}`);
			await page.getByText('podcast', { exact: true }).waitFor();
		};

		await showTable();
		await recorded.add(2500);
		await editor.openWorkflow(id);
		await recorded.add(1500);
		await editor.execute();
		await recorded.add(2000);
		await showTable();
		await page.getByText('/s/podcast').waitFor();
		await recorded.add(4000);
		expect(service.counts().links).toBe(rows.length);
		expect(await recorded.save('sheet-to-links')).toBeLessThan(2_000_000);
	});
}
