import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { DerivedField, Field, RowValues } from './fieldTypes';
import type {
	Codec,
	Columns,
	EncodeOptions,
	Invalid,
	OperationName,
	Parameters,
	ReportProblem,
	Resource,
} from './types';

/** A row before its values are read. */
export interface RawRow {
	readonly operation: OperationName;
	readonly parameters: Parameters;
	readonly columns: Columns;
	readonly options: EncodeOptions;
	readonly report: ReportProblem;
}

/** A parameter of Sync that says which resources the rows are compared with, by a field of the contract table. */
export type ScopeField = INodeProperties & {
	readonly scope: {
		/** Name of the field. */
		readonly field: string;
		/** Whether its value is the beginning of the field's, and not all of it. */
		readonly isPrefix?: true;
	};
};

/** What Sync needs to know of a resource. */
export interface SyncContract {
	readonly scope: readonly ScopeField[];
	/** Name of the field that switches one off; undefined where that cannot be. */
	readonly disabledField?: string;
}

/** What makes a resource one that a create need not make again. */
export interface ReuseContract {
	/** Name of the option that asks for it. */
	readonly option: string;
	/** Contract key of the field that must be the same; the list can be searched by it. */
	readonly searchBy: string;
	/** Returns the forms in which the service may have stored the text, to search for each. */
	readonly searchTexts: (text: string) => readonly string[];
	/** Whether the options give a row a key by chance, which tells nothing of what it asks for. */
	readonly isKeyRandom: (resourceOptions: EncodeOptions['resourceOptions']) => boolean;
	/** Whether a resource is in force. */
	readonly isActive: (resource: Resource) => boolean;
	/** Whether what a row has made is found again by all that the row asks for. */
	readonly isFoundAgain: (row: RowValues) => boolean;
}

/**
 * A value of a resource that can be read in more than one way, and how a run learns which reading the service means: from
 * the list that it reads anyway, and from the answers to its writes.
 */
export interface AmbiguousContract {
	/** The name by which the user knows the value. */
	readonly displayName: string;
	/** Contract keys of the fields that set the value. */
	readonly keys: readonly string[];
	/** Returns the one reading by which a resource has what the row sends; undefined if several do, or none. */
	readonly interpretationOf: (row: RowValues, resource: Resource) => string | undefined;
	/** Returns whether the value differs from what the service answered before. */
	readonly isChanged: (before: Resource, answer: Resource) => boolean;
	/**
	 * Returns how far the value is from what the row sends, by the nearest reading: 0 if it is the same, undefined if one of
	 * the two is missing or cannot be read.
	 */
	readonly offsetOf: (row: RowValues, resource: Resource) => number | undefined;
	/** Returns what to do if the service did not store a value, given how far it is off; undefined if that explains nothing. */
	readonly adviceFor: (offset: number) => string | undefined;
	/**
	 * Returns what to tell the user of answers that differ from their rows; undefined if that cannot be explained.
	 *
	 * @param hasAgreement whether other rows agree with the service
	 */
	readonly noteFor: (offsets: readonly number[], hasAgreement: boolean) => string | undefined;
}

/** What names a resource other than its ID. */
export interface ResourceReference {
	/** As it was given. */
	readonly text: string;
	/** What to search the list for. */
	readonly search: string;
	/** The same for all ways to write it. */
	readonly key: string;
}

/** How a resource is referred to by its address. */
export interface AddressContract {
	/**
	 * Reads the value of the ID parameter as an address; undefined if it is an ID.
	 *
	 * @param isUrlMode whether the parameter says that it has no ID
	 */
	readonly read: (
		value: unknown,
		property: INodeProperties,
		isUrlMode: boolean,
	) => Invalid | ResourceReference | undefined;
	/** Returns the keys by which addresses refer to a resource. */
	readonly keysOf: (resource: Resource) => string[];
}

/** One operation: its entry in the node's Operation dropdown. What it does stands in `shared/operations`. */
export interface OperationEntry {
	readonly name: string;
	readonly value: OperationName;
	readonly action: string;
	readonly description: string;
	/** When an AI agent should choose the operation; reads on behind the description. */
	readonly useWhen: string;
}

/** What tells one resource from all others of its kind, beside its id. */
export interface ResourceKey {
	/** Contract key of the field that the list can be searched by; the search finds more than exact matches. */
	readonly searchBy: string;
	/** Contract keys of the fields that make it one of a kind. */
	readonly uniqueBy: readonly string[];
	/** Key of the text under which people open it; undefined if they cannot. */
	readonly address?: string;
}

/** A choice of Match By: how the rows of a run find their resources. The one with the fields of `key` is the default. */
export interface MatchChoice {
	readonly name: string;
	readonly value: string;
	readonly description: string;
	/**
	 * The fields that identify a resource together, if the choice is about fields: the one that the list can be searched by,
	 * and all of them. Without it, the choice is about an identifier that the service gives.
	 */
	readonly fields?: Pick<ResourceKey, 'searchBy' | 'uniqueBy'>;
	/** Whether the identifier is an address, and not an ID. */
	readonly isAddress?: true;
}

/** An option that only this resource has; its codec gives the one text that `EncodeOptions.own` holds. */
export type ResourceOption = INodeProperties & { readonly codec: Codec };

/** The part of JSON Schema that n8n's editor shows. The first of several types is the one it names. */
export interface Schema {
	readonly type: string | readonly string[];
	readonly enum?: readonly string[];
	readonly items?: Schema;
	readonly properties?: Readonly<Record<string, Schema>>;
}

export type OutputValue = boolean | number | string | null | Array<number | string> | IDataObject[];

/** How one value is read out of a resource, and what JSON it is. Never throws and never gives undefined. */
export interface Reader {
	readonly schema: Schema;
	readonly read: (resource: Resource) => OutputValue;
}

/** One field of the output, in the contract's terms. */
export interface OutputField {
	readonly name: string;
	readonly displayName: string;
	readonly description: string;
	/** Whether it is part of Simplified; Selected Fields offers all. */
	readonly isSimple: boolean;
	readonly from: Reader;
}

/** Everything the package knows of one resource: operations, fields, texts. The only place that knows it. */
export interface ResourceContract {
	readonly name: string;
	readonly value: string;
	/** Of its list, under the API prefix (contract 4). */
	readonly path: `/${string}`;
	/** The parameter that names one of them. */
	readonly id: INodeProperties;
	readonly address?: AddressContract;
	readonly key: ResourceKey;
	readonly matchBy: readonly MatchChoice[];
	readonly operations: readonly OperationEntry[];
	readonly fields: readonly Field[];
	readonly derivedFields?: readonly DerivedField[];
	readonly options?: readonly ResourceOption[];
	/** The parameters of a row with what it left out and an option asks for; the same object where that is nothing. */
	readonly addDefaults?: (row: RawRow) => Parameters;
	/** Returns the IANA name of the time zone that a Date in a cell is read in; by default the workflow's. */
	readonly timeZoneOf?: (options: EncodeOptions) => string;
	/** The columns that the options of a run use otherwise, so that they fill no field. */
	readonly columnsUsedByOptions?: (
		resourceOptions: EncodeOptions['resourceOptions'],
	) => readonly string[];
	readonly sync: SyncContract;
	readonly reuse?: ReuseContract;
	readonly ambiguous?: AmbiguousContract;
	/** What is told after a run of values that few people mean. */
	readonly warningFor?: (rows: readonly RowValues[]) => string | undefined;
	/** What the output items hold of it. */
	readonly output: readonly OutputField[];
}
