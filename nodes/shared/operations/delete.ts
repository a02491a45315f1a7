import { apiRequest } from '../contract/endpoints';
import { flagOf, idOf, isOtherId } from '../contract/readers';
import type { EncodedRow } from '../contract/encodedRow';
import type { ResourceContract } from '../contract/resourceTypes';
import { isEmptyDeep, shorten } from '../contract/values';
import type { RowRequests } from '../transport/rowRequests';
import { rejection, ServiceError, settled } from '../transport/serviceError';
import { answerOfId, resolveId } from './find';
import { rowByRow, type Execute, type OperationHandler, type Result, type Run } from './types';
import { plannedDelete, plannedItem } from './dryRunPlan';
import { planTargets } from './dryRunTargets';
import { idIn, recordIn } from './resource';

/** Whether an answer says that nothing was deleted, in one of the ways that services have (assumption: delete answer). */
function isRefused(body: unknown): boolean {
	const answer = recordIn(body);
	if (!answer) return body === false;
	const { deleted, ok, success, error, errors, status } = answer;
	return (
		[deleted, ok, success].some((flag) => flagOf(flag) === false) ||
		[error, errors].some((said) => !isEmptyDeep(said) && flagOf(said) !== false) ||
		(typeof status === 'string' && /^(error|fail)/i.test(status))
	);
}

export const isMissing = ({ failure }: ServiceError): boolean => failure.statusCode === 404;

/** The ID has the type that the service gives IDs, whether or not its answer came. */
const result = (id: unknown, outcome: 'deleted' | 'missing'): Result => ({
	resources: [{ id: idOf(id), deleted: outcome === 'deleted' }],
	outcome,
});

/**
 * Deletes the resource of an ID. The service confirms with an object of its own, with a text, or with an empty body
 * (assumption: delete answer).
 */
export async function deleteById(
	requests: RowRequests,
	contract: ResourceContract,
	id: string,
): Promise<Result> {
	await requests.lock(`${contract.path}/${id}`);
	let mayBeDone = false;
	const request = requests.request(apiRequest(contract, 'delete', [], id), {
		onRetry: ({ cause }) => {
			mayBeDone ||= cause === 'ambiguous';
		},
	});
	const body = await settled(answerOfId(contract, id, request));
	if (body instanceof ServiceError) {
		// Gone after a lost answer: the first try was carried out.
		if (isMissing(body) && mayBeDone) return result(id, 'deleted');
		throw body;
	}
	const answered = idIn(recordIn(body));
	if (isOtherId(answered, id)) {
		throw rejection(
			`The service answered that it deleted the ${contract.value} ${shorten(answered ?? '')} instead of ${shorten(id)}`,
			`Look at both ${contract.value}s at the service.`,
			{ outcome: 'unknown' },
		);
	}
	if (isRefused(body)) {
		throw rejection(
			`The service did not delete the ${contract.value} ${shorten(id)}`,
			'It answered that nothing was deleted. Look at the service whether something else uses it.',
		);
	}
	return result(answered ?? id, 'deleted');
}

/** @throws ServiceError unless a resource is missing and Ignore Missing is on */
function checkIgnored({ ignoreMissing }: Run, error: ServiceError): void {
	if (!isMissing(error)) throw error;
	if (ignoreMissing) return;
	const { failure } = error;
	const advice = `${failure.advice} Ignore Missing under Options takes what is gone already for done.`;
	throw new ServiceError({ ...failure, advice });
}

/** What a row gives as the ID or reference of a resource that is gone. */
const givenIn = ({ id, reference }: EncodedRow) => reference?.text ?? id;

/** Deletes the resource of a row. */
const deleteOne =
	(run: Run): Execute =>
	async (requests, row) => {
		const id = await settled(resolveId(requests, row));
		const deleted =
			id instanceof ServiceError ? id : await settled(deleteById(requests, row.contract, id));
		if (!(deleted instanceof ServiceError)) return deleted;
		checkIgnored(run, deleted);
		return result(id instanceof ServiceError ? givenIn(row) : id, 'missing');
	};

/** Deletes the resource of each row. */
export const deleteEach: OperationHandler = (run) => ({
	...rowByRow(deleteOne(run))(),
	...planTargets(run, (row, found) => {
		if (!(found instanceof ServiceError)) return plannedDelete(row, found, 'Removed for good');
		checkIgnored(run, found);
		const gone = { id: givenIn(row) };
		return plannedItem(row, { outcome: 'missing', existing: gone, note: 'Gone already' });
	}),
});
