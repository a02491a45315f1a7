import type { INodeProperties } from 'n8n-workflow';
import { Invalid, type Codec } from '../types';
import { choicesOf, plain, quote } from '../values';

/** Builds a codec for fields that travel as one text. `read` returns that text, or an Invalid with its reason. */
function scalar(read: (value: unknown, property: INodeProperties) => string | Invalid): Codec {
	return (value, property) => {
		const text = read(plain(value), property);
		return text instanceof Invalid ? text : [['', text]];
	};
}

const reject = (value: unknown, property: INodeProperties, remedy: string) =>
	new Invalid([`${quote(value, property)} ${remedy}`]);

const isTextual = (value: unknown): value is boolean | number | string =>
	['boolean', 'number', 'string'].includes(typeof value);

/** Any text. Numbers and booleans from expressions are written out; lengths and characters are the service's to judge. */
export const text: Codec = scalar((value, property) =>
	isTextual(value) ? String(value) : reject(value, property, 'is not a text; enter one value'),
);

/** A whole number in decimal digits, of either sign (contract 2.1, `expiration_clicks`). */
export const integer: Codec = scalar((value, property) => {
	const written = isTextual(value) ? String(value).trim() : '';
	return /^[+-]?\d+$/.test(written) && Number.isSafeInteger(Number(written))
		? String(Number(written))
		: reject(value, property, 'is not a whole number; enter digits only, such as 100');
});

const flags = new Map([
	['true', '1'],
	['1', '1'],
	['false', '0'],
	['0', '0'],
]);

/** A boolean, sent as the contract's 1 or 0 (contract 2.1, `disabled`). */
export const flag: Codec = scalar(
	(value, property) =>
		flags.get(String(value).toLowerCase()) ??
		reject(value, property, 'is neither true nor false; use one of the two'),
);

/** One of the property's own options, also when an expression gives it (contract 2.1, 2.2, 4.1, 4.4). */
export const choice: Codec = scalar((value, property) => {
	const choices = choicesOf(property);
	const chosen = choices.find((option) => String(option.value) === String(value));
	if (chosen) return String(chosen.value);
	const allowed = choices.map((option) =>
		String(option.value) === option.name ? option.name : `${option.value} (${option.name})`,
	);
	return reject(value, property, `is not one of the allowed values; use ${allowed.join(', ')}`);
});

/** YYYY-MM-DD, a day that exists (contract 2.1, `expiration_date`). */
export const date: Codec = scalar((value, property) => {
	const day = /^\d{4}-\d\d-\d\d$/.test(String(value)) ? new Date(`${value}T00:00:00Z`) : undefined;
	const exists = day && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(`${value}T`);
	return exists
		? String(value)
		: reject(
				value,
				property,
				'is not a date that exists; write it as YYYY-MM-DD, such as 2030-12-31',
			);
});

/** HH:MM, 00:00 to 23:59 (contract 2.1, `expiration_time`). */
export const time: Codec = scalar((value, property) =>
	/^([01]\d|2[0-3]):[0-5]\d$/.test(String(value))
		? String(value)
		: reject(value, property, 'is not a time of day; write it as HH:MM, such as 09:30 or 23:59'),
);
