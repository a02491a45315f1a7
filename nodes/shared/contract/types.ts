import type { INodeProperties } from 'n8n-workflow';

/** A resource as the service describes it (assumption: one resource). */
export type Resource = Readonly<Record<string, unknown>>;

/** What one field contributes to the wire: the part of the name behind the field's key, and the text. */
export type WireValue = readonly [suffix: string, text: string];

/** Why a value cannot be sent. Each reason is a clause that reads on from the field's name and ends with the remedy. */
export class Invalid {
	readonly reasons: readonly string[];

	constructor(reasons: readonly string[]) {
		this.reasons = reasons;
	}
}

/** Finds the IDs of the names that a field takes in place of IDs. */
export interface NameLookup {
	/** Returns the ID of a name; Invalid for a text that is neither a name nor an ID. */
	readonly idOf: (name: string) => Invalid | string;
	/** Returns whether the list contains a text as a name or as an ID. */
	readonly isListed: (text: string) => boolean;
	/** Returns the number of parts that separators make of a name of the list, at most 10. */
	readonly maxParts: () => number;
}

/** What a codec reads a value by, beside the property. */
export interface CodecContext {
	/** Finds IDs by names; without it, only IDs are taken. */
	readonly names?: NameLookup;
	/** IANA name of the time zone that a Date is read in; UTC by default. */
	readonly timeZone?: string;
	/** Whether the value is the service's and not a user's: then only the contract's own values count. */
	readonly isAnswer?: true;
}

/** Turns one set parameter value into what goes on the wire, or says why it cannot. Pure; never throws. */
export type Codec = (
	value: unknown,
	property: INodeProperties,
	context?: CodecContext,
) => readonly WireValue[] | Invalid;

/** A resource of the service under its name, as a list of it shows. */
export interface NamedResource {
	readonly id: unknown;
	readonly name: string;
}

/** A list of the service that shows the names of what a field holds the IDs of. */
export interface NameSource {
	/** What has the names, in the singular. */
	readonly resourceName: string;
	/** Which of them are known; reads on behind "the". */
	readonly description: string;
	readonly path: `/${string}`;
	readonly params: ReadonlyArray<readonly [name: string, value: string]>;
	/** Max number of pages that are read, if only the newest resources count. `known` says so. */
	readonly pages?: number;
	/** Whether no two have the same name. */
	readonly isUnique?: true;
	/** What a resource of the list shows. */
	readonly toNamed: (resource: Resource) => NamedResource | undefined;
}

/** Where a field stands in the node: as a parameter of its own, or in one of the collections. */
export type FormPlace = 'top' | CollectionName;
export type CollectionName =
	| 'additionalFields'
	| 'advancedFields'
	| 'filters'
	| 'sorting'
	| 'updateFields';

export type OperationName = 'create' | 'delete' | 'get' | 'getAll' | 'sync' | 'update' | 'upsert';

/** The operations that have a field, and where each one shows it. */
export type OperationPlaces = Readonly<Partial<Record<OperationName, FormPlace>>>;

/** The values of a row's parameters by name, collections as objects. */
export type Parameters = Readonly<Record<string, unknown>>;

/** What the values of a row are read by, beside the contract. */
export interface EncodeOptions {
	/** IANA name of the workflow's time zone. */
	readonly timeZone: string;
	/** The present, in milliseconds since 1970. */
	readonly now: number;
	/** What an empty value of a field that was added means: nothing, an order to clear the field, or a mistake. */
	readonly emptyValues: 'clear' | 'fail' | 'skip';
	/** The resource's own options that were set, as the texts that their codecs give, by name. */
	readonly resourceOptions: Readonly<Record<string, string>>;
	/** Whether values come from the columns of the row as well. */
	readonly takesColumns?: boolean;
	/** What Sync does with what is in its scope and in no row. */
	readonly unmatchedAction?: UnmatchedAction;
	/** Whether any column fills a field that Match By does not find the resource by. */
	readonly hasValueColumns?: boolean;
	/** Value of the choice of Match By; undefined if the operation, or the Link parameter, does without it. */
	readonly matchBy?: string;
	/** Finds IDs by names; without it, what stands in place of an ID is one. */
	readonly names?: NameResolver;
	/** One of the readings of `AmbiguousContract`, once the run knows which one the service means. */
	readonly interpretation?: string;
}

/** Finds the IDs of names. */
export interface NameResolver {
	readonly idOf: (
		source: NameSource,
		name: string,
		property: INodeProperties,
	) => ReturnType<NameLookup['idOf']>;
	readonly isListed: (source: NameSource, text: string) => boolean;
	readonly maxParts: (source: NameSource) => number;
}

export type UnmatchedAction = 'delete' | 'disable' | 'keep';

/** The columns of an input item by name. */
export type Columns = Readonly<Record<string, unknown>>;

/** Collects what is wrong with a property: clauses that read on from its name and end with the remedy. */
export type ReportProblem = (property: INodeProperties, reasons: readonly string[]) => void;

/** Stands for a field that a resource holds nothing of. */
export const emptyValue = '';
