import { canonicalId, isNumber, isRecord, isTextual, mayMeanOtherId, parseJson } from './values';
import type { OutputField, OutputValue, Reader, Schema } from './resourceTypes';

const orNull = (...types: string[]): Schema => ({ type: [...types, 'null'] });

const textOrNull = (value: unknown) => (isTextual(value) ? String(value) : null);

/**
 * Returns a whole number; null for any other value. Accepts a text, because a response to a write may repeat the text
 * that was sent.
 */
export function integerOf(value: unknown): number | null {
	const isWritten = typeof value === 'number' || typeof value === 'string';
	const number = isWritten && /^-?\d{1,99}$/.test(String(value)) ? Number(value) : NaN;
	return Number.isSafeInteger(number) ? number : null;
}

/** Returns whether JSON has rounded a number. Above 2^53, numbers are not exact. */
export const isRounded = (value: unknown): boolean =>
	Number.isInteger(value) && !Number.isSafeInteger(value);

/**
 * Returns an ID as a number if it is a whole number, and as text otherwise; the contract shows no type for IDs (2.1).
 * Returns null for a number that JSON has rounded.
 */
export function idOf(value: unknown): number | string | null {
	const number = integerOf(value);
	if (number !== null && String(number) === String(value)) return number;
	return isRounded(value) ? null : textOrNull(value);
}

/** Returns an http or https address; null for any other text, such as a script that would run on a click. */
export const webAddressOf = (value: unknown): string | null =>
	typeof value === 'string' && /^https?:\/\//i.test(value) ? value : null;

/**
 * Returns whether the ID in a response belongs to another resource than the requested ID. The response to
 * a requested name or alias may have a number.
 *
 * @param answeredId undefined if the response has no ID
 */
export function isOtherId(answeredId: string | undefined, sentId: string): boolean {
	if (answeredId === undefined || answeredId === sentId) return false;
	if (isNumber(answeredId) && !isNumber(sentId)) return mayMeanOtherId(sentId);
	return canonicalId(answeredId) !== canonicalId(sentId);
}

const flags = new Map(Object.entries({ true: true, 1: true, false: false, 0: false }));

/** Returns a boolean, also from 1 or 0 (contract 2.1, `disabled`); null for any other value. */
export const flagOf = (value: unknown): boolean | null =>
	isTextual(value) ? (flags.get(String(value)) ?? null) : null;

const recordsIn = (value: unknown) => (Array.isArray(value) ? value.filter(isRecord) : []);

/** Returns a property of a related resource, such as the name of a link's domain. */
const propertyOf = (related: unknown, name: string): unknown =>
	isRecord(related) ? related[name] : null;

/** Returns the label of a name: `shortUrl` → `Short URL`, `pixelIds` → `Pixel IDs`. */
const labelOf = (name: string): string =>
	name
		.replace(/[A-Z]/g, ' $&')
		.replace(/^./, (letter) => letter.toUpperCase())
		.replace(/\b(?:Id|Url)(?=s?\b)/g, (word) => word.toUpperCase());

const outputField =
	(isSimple: boolean) =>
	(name: string, description: string, from: Reader, displayName = labelOf(name)): OutputField => ({
		name,
		displayName,
		description,
		isSimple,
		from,
	});

/** Returns an output field that Simplified includes. */
export const simple = outputField(true);

/** Returns an output field that only Selected Fields offers. */
export const further = outputField(false);

/** Returns a function that returns the reader for a key. */
const schemaReader =
	(schema: Schema, read: (value: unknown) => OutputValue) =>
	(key: string): Reader => ({ schema, read: (resource) => read(resource[key]) });

const ids: Schema = { type: 'array', items: { type: ['integer', 'string'] } };

/** Functions that return the reader for a key. */
export const read = {
	text: schemaReader(orNull('string'), textOrNull),
	webAddress: schemaReader(orNull('string'), webAddressOf),
	id: schemaReader(orNull('integer', 'string'), idOf),
	integer: schemaReader(orNull('integer'), integerOf),
	flag: schemaReader(orNull('boolean'), flagOf),
	/** The name of a related resource; null if there is none. */
	relatedName: schemaReader(orNull('string'), (related) => textOrNull(propertyOf(related, 'name'))),
	relatedId: schemaReader(orNull('integer', 'string'), (related) =>
		idOf(propertyOf(related, 'id')),
	),
	/** The names of related resources. */
	relatedNames: schemaReader({ type: 'array', items: { type: 'string' } }, (related) =>
		recordsIn(related)
			.map(({ name }) => textOrNull(name))
			.filter((name) => name !== null),
	),
	/** The IDs of related resources, from objects or plain IDs. */
	ids: schemaReader(ids, (related) =>
		(Array.isArray(related) ? related : [])
			.map((entry: unknown) => idOf(isRecord(entry) ? entry.id : entry))
			.filter((id) => id !== null),
	),
	/** Lists of objects with the given parts, or their JSON. */
	objects: (parts: readonly string[]) => {
		const properties = Object.fromEntries(parts.map((part) => [part, orNull('string')]));
		return schemaReader({ type: 'array', items: { type: 'object', properties } }, (value) =>
			recordsIn(typeof value === 'string' ? parseJson(value) : value).map((entry) =>
				Object.fromEntries(parts.map((part) => [part, textOrNull(entry[part])])),
			),
		);
	},
};
