import type { IExecuteFunctions } from 'n8n-workflow';
import type { RowOutcome } from './outcome';
import { isTool } from './nodeErrors';

/** Outcomes of earlier tries by n8n's object for the run of the node, which is collected with the execution. */
const caches = new WeakMap<object, Map<number, RowOutcome>>();

/**
 * Returns the outcomes of earlier tries of this run by row. With Retry On Fail, n8n runs the whole node again after a failure.
 * The node must not repeat rows that are done, or creates whose outcome is unknown. Without Retry On Fail, it stores no
 * outcomes. For a tool, it stores none either, because some agents make all their calls within one run.
 */
export function retryOnFailCache(context: IExecuteFunctions): Map<number, RowOutcome> {
	const node = context.getNode();
	if (node.retryOnFail !== true || isTool(node)) return new Map();
	const run = context.getExecuteData();
	const outcomes = caches.get(run) ?? new Map<number, RowOutcome>();
	caches.set(run, outcomes);
	return outcomes;
}
