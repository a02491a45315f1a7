import { showsValue } from '../contract/compare';
import { type EncodedRow, isEncoded, secretsOf } from '../contract/encodedRow';
import type { Resource } from '../contract/types';
import type { ResourceContract } from '../contract/resourceTypes';
import { idIn } from '../operations/resource';
import type { OperationHandler, OperationRun, QrCode, RunSettings } from '../operations/types';
import type { ApiClient } from '../transport/client';
import { type Failure, outcomeUnknown, ServiceError } from '../transport/failures';
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

/** The state of a run. */
interface RunState {
	readonly execution: Execution;
	readonly run: OperationRun;
	client?: ApiClient;
	/** Why no row can be executed. */
	failure?: Failure;
	/** The rows that must not be written, by index. */
	readonly refused: Map<number, InvalidRow>;
	/** The rows that have started and not ended. */
	readonly running: Set<Promise<void>>;
	/** Whether the run removes resources after its rows. */
	readonly mayRemove: boolean;
	/** Whether all rows have succeeded so far. */
	isDone: boolean;
}

/** Returns the rows without problems. */
const validRows = (rows: readonly Row[]): EncodedRow[] =>
	rows.flatMap(({ encoded }) => (isEncoded(encoded) ? [encoded] : []));

/** Starts the operation of a run. */
function stateOf(rows: readonly Row[], execution: Execution): RunState {
	const { contract, operation, isDryRun, settings, finalOutcomes } = execution;
	const outcomes = [...finalOutcomes.values()];
	const valid = validRows(rows);
	const run = operation({
		...{ contract, settings, isDryRun, first: valid[0] },
		isComplete: valid.length === rows.length,
		hasStray: outcomes.some(isStray),
		completedIds: new Set(outcomes.flatMap((outcome) => ('ids' in outcome && outcome.ids) || [])),
	});
	const state = { execution, run, refused: new Map(), running: new Set<Promise<void>>() };
	return { ...state, mayRemove: run.removals !== undefined && valid.length > 0, isDone: true };
}

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
	if (error instanceof ServiceError) return { ...identity, failure: error.failure };
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
		return failedRow(identity, error, requests.written);
	} finally {
		requests.end();
	}
}

/** Executes a row. */
async function executeRow(
	state: RunState,
	client: ApiClient,
	row: Row,
	encoded: EncodedRow,
): Promise<RowOutcome> {
	const { isDryRun, finalOutcomes, attachmentOf } = state.execution;
	const { index } = row;
	const outcome = await attempt(state, client, { index, row }, async (requests) => {
		const { qrCode, existing, ...rest } = await state.run.execute(requests, encoded);
		const keptFields = existing && keptFieldsOf(encoded, existing);
		const attachment = qrCode && attachmentOf ? await attachmentOf(index, qrCode) : undefined;
		return { ...rest, attachment, keptFields };
	});
	if (isFinal(encoded, outcome) && !isDryRun) finalOutcomes.set(index, outcome);
	return outcome;
}

/** Returns whether a row has no outcome yet and can be executed. */
const needsRequests = ({ execution }: RunState, { index, encoded }: Row): boolean =>
	isEncoded(encoded) && !execution.finalOutcomes.has(index);

/** Connects, reads the data that all rows need, and checks the rows. If that fails, no row can be executed. */
async function prepare(state: RunState, rows: readonly Row[]): Promise<void> {
	const { prepare: read, problemsOf } = state.run;
	try {
		const client = await state.execution.connect();
		state.client = client;
		if (read && (await client.beginRow())) {
			const outcome = await attempt(state, client, { index: 0 }, async (requests) => {
				await read(requests, validRows(rows));
				return { resources: [], outcome: 'read' };
			});
			if (isFailed(outcome)) state.failure = { ...outcome.failure, isRunLevel: true };
		}
	} catch (error) {
		state.failure = { ...failedRow({ index: 0 }, error).failure, isRunLevel: true };
	}
	if (state.failure || !problemsOf) return;
	for (const row of rows.filter((each) => needsRequests(state, each))) {
		const problems = isEncoded(row.encoded) ? problemsOf(row.encoded) : [];
		if (problems.length > 0) state.refused.set(row.index, { ...row, encoded: problems });
	}
}

/** Returns the outcome of a row that is not executed; undefined if it must be. */
function knownOutcome({ execution, refused, failure }: RunState, row: Row): RowOutcome | undefined {
	const { index, encoded } = row;
	const earlier = execution.finalOutcomes.get(index);
	if (earlier) return earlier;
	const invalid = isEncoded(encoded) ? refused.get(index) : { ...row, encoded };
	if (invalid) return invalidRow(invalid);
	return failure && { index, row, failure };
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

/** Removes the resources that are in no row. */
async function removeOthers(state: RunState): Promise<void> {
	const { client, failure, execution, run } = state;
	if (failure) settle(state, { index: execution.items, failure });
	if (failure || !client) return;
	for (const [position, { resource, execute }] of (run.removals?.() ?? []).entries()) {
		if (!(await client.beginRow())) break;
		const identity = { index: execution.items + position, removed: resource };
		settle(state, attempt(state, client, identity, execute));
	}
	await Promise.all(state.running);
}

/**
 * Executes the rows of a run, up to Concurrency at the same time, and then the removals if all rows succeeded. Reports a row as
 * soon as it ends. After a failure that stops the run, no other row starts, and no request is sent.
 *
 * @param rows Rows are removed from the list as they start, so that they do not stay in memory.
 */
export async function executeRows(rows: Row[], execution: Execution): Promise<ExecutionSummary> {
	const state = stateOf(rows, execution);
	const { recovery, removals, notes = () => [] } = state.run;
	if (state.mayRemove || rows.some((row) => needsRequests(state, row))) await prepare(state, rows);
	const refused = execution.continues ? [] : [...state.refused.values()];
	if (refused.length > 0) return { notes: [], recovery, refused };
	await startRows(state, rows);
	const keepsOthers = !state.isDone && removals !== undefined && removals().length > 0;
	if (state.mayRemove && state.isDone) await removeOthers(state);
	const kept = keepsOthers ? ['Nothing was removed, because not all items succeeded'] : [];
	return { notes: [...notes(), ...kept], recovery, refused };
}
