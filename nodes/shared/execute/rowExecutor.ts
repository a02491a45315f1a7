import { showsValue } from '../contract/compare';
import { type EncodedRow, isEncoded, secretsOf } from '../contract/encodedRow';
import type { ResourceContract } from '../contract/resourceTypes';
import { idIn } from '../operations/resource';
import type {
	OperationHandler,
	OperationRun,
	QrCode,
	Removal,
	RunSettings,
} from '../operations/types';
import type { ApiClient } from '../transport/client';
import { type Failure, openWrite, ServiceError } from '../transport/failures';
import { RowRequests } from '../transport/rowRequests';
import { invalidRow } from './errors';
import type { MakeOutput } from './options';
import {
	type Attachment,
	type EarlierTries,
	isFailed,
	isFinal,
	isInvalid,
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
	/** What earlier tries of the run have left. What this try leaves is added. */
	readonly earlier: EarlierTries;
	/** Called when a row or a removal ends. */
	readonly onEnd: (outcome: RowOutcome) => void;
}

/** The state of a run. */
interface RunState {
	readonly execution: Execution;
	readonly run: OperationRun;
	client?: ApiClient;
	/** Why no row can be executed. */
	failure?: Failure;
	/** The rows that have started and not ended. */
	readonly running: Set<Promise<void>>;
	/** Whether all rows have succeeded so far. */
	isDone: boolean;
}

/** Returns the rows without problems. */
const validRows = (rows: readonly Row[]): EncodedRow[] =>
	rows.flatMap(({ encoded }) => (isEncoded(encoded) ? [encoded] : []));

/** Starts the operation of a run. */
function startRun(rows: readonly Row[], execution: Execution): RunState {
	const { contract, operation, isDryRun, settings, earlier } = execution;
	const outcomes = [...earlier.outcomes.values()];
	const valid = validRows(rows);
	const run = operation({
		...{ contract, settings, isDryRun, first: valid[0] },
		isComplete: valid.length === rows.length,
		hasStray: outcomes.some(isStray),
		completedIds: new Set(outcomes.flatMap((outcome) => ('ids' in outcome && outcome.ids) || [])),
	});
	return { execution, run, running: new Set(), isDone: true };
}

/**
 * Returns why a row failed. A create whose response contradicts its row must not be repeated. An error that is no `ServiceError`
 * comes from n8n, such as a credential that cannot be read. After a write, it does not show the outcome of the write.
 */
function failureOf(error: unknown, written: RowRequests['written'] = new Set()): Failure {
	const isUnknownCreate = written.has('POST') || undefined;
	const own = error instanceof ServiceError ? error.failure : undefined;
	const isContradicted = own?.outcome === 'unknown' && !own.mayBeDone;
	if (own) return isContradicted ? { ...own, isUnknownCreate } : own;
	const message = error instanceof Error ? error.message : String(error);
	const isOpen = written.size > 0;
	const advice = isOpen ? '' : 'Check the credential and the settings of the node.';
	return { cause: 'rejected', message, advice, ...(isOpen && openWrite), isUnknownCreate };
}

/** Executes a task with its own requests. Never rejects. A failure stops the run, unless it continues on errors. */
async function attempt(
	{ execution, run }: RunState,
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
		const ids = run.removals && resources.flatMap((resource) => idIn(resource) ?? []);
		const shown = isOutput ? resources : resources.map(execution.output);
		return { ...context, result: { ...result, resources: shown }, ids };
	} catch (error) {
		if (!execution.continues) client.stop();
		const { earlier } = execution;
		const failure = earlier.failureOf(identity.index, failureOf(error, requests.written));
		const outcome = { ...identity, failure };
		if (failure.outcome === 'unknown') earlier.doubts.set(identity.index, outcome);
		return outcome;
	} finally {
		requests.end();
	}
}

/** Executes a row. */
async function executeRow(state: RunState, client: ApiClient, row: Row, encoded: EncodedRow) {
	const { isDryRun, earlier, attachmentOf } = state.execution;
	const { index, duplicates = [] } = row;
	const outcome = await attempt(state, client, { index, row }, async (requests) => {
		const { qrCode, existing, ...rest } = await state.run.execute(requests, encoded);
		const keptFields = encoded.skippedFields
			.filter((field) => existing && showsValue(field, existing, encoded))
			.map(({ displayName }) => displayName);
		const attachment = qrCode && attachmentOf ? await attachmentOf(index, qrCode) : undefined;
		return { ...rest, attachment, keptFields };
	});
	if (isFinal(encoded, outcome) && !isDryRun) {
		earlier.outcomes.set(index, outcome);
		for (const each of duplicates) earlier.outcomes.set(each, { ...outcome, index: each });
	}
	return outcome;
}

/**
 * Connects, reads the data that all rows need, and checks the rows, which may become invalid. If that fails, no row can be
 * executed.
 */
