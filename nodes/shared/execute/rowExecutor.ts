import { isEncoded, secretsOf, type EncodedRow, type Problem } from '../contract/encodedRow';
import type {
	OperationRun,
	OperationHandler,
	Removal,
	RemovalLimits,
	Result,
} from '../operations/types';
import { plannedRequest, withRequest } from '../operations/dryRunRequest';
import type { ApiClient } from '../transport/client';
import { RowRequests } from '../transport/rowRequests';
import { ServiceError } from '../transport/serviceError';
import { outcomeUnknown } from '../transport/statusFailures';
import { invalidRow, type InvalidRow } from './invalidRows';
import type { MakeOutput } from './options';
import { isFailed, type FailedRow, type RowOutcome } from './outcome';
import type { Row } from './readRows';

/** How the rows of one run are executed. */
export interface Execution {
	readonly operation: OperationHandler;
	/** Number of input items, also of those that are no rows. */
	readonly items: number;
	/** Connects, when the first row needs it. Every row that needs it fails with what it rejects with. */
	readonly connect: () => Promise<ApiClient>;
	readonly isDryRun: boolean;
	/** Whether a dry run shows requests. */
	readonly showsRequests?: boolean;
	/** Whether the other rows go on after one has failed. */
	readonly continues: boolean;
	readonly limits: RemovalLimits;
	/** Whether deleting a resource that does not exist counts as a success. */
	readonly ignoreMissing?: boolean;
	/** What is kept of each resource that the service returned. */
	readonly output: MakeOutput;
	/** Outcomes of earlier tries of the same run, by row; those of this try that must not be repeated are added. */
	readonly finalOutcomes: Map<number, RowOutcome>;
	/** Told when rows begin: how many requests they take, as far as that is known. */
	readonly onBegin?: (requests: number) => void;
	/** Told what became of a row, or of what is in no row, as soon as it has ended, and how many requests it was to take. */
	readonly onEnd: (outcome: RowOutcome, requests: number) => void;
}

/** What is told of a run beside what became of its rows. */
export interface ExecutionSummary {
	readonly notes: readonly string[];
	/** About so many requests the run takes, or would take if it were no dry run. */
	readonly requests: number;
	/** The rows that must not be written. They stop the run before its first write, unless it continues on errors. */
	readonly refused: readonly InvalidRow[];
}

/** Any error as a failed row. What is not our own comes from n8n itself, such as a credential that cannot be read. */
function failedRow(of: RowContext, error: unknown): FailedRow {
	if (error instanceof ServiceError) return { ...of, failure: error.failure };
	const message = error instanceof Error ? error.message : String(error);
	const advice = 'Check the credential and the settings of the node.';
	return { ...of, failure: { cause: 'rejected', message, advice } };
}

/** Returns a failed row. After a write, an error that is not our own says nothing about what the write has done. */
function afterWrites({ written }: RowRequests, failed: FailedRow, error: unknown): FailedRow {
	if (error instanceof ServiceError || written.size === 0) return failed;
	const isUnknownCreate = written.has('POST') ? true : undefined;
	const advice = outcomeUnknown({ method: 'POST' });
	return { ...failed, failure: { ...failed.failure, advice, outcome: 'unknown', isUnknownCreate } };
}

/** What work is done for: a row, or something that is in none. */
type RowContext = Omit<FailedRow, 'failure'>;

/** Does the work of one row, or of what is in no row. */
type RowTask = (requests: RowRequests) => Promise<Result>;

/** Executes something within the requests of its own. Never rejects. */
async function runTask(
	client: ApiClient,
	{ row, ...of }: RowContext,
	work: RowTask,
): Promise<RowOutcome> {
	const secrets = row && isEncoded(row.encoded) ? secretsOf(row.encoded) : [];
	const requests = new RowRequests(client, of.index, secrets);
	try {
		return { ...of, result: await work(requests) };
	} catch (error) {
		return afterWrites(requests, failedRow({ row, ...of }, error), error);
	} finally {
		requests.end();
	}
}

/** Stands for the index of a row where something is read before all rows. */
export const preparationIndex = -1;

/** Reads what all rows need; the failure is that of the run, and not of a row. */
async function prepare(
	client: ApiClient,
	work: OperationRun['prepare'],
): Promise<FailedRow | undefined> {
	if (!work || !(await client.queue.beginRow())) return undefined;
	const outcome = await runTask(client, { index: preparationIndex }, async (requests) => {
		await requests.lock(undefined);
		await work(requests);
		return { resources: [], outcome: 'read' };
	});
	return isFailed(outcome)
		? { ...outcome, failure: { ...outcome.failure, isRunLevel: true } }
		: undefined;
}

/** Whether a row has left a stray resource at the service. */
const isStray = (outcome: RowOutcome) => isFailed(outcome) && outcome.failure.stray !== undefined;

