import type { Result, RemovedResource } from '../operations/types';
import type { Failure } from '../transport/serviceError';
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

/** A row that succeeded. */
export interface DoneRow {
	readonly index: number;
	readonly result: Result;
	/** The resource of a removal. */
	readonly removed?: RemovedResource;
	/** Whether the result is that of an earlier row with identical values. */
	readonly isDuplicate?: true;
}

/** The outcome of a row or a removal. */
export type RowOutcome = DoneRow | FailedRow;

export const isFailed = (outcome: RowOutcome): outcome is FailedRow => 'failure' in outcome;

/** The state of a row, which shows whether to send it again. */
export type RowState = 'done' | 'failed' | 'not sent' | 'unknown';

/** The state of each row by the index of its input item, in the order of the rows. Empty items are not rows. */
export type RowStates = ReadonlyMap<number, RowState>;

export function stateOf(outcome: RowOutcome | undefined): RowState {
	if (outcome === undefined) return 'not sent';
	if (!isFailed(outcome)) return 'done';
	if (outcome.failure.outcome === 'unknown') return 'unknown';
	return outcome.failure.cause === 'ended' ? 'not sent' : 'failed';
}

/** Returns the states of rows after earlier tries of the run. */
export const statesOf = (
	rows: readonly number[],
	outcomes: ReadonlyMap<number, RowOutcome>,
): RowStates => new Map(rows.map((index) => [index, stateOf(outcomes.get(index))]));
