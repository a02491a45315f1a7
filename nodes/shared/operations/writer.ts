import type { IDataObject } from 'n8n-workflow';
import { type EncodedRow, paramsOf } from '../contract/encodedRow';
import { apiRequest, hasScope, operationTable } from '../contract/operations';
import { flagOf, idOf, isOtherId } from '../contract/readers';
import type { ResourceContract } from '../contract/resourceTypes';
import { shorten } from '../contract/values';
import { openWrite, rejection, ServiceError, settled } from '../transport/failures';
import type { RowRequests } from '../transport/rowRequests';
import { createOnce } from './create';
import { answerOfId, readById, unlessMissing } from './find';
import { idIn, recordIn, requestResource } from './resource';
import type { ResponseChecks } from './responses';
import type { Change, Writer } from './types';

/** @throws ServiceError if a resource exists after a delete that the service did not confirm, or if this is unknown */
async function checkDeleted(requests: RowRequests, contract: ResourceContract, id: string) {
	const found = await settled(unlessMissing(readById(requests, contract, id)));
	if (!found) return;
	if (found instanceof ServiceError) {
		throw new ServiceError({ ...found.failure, ...openWrite, advice: '' });
	}
	throw rejection(
		`The service did not delete the ${contract.value} ${shorten(id)}`,
		`It did not confirm the delete, and the ${contract.value} still exists. Check in the service whether it is in use.`,
	);
}

/** Returns the output of a delete. The ID has the type of the service's IDs, with or without a response body. */
const deletedOutput = (id: unknown, deleted: boolean): IDataObject => ({ id: idOf(id), deleted });

/** Deletes the resource of an ID. If the response does not confirm it, reads the resource. */
async function deleteById(requests: RowRequests, contract: ResourceContract, id: string) {
	const request = requests.request(apiRequest(contract, 'delete', [], id));
	const body = await settled(answerOfId(contract, id, request));
	if (body instanceof ServiceError) {
		const { statusCode, outcome, isInconsistent, isPage } = body.failure;
		// The first try deleted the resource, but its response was lost.
		const mayBeDeleted = outcome === 'unknown' && isInconsistent !== true;
		if (statusCode === 404 && !isPage && mayBeDeleted) return deletedOutput(id, true);
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
	// `deleted`, `true` or an empty body confirms a delete (assumption: delete response).
	const isConfirmed = flagOf(recordIn(body)?.deleted) === true || body === null || body === true;
	if (!isConfirmed) await checkDeleted(requests, contract, id);
	return deletedOutput(answered ?? id, true);
}

/** Returns the writer that sends requests, and checks the responses. */
export function sendingWriter(checks: ResponseChecks): Writer {
	/** Sends a change, and returns the resource after it. */
	const send = async (requests: RowRequests, row: EncodedRow, change: Change) => {
		const { contract, operation } = row;
		const { outcome, id = '', before, fields } = change;
		if (outcome === 'created') return await createOnce(requests, row, checks);
		if (outcome === 'deleted') {
			const deleted = await deleteById(requests, contract, id);
			return hasScope(operation) && before ? before : deleted;
		}
		if (!fields) return before ?? deletedOutput(change.id, false);
		const request = apiRequest(contract, 'update', paramsOf(fields), id);
		const answer = await answerOfId(contract, id, requestResource(requests, request));
		checks.checkUpdate(row, answer, { id, fields, before });
		return answer;
	};
	return {
		checks,
		isPlanning: false,
		write: async (requests, row, change) => {
			const resources = [await send(requests, row, change)];
			const reportOutcome = operationTable[row.operation].outcomes !== undefined;
			return { resources, outcome: change.outcome, existing: change.before, reportOutcome };
		},
		current: (_row, matches) => matches,
	};
}
