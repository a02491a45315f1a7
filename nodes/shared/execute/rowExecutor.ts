import { showsValue } from '../contract/compare';
import { type EncodedRow, isEncoded, secretsOf } from '../contract/encodedRow';
import type { ResourceContract } from '../contract/resourceTypes';
import type { Resource } from '../contract/types';
import { idIn } from '../operations/resource';
import { idAndAddress } from '../operations/responses';
import type { OperationHandler, OperationRun, QrCode, RunSettings } from '../operations/types';
import type { ApiClient } from '../transport/client';
import { outcomeUnknown, ServiceError } from '../transport/failures';
import { RowRequests } from '../transport/rowRequests';
import { invalidRow } from './nodeErrors';
import type { MakeOutput } from './options';
import {
	type Attachment,
	type FailedRow,
	type InvalidRow,
	isFailed,
	isFinal,
	isStray,
	type Row,
	type RowIdentity,
	type RowOutcome,
	type RowResult,
} from './outcome';

/** How the rows of one run are executed. */
export interface Execution {
	readonly contract: ResourceContract;
	readonly operation: OperationHandler;
	readonly settings: RunSettings;
	/** Number of input items. Items without a row count as well. */
	readonly items: number;
	/** Connects if a row needs it. If it rejects, all rows that need it fail. */
	readonly connect: () => Promise<ApiClient>;
	readonly isDryRun: boolean;
	/** Whether the run continues after a row fails. */
	readonly continues: boolean;
	/** Returns the output of a resource. */
	readonly output: MakeOutput;
	/** Returns the QR code of a row as n8n stores it. It may throw ServiceError. */
	readonly attachmentOf?: (index: number, qrCode: QrCode) => Promise<Attachment>;
	/** Outcomes of earlier tries of the run by row. The outcomes of this try that must not be repeated are added. */
	readonly finalOutcomes: Map<number, RowOutcome>;
	/** Called when a row or a removal ends. */
	readonly onEnd: (outcome: RowOutcome) => void;
}

/** The result of a run without the outcomes of its rows. */
export interface ExecutionSummary {
	readonly notes: readonly string[];
	/** What to do after a run that failed for some of its rows. */
	readonly recovery: string;
	/** The rows that must not be written. If there are any, the run has written nothing. */
	readonly refused: readonly InvalidRow[];
}

/** Yields the items of a list, and removes each from the list. */
function* drain<T>(list: T[]): Generator<T> {
	list.reverse();
	for (let item = list.pop(); item !== undefined; item = list.pop()) yield item;
}

/** Returns the valid rows, without those that repeat an earlier row. */
const ownRows = (rows: readonly Row[]): EncodedRow[] =>
	rows.flatMap(({ encoded, duplicateOf }) =>
		isEncoded(encoded) && duplicateOf === undefined ? [encoded] : [],
	);

/** Returns the labels of the fields with an empty cell for which a resource has a value. */
const keptFieldsOf = (row: EncodedRow, existing: Resource): string[] =>
	row.skippedFields
		.filter((field) => showsValue(field, existing, row))
		.map(({ displayName }) => displayName);

/**
 * Returns any error as a failed row. An error that is no `ServiceError` comes from n8n, such as a credential that cannot be
 * read. After a write, it does not show the outcome of the write.
 */
