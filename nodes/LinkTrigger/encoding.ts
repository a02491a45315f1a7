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
 * Returns stored non-negative integers by their names.
 *
 * @throws SyntaxError for any other value
 */
export function storedNumbers<N extends string>(value: unknown, ...names: N[]): Record<N, number> {
	const stored = isRecord(value) ? value : {};
	const numbers = names.map((name) => [name, storedNumber(stored[name])]);
	return Object.fromEntries(numbers) as Record<N, number>;
}

/** The digits of numbers and fingerprints, with six bits each. In numbers, the second half are digits that another one follows. */
const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const half = digits.length / 2;

/** Returns a non-negative integer with one digit for each five bits, the highest first. */
function encodeNumber(number: number): string {
	let text = digits.charAt(number % half);
	for (let rest = Math.floor(number / half); rest > 0; rest = Math.floor(rest / half)) {
		text = digits.charAt(half + (rest % half)) + text;
	}
	return text;
}

/** Returns non-negative integers as a short text. A number below 1,024 has at most two characters. */
export const encodeNumbers = (numbers: readonly number[]) => numbers.map(encodeNumber).join('');

/**
 * Returns the numbers that `encodeNumbers` encoded.
 *
 * @throws SyntaxError for any other value
 */
export function decodeNumbers(text: unknown): number[] {
	const numbers: number[] = [];
	let number = 0;
	for (const character of String(text)) {
		const digit = digits.indexOf(character);
		number = storedNumber(digit < 0 ? undefined : number * half + (digit % half));
		if (digit >= half) continue;
		numbers.push(number);
		number = 0;
	}
	if (typeof text === 'string' && number === 0) return numbers;
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
function hash32(text: string): number {
	const { imul } = Math;
	let hash = 0x811c9dc5;
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
 * Returns a short text that differs for almost all different texts: six bits a character. It is no secret and has no salt.
 *
 * @param length at most 5 characters
 */
export function fingerprint(text: string, length: number): string {
	let result = '';
	for (let hash = hash32(text); result.length < length; hash >>>= 6) {
		result += digits.charAt(hash & 63);
	}
	return result;
}
