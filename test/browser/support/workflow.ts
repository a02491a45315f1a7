import type { Workflow } from '../../../testkit/n8n/rest.ts';

type WorkflowNode = Workflow['nodes'][number] & { parameters: object };

/** A node of a stored workflow. */
export const node = (name: string, type: string, parameters: object): WorkflowNode => ({
	name,
	type,
	parameters,
});

/** A workflow of nodes in a row, each connected to the next. */
export const workflowOf = (name: string, nodes: readonly WorkflowNode[]): Workflow => ({
	name,
	nodes: nodes.map((each, column) => ({
		...each,
		id: each.name,
		typeVersion: 1,
		position: [column * 240, 0],
	})),
	connections: Object.fromEntries(
		nodes
			.slice(0, -1)
			.map((from, index) => [
				from.name,
				{ main: [[{ node: nodes[index + 1]?.name, type: 'main', index: 0 }]] },
			]),
	),
});
