import { idAndAddress } from '../operations/responses';
import type { OperationRun } from '../operations/types';
import type { ApiClient } from '../transport/client';
import { RowRequests } from '../transport/rowRequests';
import { ServiceError, outcomeUnknown } from '../transport/failures';
import { isFailed, type FailedRow, type RowOutcome, type RowResult } from './outcome';
import { isEncoded, secretsOf } from '../contract/encodedRow';

/** The row of a task, or the resource to remove. */
export type TaskContext = Omit<FailedRow, 'failure'>;

/** Executes a row, or the removal of a resource. */
export type RowTask = (requests: RowRequests) => Promise<RowResult>;

/**
 * Returns any error as a failed row. An error that is no `ServiceError` comes from n8n, such as a credential that cannot be
 * read.
 */
export function failedRow(context: TaskContext, error: unknown): FailedRow {
	if (error instanceof ServiceError) return { ...context, failure: error.failure };
	const message = error instanceof Error ? error.message : String(error);
	const advice = 'Check the credential and the settings of the node.';
	return { ...context, failure: { cause: 'rejected', message, advice } };
}

/** Returns a failed row. If a service of a later version has written its resource, the advice names the resource. */
function withWritten(failed: FailedRow): FailedRow {
	const { failure, row } = failed;
	if (!failure.written || !row || !isEncoded(row.encoded)) return failed;
	const name = idAndAddress(row.encoded, failure.written);
	const { value } = row.encoded.contract;
	const advice = `The service has stored the ${value} (${name}), but without the fields that it renamed. Check it there: it may lack its password, rules and expiration, and may not be disabled. The node sends nothing more to this service.`;
	return { ...failed, failure: { ...failure, advice } };
}

/** Returns a failed row. After a write, an error from n8n does not show the outcome of the write. */
function failedAfterWrites(
	{ written }: RowRequests,
	context: TaskContext,
	error: unknown,
): FailedRow {
	const failed = failedRow(context, error);
	if (error instanceof ServiceError || written.size === 0) return withWritten(failed);
	const isUnknownCreate = written.has('POST') ? true : undefined;
	const advice = outcomeUnknown({ method: 'POST' });
	return { ...failed, failure: { ...failed.failure, advice, outcome: 'unknown', isUnknownCreate } };
}

/** Executes a task with its own requests. Never rejects. */
export async function runTask(
	client: ApiClient,
	{ row, ...context }: TaskContext,
	task: RowTask,
): Promise<RowOutcome> {
	const secrets = row && isEncoded(row.encoded) ? secretsOf(row.encoded) : [];
	const requests = new RowRequests(client, secrets);
	try {
		return { ...context, result: await task(requests) };
	} catch (error) {
		return failedAfterWrites(requests, { row, ...context }, error);
	} finally {
		requests.end();
	}
}

/** The index of requests that read something for all rows. */
const preparationIndex = -1;

/** Reads the data that all rows need. If it fails, the whole run fails with the returned failure. */
export async function prepare(
	client: ApiClient,
	read: OperationRun['prepare'],
): Promise<FailedRow | undefined> {
	if (!read || !(await client.beginRow())) return undefined;
	const outcome = await runTask(client, { index: preparationIndex }, async (requests) => {
		await requests.lock(undefined);
		await read(requests);
		return { resources: [], outcome: 'read' };
	});
	return isFailed(outcome)
		? { ...outcome, failure: { ...outcome.failure, isRunLevel: true } }
		: undefined;
}
