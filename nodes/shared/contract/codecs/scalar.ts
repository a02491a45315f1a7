import type { INodeProperties } from 'n8n-workflow';
import { parseAddress, trimTime } from '../longTexts';
import { isRounded } from '../readers';
import { Invalid, type Codec } from '../types';
import {
	choicesOf,
	isBrokenDate,
	isRecord,
	isTextual,
	orDefault,
	quote,
	unwrapLocator,
} from '../values';

/** What is wrong with a number that JSON has rounded; reads on behind it. */
export const tooLarge =
	'is a number above 9007199254740991, which n8n has rounded; enter it as text instead';

/** What is wrong with a text that a form cannot hold; reads on behind it. */
export const halfCharacter = 'holds half a character, such as a cut emoji; enter the whole text';

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
		const inner = unwrapLocator(value);
		const text = isTextual(inner) ? read(String(inner), property) : undefined;
		const wrong = text === undefined ? remedy(property) : halfCharacter;
		return text?.isWellFormed()
			? [['', text]]
			: new Invalid([`${quote(inner, property)} ${wrong}`]);
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

/** Refuses a number that JSON has rounded: its digits are not those that were written. */
const exact =
	(codec: Codec): Codec =>
	(value, property) => {
		const inner = unwrapLocator(value);
		return isRounded(inner)
			? new Invalid([`${quote(inner, property)} ${tooLarge}`])
			: codec(value, property);
	};

/** Any text. Numbers and booleans from expressions are written out; lengths and characters are the service's to judge. */
export const text = exact(
	scalar(
		(written) => (isBrokenDate(written) ? undefined : written),
		() => 'is not a text; enter one value',
	),
);

/** A password. A boolean is none: services answer with one that tells whether there is a password (assumption: one resource). */
export const secret: Codec = (value, property) =>
	typeof unwrapLocator(value) === 'boolean'
		? new Invalid([
				`${quote(value, property)} tells only whether there is one; enter the password itself, or leave it out`,
			])
		: text(value, property);

/** A text without the spaces around it, which services drop as well, so that it is found again (assumption: spaces). */
export const line = exact(
	scalar(
		(written) => (isBrokenDate(written) ? undefined : written.trim()),
		() => 'is not a text; enter one value',
	),
);

/** A whole number in decimal digits, of either sign (contract 2.1, `expiration_clicks`). */
export const integer = scalar(
	(written) => {
		const isWhole = /^[+-]?\d{1,99}$/.test(written.trim()) && Number.isSafeInteger(Number(written));
		return isWhole ? String(Number(written)) : undefined;
	},
	() => 'is not a whole number; enter digits only, such as 100',
);

/** What an option's number must be, by the bounds that its property has. */
function rangeOf({ typeOptions }: INodeProperties): string {
	const { minValue = 0, maxValue } = typeOptions ?? {};
	return maxValue === undefined ? `of at least ${minValue}` : `from ${minValue} to ${maxValue}`;
}

/** A number within the bounds of its property. */
export const bounded = scalar(
	(written, { typeOptions }) => {
		const { minValue = 0, maxValue = Infinity } = typeOptions ?? {};
		const number = Number(written);
		return number >= minValue && number <= maxValue ? String(number) : undefined;
	},
	(property) => `is not a number ${rangeOf(property)}`,
);

const flags = new Map([
	['true', '1'],
	['1', '1'],
	['false', '0'],
	['0', '0'],
]);

/** A boolean, sent as the contract's 1 or 0 (contract 2.1, `disabled`). */
export const flag = scalar(
	(written) => flags.get(written.trim().toLowerCase()),
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
			.find((value) => value === written.trim()),
	(property) => `is not one of the allowed values; use ${allowedValues(property)}`,
);

function isDay(written: string): boolean {
	const midnight = new Date(`${written}T00:00:00Z`);
	return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(`${written}T`);
}

/** A day alone, or at the beginning of a date-time as ISO 8601 and spreadsheets write it. */
const dayOf =
	/^(\d{4}-\d\d-\d\d)(?:[T ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d+)?)?(?:\s*(?:Z|[+-]\d\d(?::?\d\d)?))?)?$/i;

/** What a Date or a DateTime of an expression is as text; any other value stays as it is. */
function writtenDate(value: unknown): unknown {
	if (!isRecord(value)) return value;
	if (typeof value.toISODate === 'function') return value.toISODate() as unknown;
	return typeof value.toISOString === 'function' && !Number.isNaN(Number(value))
		? (value.toISOString() as unknown)
		: value;
}

const dateText = scalar(
	(written) => {
		const [, day] = trimTime(written).match(dayOf) ?? [];
		return day !== undefined && isDay(day) ? day : undefined;
	},
	() => 'is not a date that exists; write it as YYYY-MM-DD, such as 2030-12-31',
);

/** YYYY-MM-DD, a day that exists (contract 2.1, `expiration_date`). Of a date-time the day is taken as it is written. */
export const date: Codec = (value, property) =>
	dateText(writtenDate(unwrapLocator(value)), property);

/** HH:MM, 00:00 to 23:59 (contract 2.1, `expiration_time`). One digit of hours is taken as well; seconds are cut off. */
export const time = scalar(
	(written) => {
		const [, hours = '', minutes] =
			trimTime(written).match(/^([01]?\d|2[0-3]):([0-5]\d)(?::[0-5]\d(?:[.,]\d+)?)?$/) ?? [];
		return minutes === undefined ? undefined : `${hours.padStart(2, '0')}:${minutes}`;
	},
	() => 'is not a time of day; write it as HH:MM, such as 09:30 or 23:59',
);

/** A host and port that were written without a scheme; URL parsing would take the host for the scheme. */
const hostWithPort = /^((localhost|[\w-]+(\.[\w-]+)+):\d{1,5}([/?#]|$)|[\w-]+:\d{1,5}\/)/i;

/** No host is longer, in characters. */
const longestHost = 300;

/**
 * An absolute address. Refused are what no service could redirect to: an address without a scheme, and one that holds
 * a line break (assumption: line break in a URL). Which schemes are welcome is the service's to judge.
 */
export const url: Codec = (value, property) => {
	const refuse = (reason: string) => new Invalid([`${quote(value, property)} ${reason}`]);
	const address = typeof value === 'string' ? value.trim() : '';
	if (/[\r\n]/.test(address)) return refuse('holds a line break; put one address on one line');
	if (!address.isWellFormed()) return refuse(halfCharacter);
	return hostWithPort.test(address.slice(0, longestHost)) || !parseAddress(address)
		? refuse('is not an absolute URL; start it with its scheme, such as https://example.com/page')
		: [['', address]];
};
