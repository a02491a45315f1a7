import { apiRequest } from '../contract/endpoints';
import { paramsOf } from '../contract/encodeRow';
import { list } from './list';
import type { Execute } from './operation';

/** Reads a list up to its limit, with the row's filters. */
export const getMany: Execute = async (requests, row) => {
	await requests.takeTurn(undefined);
	const { path, params } = apiRequest(row.contract, 'getAll', paramsOf(row.fields));
	return { resources: await list(requests, { path, params, limit: row.limit }), outcome: 'read' };
};
