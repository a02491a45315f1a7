import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IRunExecutionData } from 'n8n-workflow';
import { linkNodeOf, nodeOf } from '../../testkit/n8n/bulk.ts';
import { readExecutionData, type Workflow } from '../../testkit/n8n/rest.ts';
import { expectSuccess, type Desk } from '../support/desk.ts';
import { useStories } from '../support/stories.ts';

const story = useStories();

const rowOf = (name: number | string) => ({
	alias: `sheet-${name}`,
	'Destination URL': `https://example.com/offers/${name}`,
	expiration_date: '2099-12-31',
	expirationTime: '23:59',
	notes: `offer ${name}`,
});

const rowsOf = (count: number) => Array.from({ length: count }, (_, i) => rowOf(i + 1));

const sheetOf = ({ files }: Desk) => join(files, 'sheet.csv');

/** Writes the sheet that the workflows read; its cells hold nothing that had to be quoted. */
function writeSheet(desk: Desk, rows: readonly object[]): void {
	const lines = [Object.keys(rowOf(0)), ...rows.map((row) => Object.values(row))];
	writeFileSync(sheetOf(desk), lines.map((cells) => `${cells.join()}\n`).join(''));
}

/** A workflow that reads the sheet, and syncs its rows in a loop. */
const workflowOf = (desk: Desk, unmatchedLinks = 'disable'): Workflow => {
	const edges = { Rows: [['Loop']], Loop: [[], ['Links']], Links: [['Loop']] };
	const all = { Start: [['Read']], Read: [['Rows']], ...edges };
	const to = (node: string) => ({ node, type: 'main', index: 0 });
	return {
		name: 'Sync the sheet',
		nodes: [
			nodeOf('Start', 'n8n-nodes-base.manualTrigger', 1, {}),
			nodeOf('Read', 'n8n-nodes-base.readWriteFile', 1, {
				...{ operation: 'read', fileSelector: sheetOf(desk), options: {} },
			}),
			nodeOf('Rows', 'n8n-nodes-base.extractFromFile', 1, { operation: 'csv', options: {} }),
			nodeOf('Loop', 'n8n-nodes-base.splitInBatches', 3, { batchSize: 5, options: {} }),
			linkNodeOf('Links', {
				...{ operation: 'sync', mappingColumnMode: 'autoMapInputData', unmatchedLinks },
				syncScope: { domainId: { __rl: true, mode: 'id', value: '1' }, aliasStartsWith: 'sheet-' },
			}),
		],
		connections: Object.fromEntries(
			Object.entries(all).map(([name, outputs]) => [
				name,
				{ main: outputs.map((targets) => targets.map(to)) },
			]),
		),
		settings: { executionOrder: 'v1' },
		// n8n reads it when a workflow is executed step by step.
		pinData: {},
	} as Workflow;
};

const run = async (desk: Desk, workflow: Workflow) =>
	await desk.run(await desk.addWorkflow(workflow), 'Start');

/** The aliases of the account, with their state and destination. */
const held = async (desk: Desk) =>
	desk
		.held('links')
		.map(({ alias, disabled, url }) => `${String(alias)} ${disabled ? 'off' : 'on'} ${String(url)}`)
		.sort();

const on = (rows: ReturnType<typeof rowsOf>) =>
	rows.map((row) => `${row.alias} on ${row['Destination URL']}`);

const inLoop = /^Unmatched Links must be Keep here, because the node is in a loop/;

story('rows in a loop are refused, unless the other links are kept', async (desk) => {
	writeSheet(desk, rowsOf(12));
	const refused = await run(desk, workflowOf(desk));
	expect(refused).toMatchObject({ status: 'error', error: expect.stringMatching(inLoop) });
	expect(desk.service.requests).toEqual([]);

	const kept = await run(desk, workflowOf(desk, 'keep'));
	expectSuccess(kept);
	expect(kept.items('Links')).toHaveLength(12);
	expect(await held(desk)).toEqual(on(rowsOf(12)).sort());
});

story('rows in a loop that is executed step by step are refused', async (desk) => {
	writeSheet(desk, rowsOf(12));
	const id = await desk.addWorkflow(workflowOf(desk));
	const execute = async (nodeName: string, payload: object) => {
		const { executionId } = await desk.rest.call<{ executionId: string }>(
			'POST',
			`/workflows/${id}/run`,
			{ destinationNode: { nodeName, mode: 'inclusive' }, ...payload },
		);
		const ended = await desk.ended(executionId);
		const { data } = await desk.rest.call<{ data: string }>('GET', `/executions/${executionId}`);
		return { ...ended, runData: (readExecutionData(data) as IRunExecutionData).resultData.runData };
	};
	const { runData } = await execute('Loop', { triggerToStartFrom: { name: 'Start' } });
	expect(Object.keys(runData)).toEqual(['Start', 'Read', 'Rows', 'Loop']);
	const { status, error } = await execute('Links', { runData });
	expect({ status, error }).toEqual({ status: 'error', error: expect.stringMatching(inLoop) });
	expect(desk.service.requests).toEqual([]);
});
