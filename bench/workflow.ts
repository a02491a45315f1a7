import { randomUUID } from 'node:crypto';
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

/** What a contestant does with the rows: nodes one after the other, and what the first of them takes beside the rows. */
export interface Steps {
	chain: Node[];
	/** Nodes one after the other, from the trigger to the second input of the chain's first node. */
	beside?: Node[];
}

export const trigger = 'Start';
/** The names of all nodes of the contestant begin so; what the last of its chain returns, under just this name, counts. */
export const contestant = 'Contestant';

/** Stands where the contestant stands, and does nothing: what n8n itself spends on the rows. */
export const noOperation: Node = {
	type: 'n8n-nodes-base.noOp',
	typeVersion: 1,
	parameters: {},
};

/** One item that holds all rows; aliases and destinations as `account.ts` expects them. */
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

/** Nodes of a workflow in the order in which one hands its items to the next. */
type Chain = [name: string, node: Node][];

/** Each node's connection to the next one. */
const joined = (chain: Chain, input: (name: string) => number) =>
	chain.slice(1).map(([to], at) => ({ from: chain[at]?.[0] ?? trigger, to, index: input(to) }));

/** Trigger → rows → contestant; with no rows the contestant gets the trigger's one empty item. */
export function workflowOf({ chain, beside = [] }: Steps, given: Rows): object {
	const rows: Chain =
		given.rows > 0
			? [
					['All rows', allRows(given)],
					['Rows', oneItemPerRow],
				]
			: [];
	const steps = chain.map((node, at): Chain[number] => [
		at < chain.length - 1 ? `${contestant} step ${at + 1}` : contestant,
		node,
	]);
	const others = beside.map((node, at): Chain[number] => [`${contestant} list ${at + 1}`, node]);
	const [entry] = steps;
	const joints = [
		...joined([[trigger, start], ...rows, ...steps], () => 0),
		...(entry && others.length > 0
			? joined([[trigger, start], ...others, entry], (to) => (to === entry[0] ? 1 : 0))
			: []),
	];
	const nodes: Chain = [[trigger, start], ...rows, ...others, ...steps];
	const connections = nodes.map(([name]) => {
		const outgoing = joints.filter(({ from }) => from === name);
		return [name, { main: [outgoing.map(({ to, index }) => ({ node: to, type: 'main', index }))] }];
	});
	return {
		name: 'Benchmark',
		nodes: nodes.map(([name, each], index) => ({
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
