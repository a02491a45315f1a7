import type { IExecuteFunctions } from 'n8n-workflow';
import type { RowOutcome } from './outcome';
import { isTool } from './nodeErrors';

/** Outcomes of earlier tries, by the execution's own object for this run of the node; gone with the execution. */
const caches = new WeakMap<object, Map<number, RowOutcome>>();

/**
 * What earlier tries of this run did, by row. With Retry On Fail, n8n runs the whole node again after a failure; rows
 * that were done must not be done a second time, nor creates of which nobody knows whether they were. Without it nothing
 * is remembered, nor for a tool: its one row is only tried again if it failed, and some agents make all their calls
 * within one run.
 */
export function retryOnFailCache(context: IExecuteFunctions): Map<number, RowOutcome> {
	const node = context.getNode();
	if (node.retryOnFail !== true || isTool(node)) return new Map();
	const run = context.getExecuteData();
	const known = caches.get(run) ?? new Map<number, RowOutcome>();
	caches.set(run, known);
	return known;
}
