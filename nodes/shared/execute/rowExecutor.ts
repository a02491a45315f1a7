import { isEncoded, type EncodedRow } from '../contract/encodeRow';
import type { BegunOperation, Operation, RemovalLimits, Result } from '../operations/operation';
import { preview } from '../operations/preview';
import type { ApiClient } from '../transport/client';
import { RowRequests } from '../transport/rowRequests';
import { ServiceError } from '../transport/serviceError';
import { isFailed, type FailedRow, type RowOutcome } from './outcome';
import type { Row } from './readRows';
import { invalidRow } from './report';

/** How the rows of one run are executed. */
export interface Execution {
	readonly operation: Operation;
	/** Connects, when the first row needs it. Every row that needs it fails with what it rejects with. */
	readonly connect: () => Promise<ApiClient>;
	readonly isDryRun: boolean;
	/** Whether the other rows go on after one has failed. */
	readonly continues: boolean;
	readonly limits: RemovalLimits;
	/** Outcomes of earlier tries of the same run, by row; those of this try that must not be repeated are added. */
	readonly remembered: Map<number, RowOutcome>;
	/** Told when rows begin: how many requests they take, as far as that is known. */
	readonly onBegin?: (requests: number) => void;
	/** Told when a row has ended, with the requests that it was thought to take. */
	readonly onEnd: (requests: number) => void;
}

/** What a run came to. */
export interface Executed {
	/** What became of each row, in the order of the rows; undefined for those that were not begun. */
	readonly rows: ReadonlyArray<RowOutcome | undefined>;
	/** What became of each resource that is in no row. */
	readonly removed: readonly RowOutcome[];
	readonly notes: readonly string[];
	/** About so many requests the rows take that were not sent in a dry run. */
	readonly requests: number;
}

/** Any error as a failed row. What is not our own comes from n8n itself, such as a credential that cannot be read. */
function failedRow(index: number, error: unknown): FailedRow {
	if (error instanceof ServiceError) return { index, failure: error.failure };
	const message = error instanceof Error ? error.message : String(error);
	const advice = 'Check the credential and the settings of the node.';
	return { index, failure: { cause: 'rejected', message, advice } };
}

/** Executes something within the requests of its own. Never rejects. */
async function within(
	client: ApiClient,
	index: number,
	work: (requests: RowRequests) => Promise<Result>,
): Promise<RowOutcome> {
	const requests = new RowRequests(client, index);
	try {
		return { index, result: await work(requests) };
	} catch (error) {
		return failedRow(index, error);
	} finally {
		requests.end();
	}
}

/** Before all rows. */
const beforeRows = -1;

/** Reads what all rows need; the failure is that of the run, and not of a row. */
async function prepare(client: ApiClient, begun: BegunOperation): Promise<FailedRow | undefined> {
	const { prepare: work } = begun;
	if (!work || !(await client.lane.beginRow())) return undefined;
	const outcome = await within(client, beforeRows, async (requests) => {
		await requests.takeTurn(undefined);
		await work(requests);
		return { resources: [], outcome: 'read' };
	});
	return isFailed(outcome)
		? { ...outcome, failure: { ...outcome.failure, isOfRun: true } }
		: undefined;
}

/** Whether another try of the node must not execute a row again: it was done, or a create of it may have been. */
const isFinal = (row: EncodedRow, outcome: RowOutcome) =>
	!isFailed(outcome) || (row.operation === 'create' && outcome.failure.outcome === 'unknown');

/** What a row would do, as an item of a dry run. */
const planned =
	(client: ApiClient, { plan }: BegunOperation, row: EncodedRow) =>
	async (requests: RowRequests): Promise<Result> => {
		const resource = plan ? await plan(requests, row) : preview(client.root, row);
		return { resources: [resource], outcome: 'read' };
	};

/**
 * Executes the rows of a run, as many side by side as Concurrency allows, and then what the operation does to resources
 * that are in no row, if all rows went through. After a failure that stops the run no other row begins, and no request
 * leaves any more.
 */
export async function executeRows(rows: readonly Row[], execution: Execution): Promise<Executed> {
	const { operation, connect, isDryRun, continues, limits, remembered } = execution;
	const encodedRows = rows.flatMap(({ encoded, repeats }) =>
		isEncoded(encoded) && repeats === undefined ? [encoded] : [],
	);
	const isWhole = rows.every(({ encoded }) => isEncoded(encoded));
	const begun = operation({ rows: encodedRows, isWhole, isDryRun, limits });
	const requestsFor = () =>
		encodedRows.reduce((sum, row) => sum + begun.requestsFor(row), 0) +
		(begun.removals?.() ?? []).length;

	const begin = async (): Promise<ApiClient | FailedRow> => {
		const client = await connect();
		const failed = await prepare(client, begun);
		if (!failed) execution.onBegin?.(requestsFor());
		return failed ?? client;
	};
	let beginning: Promise<ApiClient | FailedRow> | undefined;
	const outcomes: Array<Promise<RowOutcome> | RowOutcome | undefined> = [];
	const start = async (client: ApiClient, index: number, work: Parameters<typeof within>[2]) => {
		const outcome = await within(client, index, work);
		if (isFailed(outcome) && !continues) client.lane.stop();
		return outcome;
	};
	for (const { index, encoded, repeats } of rows) {
		const first = repeats === undefined ? undefined : outcomes[repeats];
		if (remembered.has(index)) {
			outcomes[index] = remembered.get(index);
		} else if (!isEncoded(encoded)) {
			outcomes[index] = invalidRow(index, encoded);
		} else if (first) {
			outcomes[index] = Promise.resolve(first).then((done) => ({ ...done, index, isRepeat: true }));
		} else {
			beginning ??= begin().catch((error: unknown) => failedRow(index, error));
			const client = await beginning;
			if ('failure' in client) {
				outcomes[index] = { ...client, index };
			} else if (await client.lane.beginRow()) {
				const work = isDryRun
					? planned(client, begun, encoded)
					: async (requests: RowRequests) => await begun.execute(requests, encoded);
				outcomes[index] = start(client, index, work).then((outcome) => {
					if (isFinal(encoded, outcome) && !isDryRun) remembered.set(index, outcome);
					execution.onEnd(begun.requestsFor(encoded));
					return outcome;
				});
			} else {
				break;
			}
		}
	}
	const ended = await Promise.all(Array.from(rows, async ({ index }) => await outcomes[index]));
	const client = await beginning;
	const removals = begun.removals?.() ?? [];
	const isDone = ended.every((outcome) => outcome !== undefined && !isFailed(outcome));
	const notes = [...(begun.notes?.() ?? [])];
	if (removals.length > 0 && !isDone) {
		notes.push('Nothing was removed, because not all rows went through');
	}
	const removed: Array<Promise<RowOutcome>> = [];
	if (client && !('failure' in client) && isDone) {
		for (const [position, { name, execute, plan }] of removals.entries()) {
			if (!(await client.lane.beginRow())) break;
			const work = isDryRun
				? async (): Promise<Result> => ({ resources: [plan()], outcome: 'read' })
				: execute;
			const removing = start(client, rows.length + position, work);
			removed.push(
				removing.then((outcome) => {
					execution.onEnd(1);
					return { ...outcome, name };
				}),
			);
		}
	}
	return { rows: ended, removed: await Promise.all(removed), notes, requests: requestsFor() };
}
