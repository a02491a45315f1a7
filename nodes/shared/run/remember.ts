import type { IExecuteFunctions } from 'n8n-workflow';
import type { Outcome } from './outcome';

/** Outcomes of earlier tries, by the execution's own object for this run of the node; gone with the execution. */
const tries = new WeakMap<object, Map<number, Outcome>>();

/**
 * What earlier tries of this run did, by row. With Retry On Fail, n8n runs the whole node again after a failure; rows
 * that were carried out must not be carried out a second time. Without it nothing is remembered.
 */
export function remembered(context: IExecuteFunctions): Map<number, Outcome> {
	if (context.getNode().retryOnFail !== true) return new Map();
	const run = context.getExecuteData();
	const known = tries.get(run) ?? new Map<number, Outcome>();
	tries.set(run, known);
	return known;
}
