import { apiRequest } from '../contract/endpoints';
import { flagOf, idOf, isOtherId } from '../contract/readers';
import { isEmptyDeep, shorten } from '../contract/values';
import type { RowRequests } from '../transport/rowRequests';
import { rejection, ServiceError, settled } from '../transport/failures';
import { answerOfId, resolveId } from './find';
import { requestsOfTarget, type OperationHandler, type Result, type Setting } from './types';
import { plannedDelete, plannedItem } from './dryRunPlan';
import { planTargets } from './dryRunTargets';
import { idIn, recordIn } from './resource';
import { idLock, type EncodedRow } from '../contract/encodedRow';
import type { ResourceContract } from '../contract/resourceTypes';

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

export const isMissing = ({ failure }: ServiceError): boolean => failure.statusCode === 404;

/** Returns the result of a delete. The ID has the type of the service's IDs, with or without a response body. */
const resultOf = (id: unknown, outcome: 'deleted' | 'missing'): Result => ({
	resources: [{ id: idOf(id), deleted: outcome === 'deleted' }],
	outcome,
});

/**
 * Deletes the resource of an ID. The service confirms with an object, with a text, or with an empty body
 * (assumption: delete response).
 */
export async function deleteById(
	requests: RowRequests,
	contract: ResourceContract,
	id: string,
): Promise<Result> {
	await requests.lock(idLock(contract, id));
	let mayBeDeleted = false;
	const request = requests.request(apiRequest(contract, 'delete', [], id), {
		onRetry: ({ cause }) => {
			mayBeDeleted ||= cause === 'ambiguous';
		},
	});
	const body = await settled(answerOfId(contract, id, request));
	if (body instanceof ServiceError) {
		// The first try deleted the resource, but its response was lost.
		if (isMissing(body) && mayBeDeleted) return resultOf(id, 'deleted');
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
	return resultOf(answered ?? id, 'deleted');
}

/** @throws ServiceError unless the resource is missing and Ignore Missing is on */
function checkIgnored(error: ServiceError, { value: isIgnored, label }: Setting<boolean>): void {
	if (!isMissing(error)) throw error;
	if (isIgnored) return;
	const advice = `${error.failure.advice} To treat it as deleted, turn on ${label} under Options.`;
	throw new ServiceError({ ...error.failure, advice });
}

/** Returns the ID or address of a row. */
const targetTextOf = ({ id, reference }: EncodedRow) => reference?.text ?? id;

/** Deletes the resource with the ID or address of each row. */
export const deleteEach: OperationHandler = (run) => {
	const { ignoreMissing } = run.settings;
	const again = ignoreMissing.value ? '' : ` and ${ignoreMissing.label} under Options`;
	return {
		recovery: `Fix the failures and run the node again with all items${again}: items that are done do not change.`,
		execute: async (requests, row) => {
			const id = await settled(resolveId(requests, row));
			const deleted =
				id instanceof ServiceError ? id : await settled(deleteById(requests, row.contract, id));
			if (!(deleted instanceof ServiceError)) return deleted;
			checkIgnored(deleted, ignoreMissing);
			return resultOf(id instanceof ServiceError ? targetTextOf(row) : id, 'missing');
		},
		requestsFor: requestsOfTarget,
		...planTargets(run, (row, target) => {
			if (!(target instanceof ServiceError))
				return plannedDelete(row, target, 'Deletes permanently');
			checkIgnored(target, ignoreMissing);
			const existing = { id: targetTextOf(row) };
			return plannedItem(row, { outcome: 'missing', existing, note: 'Already deleted' });
		}),
	};
};
