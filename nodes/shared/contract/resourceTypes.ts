import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { Operation } from './operations';
import type {
	Codec,
	EncodeOptions,
	Invalid,
	NameSource,
	OperationName,
	OperationPlaces,
	Parameters,
	Problem,
	ReportProblem,
	Resource,
	WireValue,
} from './types';

/** The encoded fields of a row, and the options that they were encoded with. */
export interface RowValues {
	/** The options also apply when a response is compared with the row. */
	readonly options: EncodeOptions;
	/** The fields that are set or cleared, in the order of the contract table. */
	readonly fields: readonly EncodedField[];
}

/**
 * How a value of a resource relates to a value of a row: `similar` values differ in a form that a service may change, such as
 * case; `unknown` if the resource does not show the value, or not in a readable form.
 */
export type Comparison = 'different' | 'same' | 'similar' | 'unknown';

/** The headings of columns that belong to a field, besides its name, its key and its label. */
export interface Headings {
	/** Other headings that fill the field. */
	readonly synonyms?: readonly string[];
	/**
	 * Words of headings that look like the field. A column with such a heading and values stops the run if nothing fills
	 * the field.
	 */
	readonly stems?: readonly string[];
	/** Ambiguous words, which count as stems only if the heading has no other word. */
	readonly wholeStems?: readonly string[];
	/** The label in the form, if it differs from the label everywhere else. It is also a heading. */
	readonly formLabel?: string;
	/** Whether only the label fills the field, because its name is an ordinary heading. */
	readonly isNamedByLabel?: true;
}

/** An input of a field that has several inputs. */
export interface FieldInput extends Headings {
	readonly name: string;
	readonly displayName: string;
}

/** How a field is encoded and compared. */
export interface Wire extends Headings {
	/** The columns whose cells make one value of the field together: an object with the cells by the names of the inputs. */
	readonly inputs?: readonly FieldInput[];
	/** The field's name in the contract. */
	readonly key: string;
	readonly codec: Codec;
	readonly on: OperationPlaces;
	/**
	 * Returns the value that a resource has for the field, in a form that the codec accepts: undefined if the resource
	 * does not show it, null if it is empty. By default, the value under the field's key (assumption: one resource).
	 */
	readonly currentValue?: (resource: Resource, timeZone: string) => unknown;
	/**
	 * Returns what a resource shows after a write of the values, or of no values; by default the text under the field's key
	 * (assumption: one resource).
	 */
	readonly storedAs?: (values: readonly WireValue[]) => IDataObject;
	/** Name of the output field that shows the value; the name of the field by default. */
	readonly shownAs?: string;
	/**
	 * The text that a new resource has if the create does not send the field; `''` if the field is then empty
	 * (contract 2.1). Undefined if the service chooses.
	 */
	readonly createDefault?: string;
	/**
	 * Returns a normalized text. Equal values have equal normalized texts. By default, the text itself.
	 *
	 * @param suffix the suffix of the wire value
	 */
	readonly comparable?: (text: string, suffix: string) => string;
	/**
	 * Returns the texts to search the list for, one for each form in which the service may store the value. By default,
	 * the value itself.
	 */
	readonly searchTexts?: (text: string) => readonly string[];
	/**
	 * Compares the values of a row with a resource that shows a value; undefined if the normalized texts decide.
	 *
	 * @param timeZone IANA name of the account's time zone
	 */
	readonly compare?: (
		resource: Resource,
		values: readonly WireValue[],
		timeZone: string,
	) => Comparison | undefined;
	/**
	 * Whether a row fails if the response contradicts the field, because it decides who may open the resource and where it
	 * leads. The summary counts the other contradictions.
	 */
	readonly failsIfDifferent?: true;
	/** Returns whether another field of the row turns this one off, so that the service may hide its value. */
	readonly isOff?: (row: RowValues) => boolean;
	/** The sentence about similar values in responses, without a full stop. */
	readonly similarNote?: string;
	/** The list of names that the field accepts in place of IDs. */
	readonly nameSource?: NameSource;
	/**
	 * The suffixes of the params whose empty texts clear the field on an update. Without them, the field cannot be cleared
	 * (assumption: clearing).
	 */
	readonly empty?: readonly string[];
	/** Whether an empty value always means "not set", although the field cannot be cleared. */
	readonly ignoresEmpty?: true;
	/**
	 * For a list: the parameter of Update that selects whether its values replace the resource's values, are added to
	 * them or are removed from them.
	 */
	readonly merge?: INodeProperties;
}

