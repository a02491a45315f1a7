import { randomUUID } from 'node:crypto';
import { connected } from '../testkit/n8n/bulk.ts';
import type { Rows } from './account.ts';

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
/** The name of the contestant's node. */
export const contestant = 'Contestant';

/** Replaces the contestant, to measure the time that n8n itself needs for the rows. */
export const noOperation: Node = {
	type: 'n8n-nodes-base.noOp',
	typeVersion: 1,
	parameters: {},
};

/** One item with all rows. It has the aliases and destinations that `account.ts` expects. */
const allRows = ({ first, rows }: Rows): Node => ({
	type: 'n8n-nodes-base.set',
	typeVersion: 3.4,
	parameters: {
		mode: 'raw',
		jsonOutput: `={{ { rows: Array.from({ length: ${rows} }, (_, i) => i + ${first}).map((i) => ({ alias: 'bench-' + i, url: 'https://example.com/bench/' + i })) } }}`,
		options: {},
	},
});

const oneItemPerRow: Node = {
	type: 'n8n-nodes-base.splitOut',
	typeVersion: 1,
	parameters: { fieldToSplitOut: 'rows', options: {} },
};

const start: Node = { type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} };

/** Trigger → rows → contestant. With no rows, the contestant gets the trigger's one empty item. */
export function workflowOf(node: Node, rows: Rows): object {
	const steps: Record<string, Node> = {
		[trigger]: start,
		...(rows.rows > 0 ? { 'All rows': allRows(rows), Rows: oneItemPerRow } : {}),
		[contestant]: node,
	};
	return {
		name: 'Benchmark',
		nodes: Object.entries(steps).map(([name, step], index) => ({
			...{ ...step, name, id: randomUUID(), position: [200 * index, 0] },
		})),
		connections: connected(...Object.keys(steps)),
		settings: {
			executionOrder: 'v1',
			saveManualExecutions: true,
			saveExecutionProgress: false,
			saveDataSuccessExecution: 'all',
			saveDataErrorExecution: 'all',
		},
	};
}
