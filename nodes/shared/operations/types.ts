import type { IDataObject } from 'n8n-workflow';
import type { EncodedRow } from '../contract/encodedRow';
import type { Outcome } from '../contract/operations';
import type { ResourceContract } from '../contract/resourceTypes';
import type { Problem } from '../contract/types';
import type { QrCode } from '../qrCode/picture';
import type { RowRequests } from '../transport/rowRequests';
import type { FieldUpdate, ResponseChecks } from './responses';

export type { QrCode };

/** What a row returns. */
export interface Result {
	readonly resources: readonly IDataObject[];
	readonly outcome: Outcome;
	/** Whether the resources have the form of the output already. */
	readonly isOutput?: true;
	/** The QR code of the resource. */
	readonly qrCode?: QrCode;
	/** Whether the output items have the outcome, because the operation has several. */
	readonly reportOutcome?: boolean;
	/** The resource before the row, if the row was compared with it. */
	readonly existing?: IDataObject;
}

/**
 * Executes one row.
 *
 * @throws ServiceError, and no other error
 */
export type Execute = (requests: RowRequests, row: EncodedRow) => Promise<Result>;

/**
 * What a row does to its resource. The outcome decides what is sent: a create, a delete, an update of the fields, or nothing.
 * Without an ID and the resource, there is none.
 */
export interface Change extends Partial<FieldUpdate> {
	readonly outcome: Outcome;
	/** What a dry run shows in place of its own note. */
	readonly note?: string;
	/** Resources with the same alias or name, apart from case: the service may refuse a create. */
	readonly similar?: readonly IDataObject[];
}

/** What an operation writes. The writer of a dry run sends nothing, and remembers what the other one would store. */
export interface Writer {
	/** The checks of the run, and what they remember. */
	readonly checks: ResponseChecks;
	readonly isPlanning: boolean;
	/** Reads what a dry run needs to know about rows that may create a resource. Undefined for a run. */
	readonly prepareCreates?: (requests: RowRequests, rows: readonly EncodedRow[]) => Promise<void>;
	/**
	 * Makes a change, and returns its result. A dry run looks up the alias or name of a create, unless Match By has done so.
	 *
	 * @param row the row, with all fields that the response must not contradict
	 * @throws ServiceError if the change fails, if its outcome is unknown, or if the response contradicts the row
	 */
	readonly write: (requests: RowRequests, row: EncodedRow, change: Change) => Promise<Result>;
	/** Returns the resources that a read found for a row, as they are after the writes of earlier rows. */
	readonly current: (row: EncodedRow, matches: readonly IDataObject[]) => readonly IDataObject[];
}

/** Disables or deletes a resource of the scope that is not in the rows. */
export interface Removal {
	/** The name of the resource in a message: `spring-7 (ID 12)`. */
	readonly name: string;
	/** Identifies the resource in the data of an error. */
	readonly data: IDataObject;
	/** @param mustRead whether it may be done already, so that it reads the resource first */
	readonly execute: (requests: RowRequests, mustRead?: boolean) => Promise<Result>;
}

/** An option of the node, with the label that messages use. */
export interface Setting<T> {
	readonly label: string;
	readonly value: T;
}

/** The options of the node that only some operations have. */
export interface RunSettings {
	/** Whether a delete of a missing resource succeeds. */
	readonly ignoreMissing: Setting<boolean>;
	/** Max number of resources that a run may remove. */
	readonly maxRemovals: Setting<number>;
	/** Max percentage of the scope that a run may remove. */
	readonly maxRemovalPercentage: Setting<number>;
}

/** What a run knows from all its tries so far. */
export interface RunMemory {
	/** The IDs of the resources of rows that are done, if the run removes others. */
	readonly completedIds: Set<string>;
	/** The checks of responses; undefined before the first try. */
	checks?: ResponseChecks;
}

/** All rows that one run of a node executes. */
export interface Run {
	readonly contract: ResourceContract;
	/** The first valid row. The run must not hold the others, so that they do not stay in memory. */
	readonly first?: EncodedRow;
	/** Whether all rows of the input are valid. */
	readonly isComplete: boolean;
	readonly isDryRun: boolean;
	readonly memory: RunMemory;
	readonly settings: RunSettings;
}

/** An operation with the state of one run. */
export interface OperationRun {
	readonly execute: Execute;
	/** What to do after a run that failed for some of its rows: one sentence. */
	readonly recovery: string;
	/**
	 * Reads what all rows need, before the first row.
	 *
	 * @param rows the rows of the run. A run that does not need them later must not keep them in memory.
	 * @throws ServiceError if no row can be executed
	 */
	readonly prepare?: (requests: RowRequests, rows: readonly EncodedRow[]) => Promise<void>;
	/** Returns why a row must not be executed, after `prepare` and before the first write; an empty list if it may be. */
	readonly problemsOf?: (row: EncodedRow) => readonly Problem[];
	/** Returns what to remove after all rows, if all of them succeeded. */
	readonly removals?: () => readonly Removal[];
	/** Returns sentences for the summary. */
	readonly notes?: () => readonly string[];
}

/** The code of an operation: starts it with the writer of the run. */
export type OperationCode = (run: Run, writer: Writer) => Omit<OperationRun, 'recovery'>;
