import { readById, resolveId } from './find';
import { repeatReads, type OperationHandler } from './types';

/** Reads the resource with the ID or address of each row. */
export const get: OperationHandler = () => ({
	recovery: repeatReads,
	execute: async (requests, row) => {
		await requests.lock(undefined);
		const id = await resolveId(requests, row);
		return { resources: [await readById(requests, row.contract, id)], outcome: 'read' };
	},
});
