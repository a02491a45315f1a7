import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { EncodedField, EncodedRow } from './encodeRow';

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
	/** Returns the ID of a name; undefined as long as the list of names is not read. */
	readonly idOf: (name: string) => Invalid | string | undefined;
	/** Returns whether a text is a name or an ID of the list; false as long as the list is not read. */
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
	readonly isKeyRandom: (own: EncodeOptions['resourceOptions']) => boolean;
	/** Whether a resource is in force. */
	readonly isActive: (resource: Resource) => boolean;
	/** Whether what a row has made is found again by all that the row asks for. */
	readonly isFoundAgain: (row: EncodedRow) => boolean;
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
	readonly interpretationOf: (row: EncodedRow, resource: Resource) => string | undefined;
	/** Returns whether the value differs from what the service answered before. */
	readonly isChanged: (before: Resource, answer: Resource) => boolean;
	/**
	 * Returns how far the value is from what the row sends, by the nearest reading: 0 if it is the same, undefined if one of
	 * the two is missing or cannot be read.
	 */
	readonly offsetOf: (row: EncodedRow, resource: Resource) => number | undefined;
	/** Returns what to do if the service did not store a value, given how far it is off; undefined if that explains nothing. */
	readonly adviceFor: (offset: number) => string | undefined;
	/**
	 * Returns what to tell the user of answers that differ from their rows; undefined if that cannot be explained.
	 *
	 * @param hasAgreement whether other rows agree with the service
	 */
	readonly noteFor: (offsets: readonly number[], hasAgreement: boolean) => string | undefined;
}

/** One field of a write, and what is known about the resource that it was written to. */
export interface WrittenField {
	readonly row: EncodedRow;
	readonly sent: EncodedField;
	/** The resource before an update; undefined if it was not read. */
	readonly before?: Resource;
	readonly isCreate: boolean;
	/** Whether other rows of the run agree with the service about the ambiguous value. */
	readonly hasAgreement: boolean;
	/** Returns whether the ambiguous values of several resources of the list are off by the same; true if no list was read. */
	readonly isSharedOffset: (offset: number) => boolean;
}

/** What a resource is compared with. */
export interface ComparedRow {
	readonly options: EncodeOptions;
	/** The text that the row sends for the field of a contract key; undefined where it sends none. */
	readonly sentText: (key: string) => string | undefined;
}

/** Stands for a field that a resource holds nothing of. */
export const emptyValue = '';

/** Headings of columns, besides the names of the field itself. They are compared as `columnName` does. */
export interface Headings {
	/** Names that mean this field and no other. */
	readonly synonyms?: readonly string[];
	/** Names that may mean this field or something else. A hint suggests the field, and no column fills it. */
	readonly ambiguousNames?: readonly string[];
	/** Names that look like a misspelled one and mean something else. */
	readonly similarNames?: readonly string[];
}

/** An input of a field that has several. */
export interface FieldInput extends Headings {
	readonly name: string;
	readonly displayName: string;
}

