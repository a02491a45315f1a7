import { isEncoded, type EncodedRow } from '../contract/encodeRow';
import { operations } from '../operations/operations';
import { preview } from '../operations/preview';
import type { ApiClient } from '../transport/client';
import { RowRequests } from '../transport/rowRequests';
import { ServiceError } from '../transport/serviceError';
import { isFailed, type FailedRow, type RowOutcome } from './outcome';
import type { Row } from './readRows';
import { invalidRow } from './report';

/** How the rows of one run are executed. */
export interface Execution {
	/** Connects, when the first row needs it. Every row that needs it fails with what it rejects with. */
	readonly connect: () => Promise<ApiClient>;
	readonly isDryRun: boolean;
	/** Whether the other rows go on after one has failed. */
	readonly continues: boolean;
	/** Outcomes of earlier tries of the same run, by row; those of this try that must not be repeated are added. */
	readonly remembered: Map<number, RowOutcome>;
	/** Told when a row has ended. */
	readonly onEnd: () => void;
}

/** Any error as a failed row. What is not our own comes from n8n itself, such as a credential that cannot be read. */
function failedRow(index: number, error: unknown): FailedRow {
	if (error instanceof ServiceError) return { index, failure: error.failure };
	const message = error instanceof Error ? error.message : String(error);
	const advice = 'Check the credential and the settings of the node.';
	return { index, failure: { cause: 'rejected', message, advice } };
}

/** Does what a row asks for. Never rejects. */
async function execute(client: ApiClient, index: number, row: EncodedRow): Promise<RowOutcome> {
	const requests = new RowRequests(client, index);
	try {
		return { index, result: await operations[row.operation](requests, row) };
	} catch (error) {
		return failedRow(index, error);
	} finally {
		requests.end();
	}
}

/** Whether another try of the node must not execute a row again: it was done, or a create of it may have been. */
const isFinal = (row: EncodedRow, outcome: RowOutcome) =>
	!isFailed(outcome) || (row.operation === 'create' && outcome.failure.outcome === 'unknown');

/**
 * Executes the rows of a run, as many side by side as Concurrency allows. After a failure that stops the run no other row
 * begins, and no request leaves any more.
 *
 * @returns what became of each row, in the order of the rows; undefined for those that were not begun
 */
export async function executeRows(
	rows: readonly Row[],
	{ connect, isDryRun, continues, remembered, onEnd }: Execution,
): Promise<Array<RowOutcome | undefined>> {
	const outcomes: Array<Promise<RowOutcome> | RowOutcome | undefined> = [];
	let connecting: Promise<ApiClient | FailedRow> | undefined;
	for (const { index, encoded, repeats } of rows) {
		const first = repeats === undefined ? undefined : outcomes[repeats];
		if (remembered.has(index)) {
			outcomes[index] = remembered.get(index);
		} else if (!isEncoded(encoded)) {
			outcomes[index] = invalidRow(index, encoded);
		} else if (first) {
			outcomes[index] = Promise.resolve(first).then((done) => ({ ...done, index, isRepeat: true }));
		} else {
			connecting ??= connect().catch((error: unknown) => failedRow(index, error));
			const client = await connecting;
			if ('failure' in client) {
				outcomes[index] = { ...client, index };
			} else if (isDryRun) {
				const resources = [preview(client.root, encoded)];
				outcomes[index] = { index, result: { resources, outcome: 'read' } };
			} else if (await client.lane.beginRow()) {
				outcomes[index] = execute(client, index, encoded).then((outcome) => {
					if (isFinal(encoded, outcome)) remembered.set(index, outcome);
					if (isFailed(outcome) && !continues) client.lane.stop();
					onEnd();
					return outcome;
				});
			} else {
				break;
			}
		}
	}
	return await Promise.all(Array.from(rows, async ({ index }) => await outcomes[index]));
}