/** Whether another try of the node must not execute a row again: it was done, or a create of it may have been. */
const isFinal = (row: EncodedRow, outcome: RowOutcome) =>
	!isFailed(outcome) ||
	isStray(outcome) ||
	(outcome.failure.outcome === 'unknown' &&
		(row.operation === 'create' || outcome.failure.isUnknownCreate === true));

/** The rows of one run as they are executed. Those that have ended are told, and forgotten. */
class RowExecutor {
	private readonly execution: Execution;

	private readonly run: OperationRun;

	/** The rows that ask for something of their own, until they begin. */
	private pendingRows: readonly EncodedRow[];

	private readonly hasRows: boolean;

	private preparation?: Promise<ApiClient | FailedRow>;

	/** Positions of the rows that later ones repeat, and what becomes of these rows. */
	private readonly duplicated: ReadonlySet<number | undefined>;
	private readonly firstOutcomes = new Map<number, Promise<RowOutcome>>();

	/** Rows that wait until all others have ended, and whether these have. */
	private readonly deferred: Row[] = [];
	private readonly deferredAt = new Set<number>();
	private areOthersEnded = false;

	/** The rows that must not be written, and whether they stop the run before its first write. */
	readonly refused: InvalidRow[] = [];
	private isRefused = false;

	private readonly running = new Set<Promise<void>>();

	/** How many rows are not done. */
	private unfinished: number;

	/** About so many requests the run takes in all. */
	requests = 0;

	constructor(rows: readonly Row[], execution: Execution) {
		const { operation, isDryRun, showsRequests, limits, ignoreMissing } = execution;
		this.execution = execution;
		this.pendingRows = rows.flatMap(({ encoded, duplicateOf }) =>
			isEncoded(encoded) && duplicateOf === undefined ? [encoded] : [],
		);
		this.hasRows = this.pendingRows.length > 0;
		this.duplicated = new Set(rows.map(({ duplicateOf }) => duplicateOf));
		this.unfinished = rows.length;
		const isWhole = rows.every(({ encoded }) => isEncoded(encoded));
		const hasStray = [...execution.finalOutcomes.values()].some(isStray);
		const showsTable = isDryRun && !showsRequests;
		this.run = operation({
			rows: this.pendingRows,
			isComplete: isWhole,
			isDryRun,
			showsTable,
			limits,
			ignoreMissing,
			hasStray,
		});
	}

	get isDone(): boolean {
		return this.unfinished === 0;
	}

	private get removals(): readonly Removal[] {
		return this.run.removals?.() ?? [];
	}

	/** Connects and prepares once; a failure is that of every row that needs it. */
	private async prepareRun(): Promise<ApiClient | FailedRow> {
		const work = async () => {
			const client = await this.execution.connect();
			for (const secret of this.pendingRows.flatMap(secretsOf)) client.secrets.add(secret);
			const failed = await prepare(client, this.run.prepare);
			const left = this.pendingRows.reduce(
				(sum, row) => sum + this.run.requestsFor(row),
				this.removals.length,
			);
			const hasProblems = this.pendingRows.some((row) => this.problemsOf(row).length > 0);
			this.isRefused = hasProblems && !this.execution.continues;
			this.pendingRows = [];
			this.requests = client.sent + left;
			if (failed) return failed;
			this.execution.onBegin?.(left);
			const { preparePlan } = this.run;
			return (this.isRefused ? undefined : await prepare(client, preparePlan)) ?? client;
		};
		this.preparation ??= work().catch((error: unknown) => failedRow({ index: 0 }, error));
		return await this.preparation;
	}

	private problemsOf(row: EncodedRow): readonly Problem[] {
		return this.run.problemsOf?.(row) ?? [];
	}

	/** Puts a row off that depends on what other rows learn, and one that repeats such a row; false if it need not wait. */
	private defer(row: Row, encoded: EncodedRow): boolean {
		const { index, duplicateOf } = row;
		const isRepeat = duplicateOf !== undefined && this.deferredAt.has(duplicateOf);
		const mustWait = isRepeat || this.run.isDeferred?.(encoded) === true;
		if (this.areOthersEnded || this.execution.isDryRun || !mustWait) return false;
		this.deferred.push(row);
		this.deferredAt.add(index);
		return true;
	}

	/** Does the work of a row that has begun. A failure stops the run, unless it continues on errors. */
	private async execute(client: ApiClient, of: RowContext, work: RowTask): Promise<RowOutcome> {
		const { continues, output } = this.execution;
		const outcome = await runTask(client, of, work);
		if (isFailed(outcome)) {
			if (!continues) client.queue.stop();
			return outcome;
		}
		const resources = outcome.result.resources.map(output);
		return { ...outcome, result: { ...outcome.result, resources } };
	}

	/** A plan as the output shows it. */
	private withShownRequest({ root }: ApiClient, planned: Result): Result {
		return this.execution.showsRequests ? withRequest(root, planned) : planned;
	}

