import { isOtherId } from '../contract/readers';
import { apiRequest } from '../contract/endpoints';
import { answerOfId, otherAnswer, resolveId } from './find';
import type { Execute } from './operation';
import { idIn, requestResource } from './resource';

/** Reads one resource, named by its ID or by what else is known of it. */
export const get: Execute = async (requests, row) => {
	await requests.takeTurn(undefined);
	const id = await resolveId(requests, row);
	const request = apiRequest(row.contract, 'get', [], id);
	const resource = await answerOfId(row.contract, id, requestResource(requests, request));
	if (isOtherId(idIn(resource), id)) throw otherAnswer(row.contract, id, resource);
	return { resources: [resource], outcome: 'read' };
};
