import { isEncoded, secretsOf, type EncodedRow, type Problem } from '../contract/encodeRow';
import type {
	BegunOperation,
	Operation,
	Removal,
	RemovalLimits,
	Result,
} from '../operations/operation';
import { preview, withRequest } from '../operations/preview';
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
	readonly operation: Operation;
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
	readonly remembered: Map<number, RowOutcome>;
	/** Told when rows begin: how many requests they take, as far as that is known. */
	readonly onBegin?: (requests: number) => void;
	/** Told what became of a row, or of what is in no row, as soon as it has ended, and how many requests it was to take. */
	readonly onEnd: (outcome: RowOutcome, requests: number) => void;
}

/** What is told of a run beside what became of its rows. */
export interface Executed {
	readonly notes: readonly string[];
	/** About so many requests the run takes, or would take if it were no dry run. */
	readonly requests: number;
	/** The rows that must not be written. They stop the run before its first write, unless it continues on errors. */
	readonly refused: readonly InvalidRow[];
}

/** Any error as a failed row. What is not our own comes from n8n itself, such as a credential that cannot be read. */
function failedRow(of: WorkedOn, error: unknown): FailedRow {
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
type WorkedOn = Omit<FailedRow, 'failure'>;

/** Does the work of one row, or of what is in no row. */
type Work = (requests: RowRequests) => Promise<Result>;

/** Executes something within the requests of its own. Never rejects. */
async function within(
	client: ApiClient,
	{ row, ...of }: WorkedOn,
	work: Work,
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
export const beforeRows = -1;

/** Reads what all rows need; the failure is that of the run, and not of a row. */
async function prepare(
	client: ApiClient,
	work: BegunOperation['prepare'],
): Promise<FailedRow | undefined> {
	if (!work || !(await client.queue.beginRow())) return undefined;
	const outcome = await within(client, { index: beforeRows }, async (requests) => {
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

	private readonly begun: BegunOperation;

	/** The rows that ask for something of their own, until they begin. */
	private own: readonly EncodedRow[];

	private readonly hasOwn: boolean;

	private beginning?: Promise<ApiClient | FailedRow>;

	/** Positions of the rows that later ones repeat, and what becomes of these rows. */
	private readonly repeated: ReadonlySet<number | undefined>;
	private readonly firsts = new Map<number, Promise<RowOutcome>>();

	/** Rows that wait until all others have ended, and whether these have. */
	private readonly deferred: Row[] = [];
	private readonly deferredAt = new Set<number>();
	private areOthersEnded = false;

	/** The rows that must not be written, and whether they stop the run before its first write. */
	readonly refused: InvalidRow[] = [];
	private isRefused = false;

	private readonly underWay = new Set<Promise<void>>();

	/** How many rows are not done. */
	private undone: number;

	/** About so many requests the run takes in all. */
	requests = 0;

	constructor(rows: readonly Row[], execution: Execution) {
		const { operation, isDryRun, showsRequests, limits, ignoreMissing } = execution;
		this.execution = execution;
		this.own = rows.flatMap(({ encoded, repeats }) =>
			isEncoded(encoded) && repeats === undefined ? [encoded] : [],
		);
		this.hasOwn = this.own.length > 0;
		this.repeated = new Set(rows.map(({ repeats }) => repeats));
		this.undone = rows.length;
		const isWhole = rows.every(({ encoded }) => isEncoded(encoded));
		const hasStray = [...execution.remembered.values()].some(isStray);
		const showsTable = isDryRun && !showsRequests;
		this.begun = operation({
			...{ rows: this.own, isWhole, isDryRun, showsTable, hasStray },
			...{ limits, ignoreMissing },
		});
	}

	get isDone(): boolean {
		return this.undone === 0;
	}

	private get removals(): readonly Removal[] {
		return this.begun.removals?.() ?? [];
	}

	/** Connects and prepares once; a failure is that of every row that needs it. */
	private async begin(): Promise<ApiClient | FailedRow> {
		const work = async () => {
			const client = await this.execution.connect();
			for (const secret of this.own.flatMap(secretsOf)) client.secrets.add(secret);
			const failed = await prepare(client, this.begun.prepare);
			const left = this.own.reduce(
				(sum, row) => sum + this.begun.requestsFor(row),
				this.removals.length,
			);
			const hasProblems = this.own.some((row) => this.problemsOf(row).length > 0);
			this.isRefused = hasProblems && !this.execution.continues;
			this.own = [];
			this.requests = client.sent + left;
			if (failed) return failed;
			this.execution.onBegin?.(left);
			const { preparePlan } = this.begun;
			return (this.isRefused ? undefined : await prepare(client, preparePlan)) ?? client;
		};
		this.beginning ??= work().catch((error: unknown) => failedRow({ index: 0 }, error));
		return await this.beginning;
	}

	private problemsOf(row: EncodedRow): readonly Problem[] {
		return this.begun.problemsOf?.(row) ?? [];
	}

	/** Puts a row off that depends on what other rows learn, and one that repeats such a row; false if it need not wait. */
	private defer(row: Row, encoded: EncodedRow): boolean {
		const { index, repeats } = row;
		const isRepeat = repeats !== undefined && this.deferredAt.has(repeats);
		const mustWait = isRepeat || this.begun.isDeferred?.(encoded) === true;
		if (this.areOthersEnded || this.execution.isDryRun || !mustWait) return false;
		this.deferred.push(row);
		this.deferredAt.add(index);
		return true;
	}

	/** Does work that has its room in the lane; a failure stops the run, unless it is to go on. */
	private async execute(client: ApiClient, of: WorkedOn, work: Work): Promise<RowOutcome> {
		const { continues, output } = this.execution;
		const outcome = await within(client, of, work);
		if (isFailed(outcome)) {
			if (!continues) client.queue.stop();
			return outcome;
		}
		const resources = outcome.result.resources.map(output);
		return { ...outcome, result: { ...outcome.result, resources } };
	}

	/** A plan as the output shows it. */
	private shown({ root }: ApiClient, planned: Result): Result {
		return this.execution.showsRequests ? withRequest(root, planned) : planned;
	}

	/** What is done for a row: what it asks for, or in a dry run what that would be. */
	private workOf(client: ApiClient, row: EncodedRow): Work {
		const { execute, plan } = this.begun;
		if (!this.execution.isDryRun) return async (requests) => await execute(requests, row);
		if (plan) return async (requests) => this.shown(client, await plan(requests, row));
		return async (requests) => {
			await requests.lock(undefined);
			return { resources: [preview(client.root, row)], outcome: 'read' };
		};
	}

	private async executeRow(client: ApiClient, row: Row, encoded: EncodedRow): Promise<RowOutcome> {
		const { isDryRun, remembered } = this.execution;
		const { index } = row;
		const outcome = await this.execute(client, { index, row }, this.workOf(client, encoded));
		if (isFinal(encoded, outcome) && !isDryRun) remembered.set(index, outcome);
		return outcome;
	}

	/** Tells what becomes of a row when it has ended, and keeps it only for rows that repeat it. */
	private follow(index: number, outcome: Promise<RowOutcome> | RowOutcome, requests = 0): void {
		const ending = Promise.resolve(outcome);
		if (this.repeated.has(index)) this.firsts.set(index, ending);
		const following = ending.then((ended) => {
			if (!isFailed(ended)) this.undone -= 1;
			this.execution.onEnd(ended, requests);
			this.underWay.delete(following);
		});
		this.underWay.add(following);
	}

	/** Begins a row; false where no more rows may begin. */
	async beginRow(row: Row): Promise<boolean> {
		const { index, encoded, repeats } = row;
		const known = this.execution.remembered.get(index);
		const first = repeats === undefined ? undefined : this.firsts.get(repeats);
		if (known) {
			this.follow(index, known);
		} else if (!isEncoded(encoded)) {
			this.follow(index, invalidRow({ ...row, encoded }));
		} else if (first) {
			this.follow(
				index,
				first.then((one) => ({ ...one, index, isRepeat: true })),
			);
		} else {
			const client = await this.begin();
			if ('failure' in client) {
				this.follow(index, { ...client, index, row });
				return true;
			}
			const problems = this.problemsOf(encoded);
			if (problems.length > 0) {
				const refused = { ...row, encoded: problems };
				this.refused.push(refused);
				this.follow(index, invalidRow(refused));
				return true;
			}
			if (this.isRefused || this.defer(row, encoded)) return true;
			if (!(await client.queue.beginRow())) return false;
			const requests = this.begun.requestsFor(encoded);
			this.follow(index, this.executeRow(client, row, encoded), requests);
		}
		return true;
	}

	/** Resolves when all that was begun has ended. */
	async ended(): Promise<void> {
		await Promise.all(this.underWay);
	}

	/** Begins the rows that had to wait for the others. */
	async beginDeferred(): Promise<void> {
		await this.ended();
		this.areOthersEnded = true;
		for (const row of takenFrom(this.deferred)) {
			if (!(await this.beginRow(row))) break;
		}
	}

	/** Removes what is in no row. */
	async remove(): Promise<void> {
		const from = this.execution.items;
		if (!this.begun.removals || !this.hasOwn) return;
		// Where another try of the node finds all rows done, this is the first that needs the service.
		const client = await this.begin();
		if ('failure' in client) {
			this.follow(from, { ...client, index: from });
			return;
		}
		for (const [position, { removedResource, execute, plan }] of this.removals.entries()) {
			if (!(await client.queue.beginRow())) break;
			const work: Work = this.execution.isDryRun
				? async () => this.shown(client, await plan())
				: execute;
			const index = from + position;
			this.follow(index, this.execute(client, { index, removedResource }, work), 1);
		}
	}

	/** What is to be told of a run whose rows went through, or did not. */
	notes(isDone: boolean): string[] {
		const own = this.begun.notes?.() ?? [];
		const isKept = this.removals.length > 0 && !isDone;
		return [...own, ...(isKept ? ['Nothing was removed, because not all rows went through'] : [])];
	}
}

/** Takes all out of a list, from the first on, so that the list holds none that was taken. */
function* takenFrom<T>(list: T[]): Generator<T> {
	list.reverse();
	for (let one = list.pop(); one !== undefined; one = list.pop()) yield one;
}

/**
 * Executes the rows of a run, as many side by side as Concurrency allows, and then what the operation does to what is in
 * no row, if all rows went through. After a failure that stops the run no other row begins, and no request leaves any more.
 *
 * @param rows are taken out of their list as they begin
 */
export async function executeRows(rows: Row[], execution: Execution): Promise<Executed> {
	const executor = new RowExecutor(rows, execution);
	for (const row of takenFrom(rows)) {
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
