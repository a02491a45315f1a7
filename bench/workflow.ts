import { randomUUID } from 'node:crypto';

/** A node as n8n's workflow JSON has it, without its place on the canvas. */
export interface Node {
	type: string;
	typeVersion: number;
	parameters: Record<string, unknown>;
	credentials?: Record<string, { id: string; name: string }>;
	/** n8n's On Error and Retry On Fail settings. */
	onError?: 'continueRegularOutput';
	retryOnFail?: boolean;
	maxTries?: number;
	waitBetweenTries?: number;
}

export const trigger = 'Start';
export const contestant = 'Contestant';

/** Stands where the contestant stands, and does nothing: what n8n itself spends on the rows. */
export const noOperation: Node = {
	type: 'n8n-nodes-base.noOp',
	typeVersion: 1,
	parameters: {},
};

/** One item that holds all rows; aliases and destinations as `account.ts` expects them. */
const allRows = (rows: number): Node => ({
	type: 'n8n-nodes-base.set',
	typeVersion: 3.4,
	parameters: {
		mode: 'raw',
		jsonOutput: `={{ { rows: Array.from({ length: ${rows} }, (_, i) => ({ alias: 'bench-' + i, url: 'https://example.com/bench/' + i })) } }}`,
		options: {},
	},
});

const oneItemPerRow: Node = {
	type: 'n8n-nodes-base.splitOut',
	typeVersion: 1,
	parameters: { fieldToSplitOut: 'rows', options: {} },
};

const start: Node = { type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} };

/** Trigger → rows → contestant; with no rows the contestant gets the trigger's one empty item. */
export function workflowOf(node: Node, rows: number): object {
	const chain: [string, Node][] = [
		[trigger, start],
		...(rows > 0
			? ([
					['All rows', allRows(rows)],
					['Rows', oneItemPerRow],
				] satisfies [string, Node][])
			: []),
		[contestant, node],
	];
	const names = chain.map(([name]) => name);
	const connections = names
		.slice(0, -1)
		.map((name, index) => [name, { main: [[{ node: names[index + 1], type: 'main', index: 0 }]] }]);
	return {
		name: 'Benchmark',
		nodes: chain.map(([name, each], index) => ({
			...each,
			name,
			id: randomUUID(),
			position: [200 * index, 0],
		})),
		connections: Object.fromEntries(connections),
		settings: {
			executionOrder: 'v1',
			saveManualExecutions: true,
			saveExecutionProgress: false,
			saveDataSuccessExecution: 'all',
			saveDataErrorExecution: 'all',
		},
	};
}
