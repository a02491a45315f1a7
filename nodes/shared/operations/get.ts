import { apiRequest } from '../contract/endpoints';
import { answerOfId, resolveId } from './find';
import type { Execute } from './operation';
import { requestResource } from './resource';

/** Reads one resource, named by its ID or by what else is known of it. */
export const get: Execute = async (requests, row) => {
	await requests.takeTurn(undefined);
	const id = await resolveId(requests, row);
	const request = apiRequest(row.contract, 'get', [], id);
	const resource = await answerOfId(row.contract, id, requestResource(requests, request));
	return { resources: [resource], outcome: 'read' };
};
