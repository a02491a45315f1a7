import { connected } from '../../../testkit/n8n/bulk.ts';
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
	connections: connected(...nodes.map((each) => each.name)),
});
