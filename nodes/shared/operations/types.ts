import type { IDataObject } from 'n8n-workflow';
import type { EncodedField } from '../contract/fieldTypes';
import type { EncodedRow, Problem } from '../contract/encodedRow';
import type { ResourceContract } from '../contract/resourceTypes';
import type { RowRequests } from '../transport/rowRequests';
import { readsFirst } from './changes';

/** What became of a row at the service. */
export type Outcome =
	| 'created'
	| 'deleted'
	| 'disabled'
	| 'existing'
	| 'missing'
	| 'read'
	| 'refused'
	| 'unchanged'
	| 'updated';

/** A write that a dry run shows. */
export interface PlannedWrite {
	readonly contract: ResourceContract;
	readonly endpoint: 'create' | 'delete' | 'update';
	readonly id?: string;
	readonly fields: readonly EncodedField[];
}

export interface Result {
	readonly resources: readonly IDataObject[];
	readonly outcome: Outcome;
	/** Whether the output tells the outcome, because the operation leaves open which one it will be. */
	readonly reportOutcome?: true;
	/** The write that a dry run left out; undefined if there is none. */
	readonly write?: PlannedWrite;
	/** Whether what was switched off is on again. */
	readonly isReenabled?: boolean;
}

/**
 * Does for one row what its operation says.
 *
 * @throws ServiceError, the only error of its own
 */
export type Execute = (requests: RowRequests, row: EncodedRow) => Promise<Result>;

/** A resource that is in no row. */
export interface RemovedResource {
	/** What it is called in an error. */
	readonly name: string;
	/** What tells it from others. */
	readonly data: IDataObject;
}

/** What is done after all rows, to a resource that is in none of them. */
export interface Removal {
	readonly resource: RemovedResource;
	readonly execute: (requests: RowRequests) => Promise<Result>;
	/** What would be done to it. */
	readonly plan: () => Promise<Result>;
}

/** All rows that one run of a node executes. */
export interface Run {
	/** Those that could be encoded, each that asks for something of its own. */
	readonly rows: readonly EncodedRow[];
	/** Whether these are all rows that there are. */
	readonly isComplete: boolean;
	/** Whether nothing is to be written. */
	readonly isDryRun: boolean;
	/** Whether a dry run shows what becomes of each row, and not only its request: then it may read. */
	readonly showsTable: boolean;
	/** Whether an earlier try of the same run has left a stray resource at the service: then it creates no more. */
	readonly hasStray: boolean;
	readonly limits: RemovalLimits;
	/** Whether deleting a resource that does not exist counts as a success. */
	readonly ignoreMissing?: boolean;
}

/** How much a run may remove. */
export interface RemovalLimits {
	readonly maxCount: number;
	/** In percent of the scope. */
	readonly maxPercentage: number;
}

/** An operation that was begun for a run. */
export interface OperationRun {
	readonly execute: Execute;
	/**
	 * Reads what all rows need, before the first one.
	 *
	 * @throws ServiceError where no row may be executed
	 */
	readonly prepare?: (requests: RowRequests) => Promise<void>;
	/**
	 * Returns why a row must not be executed, after `prepare` and before anything is written; an empty list if it may be.
	 */
	readonly problemsOf?: (row: EncodedRow) => readonly Problem[];
	/** Returns whether a row has to wait until all others have ended, because it depends on what they learn. */
	readonly isDeferred?: (row: EncodedRow) => boolean;
	/** About so many requests a row takes, as far as that is known. */
	readonly requestsFor: (row: EncodedRow) => number;
	/** Reads what only the plans need, after `prepare`. It is no part of what a run costs. */
	readonly preparePlan?: (requests: RowRequests) => Promise<void>;
	/** What would become of a row, without a write; by default the request that it would make. */
	readonly plan?: Execute;
	/** What is to be done after all rows, if all went through. */
	readonly removals?: () => readonly Removal[];
	/** What is to be told beside what became of the rows. */
	readonly notes?: () => readonly string[];
}

/** Begins an operation for all rows of a run. */
export type OperationHandler = (run: Run) => OperationRun;

/** An operation whose rows know nothing of each other. */
export const rowByRow =
	(execute: Execute): (() => OperationRun) =>
	() => ({
		execute,
		requestsFor: (row) => 1 + (row.reference ? 1 : 0) + (readsFirst(row) ? 1 : 0),
	});
