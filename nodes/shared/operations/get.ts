import { ServiceError } from '../transport/serviceError';
import { readById, resolveId } from './find';
import { rowByRow, type Execute, type Operation } from './operation';
import { plannedRead } from './plan';
import { planTargets } from './planTargets';

const getOne: Execute = async (requests, row) => {
	await requests.lock(undefined);
	const id = await resolveId(requests, row);
	return { resources: [await readById(requests, row.contract, id)], outcome: 'read' };
};

/** Reads one resource for each row, named by its ID or by what else is known of it. */
export const get: Operation = (run) => ({
	...rowByRow(getOne)(),
	...planTargets(run, (row, found) => {
		if (found instanceof ServiceError) throw found;
		return plannedRead(row, [found]);
	}),
});
