import { groupsOf } from './clearFields';
import { fieldsNamed, type EncodedRow } from './encodedRow';
import type { EncodedField, Field, RowValues } from './fieldTypes';
import { Invalid, emptyValue, type Resource, type WireValue } from './types';
import { encodeCurrentValue, currentValueOf } from './currentValue';
import { normalize } from './textLimits';
import { fixedKeys } from './matchBy';
import { isEmpty, isTextual, isUnset } from './values';

/** The texts of each entry: of a rule its key and address, and of what has no inputs each text by itself. */
export function entryTexts(values: readonly WireValue[]): string[][] {
	const entries = new Map<string, string[]>();
	for (const [index, [suffix, text]] of values.entries()) {
		const entry = suffix.match(/^\[\d+\]/)?.[0] ?? String(index);
		entries.set(entry, [...(entries.get(entry) ?? []), text]);
	}
	return [...entries.values()];
}

/** The values of a field in the form that equal values share. */
export const comparableValues = ({ wire }: Field, values: readonly WireValue[]): WireValue[] =>
	values.map(([suffix, text]) => {
		const composed = normalize(text, 'NFC');
		return [suffix, wire.comparable?.(composed, suffix) ?? composed];
	});

/** Texts in an order of their own where order means nothing: the ids of an array, and rules of which each has its key. */
const comparable = (field: Field, values: readonly WireValue[]): string => {
	const hasOrder = !values.some(([suffix]) => suffix === '[]' || suffix.endsWith('[key]'));
	const texts = entryTexts(comparableValues(field, values)).map((entry) => JSON.stringify(entry));
	return (hasOrder ? texts : texts.sort()).join();
};

/** Returns whether two lists of values are equal to the letter. It spares most rows the normalization of `comparable`. */
const isEqual = (values: readonly WireValue[], otherValues: readonly WireValue[]): boolean =>
	values.length === otherValues.length &&
	values.every(([suffix, text], index) => {
		const [otherSuffix, otherText] = otherValues[index] ?? [];
		return suffix === otherSuffix && text === otherText;
	});

/**
 * Returns whether a value of a resource is empty. The default that the contract states for a field (2.1) is empty too,
 * because an answer may give it instead of null.
 */
export const isNothing = (field: Field, value: unknown): boolean =>
	isEmpty(value, field) ||
	(Boolean(field.typeOptions?.password) && value === false) ||
	(field.wire.createDefault !== undefined && String(value) === field.wire.createDefault);

/** What a resource holds of a field, as compared with a row: undefined where it does not tell, null for nothing. */
export function comparedValue(field: Field, resource: Resource, row: RowValues): unknown {
	const current = currentValueOf(field, resource, {
		options: row.options,
		sentText: (other) => fieldsNamed(row, [other])[0]?.values[0]?.[1],
	});
	// No row can hold half a character, but a text with one can be compared: it differs.
	return typeof current === 'string' ? current.toWellFormed() : current;
}

/**
 * Whether a resource holds what a row's field was encoded to; undefined where its description does not tell. Of a secret
 * only whether there is one comes back (assumption: one resource).
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
	// What a create need not send may be null, and then it has its default (contract 2.1).
	const current =
		isUnset(comparedTo) && createDefault !== emptyValue ? createDefault : comparedTo;
	const isSecret = Boolean(field.typeOptions?.password);
	if (isEmpty(current, field) || (isSecret && current === false)) return false;
	if (isSecret) return undefined;
	const encoded = encodeCurrentValue(field, current);
	if (encoded instanceof Invalid) return undefined;
	return isEqual(encoded, values) || comparable(field, encoded) === comparable(field, values);
}

/** Whether a resource agrees with all that a row sends: what is not told does not agree. */
export const isConsistent = (row: RowValues, resource: Resource): boolean =>
	row.fields.every((field) => field.cleared || hasSentValue(field, resource, row) === true);

/**
 * Returns what makes a resource unique as one text, to the letter; undefined if it does not tell all of it.
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
 * Returns whether a resource has all values of a row apart from what makes it unique, and apart from secrets, which no
 * answer shows.
 */
export function hasValuesOf(row: EncodedRow, resource: Resource): boolean {
	const { uniqueBy } = row.contract.key;
	const compared = row.fields.filter(
		({ field, cleared }) =>
			!cleared && !uniqueBy.includes(field.wire.key) && !field.typeOptions?.password,
	);
	return (
		compared.length > 0 && compared.every((field) => hasSentValue(field, resource, row) === true)
	);
}

/** The contract keys of the fields that a row does not write to its resource. An option gives a key to new ones only. */
const unwrittenKeys = ({ contract, match, isKeyGenerated }: EncodedRow): string[] => [
	...fixedKeys(contract, match),
	...(isKeyGenerated ? [contract.key.searchBy] : []),
];

/** Returns the fields of a row that never change, and that a resource has another value of. */
export const unchangeable = (row: EncodedRow, resource: Resource): EncodedField[] =>
	row.fields.filter(
		(field) => !field.field.wire.on.update && hasSentValue(field, resource, row) === false,
	);

/**
 * Returns the fields of a row that a resource does not surely have. Fields that belong together are all returned as soon as
 * one of them is.
 */
export function changesTo(row: EncodedRow, resource: Resource): EncodedField[] {
	const { contract, fields } = row;
	const different = fields.filter((field) => hasSentValue(field, resource, row) !== true);
	const names = new Set(different.map(({ field }) => field.name));
	for (const { derive } of groupsOf(contract)) {
		if (derive.sets.some((name) => names.has(name))) derive.sets.forEach((name) => names.add(name));
	}
	return fields.filter(({ field }) => names.has(field.name));
}

/** As `changesTo`, without the fields that find the resource or never change. */
export function differences(row: EncodedRow, resource: Resource): EncodedField[] {
	const unwritten = unwrittenKeys(row);
	return changesTo(row, resource).filter(({ field }) => !unwritten.includes(field.wire.key));
}

/**
 * Whether a resource may be what a create of this row made: no value that can be compared is another, neither of those
 * that the row sent nor of those that the contract states for a create which does not send them (2.1).
 */
export function mayBeCreatedBy(row: EncodedRow, resource: Resource): boolean {
	const { contract, fields } = row;
	const unsent = contract.fields.filter(
		(field) => !fields.some((encoded) => encoded.field === field && !encoded.cleared),
	);
	const defaults = unsent.flatMap((field): EncodedField[] => {
		const { createDefault } = field.wire;
		if (createDefault === undefined || isUnset(comparedValue(field, resource, row))) return [];
		return [{ field, values: [['', createDefault]], cleared: createDefault === emptyValue }];
	});
	const written = fields.filter(({ cleared }) => !cleared);
	return [...written, ...defaults].every((field) => hasSentValue(field, resource, row) !== false);
}