async function prepare(state: RunState, rows: Row[]): Promise<void> {
	const { execution, run } = state;
	try {
		const client = await execution.connect();
		state.client = client;
		if (run.prepare && (await client.beginRow())) {
			const requests = new RowRequests(client);
			await run.prepare(requests, validRows(rows)).finally(() => requests.end());
		}
	} catch (error) {
		state.failure = { ...failureOf(error), isRunLevel: true };
		return;
	}
	for (const [position, row] of rows.entries()) {
		const problems = (isEncoded(row.encoded) && run.problemsOf?.(row.encoded)) || [];
		if (problems.length > 0) rows[position] = { ...row, encoded: problems };
	}
}

/** Returns the outcome of a row that is not executed; undefined if it must be. */
function knownOutcome({ execution, failure }: RunState, row: Row): RowOutcome | undefined {
	const { earlier } = execution;
	const outcome = earlier.outcomes.get(row.index);
	if (outcome) return outcome;
	const failed = isInvalid(row) ? invalidRow(row) : failure && { index: row.index, row, failure };
	return failed && { ...failed, failure: earlier.failureOf(row.index, failed.failure) };
}

/** Reports the outcome of a row and of its duplicates when the row ends. */
function settle(
	state: RunState,
	outcome: Promise<RowOutcome> | RowOutcome,
	duplicates: readonly number[] = [],
): void {
	const { onEnd } = state.execution;
	const reported = Promise.resolve(outcome).then((ended) => {
		if (isFailed(ended)) state.isDone = false;
		onEnd(ended);
		for (const index of duplicates) onEnd({ ...ended, index, isDuplicate: true });
		state.running.delete(reported);
	});
	state.running.add(reported);
}

/** Starts the rows in their order, and removes each from the list. Resolves when all have ended. */
async function startRows(state: RunState, rows: Row[]): Promise<void> {
	const { client, execution } = state;
	rows.reverse();
	for (let row = rows.pop(); row !== undefined; row = rows.pop()) {
		const { encoded, duplicates } = row;
		const known = knownOutcome(state, row);
		if (known) {
			settle(state, known, duplicates);
		} else if (client && isEncoded(encoded) && (await client.beginRow())) {
			settle(state, executeRow(state, client, row, encoded), duplicates);
			// A row of a dry run sees what the rows before it would store, and not what those after it would.
			if (execution.isDryRun) await Promise.all(state.running);
		} else {
			state.isDone = false;
			break;
		}
	}
	await Promise.all(state.running);
}

/** Removes the resources that are in no row. Reports what earlier tries removed, too. */
async function removeOthers(state: RunState): Promise<void> {
	const { client, failure, execution, run } = state;
	const { items, earlier, isDryRun } = execution;
	if (failure) settle(state, { index: items, failure });
	const removed = [...earlier.outcomes.values()].filter((outcome) => outcome.removed);
	for (const outcome of removed) settle(state, outcome);
	let index = removed.reduce((next, outcome) => Math.max(next, outcome.index + 1), items);
	const remove = async (identity: RowIdentity, { execute }: Removal, using: ApiClient) => {
		const outcome = await attempt(state, using, identity, execute);
		if (!isFailed(outcome) && !isDryRun) earlier.outcomes.set(identity.index, outcome);
		return outcome;
	};
	for (const removal of failure ? [] : (run.removals?.() ?? [])) {
		if (!client || !(await client.beginRow())) break;
		settle(state, remove({ index, removed: removal.resource }, removal, client));
		index += 1;
	}
	await Promise.all(state.running);
}

/**
 * Executes the rows of a run, up to Concurrency at the same time, and then the removals if all rows succeeded. Reports a row as
 * soon as it ends. After a failure that stops the run, no other row starts, and no request is sent.
 *
 * @param rows Rows are removed from the list as they start, so that they do not stay in memory.
 * @returns sentences for the summary; what to do after a run that failed for some of its rows; and the invalid rows, unless the
 * run continues on errors. If there are any, the run has written nothing.
 */
export async function executeRows(rows: Row[], execution: Execution) {
	const { continues, earlier } = execution;
	const state = startRun(rows, execution);
	const { recovery, removals, notes = () => [] } = state.run;
	const isOpen = ({ index }: Row) => !earlier.outcomes.has(index);
	// A row that an earlier try has sent is not invalid, even if its names cannot be read any more.
	const refusedRows = () => (continues ? [] : rows.filter(isOpen).filter(isInvalid));
	const mayRemove = removals !== undefined && validRows(rows).length > 0;
	const isNeeded = mayRemove || rows.some((row) => isOpen(row) && !isInvalid(row));
	if (isNeeded && refusedRows().length === 0) await prepare(state, rows);
	const refused = refusedRows();
	if (refused.length > 0) return { notes: [], recovery, refused };
	await startRows(state, rows);
	const keepsOthers = !state.isDone && removals !== undefined && removals().length > 0;
	if (mayRemove && state.isDone) await removeOthers(state);
	const kept = keepsOthers ? ['Nothing was removed, because not all items succeeded'] : [];
	return { notes: [...notes(), ...kept], recovery, refused };
}
