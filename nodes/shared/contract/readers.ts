import { canonicalId, isNumber, isUuid } from './idPattern';
import type { OutputField, Reader, Schema } from './resourceTypes';
import type { Resource } from './types';
import { isRecord, isTextual, isUnset } from './values';

const orNull = (...types: string[]): Schema => ({ type: [...types, 'null'] });

const textOf = (value: unknown) => (isTextual(value) ? String(value) : null);

/**
 * Returns a whole number; null for any other value. Accepts a text, because an answer to a write may repeat the text
 * that was sent.
 */
export function integerOf(value: unknown): number | null {
	const written = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
	return /^-?\d{1,99}$/.test(written) && Number.isSafeInteger(Number(written))
		? Number(written)
		: null;
}

/** Returns whether JSON has rounded a number. Above 2^53, numbers are not exact. */
export const isRounded = (value: unknown): boolean =>
	Number.isInteger(value) && !Number.isSafeInteger(value);

/**
 * Returns an ID as a number if it is a whole number, and as text otherwise; the contract shows no type for IDs (2.1).
 * Returns null for a number that JSON has rounded.
 */
export function idOf(value: unknown): number | string | null {
	if (isRounded(value)) return null;
	const number = integerOf(value);
	return number !== null && String(number) === String(value) ? number : textOf(value);
}

/** Returns an http or https address; null for any other text, such as a script that would run on a click. */
export const webAddressOf = (value: unknown): string | null =>
	typeof value === 'string' && /^https?:\/\//i.test(value) ? value : null;

/**
 * Returns whether the ID in an answer belongs to another resource than the requested ID. A requested name or alias
 * may be answered with a number.
 *
 * @param answeredId undefined if the answer has no ID
 */
export function isOtherId(answeredId: string | undefined, sentId: string): boolean {
	if (answeredId === undefined || answeredId === sentId) return false;
	if (isNumber(answeredId) && !isNumber(sentId)) return false;
	const ignoresCase = isNumber(sentId) || isUuid(sentId);
	return !ignoresCase || canonicalId(answeredId) !== canonicalId(sentId);
}

const flags = new Map([
	['true', true],
	['1', true],
	['false', false],
	['0', false],
]);

/** Returns a boolean, also from 1 or 0 (contract 2.1, `disabled`); null for any other value. */
export const flagOf = (value: unknown): boolean | null =>
	isTextual(value) ? (flags.get(String(value)) ?? null) : null;

const recordsIn = (value: unknown) => (Array.isArray(value) ? value.filter(isRecord) : []);

const isThere = <T>(value: T | null): value is T => value !== null;

/** Returns a property of a related resource, such as the name of a link's domain. */
const related = (resource: Resource, key: string, part: string): unknown => {
	const other = resource[key];
	return isRecord(other) ? other[part] : null;
};

const outputField =
	(isSimple: boolean) =>
	(name: string, displayName: string, description: string, from: Reader): OutputField => ({
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

export const text = (key: string): Reader => ({
	schema: orNull('string'),
	read: (resource) => textOf(resource[key]),
});

export const webAddress = (key: string): Reader => ({
	schema: orNull('string'),
	read: (resource) => webAddressOf(resource[key]),
});

export const id = (key: string): Reader => ({
	schema: orNull('integer', 'string'),
	read: (resource) => idOf(resource[key]),
});

export const integer = (key: string): Reader => ({
	schema: orNull('integer'),
	read: (resource) => integerOf(resource[key]),
});

/**
 * Reads a number. Uses the initial value if the service omits the number from its answer to a create. Null if
 * unreadable.
 */
export const integerFrom = (key: string, first: number): Reader => ({
	schema: orNull('integer'),
	read: (resource) => (isUnset(resource[key]) ? first : integerOf(resource[key])),
});

export const flag = (key: string): Reader => ({
	schema: orNull('boolean'),
	read: (resource) => flagOf(resource[key]),
});

/** Reads a boolean. Uses the initial value if the service omits the boolean from its answer to a create. */
export const flagFrom = (key: string, first: boolean): Reader => ({
	schema: { type: 'boolean' },
	read: (resource) => flagOf(resource[key]) ?? first,
});

/** Reads the name of a related resource; null if there is none. */
export const nameIn = (key: string): Reader => ({
	schema: orNull('string'),
	read: (resource) => textOf(related(resource, key, 'name')),
});

export const idIn = (key: string): Reader => ({
	schema: orNull('integer', 'string'),
	read: (resource) => idOf(related(resource, key, 'id')),
});

/** Reads the names of related resources. */
export const namesIn = (key: string): Reader => ({
	schema: { type: 'array', items: { type: 'string' } },
	read: (resource) =>
		recordsIn(resource[key])
			.map(({ name }) => textOf(name))
			.filter(isThere),
});

/** Reads the IDs of related resources, from objects or plain IDs. */
export const idsIn = (key: string): Reader => ({
	schema: { type: 'array', items: { type: ['integer', 'string'] } },
	read: (resource) =>
		(Array.isArray(resource[key]) ? resource[key] : [])
			.map((other: unknown) => idOf(isRecord(other) ? other.id : other))
			.filter(isThere),
});

/** Reads targeting rules with the given parts (contract 2.1). */
export const rules = (key: string, parts: readonly string[]): Reader => ({
	schema: {
		type: 'array',
		items: {
			type: 'object',
			properties: Object.fromEntries(parts.map((part) => [part, orNull('string')])),
		},
	},
	read: (resource) =>
		recordsIn(resource[key]).map((rule) =>
			Object.fromEntries(parts.map((part) => [part, textOf(rule[part])])),
		),
});
