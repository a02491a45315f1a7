import { idIn } from '../operations/resource';
import type { OperationRun, Removal } from '../operations/types';
import type { ApiClient } from '../transport/client';
import { taskOf, type Execution, type ExecutionSummary } from './execution';
import { invalidRow, type InvalidRow } from './invalidRows';
import { completedIdsOf, isFailed, isFinal, isStray, type RowOutcome } from './outcome';
import type { Row } from './readRows';
import { failedRow, prepare, runTask, type RowTask, type TaskContext } from './rowTask';
import { isEncoded, type EncodedRow } from '../contract/encodedRow';
import type { Problem } from '../contract/types';

/** Yields the items of a list, and removes each from the list. */
function* drain<T>(list: T[]): Generator<T> {
	list.reverse();
	for (let item = list.pop(); item !== undefined; item = list.pop()) yield item;
}

/** Executes the rows of one run. It reports a row as soon as it ends, and then removes it from memory. */
class RowExecutor {
	private readonly execution: Execution;

	private readonly run: OperationRun;

	/** The rows of the operation that have not started. */
	private pendingRows: readonly EncodedRow[];

	private readonly hasRows: boolean;

	/** The rows that an earlier try of the run completed. */
	private readonly completed: ReadonlySet<unknown>;

	private preparation?: ReturnType<RowExecutor['prepareRun']>;

	/** Indexes of the rows that later rows repeat, and the outcomes of those rows. */
	private readonly duplicated: ReadonlySet<number | undefined>;
	private readonly firstOutcomes = new Map<number, Promise<RowOutcome>>();

	/** The rows that must not be written, and whether they stop the run before its first write. */
	private readonly refused: InvalidRow[] = [];
	private isRefused = false;

	private readonly running = new Set<Promise<void>>();

	/** Number of rows that are not done. */
	private unfinished: number;

	constructor(rows: readonly Row[], execution: Execution) {
		const { contract, operation, isDryRun, settings, finalOutcomes } = execution;
		this.execution = execution;
		this.pendingRows = rows.flatMap(({ encoded, duplicateOf }) =>
			isEncoded(encoded) && duplicateOf === undefined ? [encoded] : [],
		);
		this.hasRows = this.pendingRows.length > 0;
		this.completed = new Set(
			rows.filter(({ index }) => finalOutcomes.has(index)).map(({ encoded }) => encoded),
		);
		this.duplicated = new Set(rows.map(({ duplicateOf }) => duplicateOf));
		this.unfinished = rows.length;
		this.run = operation({
			contract,
			settings,
			rows: this.pendingRows,
			isComplete: rows.every(({ encoded }) => isEncoded(encoded)),
			isDryRun,
			hasStray: [...finalOutcomes.values()].some(isStray),
			completedIds: completedIdsOf(finalOutcomes.values()),
		});
	}

	private get removals(): readonly Removal[] {
		return this.run.removals?.() ?? [];
	}

	private problemsOf(row: EncodedRow): readonly Problem[] {
		return this.run.problemsOf?.(row) ?? [];
	}

	/** Connects and reads what all rows need. */
	private async prepareRun() {
		const { run, execution, pendingRows } = this;
		const client = await execution.connect();
		const failed = await prepare(client, run.prepare);
		const openRows = pendingRows.filter((row) => !this.completed.has(row));
		const hasProblems = openRows.some((row) => this.problemsOf(row).length > 0);
		this.isRefused = hasProblems && !execution.continues;
		this.pendingRows = [];
		return failed ?? client;
	}

	/** Prepares the run once. If it fails, every row that needs it fails. */
	private async prepared() {
		this.preparation ??= this.prepareRun();
		return await this.preparation.catch((error: unknown) => failedRow({ index: 0 }, error));
	}

	/** Executes a task that the queue has started. A failure stops the run, unless it continues on errors. */
	private async execute(
		client: ApiClient,
		context: TaskContext,
		task: RowTask,
	): Promise<RowOutcome> {
		const { continues, output } = this.execution;
		const outcome = await runTask(client, context, task);
		if (isFailed(outcome)) {
			if (!continues) client.stop();
			return outcome;
		}
		const { resources, isOutput } = outcome.result;
		const result = isOutput
			? outcome.result
			: { ...outcome.result, resources: resources.map(output) };
		if (!this.run.removals) return { ...outcome, result };
		return { ...outcome, result, ids: resources.flatMap((resource) => idIn(resource) ?? []) };
	}

