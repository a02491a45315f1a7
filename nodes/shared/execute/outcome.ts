import type { IBinaryKeyData, IDataObject } from 'n8n-workflow';
import type { EncodedRow } from '../contract/encodedRow';
import { operationTable } from '../contract/operations';
import type { Result, RemovedResource } from '../operations/types';
import type { Failure } from '../transport/failures';
import type { Row } from './readRows';

/** A row that failed. */
export interface FailedRow {
	/** Position of the input item, from 0. */
	readonly index: number;
	readonly failure: Failure;
	/** The row; undefined if it could not be read. */
	readonly row?: Row;
	/** The resource of a removal. */
	readonly removed?: RemovedResource;
}

/** What the output item of a QR code has in addition to its resource. */
export interface Attachment {
	readonly binary?: IBinaryKeyData;
	readonly json?: IDataObject;
}

/** The result of a row, with its QR code as n8n stores it. */
export interface RowResult extends Result {
	readonly attachment?: Attachment;
	/** Labels of the fields with an empty cell whose value the resource keeps. */
	readonly keptFields?: readonly string[];
}

/** A row that succeeded. */
export interface DoneRow {
	readonly index: number;
	readonly result: RowResult;
	/** The IDs of the resources, because the output may not contain them; undefined if the run removes none. */
	readonly ids?: readonly string[];
	/** The resource of a removal. */
	readonly removed?: RemovedResource;
	/** Whether the result is that of an earlier row with identical values. */
	readonly isDuplicate?: true;
}

/** The outcome of a row or a removal. */
export type RowOutcome = DoneRow | FailedRow;

export const isFailed = (outcome: RowOutcome): outcome is FailedRow => 'failure' in outcome;

/** Returns whether a row left a stray resource at the service. */
export const isStray = (outcome: RowOutcome): boolean =>
	isFailed(outcome) && outcome.failure.stray !== undefined;

/** Returns whether a retry of the node must not repeat a row: it is done, or the service may have processed its write. */
export const isFinal = (row: EncodedRow, outcome: RowOutcome): boolean =>
	!isFailed(outcome) ||
	isStray(outcome) ||
	(outcome.failure.outcome === 'unknown' &&
		(operationTable[row.operation].creates === 'always' ||
			outcome.failure.cause === 'unsupported' ||
			outcome.failure.isUnknownCreate === true));

/** Returns the IDs of the resources of rows that succeeded. */
export const completedIdsOf = (outcomes: Iterable<RowOutcome>): Set<string> =>
	new Set([...outcomes].flatMap((outcome) => (isFailed(outcome) ? [] : (outcome.ids ?? []))));

/** The state of a row, which shows whether to send it again. */
export type RowState = 'done' | 'failed' | 'not sent' | 'unknown';

/** The state of each row by the index of its input item, in the order of the rows. Empty items are not rows. */
export type RowStates = ReadonlyMap<number, RowState>;

export function stateOf(outcome: RowOutcome | undefined): RowState {
	if (outcome === undefined) return 'not sent';
	if (!isFailed(outcome)) return 'done';
	if (outcome.failure.outcome === 'unknown') return 'unknown';
	return ['ended', 'unsupported'].includes(outcome.failure.cause) ? 'not sent' : 'failed';
}

/** Returns the states of rows after earlier tries of the run. */
export const statesOf = (
	rows: readonly number[],
	outcomes: ReadonlyMap<number, RowOutcome>,
): RowStates => new Map(rows.map((index) => [index, stateOf(outcomes.get(index))]));
