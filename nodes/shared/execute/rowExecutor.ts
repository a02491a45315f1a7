import { isEncoded, type EncodedRow } from '../contract/encodeRow';
import type {
	BegunOperation,
	Operation,
	Removal,
	RemovalLimits,
	Result,
} from '../operations/operation';
import { preview } from '../operations/preview';
import type { ApiClient } from '../transport/client';
import { RowRequests } from '../transport/rowRequests';
import { ServiceError } from '../transport/serviceError';
import type { MakeOutput } from './options';
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
	/** What is kept of each resource that the service returned. */
	readonly output: MakeOutput;
	/** Outcomes of earlier tries of the same run, by row; those of this try that must not be repeated are added. */
	readonly remembered: Map<number, RowOutcome>;
	/** Told when rows begin: how many requests they take, as far as that is known. */
	readonly onBegin?: (requests: number) => void;
	/** Told when a row, or what is in no row, has ended, with the requests that it was thought to take. */
	readonly onEnd: (requests: number, isRow: boolean) => void;
}

/** What a run came to. */
export interface Executed {
	/** What became of each row, in the order of the rows; undefined for those that were not begun. */
	readonly rows: ReadonlyArray<RowOutcome | undefined>;
	/** What became of each resource that is in no row. */
	readonly removed: readonly RowOutcome[];
	readonly notes: readonly string[];
	/** About so many requests the run takes, or would take if it were no dry run. */
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

/** Stands for the index of a row where something is read before all rows. */
export const beforeRows = -1;

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

/** Does the work of one row, or of what is in no row. */
type Work = (requests: RowRequests) => Promise<Result>;

/** The rows of one run as they are executed. */
class RowExecutor {
	private readonly execution: Execution;

	private readonly begun: BegunOperation;

	/** The rows that ask for something of their own. */
	private readonly own: readonly EncodedRow[];

	private beginning?: Promise<ApiClient | FailedRow>;

	private readonly outcomes: Array<Promise<RowOutcome> | RowOutcome | undefined> = [];

	constructor(rows: readonly Row[], execution: Execution) {
		const { operation, isDryRun, limits } = execution;
		this.execution = execution;
		this.own = rows.flatMap(({ encoded, repeats }) =>
			isEncoded(encoded) && repeats === undefined ? [encoded] : [],
		);
		const isWhole = rows.every(({ encoded }) => isEncoded(encoded));
		this.begun = operation({ rows: this.own, isWhole, isDryRun, limits });
	}

	private get removals(): readonly Removal[] {
		return this.begun.removals?.() ?? [];
	}

	/** How many requests were made before the first row. */
	private prepared = 0;

	/** About so many requests the run takes in all. */
	get requests(): number {
		return this.prepared + this.requestsLeft;
	}

	private get requestsLeft(): number {
		return this.own.reduce((sum, row) => sum + this.begun.requestsFor(row), this.removals.length);
	}

	/** Connects and prepares once; a failure is that of every row that needs it. */
	private async begin(): Promise<ApiClient | FailedRow> {
		const work = async () => {
			const client = await this.execution.connect();
			const failed = await prepare(client, this.begun);
			this.prepared = client.sent;
			if (!failed) this.execution.onBegin?.(this.requestsLeft);
			return failed ?? client;
		};
		this.beginning ??= work().catch((error: unknown) => failedRow(0, error));
		return await this.beginning;
	}

	/** Starts work that has its room in the lane; a failure stops the run, unless it is to go on. */
	private async start(client: ApiClient, index: number, work: Work): Promise<RowOutcome> {
		const { continues, output } = this.execution;
		const outcome = await within(client, index, work);
		if (isFailed(outcome)) {
			if (!continues) client.lane.stop();
			return outcome;
		}
		const resources = outcome.result.resources.map(output);
		return { ...outcome, result: { ...outcome.result, resources } };
	}

	/** What is done for a row: what it asks for, or in a dry run what that would be. */
	private workOf(client: ApiClient, row: EncodedRow): Work {
		const { execute, plan } = this.begun;
		if (!this.execution.isDryRun) return async (requests) => await execute(requests, row);
		if (plan) return async (requests) => await plan(requests, row);
		return async (requests) => {
			await requests.takeTurn(undefined);
			return { resources: [preview(client.root, row)], outcome: 'read' };
		};
	}

	/** Begins a row; false where no more rows may begin. */
	async beginRow({ index, encoded, repeats }: Row): Promise<boolean> {
		const { remembered, isDryRun, onEnd } = this.execution;
		const first = repeats === undefined ? undefined : this.outcomes[repeats];
		if (remembered.has(index)) {
			this.outcomes[index] = remembered.get(index);
		} else if (!isEncoded(encoded)) {
			this.outcomes[index] = invalidRow(index, encoded);
		} else if (first) {
			const done = Promise.resolve(first);
			this.outcomes[index] = done.then((one) => ({ ...one, index, isRepeat: true }));
		} else {
			const client = await this.begin();
			if ('failure' in client) {
				this.outcomes[index] = { ...client, index };
				return true;
			}
			if (!(await client.lane.beginRow())) return false;
			const work = this.workOf(client, encoded);
			this.outcomes[index] = this.start(client, index, work).then((outcome) => {
				if (isFinal(encoded, outcome) && !isDryRun) remembered.set(index, outcome);
				onEnd(this.begun.requestsFor(encoded), true);
				return outcome;
			});
		}
		return true;
	}

	async ended(rows: readonly Row[]): Promise<Array<RowOutcome | undefined>> {
		return await Promise.all(Array.from(rows, async ({ index }) => await this.outcomes[index]));
	}

	/** Removes what is in no row. */
	async remove(from: number): Promise<RowOutcome[]> {
		if (!this.begun.removals || this.own.length === 0) return [];
		// Where another try of the node finds all rows done, this is the first that needs the service.
		const client = await this.begin();
		const removed: Array<Promise<RowOutcome>> = [];
		if ('failure' in client) return [{ ...client, index: from }];
		for (const [position, { subject, execute, plan }] of this.removals.entries()) {
			if (!(await client.lane.beginRow())) break;
			const work: Work = this.execution.isDryRun ? async () => await plan() : execute;
			const removing = this.start(client, from + position, work);
			removed.push(
				removing.then((outcome) => {
					this.execution.onEnd(1, false);
					return { ...outcome, subject };
				}),
			);
		}
		return await Promise.all(removed);
	}

	/** What is to be told of a run whose rows went through, or did not. */
	notes(isDone: boolean): string[] {
		const own = this.begun.notes?.() ?? [];
		const isKept = this.removals.length > 0 && !isDone;
		return [...own, ...(isKept ? ['Nothing was removed, because not all rows went through'] : [])];
	}
}

/**
 * Executes the rows of a run, as many side by side as Concurrency allows, and then what the operation does to what is in
 * no row, if all rows went through. After a failure that stops the run no other row begins, and no request leaves any more.
 */
export async function executeRows(rows: readonly Row[], execution: Execution): Promise<Executed> {
	const executor = new RowExecutor(rows, execution);
	for (const row of rows) {
		if (!(await executor.beginRow(row))) break;
	}
	const ended = await executor.ended(rows);
	const isDone = ended.every((outcome) => outcome !== undefined && !isFailed(outcome));
	return {
		rows: ended,
		removed: isDone ? await executor.remove(rows.length) : [],
		notes: executor.notes(isDone),
		requests: executor.requests,
	};
}
