import type { INodeProperties } from 'n8n-workflow';
import type {
	Codec,
	EncodeOptions,
	Invalid,
	NameSource,
	OperationPlaces,
	Parameters,
	Resource,
	WireValue,
} from './types';

/** The values of a row, and the options that they were read by. */
export interface RowValues {
	/** Answers are compared by the same options. */
	readonly options: EncodeOptions;
	/** The fields that are set or cleared, in the order of the table. */
	readonly fields: readonly EncodedField[];
}

/** One field of a write, and what is known about the resource that it was written to. */
export interface WrittenField {
	readonly row: RowValues;
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
	/** Name of the output field that shows the value; the name of the field by default. */
	readonly shownAs?: string;
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

/** One field as it was encoded. */
export interface EncodedField {
	readonly field: Field;
	readonly values: readonly WireValue[];
	/** Whether the values stand for nothing, to empty the field. */
	readonly cleared?: boolean;
	/** The derived field that it was set by. */
	readonly source?: DerivedField;
}

/** How a row rewrites the encoded texts of fields. */
export interface RowRewrite {
	/** The derived field that asks for it. */
	readonly source: DerivedField;
	/** Its inputs that have a value, by name. */
	readonly inputs: Readonly<Record<string, unknown>>;
	/** The fields whose texts it rewrites, the main one first. */
	readonly fields: readonly Field[];
	/** Returns a text rewritten, or as it is if the rewrite does not apply to it. */
	readonly text: (text: string) => string;
	/** Max number of characters of a text that the rewrite makes longer. */
	readonly maxLength: number;
}
