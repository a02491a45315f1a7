import { showsValue } from '../contract/compare';
import { type EncodedRow, isEncoded, secretsOf } from '../contract/encodedRow';
import { operationTable } from '../contract/operations';
import { idIn } from '../operations/resource';
import type { OperationRun, QrCode, Run } from '../operations/types';
import type { ApiClient } from '../transport/client';
import { type Failure, openWrite, ServiceError } from '../transport/failures';
import { RowRequests } from '../transport/rowRequests';
import { invalidRow } from './errors';
import type { MakeOutput } from './options';
import {
	type Attachment,
	type EarlierTries,
	isFailed,
	isInvalid,
	type Row,
	type RowIdentity,
	type RowOutcome,
	type RowResult,
} from './outcome';

/** How the rows of one run are executed. */
export interface Execution extends Pick<Run, 'contract' | 'isDryRun' | 'settings'> {
	readonly operation: (run: Run) => OperationRun;
	/** Number of input items. Items without a row count as well. */
	readonly items: number;
	/** Connects if a row needs it. If it rejects, all rows that need it fail. */
	readonly connect: () => Promise<ApiClient>;
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

/**
 * Returns why a row failed. A create whose response contradicts its row must not be repeated. An error that is no `ServiceError`
 * comes from n8n, such as a credential that cannot be read. After a write, it does not show the outcome of the write.
 */
function failureOf(error: unknown, written: RowRequests['written'] = new Set()): Failure {
	const isUnknownCreate = written.has('POST') || undefined;
	const own = error instanceof ServiceError ? error.failure : undefined;
	if (own) return own.outcome === 'unknown' && !own.mayBeDone ? { ...own, isUnknownCreate } : own;
	const message = error instanceof Error ? error.message : String(error);
	const isOpen = written.size > 0;
	const advice = isOpen ? '' : 'Check the credential and the settings of the node.';
	return { cause: 'rejected', message, advice, ...(isOpen && openWrite), isUnknownCreate };
}

/** Returns whether a retry of the node must not repeat a row: it is done, or the service may have processed its create. */
function isFinal(outcome: RowOutcome, row?: EncodedRow): boolean {
	if (!isFailed(outcome)) return true;
	const { cause, isUnknownCreate, outcome: state } = outcome.failure;
	if (!row || state !== 'unknown') return false;
	const isCreate = operationTable[row.operation].creates === 'always';
	return isCreate || cause === 'unsupported' || isUnknownCreate === true;
}

/** Executes a task with its own requests. Never rejects. A failure stops the run, unless it continues on errors. */
async function attempt(
	{ execution, run }: RunState,
	client: ApiClient,
	identity: RowIdentity,
	task: (requests: RowRequests) => Promise<RowResult>,
): Promise<RowOutcome> {
	const { row, ...context } = identity;
	const { earlier, continues, output } = execution;
	const encoded = row && isEncoded(row.encoded) ? row.encoded : undefined;
	const requests = new RowRequests(client, encoded && secretsOf(encoded));
	let outcome: RowOutcome;
	try {
		const result = await task(requests);
		const { resources, isOutput } = result;
		for (const resource of run.removals ? resources : [])
			earlier.memory.completedIds.add(idIn(resource) ?? '');
		const shown = isOutput ? resources : resources.map(output);
		outcome = { ...context, result: { ...result, resources: shown } };
	} catch (error) {
		if (!continues) client.stop();
		const failure = earlier.failureOf(identity.index, failureOf(error, requests.written));
		outcome = { ...identity, failure };
		if (failure.outcome === 'unknown') earlier.doubts.set(identity.index, outcome);
	}
	requests.end();
	const ended = isFinal(outcome, encoded) ? [identity.index, ...(row?.duplicates ?? [])] : [];
	for (const index of ended) earlier.outcomes.set(index, { ...outcome, index });
	return outcome;
}

/** Executes a row. */
const executeRow = async (state: RunState, client: ApiClient, row: Row, encoded: EncodedRow) =>
	await attempt(state, client, { index: row.index, row }, async (requests) => {
		const { qrCode, existing, ...rest } = await state.run.execute(requests, encoded);
		const keptFields = encoded.skippedFields
			.filter((field) => existing && showsValue(field, existing, encoded))
			.map(({ displayName }) => displayName);
		const { attachmentOf } = state.execution;
		const attachment = qrCode && attachmentOf ? await attachmentOf(row.index, qrCode) : undefined;
		return { ...rest, attachment, keptFields };
	});

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
function settle(state: RunState, outcome: Promise<RowOutcome> | RowOutcome, row?: Row): void {
	const { onEnd } = state.execution;
	const reported = Promise.resolve(outcome).then((ended) => {
		if (isFailed(ended)) state.isDone = false;
		onEnd(ended);
		for (const index of row?.duplicates ?? []) onEnd({ ...ended, index, isDuplicate: true });
		state.running.delete(reported);
	});
	state.running.add(reported);
}

/** Starts the rows in their order, and removes each from the list. Resolves when all have ended. */
async function startRows(state: RunState, rows: Row[]): Promise<void> {
	const { client, execution } = state;
	rows.reverse();
	for (let row = rows.pop(); row !== undefined; row = rows.pop()) {
		const { encoded } = row;
		const known = knownOutcome(state, row);
		if (known) {
			settle(state, known, row);
		} else if (client && isEncoded(encoded) && (await client.beginRow())) {
			settle(state, executeRow(state, client, row, encoded), row);
			// A row of a dry run sees what the rows before it would store, and not what those after it would.
			if (execution.isDryRun) await Promise.all(state.running);
		} else {
			state.isDone = false;
			break;
		}
	}
	await Promise.all(state.running);
}

/** Removes the resources that are in no row. Reports what earlier tries removed, too. A removal has the same index in all tries. */
async function removeOthers(state: RunState): Promise<void> {
	const { client, failure, execution, run } = state;
	const { items, earlier } = execution;
	if (failure) settle(state, { index: items, failure });
	const planned = failure ? [] : (run.removals?.() ?? []);
	const open = new Set(planned.map(({ data }) => data.id));
	const before = new Map(earlier.all.map((outcome) => [outcome.removed?.data.id, outcome]));
	for (const [id, outcome] of before) {
		const { removed, index } = outcome;
		if (!removed || open.has(id)) continue;
		// If the response was lost, the resource may be gone.
		const again = async (requests: RowRequests) => await removed.execute(requests, true);
		const isOpen = !failure && isFailed(outcome) && client && (await client.beginRow());
		settle(state, isOpen ? attempt(state, client, { index, removed }, again) : outcome);
	}
	let next = earlier.all.reduce((index, outcome) => Math.max(index, outcome.index + 1), items);
	for (const removed of planned) {
		if (!client || !(await client.beginRow())) break;
		const { index = next } = before.get(removed.data.id) ?? {};
		settle(state, attempt(state, client, { index, removed }, removed.execute));
		next = Math.max(next, index + 1);
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
	const { continues, earlier, operation } = execution;
	const known = { first: validRows(rows)[0], memory: earlier.memory };
	const run = operation({ ...execution, ...known, isComplete: !rows.some(isInvalid) });
	const state: RunState = { execution, run, running: new Set(), isDone: true };
	// Only the operation of a valid row has removals.
	const { recovery, removals, notes = () => [] } = run;
	// A row that an earlier try has sent is not invalid, even if its names cannot be read any more, but Sync compares all rows.
	const unread = new Set<Row>(rows.filter(isInvalid).filter(({ scope }) => scope !== undefined));
	const isOpen = (row: Row) => unread.has(row) || !earlier.outcomes.has(row.index);
	const refusedRows = () => (continues ? [] : rows.filter(isOpen).filter(isInvalid));
	const isNeeded = removals || rows.some((row) => isOpen(row) && !isInvalid(row));
	if (isNeeded && refusedRows().length === 0) await prepare(state, rows);
	const refused = refusedRows();
	if (refused.length > 0) return { notes: [], recovery, refused };
	await startRows(state, rows);
	const keepsOthers = !state.isDone && removals && removals().length > 0;
	if (removals && state.isDone) await removeOthers(state);
	const kept = keepsOthers ? ['Nothing was removed, because not all items succeeded'] : [];
	return { notes: [...notes(), ...kept], recovery, refused };
}
