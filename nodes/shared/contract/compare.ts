import { fieldsNamed, fieldsToCreate, type EncodedRow } from './encodedRow';
import type { EncodedField, Field, RowValues } from './fieldTypes';
import { Invalid, emptyValue, type Resource, type WireValue } from './types';
import { encodeCurrentValue, currentValueOf } from './currentValue';
import { normalize } from './textLimits';
import { fixedKeys } from './matchBy';
import { isEmpty, isSecret, isTextual, isUnset } from './values';

/** Returns the values of each entry of a list: the key and address of a rule, or a single text. */
export function entriesOf(values: readonly WireValue[]): WireValue[][] {
	const entries = new Map<string, WireValue[]>();
	for (const [index, value] of values.entries()) {
		const entry = value[0].match(/^\[\d+\]/)?.[0] ?? String(index);
		const earlier = entries.get(entry);
		if (earlier) earlier.push(value);
		else entries.set(entry, [value]);
	}
	return [...entries.values()];
}

/** Returns the texts of each entry. */
export const entryTexts = (values: readonly WireValue[]): string[][] =>
	entriesOf(values).map((entry) => entry.map(([, text]) => text));

/** Returns the values of a field in normalized form. */
export const comparableValues = ({ wire }: Field, values: readonly WireValue[]): WireValue[] =>
	values.map(([suffix, text]) => {
		const composed = normalize(text, 'NFC');
		return [suffix, wire.comparable?.(composed, suffix) ?? composed];
	});

/** Returns the values as one text. Sorts them if their order has no meaning: IDs of an array, and rules with keys. */
const comparable = (field: Field, values: readonly WireValue[]): string => {
	const hasOrder = !values.some(([suffix]) => suffix === '[]' || suffix.endsWith('[key]'));
	const texts = entryTexts(comparableValues(field, values)).map((entry) => JSON.stringify(entry));
	return (hasOrder ? texts : texts.sort()).join();
};

/** Returns whether two lists of values are identical. Saves most rows the normalization in `comparable`. */
export const isEqual = (values: readonly WireValue[], otherValues: readonly WireValue[]): boolean =>
	values.length === otherValues.length &&
	values.every(([suffix, text], index) => {
		const [otherSuffix, otherText] = otherValues[index] ?? [];
		return suffix === otherSuffix && text === otherText;
	});

/**
 * Returns whether a value of a resource is empty. The default in the contract (2.1) counts as empty, because a
 * response may contain it in place of null.
 */
export const isNothing = (field: Field, value: unknown): boolean =>
	isEmpty(value, field) ||
	(isSecret(field) && value === false) ||
	(field.wire.createDefault !== undefined && String(value) === field.wire.createDefault);

/**
 * Returns the value of a resource to compare with a row: undefined if the resource does not show it, null if it is
 * empty.
 */
export function comparedValue(field: Field, resource: Resource, row: RowValues): unknown {
	const current = currentValueOf(field, resource, {
		options: row.options,
		sent: (key) => fieldsNamed(row, [key])[0]?.values,
	});
	// A text with a lone surrogate differs from every row, because no row can contain one.
	return typeof current === 'string' ? current.toWellFormed() : current;
}

/**
 * Returns whether a resource has the value of a row's field; undefined if the resource does not show it. For a
 * secret, the service only returns whether it is set (assumption: one resource).
 */
export function hasSentValue(
	{ field, values, cleared }: EncodedField,
	resource: Resource,
	row: RowValues,
): boolean | undefined {
	const comparedTo = comparedValue(field, resource, row);
	if (comparedTo === undefined) return undefined;
	if (cleared) return isNothing(field, comparedTo);
	const { createDefault } = field.wire;
	// A field with a default may be null in a response, and then has its default (contract 2.1).
	const current = isUnset(comparedTo) && createDefault !== emptyValue ? createDefault : comparedTo;
	if (isEmpty(current, field) || (isSecret(field) && current === false)) return false;
	if (isSecret(field)) return undefined;
	const encoded = encodeCurrentValue(field, current);
	if (encoded instanceof Invalid) return undefined;
	return isEqual(encoded, values) || comparable(field, encoded) === comparable(field, values);
}

/**
 * Returns the unique key of a resource as one text; undefined if the resource does not show all of it.
 *
 * @param row any row of the run
 */
export function uniqueKeyOf(row: EncodedRow, resource: Resource): string | undefined {
	const { fields, key } = row.contract;
	const values = fields
		.filter(({ wire }) => key.uniqueBy.includes(wire.key))
		.map((field) => comparedValue(field, resource, row));
	return values.every((value) => isTextual(value) && !isUnset(value))
		? JSON.stringify(values.map(String))
		: undefined;
}

/**
 * Returns whether a resource has all values of a row, ignoring its unique key and secrets, which responses do not show.
 */
export function hasValuesOf(row: EncodedRow, resource: Resource): boolean {
	const { uniqueBy } = row.contract.key;
	const compared = row.fields.filter(
		({ field, cleared }) => !cleared && !uniqueBy.includes(field.wire.key) && !isSecret(field),
	);
	return (
		compared.length > 0 && compared.every((field) => hasSentValue(field, resource, row) === true)
	);
}

/** Returns the fields that cannot be updated and whose value differs from the resource. */
export const unchangeable = (row: EncodedRow, resource: Resource): EncodedField[] =>
	row.fields.filter(
		(field) => !field.field.wire.on.update && hasSentValue(field, resource, row) === false,
	);

/** Returns the fields whose value differs from the resource or is not shown. */
export const changesTo = (row: EncodedRow, resource: Resource): EncodedField[] =>
	row.fields.filter((field) => hasSentValue(field, resource, row) !== true);

/** Returns `changesTo` without the fields that identify the resource or cannot be updated. */
export function differences(row: EncodedRow, resource: Resource): EncodedField[] {
	const unwritten = fixedKeys(row.contract, row.match);
	return changesTo(row, resource).filter(({ field }) => !unwritten.includes(field.wire.key));
}

/**
 * Returns whether a create of this row may have created a resource: no value differs from the row, or from the
 * default of a field that the row does not send (contract 2.1).
 */
export function mayBeCreatedBy(row: EncodedRow, resource: Resource): boolean {
	const written = fieldsToCreate(row);
	const unsent = row.contract.fields.filter(
		(field) => !written.some((encoded) => encoded.field === field),
	);
	const defaults = unsent.flatMap((field): EncodedField[] => {
		const { createDefault } = field.wire;
		if (createDefault === undefined || isUnset(comparedValue(field, resource, row))) return [];
		return [{ field, values: [['', createDefault]], cleared: createDefault === emptyValue }];
	});
	return [...written, ...defaults].every((field) => hasSentValue(field, resource, row) !== false);
}
