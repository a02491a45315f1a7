import type { IDataObject } from 'n8n-workflow';
import type { EncodedRow } from '../contract/encodedRow';
import type { RowRequests } from '../transport/rowRequests';
import type { ResponseChecks, Update } from './responses';
import type { Result } from './types';

/** A resource to delete: its ID, and the resource if it was read. */
export interface Deletion {
	readonly id: string;
	readonly existing?: IDataObject;
	/** What a dry run shows instead of "Deletes permanently". */
	readonly note?: string;
}

/** What an operation writes. The writer of a dry run sends nothing, and remembers what the other one would store. */
export interface Writer {
	/** The checks of the run, and what they remember. */
	readonly checks: ResponseChecks;
	/**
	 * Creates the resource of a row.
	 *
	 * @param note what a dry run shows instead of "New"
	 * @throws ServiceError if the create fails, if the response contradicts the row, or if its outcome is unknown
	 */
	readonly createOne: (requests: RowRequests, row: EncodedRow, note?: string) => Promise<Result>;
	/**
	 * Writes fields of a resource.
	 *
	 * @param row the row, with all fields that the response must not contradict
	 * @throws ServiceError if the update fails, or if the response contradicts the row
	 */
	readonly updateOne: (requests: RowRequests, row: EncodedRow, update: Update) => Promise<Result>;
	/** Returns the result of a row whose resource needs no change. */
	readonly keepOne: (row: EncodedRow, existing: IDataObject) => Result;
	/** Deletes a resource. */
	readonly removeOne: (
		requests: RowRequests,
		row: EncodedRow,
		deletion: Deletion,
	) => Promise<Result>;
	/** Returns the resources that a read found for a row, as they are after the writes of earlier rows. */
	readonly current: (row: EncodedRow, matches: readonly IDataObject[]) => readonly IDataObject[];
}
