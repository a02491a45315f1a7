import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type {
	Codec,
	EncodeOptions,
	NameSource,
	OperationPlaces,
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
	 * The text that a new resource has if the create does not send the field; `emptyValue` if the field is then empty
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