	/** What is done for a row: what it asks for, or in a dry run what that would be. */
	private workOf(client: ApiClient, row: EncodedRow): RowTask {
		const { execute, plan } = this.run;
		if (!this.execution.isDryRun) return async (requests) => await execute(requests, row);
		if (plan) return async (requests) => this.withShownRequest(client, await plan(requests, row));
		return async (requests) => {
			await requests.lock(undefined);
			return { resources: [plannedRequest(client.root, row)], outcome: 'read' };
		};
	}

	private async executeRow(client: ApiClient, row: Row, encoded: EncodedRow): Promise<RowOutcome> {
		const { isDryRun, finalOutcomes } = this.execution;
		const { index } = row;
		const outcome = await this.execute(client, { index, row }, this.workOf(client, encoded));
		if (isFinal(encoded, outcome) && !isDryRun) finalOutcomes.set(index, outcome);
		return outcome;
	}

	/** Tells what becomes of a row when it has ended, and keeps it only for rows that repeat it. */
	private settle(index: number, outcome: Promise<RowOutcome> | RowOutcome, requests = 0): void {
		const ending = Promise.resolve(outcome);
		if (this.duplicated.has(index)) this.firstOutcomes.set(index, ending);
		const following = ending.then((ended) => {
			if (!isFailed(ended)) this.unfinished -= 1;
			this.execution.onEnd(ended, requests);
			this.running.delete(following);
		});
		this.running.add(following);
	}

	/** Begins a row; false where no more rows may begin. */
	async beginRow(row: Row): Promise<boolean> {
		const { index, encoded, duplicateOf } = row;
		const known = this.execution.finalOutcomes.get(index);
		const first = duplicateOf === undefined ? undefined : this.firstOutcomes.get(duplicateOf);
		if (known) {
			this.settle(index, known);
		} else if (!isEncoded(encoded)) {
			this.settle(index, invalidRow({ ...row, encoded }));
		} else if (first) {
			this.settle(
				index,
				first.then((one) => ({ ...one, index, isDuplicate: true })),
			);
		} else {
			const client = await this.prepareRun();
			if ('failure' in client) {
				this.settle(index, { ...client, index, row });
				return true;
			}
			const problems = this.problemsOf(encoded);
			if (problems.length > 0) {
				const refused = { ...row, encoded: problems };
				this.refused.push(refused);
				this.settle(index, invalidRow(refused));
				return true;
			}
			if (this.isRefused || this.defer(row, encoded)) return true;
			if (!(await client.queue.beginRow())) return false;
			const requests = this.run.requestsFor(encoded);
			this.settle(index, this.executeRow(client, row, encoded), requests);
		}
		return true;
	}

	/** Resolves when all that was begun has ended. */
	async ended(): Promise<void> {
		await Promise.all(this.running);
	}

	/** Begins the rows that had to wait for the others. */
	async beginDeferred(): Promise<void> {
		await this.ended();
		this.areOthersEnded = true;
		for (const row of drain(this.deferred)) {
			if (!(await this.beginRow(row))) break;
		}
	}

	/** Removes what is in no row. */
	async remove(): Promise<void> {
		const from = this.execution.items;
		if (!this.run.removals || !this.hasRows) return;
		// Where another try of the node finds all rows done, this is the first that needs the service.
		const client = await this.prepareRun();
		if ('failure' in client) {
			this.settle(from, { ...client, index: from });
			return;
		}
		for (const [position, { resource, execute, plan }] of this.removals.entries()) {
			if (!(await client.queue.beginRow())) break;
			const work: RowTask = this.execution.isDryRun
				? async () => this.withShownRequest(client, await plan())
				: execute;
			const index = from + position;
			this.settle(index, this.execute(client, { index, removed: resource }, work), 1);
		}
	}

	/** What is to be told of a run whose rows went through, or did not. */
	notes(isDone: boolean): string[] {
		const own = this.run.notes?.() ?? [];
		const isKept = this.removals.length > 0 && !isDone;
		return [...own, ...(isKept ? ['Nothing was removed, because not all rows went through'] : [])];
	}
}

/** Takes all out of a list, from the first on, so that the list holds none that was taken. */
function* drain<T>(list: T[]): Generator<T> {
	list.reverse();
	for (let one = list.pop(); one !== undefined; one = list.pop()) yield one;
}

/**
 * Executes the rows of a run, as many side by side as Concurrency allows, and then what the operation does to what is in
 * no row, if all rows went through. After a failure that stops the run no other row begins, and no request leaves any more.
 *
 * @param rows are taken out of their list as they begin
 */
export async function executeRows(rows: Row[], execution: Execution): Promise<ExecutionSummary> {
	const executor = new RowExecutor(rows, execution);
	for (const row of drain(rows)) {
		if (!(await executor.beginRow(row))) break;
	}
	await executor.beginDeferred();
	await executor.ended();
	const { isDone } = executor;
	if (isDone) await executor.remove();
	await executor.ended();
	const { requests, refused } = executor;
	return {
		notes: executor.notes(isDone),
		requests,
		refused: execution.continues ? [] : refused,
	};
}
