import type { IDataObject } from 'n8n-workflow';
import { paramsOf } from '../contract/encodedRow';
import { apiRequest } from '../contract/endpoints';
import { hasScope } from '../contract/operations';
import { flagOf, idOf, isOtherId } from '../contract/readers';
import type { ResourceContract } from '../contract/resourceTypes';
import { isEmptyDeep, shorten } from '../contract/values';
import { rejection, ServiceError, settled } from '../transport/failures';
import type { RowRequests } from '../transport/rowRequests';
import { createOnce } from './createOnce';
import { answerOfId } from './find';
import { planningWriter } from './planningWriter';
import { idIn, recordIn, requestResource } from './resource';
import { ResponseChecks } from './responses';
import { resultOf, type Run, type Writer } from './types';

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

/** Returns the output of a delete. The ID has the type of the service's IDs, with or without a response body. */
const deletedOutput = (id: unknown, deleted: boolean): IDataObject => ({ id: idOf(id), deleted });

/**
 * Deletes the resource of an ID. The service confirms with an object, with a text, or with an empty body
 * (assumption: delete response).
 */
async function deleteById(
	requests: RowRequests,
	contract: ResourceContract,
	id: string,
): Promise<IDataObject> {
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

/** Returns the writer that sends requests, and checks the responses. */
const sendingWriter = (checks: ResponseChecks): Writer => ({
	checks,
	isPlanning: false,
	createOne: async (requests, row) =>
		resultOf(row, 'created', await createOnce(requests, row, checks)),
	updateOne: async (requests, row, update) => {
		const { contract } = row;
		const request = apiRequest(contract, 'update', paramsOf(update.fields), update.id);
		const answer = await answerOfId(contract, update.id, requestResource(requests, request));
		checks.checkUpdate(row, answer, update);
		return resultOf(row, update.outcome, answer);
	},
	keepOne: (row, existing) => resultOf(row, 'unchanged', existing),
	removeOne: async (requests, row, { id, existing }) => {
		const deleted = await deleteById(requests, row.contract, id);
		return resultOf(row, 'deleted', hasScope(row.operation) && existing ? existing : deleted);
	},
	missingOne: (row, id) => resultOf(row, 'missing', deletedOutput(id, false)),
	current: (_row, matches) => matches,
});

/** Returns the writer of a run: the planning writer for a dry run. */
export function writerOf({
	contract,
	hasStray,
	isDryRun,
}: Pick<Run, 'contract' | 'hasStray' | 'isDryRun'>): Writer {
	const checks = new ResponseChecks(contract, hasStray);
	return isDryRun ? planningWriter(checks) : sendingWriter(checks);
}