	private async executeRow(client: ApiClient, row: Row, encoded: EncodedRow): Promise<RowOutcome> {
		const { isDryRun, finalOutcomes } = this.execution;
		const { index } = row;
		const task = taskOf(this.run, this.execution, encoded, index);
		const outcome = await this.execute(client, { index, row }, task);
		if (isFinal(encoded, outcome) && !isDryRun) finalOutcomes.set(index, outcome);
		return outcome;
	}

	/** Reports an outcome when the row ends. Stores it only if a later row repeats the row. */
	private settle(index: number, outcome: Promise<RowOutcome> | RowOutcome): void {
		const ending = Promise.resolve(outcome);
		if (this.duplicated.has(index)) this.firstOutcomes.set(index, ending);
		const reported = ending.then((ended) => {
			if (!isFailed(ended)) this.unfinished -= 1;
			this.execution.onEnd(ended);
			this.running.delete(reported);
		});
		this.running.add(reported);
	}

	/** Returns the outcome of a row that need not be executed; undefined if it must be. */
	private outcomeWithoutRequests(row: Row): Promise<RowOutcome> | RowOutcome | undefined {
		const { index, encoded, duplicateOf } = row;
		const earlier = this.execution.finalOutcomes.get(index);
		if (earlier) return earlier;
		if (!isEncoded(encoded)) return invalidRow({ ...row, encoded });
		const first = duplicateOf === undefined ? undefined : this.firstOutcomes.get(duplicateOf);
		return first?.then((outcome) =>
			isFailed(outcome) ? { ...outcome, index } : { ...outcome, index, isDuplicate: true },
		);
	}

	/** Starts a row. Returns false if no more rows can start. */
	private async beginRow(row: Row): Promise<boolean> {
		const { index, encoded } = row;
		const outcome = this.outcomeWithoutRequests(row);
		if (outcome || !isEncoded(encoded)) {
			if (outcome) this.settle(index, outcome);
			return true;
		}
		const client = await this.prepared();
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
		if (this.isRefused) return true;
		if (!(await client.beginRow())) return false;
		this.settle(index, this.executeRow(client, row, encoded));
		return true;
	}

	private async beginRows(rows: Row[]): Promise<void> {
		for (const row of drain(rows)) if (!(await this.beginRow(row))) break;
		await Promise.all(this.running);
	}

	/** Removes the resources that are in no row. */
	private async remove(): Promise<void> {
		const { items } = this.execution;
		if (!this.run.removals || !this.hasRows) return;
		// If another try of the node finds all rows done, nothing has connected yet.
		const client = await this.prepared();
		if ('failure' in client) {
			this.settle(items, { ...client, index: items });
			return;
		}
		for (const [position, removal] of this.removals.entries()) {
			if (!(await client.beginRow())) break;
			const context = { index: items + position, removed: removal.resource };
			this.settle(context.index, this.execute(client, context, removal.execute));
		}
		await Promise.all(this.running);
	}

	/** Executes all rows, and then the removals if all rows succeeded. */
	async executeAll(rows: Row[]): Promise<ExecutionSummary> {
		await this.beginRows(rows);
		const isDone = this.unfinished === 0;
		if (isDone) await this.remove();
		await Promise.all(this.running);
		const isKept = this.removals.length > 0 && !isDone;
		const notes = this.run.notes?.() ?? [];
		return {
			notes: isKept ? [...notes, 'Nothing was removed, because not all items succeeded'] : notes,
			recovery: this.run.recovery,
			refused: this.execution.continues ? [] : this.refused,
		};
	}
}

/**
 * Executes the rows of a run, up to Concurrency at the same time, and then the removals if all rows succeeded. After a
 * failure that stops the run, no other row starts, and no request is sent.
 *
 * @param rows Rows are removed from the list as they start, so that they do not stay in memory.
 */
export const executeRows = async (rows: Row[], execution: Execution): Promise<ExecutionSummary> =>
	await new RowExecutor(rows, execution).executeAll(rows);
