import type { Result, Subject } from '../operations/operation';
import type { Failure } from '../transport/serviceError';

/** A row that came to nothing. */
export interface FailedRow {
	/** Position of the input item, from 0. */
	readonly index: number;
	readonly failure: Failure;
	/** What it is about, where that is in no row. */
	readonly subject?: Subject;
}

/** A row that was done. */
export interface DoneRow {
	readonly index: number;
	readonly result: Result;
	/** What it is about, where that is in no row. */
	readonly subject?: Subject;
	/** Set where an earlier row that wanted the very same was done for this one too. */
	readonly isRepeat?: true;
}

/** What became of a row. */
export type RowOutcome = DoneRow | FailedRow;

export const isFailed = (outcome: RowOutcome): outcome is FailedRow => 'failure' in outcome;
