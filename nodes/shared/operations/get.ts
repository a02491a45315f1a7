import { ServiceError } from '../transport/serviceError';
import { plannedRead } from './dryRunPlan';
import { planTargets } from './dryRunTargets';
import { notFound, readById, resolveId } from './find';
import { repeatReads, requestsOfTarget, type OperationHandler } from './types';

/** Reads the resource with the ID or address of each row. */
export const get: OperationHandler = (run) => ({
	recovery: repeatReads,
	execute: async (requests, row) => {
		await requests.lock(undefined);
		const { contract, reference } = row;
		const id = await resolveId(requests, row);
		const resource = await readById(requests, contract, id);
		// Another client may have changed the resource since the search.
		const key = reference?.lookup?.keyOf(resource);
		if (reference && key !== undefined && key !== reference.key) {
			throw notFound(contract, reference);
		}
		return { resources: [resource], outcome: 'read' };
	},
	requestsFor: requestsOfTarget,
	...planTargets(run, (row, target) => {
		if (target instanceof ServiceError) throw target;
		return plannedRead(row, [target]);
	}),
});
