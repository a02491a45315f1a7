import type { Param } from './operations';
import type { Problem, WireValue } from './types';
import type { EncodedField, EncodedRow, ListChange, RowValues } from './resourceTypes';
import { isSecret } from './values';

export type { EncodedRow, ListChange };

/** Returns a list of IDs after IDs were added or removed; undefined if nothing changes. */
export function mergeList({ mode, values }: ListChange, current: readonly WireValue[]) {
	const before = new Set(current.map(([, text]) => text));
	const changed = new Set(values.map(([, text]) => text));
	const after =
		mode === 'add'
			? [...current, ...values.filter(([, text]) => !before.has(text))]
			: current.filter(([, text]) => !changed.has(text));
	return after.length === current.length ? undefined : after;
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
	{ fields }: EncodedRow['contract'],
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
export const sentTextOf = ({ fields }: Pick<RowValues, 'fields'>, key: string) =>
	fields.find(({ field }) => field.wire.key === key)?.values[0]?.[1];

/** Returns the text to search the list by for a row's resource; undefined if the row has none. */
export const searchTextOf = (row: EncodedRow): string | undefined =>
	sentTextOf(row, row.contract.key.searchBy);
