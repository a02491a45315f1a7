import { comparedValue, entryTexts } from '../contract/compare';
import { encodeCurrentValue } from '../contract/currentValue';
import { oneLine } from '../contract/escape';
import { Invalid, type Resource, type WireValue } from '../contract/types';
import { choicesOf, isSecret, isUnset } from '../contract/values';
import type { EncodedField, Field } from '../contract/fieldTypes';
import type { EncodedRow } from '../contract/encodedRow';

/** The text for a password in a dry run. */
export const mask = '••••••';

/** The text for an empty field. */
const emptyLabel = '(empty)';

/** The text for an empty text, which n8n's table would show in red. */
export const blank = '–';

/** The separator of lines. n8n's table shows a line break as the characters \n, without a new line. */
const valueSeparator = '; ';

/** Returns the text of a value as the form shows it: a switch as true or false, a choice by its name. */
function shownText(field: Field, text: string): string {
	if (field.type === 'boolean') return text === '1' ? 'true' : 'false';
	const choice = choicesOf(field).find(({ value }) => String(value) === text);
	return choice?.name ?? oneLine(text);
}

/** Returns values as one text: `US=https://example.com/us, DE=https://example.com/de`. */
function shownValues(field: Field, values: readonly WireValue[]): string {
	const texts = entryTexts(values).map((parts) =>
		parts.map((text) => (text === '' ? '' : shownText(field, text))).join('='),
	);
	return texts.some((text) => text !== '' && text !== '=') ? texts.join(', ') : emptyLabel;
}

/** Returns the value of a resource's field. For a password, it shows only whether there is one. */
function valueBefore(field: Field, resource: Resource, row: EncodedRow): string {
	const value = comparedValue(field, resource, row);
	if (isUnset(value) || (value === false && field.type !== 'boolean')) return emptyLabel;
	if (isSecret(field)) return mask;
	const encoded = encodeCurrentValue(field, value);
	return encoded instanceof Invalid ? oneLine(JSON.stringify(value)) : shownValues(field, encoded);
}

const valueAfter = ({ field, values, cleared }: EncodedField): string => {
	if (cleared) return emptyLabel;
	return isSecret(field) ? mask : shownValues(field, values);
};

const labeled = ({ displayName }: Field, value: string) => `${displayName}: ${value}`;

/** Returns the fields of a resource, each as `Name: value`. Passwords are masked. */
export const textBefore = (fields: readonly Field[], resource: Resource, row: EncodedRow): string =>
	fields.map((field) => labeled(field, valueBefore(field, resource, row))).join(valueSeparator);

/** Returns the fields of a write, each as `Name: value`. Passwords are masked. */
export const textAfter = (fields: readonly EncodedField[]): string =>
	fields.map((encoded) => labeled(encoded.field, valueAfter(encoded))).join(valueSeparator);