/** How a field travels. */
export interface Wire extends Headings {
	/** The field's or parameter's name in the contract. */
	readonly key: string;
	readonly codec: Codec;
	readonly on: OperationPlaces;
	/**
	 * What a resource that the service returned holds of the field, as a value that the codec takes: undefined where it
	 * does not tell, null where it holds nothing. By default what stands under the field's key (assumption: one resource).
	 */
	readonly currentValue?: (resource: Resource, compared: ComparedRow) => unknown;
	/**
	 * What a created resource holds of the field when the create does not send it: `nothing`, or the text of its value
	 * (contract 2.1). Not stated where the service may choose.
	 */
	readonly createDefault?: string;
	/**
	 * Returns a text of the value in the form that equal values share; without it, equal values have equal texts.
	 *
	 * @param suffix that of the wire value
	 */
	readonly comparable?: (text: string, suffix: string) => string;
	/** Returns texts by which the list is searched for a value, however the service has written it; the value itself by default. */
	readonly searchTexts?: (text: string) => readonly string[];
	/** Returns whether the answer to a write contradicts the field; undefined if comparing the values decides. */
	readonly isMismatch?: (answer: Resource, written: WrittenField) => boolean | undefined;
	/** Whether a row fails if the service's answer contradicts the field. The summary counts the other fields. */
	readonly failsOnMismatch?: true | ((answer: Resource, written: WrittenField) => boolean);
	/** Name of the option that gives rows without a value one. */
	readonly filledByOption?: string;
	/** Where the names are found that may stand in place of IDs. */
	readonly nameSource?: NameSource;
	/** A name that columns of it may have, beside its own ones. */
	readonly columnAlias?: string;
	/** The name of a field, and the value that it has wherever this one has any. */
	readonly implies?: readonly [name: string, value: string];
	/** The name of the field that a created resource needs beside a value of this one, if it needs one. */
	readonly requires?: (text: string) => string | undefined;
	/** What stands for "nothing" on an update. A field without it cannot be cleared (assumption: clearing). */
	readonly empty?: readonly WireValue[];
	/** What the form says of it where it is a filter, and not a value to write. */
	readonly asFilter?: Pick<INodeProperties, 'description'>;
	/**
	 * For a list: the parameter beside it on Update that says whether its values replace what the resource has, or are
	 * added to it or removed from it.
	 */
	readonly merge?: INodeProperties;
}

/** One field of the contract: an ordinary n8n property, plus how it travels. */
export type Field = INodeProperties & { readonly wire: Wire };

/** A parameter that is never sent itself: it sets fields, in a form that people have at hand. */
export type DerivedField = INodeProperties & {
	readonly derive: Headings & {
		readonly on: OperationPlaces;
		/** Names of the fields that it sets. None of them may be set beside it. */
		readonly sets: readonly string[];
		/** Set where those fields make sense together only: then they are sent, compared and cleared together. */
		readonly isGroup?: true;
		/** Its inputs, if it has several that columns can fill one by one. */
		readonly inputs?: readonly FieldInput[];
		/** Set where its value stands for a list, of which one without entries is nothing. */
		readonly takesList?: true;
		/** Names of the fields that its empty value clears, where that depends on the values of others. */
		readonly clears?: (values: Parameters) => readonly string[];
		/**
		 * The values of fields for its own value.
		 *
		 * @param values those of the row's fields, which it may look at and change
		 */
		readonly read: (
			value: unknown,
			property: INodeProperties,
			values: Parameters,
			options: EncodeOptions,
		) => Invalid | Parameters;
		/** Set if it sets no field, but rewrites the encoded texts of others. */
		readonly rewrite?: Rewrite;
		/** Why a value that can be read must not be written, as a clause that ends with the remedy; undefined if it may be. */
		readonly whyNotWrite?: (
			value: unknown,
			property: INodeProperties,
			options: EncodeOptions,
		) => string | undefined;
	};
};

/** How a derived field rewrites the encoded texts of fields: those of the row, or of the resource if the row gives none. */
export interface Rewrite {
	/** Returns the names of the fields, the main one first, by the options of the run. */
	readonly fields: (options: EncodeOptions) => readonly string[];
	/**
	 * Returns what rewrites one text; a text that the rewrite does not apply to stays as it is.
	 *
	 * @param inputs those that have a value, by name, as far as `read` accepts them
	 */
	readonly rewriterFor: (inputs: Readonly<Record<string, unknown>>) => (text: string) => string;
	/** Max number of characters of a text that the rewrite makes longer. */
	readonly maxLength: number;
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
	readonly columnsUsedByOptions?: (own: EncodeOptions['resourceOptions']) => readonly string[];
	readonly sync: SyncContract;
	readonly reuse?: ReuseContract;
	readonly ambiguous?: AmbiguousContract;
	/** What is told after a run of values that few people mean. */
	readonly warningFor?: (rows: readonly EncodedRow[]) => string | undefined;
	/** What the output items hold of it. */
	readonly output: readonly OutputField[];
}