/** A field of the contract: an n8n property, and how it is encoded and compared. */
export type Field = INodeProperties & { readonly wire: Wire };

/** An encoded field of a row. */
export interface EncodedField {
	readonly field: Field;
	readonly values: readonly WireValue[];
	/** Whether the values clear the field. */
	readonly cleared?: boolean;
	/** Whether the value is random, because the row has none. */
	readonly isRandom?: true;
	/** Whether the value is a moment in the past, such as an expiry. */
	readonly isPast?: true;
}

/** A parameter of the scope of Sync. It filters resources by a field of the contract table. */
export type ScopeField = INodeProperties & {
	readonly scope: {
		/** Name of the field. */
		readonly field: string;
		/** Whether a resource matches if its value starts with the text of the parameter. */
		readonly isPrefix?: true;
	};
};

/** An encoded field of a scope. The scope of an `EncodedRow` contains no names. */
export interface ScopeEntry extends EncodedField {
	readonly property: ScopeField;
}

export type Scope = readonly ScopeEntry[];

/** A reference to a resource other than its ID. */
export interface ResourceReference {
	/** The text as the user entered it. */
	readonly text: string;
	/** What the text is, in the middle of a sentence: `short URL`. */
	readonly kind: string;
	/** The text to search the list for. */
	readonly search: string;
	/** The normalized text; equal for all spellings of the same reference. */
	readonly key: string;
}

/** How an address refers to a resource. */
export interface AddressContract {
	/** The name of the output field that has the address. */
	readonly outputName: string;
	/**
	 * Reads the value of the ID parameter as a reference. Returns undefined if the value is an ID.
	 *
	 * @param mode the mode of the locator; undefined for a plain value, such as a cell
	 */
	readonly read: (
		value: unknown,
		property: INodeProperties,
		mode: unknown,
	) => Invalid | ResourceReference | undefined;
	/** Returns the normalized references to a resource. */
	readonly keysOf: (resource: Resource) => string[];
	/** Returns where a resource is: the name of its domain. Undefined if the service does not show it. */
	readonly placeOf: (resource: Resource) => string | undefined;
}

/** An entry of the Operation dropdown. `shared/operations` has the implementation. */
export interface OperationEntry {
	readonly name: string;
	readonly value: OperationName;
	readonly action: string;
	readonly description: string;
	/** When an AI agent should choose the operation; continues the description. */
	readonly useWhen: string;
}

/** The fields that make a resource unique, besides its ID. */
interface ResourceKey {
	/** Contract key of the field to search the list by. The search also finds texts that contain the value. */
	readonly searchBy: string;
	/** Contract keys of the fields that make a resource unique together. */
	readonly uniqueBy: readonly string[];
	/** Contract key of the resource's public address; undefined if it has none. */
	readonly address?: string;
	/** Label of the option that generates a random text for rows without one. */
	readonly generatedBy?: string;
}

/** A choice of Match By: how rows find their resources. The choice with the fields of `key` is the default. */
export interface MatchChoice {
	readonly name: string;
	readonly value: string;
	readonly description: string;
	/**
	 * The fields that identify a resource together, and the field to search the list by. Undefined if the ID
	 * identifies it.
	 */
	readonly fields?: Pick<ResourceKey, 'searchBy' | 'uniqueBy'>;
}

/** An option, its codec unless its type decides, and the operations that have it; all operations by default. */
export type NodeOption = INodeProperties & {
	readonly codec?: Codec;
	readonly isFor?: (operation: Operation) => unknown;
};

/** An option that only this resource has. Its codec returns the single text in `EncodeOptions.resourceOptions`. */
export type ResourceOption = NodeOption & { readonly codec: Codec };