function failedRow(
	identity: RowIdentity,
	error: unknown,
	written: RowRequests['written'] = new Set(),
): FailedRow {
	if (error instanceof ServiceError) return withWritten({ ...identity, failure: error.failure });
	const message = error instanceof Error ? error.message : String(error);
	const failure = { cause: 'rejected', message } as const;
	if (written.size > 0) {
		const advice = outcomeUnknown({ method: 'POST' });
		const isUnknownCreate = written.has('POST') ? true : undefined;
		return { ...identity, failure: { ...failure, advice, outcome: 'unknown', isUnknownCreate } };
	}
	const advice = 'Check the credential and the settings of the node.';
	return { ...identity, failure: { ...failure, advice } };
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

/** The index of requests that read something for all rows. */
const preparationIndex = -1;

/** Executes the rows of one run. It reports a row as soon as it ends, and then removes it from memory. */
class RowExecutor {
	private readonly execution: Execution;

	private readonly run: OperationRun;

	private client?: ApiClient;

	/** Why no row can be executed. */
	private failure?: FailedRow;

	/** Indexes of the rows that repeat an earlier row, by the index of the earlier row. */
	private readonly duplicates = new Map<number, number[]>();

	/** The rows that must not be written, by index. */
	private readonly refused = new Map<number, InvalidRow>();

	private readonly running = new Set<Promise<void>>();

	/** Number of rows that are not done. */
	private unfinished: number;

	/** Whether the run removes resources once its rows are done. */
	private readonly mayRemove: boolean;

	constructor(rows: readonly Row[], execution: Execution) {
		const { contract, operation, isDryRun, settings, finalOutcomes } = execution;
		const outcomes = [...finalOutcomes.values()];
		const [first] = ownRows(rows);
		this.execution = execution;
		this.unfinished = rows.length;
		for (const { index, duplicateOf } of rows) {
			if (duplicateOf === undefined) continue;
			this.duplicates.set(duplicateOf, [...(this.duplicates.get(duplicateOf) ?? []), index]);
		}
		this.run = operation({
			...{ contract, settings, isDryRun, first },
			isComplete: rows.every(({ encoded }) => isEncoded(encoded)),
			hasStray: outcomes.some(isStray),
			completedIds: new Set(outcomes.flatMap((outcome) => ('ids' in outcome && outcome.ids) || [])),
		});
		this.mayRemove = this.run.removals !== undefined && first !== undefined;
	}

	/** Executes a task with its own requests. Never rejects. A failure stops the run, unless it continues on errors. */
	private async execute(
		client: ApiClient,
		identity: RowIdentity,
		task: (requests: RowRequests) => Promise<RowResult>,
	): Promise<RowOutcome> {
		const { row, ...context } = identity;
		const secrets = row && isEncoded(row.encoded) ? secretsOf(row.encoded) : [];
		const requests = new RowRequests(client, secrets);
		try {
			const result = await task(requests);
			const { resources, isOutput } = result;
			const ids = this.run.removals && resources.flatMap((resource) => idIn(resource) ?? []);
			const shown = isOutput ? resources : resources.map(this.execution.output);
			return { ...context, result: { ...result, resources: shown }, ids };
		} catch (error) {
			if (!this.execution.continues) client.stop();
			return failedRow(identity, error, requests.written);
		} finally {
			requests.end();
		}
	}

	/** Connects, reads the data that all rows need, and checks the rows. If that fails, no row can be executed. */
	private async prepare(rows: readonly Row[]): Promise<void> {
		const { prepare, problemsOf = () => [] } = this.run;
		const client = await this.execution.connect();
		this.client = client;
		if (prepare && (await client.beginRow())) {
			const outcome = await this.execute(client, { index: preparationIndex }, async (requests) => {
				await requests.locks.acquireLast();
				await prepare(requests, ownRows(rows));
				return { resources: [], outcome: 'read' };
			});
			if (isFailed(outcome)) {
				this.failure = { ...outcome, failure: { ...outcome.failure, isRunLevel: true } };
				return;
			}
		}
		for (const row of rows.filter((each) => this.needsRequests(each))) {
			const problems = isEncoded(row.encoded) ? problemsOf(row.encoded) : [];
			if (problems.length > 0) this.refused.set(row.index, { ...row, encoded: problems });
		}
	}

	private needsRequests({ index, encoded, duplicateOf }: Row): boolean {
		const hasOutcome = duplicateOf !== undefined || this.execution.finalOutcomes.has(index);
		return isEncoded(encoded) && !hasOutcome;
	}

	/** Executes a row that has no outcome yet. */
	private async executeRow(client: ApiClient, row: Row, encoded: EncodedRow): Promise<RowOutcome> {
		const { isDryRun, finalOutcomes, attachmentOf } = this.execution;
		const { index } = row;
		const outcome = await this.execute(client, { index, row }, async (requests) => {
			const { qrCode, existing, ...rest } = await this.run.execute(requests, encoded);
			const keptFields = existing && keptFieldsOf(encoded, existing);
			const attachment = qrCode && attachmentOf ? await attachmentOf(index, qrCode) : undefined;
			return { ...rest, attachment, keptFields };
		});
		if (isFinal(encoded, outcome) && !isDryRun) finalOutcomes.set(index, outcome);
		return outcome;
	}

	/** Reports the outcome of a row and of its duplicates when the row ends. */
	private settle(outcome: Promise<RowOutcome> | RowOutcome): void {
		const { onEnd } = this.execution;
		const reported = Promise.resolve(outcome).then((ended) => {
			const repeated = isFailed(ended) ? ended : { ...ended, isDuplicate: true as const };
			const others = this.duplicates.get(ended.index) ?? [];
			if (!isFailed(ended)) this.unfinished -= 1 + others.length;
			onEnd(ended);
			for (const index of others) onEnd({ ...repeated, index });
			this.running.delete(reported);
		});
		this.running.add(reported);
	}

	/** Returns the outcome of a row that is not executed; undefined if it must be. */
	private outcomeWithoutRequests(row: Row): RowOutcome | undefined {
		const { index, encoded } = row;
		const earlier = this.execution.finalOutcomes.get(index);
		if (earlier) return earlier;
		if (!isEncoded(encoded)) return invalidRow({ ...row, encoded });
		const refused = this.refused.get(index);
		return refused ? invalidRow(refused) : this.failure && { ...this.failure, index, row };
	}

	/** Starts a row. Returns false if no more rows can start. */
	private async beginRow(row: Row): Promise<boolean> {
		const { encoded, duplicateOf } = row;
		if (duplicateOf !== undefined) return true;
		const { client } = this;
		const outcome = this.outcomeWithoutRequests(row);
		if (outcome) this.settle(outcome);
		else if (!client || !isEncoded(encoded) || !(await client.beginRow())) return false;
		else this.settle(this.executeRow(client, row, encoded));
		return true;
	}

	/** Removes the resources that are in no row. */
	private async remove(): Promise<void> {
		const { client, failure, execution } = this;
		if (failure) this.settle({ ...failure, index: execution.items });
		if (failure || !client) return;
		for (const [position, { resource, execute }] of (this.run.removals?.() ?? []).entries()) {
			if (!(await client.beginRow())) break;
			const identity = { index: execution.items + position, removed: resource };
			this.settle(this.execute(client, identity, execute));
		}
	}

	/** Executes all rows, and then the removals if all rows succeeded. */
	async executeAll(rows: Row[]): Promise<ExecutionSummary> {
		const { recovery, removals, notes = () => [] } = this.run;
		if (this.mayRemove || rows.some((row) => this.needsRequests(row))) {
			await this.prepare(rows).catch((error: unknown) => {
				this.failure = failedRow({ index: 0 }, error);
			});
		}
		if (this.refused.size > 0 && !this.execution.continues) {
			return { notes: [], recovery, refused: [...this.refused.values()] };
		}
		for (const row of drain(rows)) if (!(await this.beginRow(row))) break;
		await Promise.all(this.running);
		const isDone = this.unfinished === 0;
		if (this.mayRemove && isDone) await this.remove();
		await Promise.all(this.running);
		const isKept = !isDone && removals !== undefined && removals().length > 0;
		const kept = isKept ? ['Nothing was removed, because not all items succeeded'] : [];
		return { notes: [...notes(), ...kept], recovery, refused: [] };
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
