import type { IBinaryKeyData, IDataObject } from 'n8n-workflow';
import { type EncodedRow, isEncoded } from '../contract/encodedRow';
import { operationTable } from '../contract/operations';
import type { Problem } from '../contract/types';
import type { RemovedResource, Result } from '../operations/types';
import type { Failure } from '../transport/failures';

/** One input item: its encoded values, or its problems. */
export interface Row {
	/** Index of the input item. */
	readonly index: number;
	readonly encoded: EncodedRow | readonly Problem[];
	/** The alias or name of the row, so that the user finds it in the sheet. */
	readonly name?: string;
	/** The scope of a row of Sync as text; undefined if the scope is invalid. */
	readonly scope?: string;
	/** Indexes of later rows with identical values, which have the outcome of this row. */
	readonly duplicates?: readonly number[];
	/** Why a list of names could not be read, if the row is valid apart from these names. */
	readonly unreadNames?: Failure;
}

/** A row that cannot be sent. */
export interface InvalidRow extends Row {
	readonly encoded: readonly Problem[];
}

export const isInvalid = (row: Row): row is InvalidRow => !isEncoded(row.encoded);

/** A row, or the resource of a removal. */
export interface RowIdentity {
	/** Position of the input item, from 0. Removals follow the input items. */
	readonly index: number;
	/** The row; undefined if it could not be read. */
	readonly row?: Row;
	readonly removed?: RemovedResource;
}

/** A row that failed. */
export interface FailedRow extends RowIdentity {
	readonly failure: Failure;
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

/** A row that succeeded. Without its values, so that these do not stay in memory. */
export interface DoneRow extends Omit<RowIdentity, 'row'> {
	readonly result: RowResult;
	/** The IDs of the resources, because the output may not contain them; undefined if the run removes none. */
	readonly ids?: readonly string[];
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

/** The state of a row, which shows whether to send it again, in the order of messages. */
export const rowStates = ['done', 'not sent', 'failed', 'unknown'] as const;

export type RowState = (typeof rowStates)[number];

/** The state of each row by the index of its input item, in the order of the rows. Empty items are not rows. */
export type RowStates = ReadonlyMap<number, RowState>;

export function stateOf(outcome: RowOutcome): RowState {
	if (!isFailed(outcome)) return 'done';
	if (outcome.failure.outcome === 'unknown') return 'unknown';
	return ['ended', 'unsupported'].includes(outcome.failure.cause) ? 'not sent' : 'failed';
}

/**
 * Returns the states of rows. A row without an outcome was not sent.
 *
 * @param rows positions of their input items
 * @param outcomes may contain removals
 */
export function statesOf(rows: readonly number[], outcomes: Iterable<RowOutcome>): RowStates {
	const states = new Map<number, RowState>(rows.map((index) => [index, 'not sent']));
	for (const outcome of outcomes) {
		if (states.has(outcome.index)) states.set(outcome.index, stateOf(outcome));
	}
	return states;
}
