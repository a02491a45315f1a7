import type { Result, RemovedResource } from '../operations/types';
import type { Failure } from '../transport/serviceError';
import type { Row } from './readRows';

/** A row that came to nothing. */
export interface FailedRow {
	/** Position of the input item, from 0. */
	readonly index: number;
	readonly failure: Failure;
	/** What it asked for, where that could be read. */
	readonly row?: Row;
	/** What it is about, where that is in no row. */
	readonly removed?: RemovedResource;
}

/** A row that was done. */
export interface DoneRow {
	readonly index: number;
	readonly result: Result;
	/** What it is about, where that is in no row. */
	readonly removed?: RemovedResource;
	/** Set where an earlier row that wanted the very same was done for this one too. */
	readonly isDuplicate?: true;
}

/** What became of a row. */
export type RowOutcome = DoneRow | FailedRow;

export const isFailed = (outcome: RowOutcome): outcome is FailedRow => 'failure' in outcome;

/** What became of a row, in a word that tells whether it is to be sent again. */
export type RowState = 'done' | 'failed' | 'not sent' | 'unknown';

/** What became of each row, by the position of its input item, in the order of the rows. An empty item is no row. */
export type RowStates = ReadonlyMap<number, RowState>;

export function stateOf(outcome: RowOutcome | undefined): RowState {
	if (outcome === undefined) return 'not sent';
	if (!isFailed(outcome)) return 'done';
	if (outcome.failure.outcome === 'unknown') return 'unknown';
	return outcome.failure.cause === 'ended' ? 'not sent' : 'failed';
}

/** Returns what earlier tries of a run have made of its rows. */
export const statesOf = (
	rows: readonly number[],
	outcomes: ReadonlyMap<number, RowOutcome>,
): RowStates => new Map(rows.map((index) => [index, stateOf(outcomes.get(index))]));
