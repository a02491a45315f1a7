import { readById, resolveId } from './find';
import type { Execute } from './operation';

/** Reads one resource, named by its ID or by what else is known of it. */
export const get: Execute = async (requests, row) => {
	await requests.takeTurn(undefined);
	const id = await resolveId(requests, row);
	return { resources: [await readById(requests, row.contract, id)], outcome: 'read' };
};
