import type { IDataObject } from 'n8n-workflow';
import { idLock } from '../contract/encodedRow';
import { apiRequest } from '../contract/endpoints';
import { flagOf, idOf, isOtherId } from '../contract/readers';
import type { ResourceContract } from '../contract/resourceTypes';
import { isEmptyDeep, shorten } from '../contract/values';
import type { RowRequests } from '../transport/rowRequests';
import { rejection, ServiceError, settled } from '../transport/failures';
import { answerOfId } from './find';
import { idIn, recordIn } from './resource';

/** Returns whether a response reports that nothing was deleted (assumption: delete response). */
function isRefused(body: unknown): boolean {
	const answer = recordIn(body);
	if (!answer) return body === false;
	const { deleted, ok, success, error, errors, status } = answer;
	return (
		[deleted, ok, success].some((flag) => flagOf(flag) === false) ||
		[error, errors].some((value) => !isEmptyDeep(value) && flagOf(value) !== false) ||
		(typeof status === 'string' && /^(error|fail)/i.test(status))
	);
}

/** Returns whether a resource does not exist. A 404 of a list, or of a web page, does not show it. */
export const isMissing = ({ failure }: ServiceError): boolean => failure.isMissing === true;

/** Returns the output of a delete. The ID has the type of the service's IDs, with or without a response body. */
export const deletedOutput = (id: unknown, deleted: boolean): IDataObject => ({
	id: idOf(id),
	deleted,
});

/**
 * Deletes the resource of an ID. The service confirms with an object, with a text, or with an empty body
 * (assumption: delete response).
 */
export async function deleteById(
	requests: RowRequests,
	contract: ResourceContract,
	id: string,
): Promise<IDataObject> {
	await requests.lock(idLock(contract, id));
	const request = requests.request(apiRequest(contract, 'delete', [], id));
	const body = await settled(answerOfId(contract, id, request));
	if (body instanceof ServiceError) {
		const { statusCode, outcome, isInconsistent } = body.failure;
		// The first try deleted the resource, but its response was lost.
		const mayBeDeleted = outcome === 'unknown' && isInconsistent !== true;
		if (statusCode === 404 && mayBeDeleted) return deletedOutput(id, true);
		throw body;
	}
	const answered = idIn(recordIn(body));
	if (isOtherId(answered, id)) {
		throw rejection(
			`The service reported that it deleted the ${contract.value} ${shorten(answered ?? '')} instead of ${shorten(id)}`,
			`Check both ${contract.value}s in the service.`,
			{ outcome: 'unknown' },
		);
	}
	if (isRefused(body)) {
		throw rejection(
			`The service did not delete the ${contract.value} ${shorten(id)}`,
			`It reported that nothing was deleted. Check in the service whether the ${contract.value} is in use.`,
		);
	}
	return deletedOutput(answered ?? id, true);
}
