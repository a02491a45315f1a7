import type { OutputField, Reader, Schema } from './resourceTypes';
import type { Resource } from './types';
import { isRecord, isTextual, isUnset } from './values';

const orNull = (...types: string[]): Schema => ({ type: [...types, 'null'] });

const textOf = (value: unknown) => (isTextual(value) ? String(value) : null);

/** A whole number, also one that comes as text: an answer to a write may repeat what was sent. */
export function integerOf(value: unknown): number | null {
	const written = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
	return /^-?\d{1,99}$/.test(written) && Number.isSafeInteger(Number(written))
		? Number(written)
		: null;
}

/** Returns whether JSON has rounded a number: above 2^53 it no longer holds every whole number. */
export const isRounded = (value: unknown): boolean =>
	Number.isInteger(value) && !Number.isSafeInteger(value);

/** A number where the service counts, otherwise the text: the contract shows no type for ids (2.1). Null if JSON has rounded it. */
export function idOf(value: unknown): number | string | null {
	if (isRounded(value)) return null;
	const number = integerOf(value);
	return number !== null && String(number) === String(value) ? number : textOf(value);
}

/** Returns an http or https address; null for any other text, such as a script that would run on a click. */
export const webAddressOf = (value: unknown): string | null =>
	typeof value === 'string' && /^https?:\/\//i.test(value) ? value : null;

const digits = /^\d{1,99}$/;
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * Returns whether the ID of an answer cannot be that of the resource that was asked for. A service may answer with the
 * number of a resource that was asked for by a name.
 *
 * @param answeredId undefined if the answer has none
 */
export function isOtherId(answeredId: string | undefined, sentId: string): boolean {
	if (answeredId === undefined || answeredId === sentId) return false;
	if (digits.test(sentId)) return !digits.test(answeredId) || BigInt(answeredId) !== BigInt(sentId);
	if (digits.test(answeredId)) return false;
	return !uuid.test(sentId) || answeredId.toLowerCase() !== sentId.toLowerCase();
}

const flags = new Map([
	['true', true],
	['1', true],
	['false', false],
	['0', false],
]);

/** A yes or no, also as 1 or 0 (contract 2.1, `disabled`); null where it is neither. */
export const flagOf = (value: unknown): boolean | null =>
	isTextual(value) ? (flags.get(String(value)) ?? null) : null;

const recordsIn = (value: unknown) => (Array.isArray(value) ? value.filter(isRecord) : []);

const isThere = <T>(value: T | null): value is T => value !== null;

/** What a resource holds in a related one, such as its domain. */
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

/** An output field that is part of Simplified. */
export const simple = outputField(true);

/** An output field that only Selected Fields offers. */
export const further = outputField(false);

/** The text under a key. */
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

/** A number that the service leaves out of its answer to a create, where it has its first value. Null if unreadable. */
export const integerFrom = (key: string, first: number): Reader => ({
	schema: orNull('integer'),
	read: (resource) => (isUnset(resource[key]) ? first : integerOf(resource[key])),
});

export const flag = (key: string): Reader => ({
	schema: orNull('boolean'),
	read: (resource) => flagOf(resource[key]),
});

/** A yes or no that the service leaves out of its answer to a create, where it has its first value. */
export const flagFrom = (key: string, first: boolean): Reader => ({
	schema: { type: 'boolean' },
	read: (resource) => flagOf(resource[key]) ?? first,
});

/** The name of a related resource; null where there is none. */
export const nameIn = (key: string): Reader => ({
	schema: orNull('string'),
	read: (resource) => textOf(related(resource, key, 'name')),
});

export const idIn = (key: string): Reader => ({
	schema: orNull('integer', 'string'),
	read: (resource) => idOf(related(resource, key, 'id')),
});

/** The names of all related resources; an empty list where there are none. */
export const namesIn = (key: string): Reader => ({
	schema: { type: 'array', items: { type: 'string' } },
	read: (resource) =>
		recordsIn(resource[key])
			.map(({ name }) => textOf(name))
			.filter(isThere),
});

/** The ids of all related resources, also where they come bare. */
export const idsIn = (key: string): Reader => ({
	schema: { type: 'array', items: { type: ['integer', 'string'] } },
	read: (resource) =>
		(Array.isArray(resource[key]) ? resource[key] : [])
			.map((other: unknown) => idOf(isRecord(other) ? other.id : other))
			.filter(isThere),
});

/** Targeting rules, each with the parts that it is written with (contract 2.1). */
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
