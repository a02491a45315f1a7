import { rowsWorkflow } from '../testkit/n8n/bulk.ts';
import type { Workflow } from '../testkit/n8n/rest.ts';
import type { Rows } from './account.ts';

/** A node as n8n's workflow JSON has it, without its name and its place on the canvas. */
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

/** The name of the contestant's node. */
export const contestant = 'Contestant';

/** Replaces the contestant, to measure the time that n8n itself needs for the rows. */
export const noOperation: Node = { type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} };

/**
 * Trigger → rows → contestant. With no rows, the contestant gets the trigger's one empty item. The rows have the aliases and
 * destinations that `account.ts` expects.
 */
export function workflowOf(node: Node, { first, rows }: Rows): Workflow {
	const row = `({ alias: 'bench-' + i, url: 'https://example.com/bench/' + i })`;
	const list = `Array.from({ length: ${rows} }, (_, i) => i + ${first}).map((i) => ${row})`;
	const target = { ...node, name: contestant, id: contestant, position: [0, 0] };
	return {
		...rowsWorkflow('Benchmark', target, rows > 0 ? list : undefined),
		settings: {
			executionOrder: 'v1',
			saveManualExecutions: true,
			saveExecutionProgress: false,
			saveDataSuccessExecution: 'all',
			saveDataErrorExecution: 'all',
		},
	};
}
