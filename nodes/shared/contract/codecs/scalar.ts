import type { INodeProperties } from 'n8n-workflow';
import { Invalid, type Codec } from '../types';
import { choicesOf, isTextual, orDefault, plain, quote } from '../values';

/**
 * Builds a codec for fields that travel as one text.
 *
 * @param read the text to send for what was written, or undefined where that cannot be sent
 * @param remedy what is wrong then, and what to enter instead; reads on behind the quoted value
 */
function scalar(
	read: (written: string, property: INodeProperties) => string | undefined,
	remedy: (property: INodeProperties) => string,
): Codec {
	return (value, property) => {
		const inner = plain(value);
		const text = isTextual(inner) ? read(String(inner), property) : undefined;
		return text === undefined
			? new Invalid([`${quote(inner, property)} ${remedy(property)}`])
			: [['', text]];
	};
}

/**
 * The text of a parameter, or of its default where it holds nothing.
 *
 * @param codec one that gives a single text
 */
export function textOf(codec: Codec, value: unknown, property: INodeProperties): Invalid | string {
	const encoded = codec(orDefault(value, property), property);
	return encoded instanceof Invalid ? encoded : (encoded[0]?.[1] ?? '');
}

/** Any text. Numbers and booleans from expressions are written out; lengths and characters are the service's to judge. */
export const text = scalar(
	(written) => written,
	() => 'is not a text; enter one value',
);

/** A whole number in decimal digits, of either sign (contract 2.1, `expiration_clicks`). */
export const integer = scalar(
	(written) => {
		const isWhole = /^[+-]?\d+$/.test(written.trim()) && Number.isSafeInteger(Number(written));
		return isWhole ? String(Number(written)) : undefined;
	},
	() => 'is not a whole number; enter digits only, such as 100',
);

const flags = new Map([
	['true', '1'],
	['1', '1'],
	['false', '0'],
	['0', '0'],
]);

/** A boolean, sent as the contract's 1 or 0 (contract 2.1, `disabled`). */
export const flag = scalar(
	(written) => flags.get(written.toLowerCase()),
	() => 'is neither true nor false; use one of the two',
);

const allowedValues = (property: INodeProperties) =>
	choicesOf(property)
		.map(({ name, value }) => (String(value) === name ? name : `${value} (${name})`))
		.join(', ');

/** One of the property's own options, also when an expression gives it (contract 2.1, 2.2, 4.1, 4.4). */
export const choice = scalar(
	(written, property) =>
		choicesOf(property)
			.map(({ value }) => String(value))
			.find((value) => value === written),
	(property) => `is not one of the allowed values; use ${allowedValues(property)}`,
);

function isDay(written: string): boolean {
	const midnight = new Date(`${written}T00:00:00Z`);
	return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(`${written}T`);
}

/** YYYY-MM-DD, a day that exists (contract 2.1, `expiration_date`). */
export const date = scalar(
	(written) => (/^\d{4}-\d\d-\d\d$/.test(written) && isDay(written) ? written : undefined),
	() => 'is not a date that exists; write it as YYYY-MM-DD, such as 2030-12-31',
);

/** HH:MM, 00:00 to 23:59 (contract 2.1, `expiration_time`). */
export const time = scalar(
	(written) => (/^([01]\d|2[0-3]):[0-5]\d$/.test(written) ? written : undefined),
	() => 'is not a time of day; write it as HH:MM, such as 09:30 or 23:59',
);
