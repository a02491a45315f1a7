import { entryTexts, comparedValue } from '../contract/compare';
import type { EncodedField, Field } from '../contract/fieldTypes';
import type { EncodedRow } from '../contract/encodedRow';
import { Invalid, type Resource, type WireValue } from '../contract/types';
import { oneLine } from '../contract/escape';
import { encodeCurrentValue } from '../contract/currentValue';
import { choicesOf, isUnset } from '../contract/values';

/** What a dry run shows in place of a password. */
export const mask = '••••••';

/** What a dry run shows of a field without a value. */
const none = '(empty)';

/** What a dry run shows if there is nothing to show: n8n's table shows an empty text as a red word. */
export const blank = '–';

const isSecret = ({ typeOptions }: Field) => Boolean(typeOptions?.password);

/** The text of a value as the form shows it: a switch as true or false, a choice by its name. */
function shownText(field: Field, text: string): string {
	if (field.type === 'boolean') return text === '1' ? 'true' : 'false';
	const choice = choicesOf(field).find(({ value }) => String(value) === text);
	return choice?.name ?? oneLine(text);
}

/** Values as a row may give them: `US=https://example.com/us, DE=https://example.com/de`. */
function shownValues(field: Field, values: readonly WireValue[]): string {
	const texts = entryTexts(values).map((parts) =>
		parts.map((text) => (text === '' ? '' : shownText(field, text))).join('='),
	);
	return texts.some((text) => text !== '' && text !== '=') ? texts.join(', ') : none;
}

/** What a resource has of a field. Of a password only whether there is one. */
function valueBefore(field: Field, resource: Resource, row: EncodedRow): string {
	const held = comparedValue(field, resource, row);
	if (isUnset(held) || (held === false && field.type !== 'boolean')) return none;
	if (isSecret(field)) return mask;
	const encoded = encodeCurrentValue(field, held);
	return encoded instanceof Invalid ? oneLine(JSON.stringify(held)) : shownValues(field, encoded);
}

const valueAfter = ({ field, values, cleared }: EncodedField): string => {
	if (cleared) return none;
	return isSecret(field) ? mask : shownValues(field, values);
};

const textOf = ({ displayName, wire }: Field, value: string) =>
	`${wire.columnAlias ?? displayName}: ${value}`;

/** n8n's table shows a line break as the characters \n, and breaks no line there. */
const separator = '; ';

/** Returns fields as a resource has them, each as `Name: value`. Passwords are masked. */
export const textBefore = (fields: readonly Field[], resource: Resource, row: EncodedRow): string =>
	fields.map((field) => textOf(field, valueBefore(field, resource, row))).join(separator);

/** Returns fields as they are written, each as `Name: value`. Passwords are masked. */
export const textAfter = (fields: readonly EncodedField[]): string =>
	fields.map((one) => textOf(one.field, valueAfter(one))).join(separator);