/** The parameters of the QR code of a resource, and the option that names the field for it. */
export interface QrCodeContract {
	/** Has the values `png`, `svg` and `svgText`. */
	readonly format: INodeProperties;
	/** Max width in px. */
	readonly size: INodeProperties;
	readonly outputField: ResourceOption;
}

/** The part of JSON Schema that n8n's editor shows. Of several types, the editor shows the first. */
export interface Schema {
	readonly type: string | readonly string[];
	readonly enum?: ReadonlyArray<string | null>;
	readonly items?: Schema;
	readonly properties?: Readonly<Record<string, Schema>>;
}

export type OutputValue = boolean | number | string | null | Array<number | string> | IDataObject[];

/** How to read one output value from a resource, and its schema. */
export interface Reader {
	readonly schema: Schema;
	/**
	 * Returns the value. Never throws and never returns undefined.
	 *
	 * @param timeZone IANA name of the account's time zone, for a value that is compared with the current time
	 */
	readonly read: (resource: Resource, timeZone?: string) => OutputValue;
}

/** A field of the output, named as in the contract. */
export interface OutputField {
	readonly name: string;
	readonly displayName: string;
	readonly description: string;
	/** Whether Simplified includes the field. Selected Fields offers all fields. */
	readonly isSimple: boolean;
	readonly from: Reader;
}

/** A row whose fields are encoded, apart from what follows from them. */
export interface RowToComplete {
	readonly contract: ResourceContract;
	readonly options: EncodeOptions;
	/** The values of its fields by name, also of those that cannot be sent. No value is empty. */
	readonly values: Parameters;
	readonly report: ReportProblem;
	/** Reports why the row cannot create a resource. It can still update one. */
	readonly reportIncomplete: ReportProblem;
}

/** The contract of a resource: its operations, fields and texts. */
export interface ResourceContract {
	readonly name: string;
	readonly value: string;
	/** Path of the list below the API prefix (contract 4). */
	readonly path: `/${string}`;
	/** The parameter that identifies a resource. */
	readonly id: INodeProperties;
	readonly address?: AddressContract;
	/** Undefined if a resource has no QR code. */
	readonly qrCode?: QrCodeContract;
	readonly key: ResourceKey;
	readonly matchBy: readonly [MatchChoice, ...MatchChoice[]];
	readonly operations: readonly OperationEntry[];
	readonly fields: readonly Field[];
	readonly options?: readonly ResourceOption[];
	/** Returns the fields of a row with what follows from them. Reports fields that do not fit together. */
	readonly complete?: (
		fields: readonly EncodedField[],
		row: RowToComplete,
	) => readonly EncodedField[];
	/** Name of the field that disables a resource; undefined if a resource cannot be disabled. */
	readonly disabledField?: string;
	/** The parameters of Sync. */
	readonly sync: { readonly scope: readonly ScopeField[] };
	/** The fields of the output items. */
	readonly output: readonly OutputField[];
}

/** A field whose values are added to the resource's values, or removed from them. */
export interface ListChange extends EncodedField {
	readonly mode: 'add' | 'remove';
}

/** An encoded row without problems. */
export interface EncodedRow extends RowValues {
	readonly contract: ResourceContract;
	readonly operation: OperationName;
	/** How the row finds its resource, unless it has an ID or a reference. */
	readonly match: MatchChoice;
	/** The ID of the resource, as the user entered it. */
	readonly id?: string;
	/** The reference that replaces an ID. */
	readonly reference?: ResourceReference;
	/** The lists whose values depend on the resource's values. `fields` does not contain them. */
	readonly changes: readonly ListChange[];
	/** Max number of results of a list; Infinity for all. */
	readonly limit: number;
	/** How to draw the QR code of the row, and its max width in px; undefined if the operation draws none. */
	readonly qrCode?: { readonly format: string; readonly size: number };
	/** The scope of Sync; empty for other operations. */
	readonly scope: Scope;
	/** The fields with an empty value that the run skips and reports, if the resource has a value. */
	readonly skippedFields: readonly Field[];
	/** Why the row cannot create a resource. It can still update one. */
	readonly incompleteFields: readonly Problem[];
}
