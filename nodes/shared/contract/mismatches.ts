import { comparableValues, entryTexts, comparedValue, isEqual, isNothing } from './compare';
import { fieldsNamed, type EncodedRow } from './encodedRow';
import type { EncodedField, Field, RowValues, WrittenField } from './fieldTypes';
import { Invalid, type Resource, type WireValue } from './types';
import { encodeCurrentValue } from './currentValue';
import { normalize } from './textLimits';
import { isEmpty, isSecret, isUnset } from './values';

/** Returns the distinct entries of a field's values, sorted, trimmed and in lower case. */
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

/**
 * Returns whether a response contradicts a field that was sent. A value that is missing, null, empty or unreadable is
 * no contradiction. Neither is a difference in case, spaces, order or repetitions. For a secret, only `false` is a
 * contradiction (assumption: responses to writes).
 */
function isContradicted(
	{ field, values, cleared }: EncodedField,
	answer: Resource,
	row: RowValues,
) {
	const current = comparedValue(field, answer, row);
	if (isUnset(current)) return false;
	if (isSecret(field)) return current === (cleared === true);
	if (cleared) return !isNothing(field, current);
	if (isEmpty(current, field)) return true;
	const encoded = encodeCurrentValue(field, current);
	if (encoded instanceof Invalid || isEqual(encoded, values)) return false;
	return normalizedEntries(field, encoded) !== normalizedEntries(field, values);
}

const isMismatch = (answer: Resource, written: WrittenField): boolean =>
	written.sent.field.wire.isMismatch?.(answer, written) ??
	isContradicted(written.sent, answer, written.row);

/** A field whose value in the response contradicts the value that was sent. */
export interface Mismatch {
	readonly sent: EncodedField;
	/** Whether the row fails. */
	readonly fails: boolean;
}

/**
 * Returns the fields of a write that the response contradicts.
 *
 * @param sent the fields that were sent
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

/**
 * Returns the fields of the unique key that a response contradicts, which shows that it describes another resource.
 */
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
