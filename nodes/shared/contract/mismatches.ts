import { comparableValues, entryTexts, comparedValue, isNothing } from './compare';
import { fieldsNamed, type EncodedRow } from './encodedRow';
import type { EncodedField, Field, RowValues, WrittenField } from './fieldTypes';
import { Invalid, type Resource, type WireValue } from './types';
import { encodeCurrentValue } from './currentValue';
import { normalize } from './textLimits';
import { isEmpty, isUnset } from './values';

/** The entries of a field's values, each once and in an order of their own, without regard to case and spaces. */
const normalizedEntries = (field: Field, values: readonly WireValue[]): string =>
	[
		...new Set(
			entryTexts(comparableValues(field, values)).map((entry) =>
				JSON.stringify(entry.map((text) => normalize(text, 'NFC').trim().toLowerCase())),
			),
		),
	]
		.sort()
		.join();

/** Whether two fields have one and the same text, as most have. */
const isSameText = (
	[value, ...rest]: readonly WireValue[],
	[otherValue, ...otherRest]: readonly WireValue[],
) => rest.length === 0 && otherRest.length === 0 && value?.[1] === otherValue?.[1];

/**
 * Returns whether an answer contradicts a field that was sent. Nothing is contradicted by a value that is absent, null or
 * unreadable, that differs in case, spaces, order or repeats, or, for a secret, by anything but `false`
 * (assumption: answers to writes).
 */
function isContradicted(
	{ field, values, cleared }: EncodedField,
	answer: Resource,
	row: RowValues,
) {
	const current = comparedValue(field, answer, row);
	if (isUnset(current)) return false;
	if (field.typeOptions?.password) return current === (cleared === true);
	if (cleared) return !isNothing(field, current);
	if (isEmpty(current, field)) return true;
	const encoded = encodeCurrentValue(field, current);
	if (encoded instanceof Invalid || isSameText(encoded, values)) return false;
	return normalizedEntries(field, encoded) !== normalizedEntries(field, values);
}

const isMismatch = (answer: Resource, written: WrittenField): boolean =>
	written.sent.field.wire.isMismatch?.(answer, written) ??
	isContradicted(written.sent, answer, written.row);

/** A field that the service did not store as it was sent, though it answered with success. */
export interface Mismatch {
	readonly sent: EncodedField;
	/** Whether the row fails. */
	readonly fails: boolean;
}

/**
 * Returns the fields of a write that its answer contradicts.
 *
 * @param sent the fields that were written
 */
export function mismatchesIn(
	sent: readonly EncodedField[],
	answer: Resource,
	write: Omit<WrittenField, 'sent'>,
): Mismatch[] {
	return sent.flatMap((field): Mismatch[] => {
		const written = { ...write, sent: field };
		const { failsOnMismatch } = field.field.wire;
		if (!isMismatch(answer, written)) return [];
		const fails =
			typeof failsOnMismatch === 'function'
				? failsOnMismatch(answer, written)
				: failsOnMismatch === true;
		return [{ sent: field, fails }];
	});
}

/** Returns the fields by which an answer is about another resource than the row's: of what makes it unique, those that differ. */
export const identityMismatches = (row: EncodedRow, answer: Resource): EncodedField[] =>
	fieldsNamed(row, row.contract.key.uniqueBy).filter((sent) =>
		isMismatch(answer, {
			row,
			sent,
			isCreate: false,
			hasAgreement: false,
			isSharedOffset: () => false,
		}),
	);
