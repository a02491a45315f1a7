import type { Done } from '../client/perform';
import type { Failure } from '../client/serviceError';

/** A row that came to nothing. */
export interface FailedRow {
	/** Position of the input item, from 0. */
	readonly index: number;
	readonly failure: Failure;
}

/** What became of a row. */
export type Outcome = FailedRow | (Done & { readonly index: number });
