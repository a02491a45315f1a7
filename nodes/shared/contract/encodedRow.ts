import type { Param } from './operations';
import type { OperationName, Problem, WireValue } from './types';
import type {
	EncodedField,
	Field,
	RowValues,
	MatchChoice,
	ResourceContract,
	ResourceReference,
	Scope,
} from './resourceTypes';
import { isSecret } from './values';

/** A field whose values are added to the resource's values, or removed from them. */
export interface ListChange extends EncodedField {
	readonly mode: 'add' | 'remove';
}

/** Returns a list of IDs after IDs were added or removed; undefined if nothing changes. */
export function mergeList(
	{ mode, values }: ListChange,
	current: readonly WireValue[],
): readonly WireValue[] | undefined {
	const before = new Set(current.map(([, text]) => text));
	const changed = new Set(values.map(([, text]) => text));
	const after =
		mode === 'add'
			? [...current, ...values.filter(([, text]) => !before.has(text))]
			: current.filter(([, text]) => !changed.has(text));
	return after.length === current.length ? undefined : after;
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

/** Returns whether a row was encoded without problems. */
export const isEncoded = (encoded: EncodedRow | readonly Problem[]): encoded is EncodedRow =>
	'contract' in encoded;

/** Returns the params of fields, in the order in which they are sent. */
export const paramsOf = (fields: readonly EncodedField[]): Param[] =>
	fields.flatMap(({ field, values }) =>
		values.map(([suffix, text]) => [`${field.wire.key}${suffix}`, text] as const),
	);

/** Returns the passwords that a row sends. */
export const secretsOf = ({ fields }: Pick<RowValues, 'fields'>): string[] =>
	fields
		.filter(({ field, cleared }) => isSecret(field) && !cleared)
		.flatMap(({ values }) => values.map(([, secret]) => secret));

/** Returns the fields that a create sends. A create clears nothing. */
export const fieldsToCreate = ({ fields }: RowValues): EncodedField[] =>
	fields.filter(({ cleared }) => !cleared);

/** Returns a field with the texts that a row sends for it; an empty list if the resource has no field with the name. */
export const fieldWith = (
	{ fields }: Pick<ResourceContract, 'fields'>,
	name: string | undefined,
	texts: readonly string[],
): EncodedField[] =>
	fields
		.filter((field) => field.name === name)
		.map((field) => ({ field, values: texts.map((text) => ['', text] as const) }));

/** Returns the fields of a row with the given contract keys. */
export const fieldsNamed = ({ fields }: RowValues, keys: readonly string[]): EncodedField[] =>
	fields.filter(({ field }) => keys.includes(field.wire.key));

/** Returns the text that a row sends for a field with a single text; undefined if it sends none. */
export const sentTextOf = (
	{ fields }: Pick<RowValues, 'fields'>,
	key: string,
): string | undefined => fields.find(({ field }) => field.wire.key === key)?.values[0]?.[1];

/** Returns the text to search the list by for a row's resource; undefined if the row has none. */
export const searchTextOf = (row: EncodedRow): string | undefined =>
	sentTextOf(row, row.contract.key.searchBy);
