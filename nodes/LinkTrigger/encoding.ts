import type { IDataObject } from 'n8n-workflow';
import { isRecord } from '../shared/contract/values';

/**
 * Returns a stored non-negative integer.
 *
 * @throws SyntaxError for any other value
 */
export function storedNumber(value: unknown): number {
	if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
	throw new SyntaxError('Not a stored number');
}

/**
 * Returns a stored object. It is decoded JSON, so it is a data object.
 *
 * @throws SyntaxError for any other value
 */
export function storedObject(value: unknown): IDataObject {
	if (isRecord(value)) return value as IDataObject;
	throw new SyntaxError('Not a stored object');
}

/**
 * Returns stored non-negative integers by their names.
 *
 * @throws SyntaxError for any other value
 */
export function storedNumbers<N extends string>(value: unknown, ...names: N[]): Record<N, number> {
	const stored = storedObject(value);
	const numbers = names.map((name) => [name, storedNumber(stored[name])]);
	return Object.fromEntries(numbers) as Record<N, number>;
}

/** Returns non-negative integers as a short text: to base 36, in parentheses if they have several digits. */
export const encodeNumbers = (numbers: readonly number[]): string =>
	numbers
		.map((number) => (number < 36 ? number.toString(36) : `(${number.toString(36)})`))
		.join('');

/**
 * Returns the numbers that `encodeNumbers` encoded.
 *
 * @throws SyntaxError for any other value
 */
export function decodeNumbers(text: unknown): number[] {
	const words = String(text).match(/[\da-z]|\([\da-z]{2,11}\)/g) ?? [];
	const numbers = words.map((word) => storedNumber(parseInt(word.replace('(', ''), 36)));
	if (text === words.join('')) return numbers;
	throw new SyntaxError('Not encoded numbers');
}

/** Returns ascending IDs as a short text of the gaps between them. */
export const encodeIds = (ids: readonly number[]): string =>
	encodeNumbers(ids.map((id, index) => id - (ids[index - 1] ?? 0)));

/**
 * Returns the IDs that `encodeIds` encoded.
 *
 * @throws SyntaxError for any other value
 */
export function decodeIds(text: unknown): number[] {
	let last = 0;
	return decodeNumbers(text).map((gap) => storedNumber((last += gap)));
}

/** Returns the FNV-1a hash of the code units of a text: 32 bits. */
function hash32(text: string, seed: number): number {
	const { imul } = Math;
	let hash = seed;
	for (let index = 0; index < text.length; index += 1) {
		const unit = text.charCodeAt(index);
		hash = imul(imul(hash ^ (unit & 0xff), 0x01000193) ^ (unit >>> 8), 0x01000193);
	}
	// FNV-1a moves only the low bits for the last units, so the bits are mixed once more.
	hash = imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
	hash = imul(hash ^ (hash >>> 12), 0x297a2d39);
	return (hash ^ (hash >>> 15)) >>> 0;
}

/**
 * Returns a short text that differs for almost all different texts: 5 bits a character. It is no secret and has no salt.
 *
 * @param length at most 10 characters
 */
export const fingerprint = (text: string, length: number): string =>
	(hash32(text, 0x811c9dc5) * 2 ** 20 + (hash32(text, 0x050c5d1f) >>> 12))
		.toString(36)
		.padStart(10, '0')
		.slice(-length);
