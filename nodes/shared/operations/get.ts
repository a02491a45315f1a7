import { apiRequest } from '../contract/endpoints';
import { resolveId } from './find';
import type { Execute } from './operation';
import { requestResource } from './resource';

/** Reads one resource, named by its ID or by what else is known of it. */
export const get: Execute = async (requests, row) => {
	await requests.takeTurn(undefined);
	const id = await resolveId(requests, row);
	const resource = await requestResource(requests, apiRequest(row.contract, 'get', [], id));
	return { resources: [resource], outcome: 'read' };
};
