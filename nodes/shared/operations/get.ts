import { ServiceError } from '../transport/serviceError';
import { readById, resolveId } from './find';
import { rowByRow, type Execute, type OperationHandler } from './types';
import { plannedRead } from './dryRunPlan';
import { planTargets } from './dryRunTargets';

const getOne: Execute = async (requests, row) => {
	await requests.lock(undefined);
	const id = await resolveId(requests, row);
	return { resources: [await readById(requests, row.contract, id)], outcome: 'read' };
};

/** Reads one resource for each row, named by its ID or by what else is known of it. */
export const get: OperationHandler = (run) => ({
	...rowByRow(getOne)(),
	...planTargets(run, (row, found) => {
		if (found instanceof ServiceError) throw found;
		return plannedRead(row, [found]);
	}),
});
