import type { CollectionName, FormPlace, OperationName } from './operations';
import type { INodeProperties } from 'n8n-workflow';

/** A resource as the service returns it (assumption: one resource). */
export type Resource = Readonly<Record<string, unknown>>;

/**
 * One param of a field: the suffix that follows the field's key, such as `[]`, and the text. The text may be a name whose ID is
 * not known yet; the values of an `EncodedRow` contain no such name.
 */
export type WireValue = readonly [suffix: string, text: string, isName?: true];

/** Why a value cannot be sent: a clause that continues the name of the field and ends with the remedy, in parts. */
export interface Reason {
	/** The words before the value, such as the part of the field that has it. */
	readonly before?: string;
	/** The value, quoted; undefined if the reason is about no single value. */
	readonly value?: string;
	readonly what: string;
	/** Name of the input that has the value, for a field with several inputs. */
	readonly input?: string;
	/** The list of names that could not be read, if the value is a name of it. */
	readonly unreadNames?: NameSource;
}

/** The reasons why a value cannot be sent. */
export class Invalid {
	readonly reasons: readonly Reason[];

	/** @param reasons as whole clauses, or in parts */
	constructor(reasons: ReadonlyArray<Reason | string>) {
		this.reasons = reasons.map((reason) =>
			typeof reason === 'string' ? { what: reason } : reason,
		);
	}
}

/** Returns all results, or the reasons of all invalid results without duplicates. */
export function allValid<T>(results: ReadonlyArray<Invalid | T>): Invalid | readonly T[] {
	const reasons = results.flatMap((result) => (result instanceof Invalid ? result.reasons : []));
	const valid = results.flatMap((result) => (result instanceof Invalid ? [] : [result]));
	if (reasons.length === 0) return valid;
	const distinct = new Map(reasons.map((reason) => [JSON.stringify(reason), reason]));
	return new Invalid([...distinct.values()]);
}

/** A reason why a row cannot be sent, with the field that has it. */
export interface Problem extends Reason {
	/** Label of the field. */
	readonly field: string;
	/** Contract key of the field, or name of the parameter. */
	readonly key: string;
	/** The columns with the value, if it comes from cells. */
	readonly columns?: readonly string[];
	/** Whether each row needs a value for the field, so that its columns should not be ignored. */
	readonly isNeeded?: boolean;
	/** Whether the problem stops the whole run, because all rows share the value. */
	readonly isRunLevel?: true;
}

/** The context in which a codec reads a value. */
export interface CodecContext {
	/** The options of the run; undefined for a value of the service. */
	readonly options?: EncodeOptions;
	/** Whether the service sent the value. The codec then accepts only the values that the contract lists. */
	readonly isAnswer?: true;
}

/** The parts of an n8n property that the contract reads. Most parameters have only a name and a label here. */
export type FormParameter = Partial<INodeProperties> &
	Pick<INodeProperties, 'displayName' | 'name'>;

/** Encodes a value that is not empty, or returns why it cannot be sent. Pure; never throws. */
export type Codec = (
	value: unknown,
	property: FormParameter,
	context?: CodecContext,
) => readonly WireValue[] | Invalid;

/** An entry of a list of names. */
export interface NamedResource {
	readonly id: unknown;
	readonly name: string;
}

/** A list of the service that contains the names for the IDs of a field. */
export interface NameSource {
	/** The resource that the list contains, in the singular. */
	readonly resourceName: string;
	/** The resources that the list contains; continues "the". */
	readonly description: string;
	readonly path: `/${string}`;
	readonly params: ReadonlyArray<readonly [name: string, value: string]>;
	/** Max number of pages to read, if only the newest resources matter. `description` mentions the limit. */
	readonly pages?: number;
	/** Whether every name is unique. */
	readonly isUnique?: true;
	/** Returns the ID and name of a list entry; undefined if it has no name. */
	readonly toNamed: (resource: Resource) => NamedResource | undefined;
}

export type { CollectionName, FormPlace, OperationName };

/** The operations that have a field, and the field's place in the form of each. */
export type OperationPlaces = Readonly<Partial<Record<OperationName, FormPlace>>>;

/** The parameter values of a row by name. A collection is an object. */
export type Parameters = Readonly<Record<string, unknown>>;

/** The options that affect how a row is encoded. */
export interface EncodeOptions {
	/** IANA name of the account's time zone. */
	readonly timeZone: string;
	/** The current time, in milliseconds since 1970. */
	readonly now: number;
	/** Whether a moment in the past is refused. */
	readonly refusesPast: boolean;
	/** Whether an empty value of a field that was added clears the field. */
	readonly emptyValues: 'clear' | 'skip';
	/** Whether the run reports the empty values that it skips, because Empty Values is not set, or does not apply to them. */
	readonly reportsEmpty?: boolean;
	/** The encoded options that only this resource has, by name. */
	readonly resourceOptions: Readonly<Record<string, string>>;
	/** Whether columns of the input items fill fields too. */
	readonly takesColumns?: boolean;
	/** How Sync handles resources of the scope that match no row. */
	readonly unmatchedAction?: UnmatchedAction;
	/** Value of Match By; undefined if the operation does not have it or the Link parameter identifies the resource. */
	readonly matchBy?: string;
}

export type UnmatchedAction = 'delete' | 'disable' | 'keep';

/** The columns of an input item by name. */
export type Columns = Readonly<Record<string, unknown>>;

/** Reports why the value of a property cannot be sent, as whole clauses or in parts. */
export type ReportProblem = (
	property: FormParameter,
	reasons: ReadonlyArray<Reason | string>,
) => void;
