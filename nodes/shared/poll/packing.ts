/** Each character stands for 6 bits, and none of them has to be escaped in JSON. */
const characters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Of a number's characters each has 5 of its bits, the lowest first; all but the last have the sixth bit set. */
const base = 32;

/** Whole numbers from 0 on as a short text: small ones take a character each. */
export function fromNumbers(numbers: readonly number[]): string {
	let text = '';
	for (const number of numbers) {
		let rest = number;
		for (; rest >= base; rest = Math.floor(rest / base)) text += characters[base + (rest % base)];
		text += characters[rest];
	}
	return text;
}

/**
 * Reads what `fromNumbers` wrote.
 *
 * @throws SyntaxError for any other text
 */
export function toNumbers(text: unknown): number[] {
	if (typeof text !== 'string') throw new SyntaxError('Not a packed text');
	const numbers: number[] = [];
	let number = 0;
	let weight = 1;
	for (const character of text) {
		const bits = characters.indexOf(character);
		number += (bits % base) * weight;
		weight *= base;
		if (bits < 0 || number > Number.MAX_SAFE_INTEGER) throw new SyntaxError('Not a packed text');
		if (bits >= base) continue;
		numbers.push(number);
		number = 0;
		weight = 1;
	}
	if (weight > 1) throw new SyntaxError('A packed text ends too early');
	return numbers;
}

const prime = 0x01000193;

const { imul } = Math;

/** FNV-1a over the code units of a text, from one of two beginnings. 32 bits. */
function hash32(text: string, seed: number): number {
	let hash = seed;
	for (let index = 0; index < text.length; index += 1) {
		const unit = text.charCodeAt(index);
		hash = imul(hash ^ (unit & 0xff), prime);
		hash = imul(hash ^ (unit >>> 8), prime);
	}
	// The last units have moved the low bits only.
	hash = imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
	hash = imul(hash ^ (hash >>> 12), 0x297a2d39);
	return (hash ^ (hash >>> 15)) >>> 0;
}

/**
 * A short text that is another one for almost every other text: 6 bits a character. Nothing can be read back from it.
 *
 * @param length at most 10 characters
 */
export function fingerprint(text: string, length: number): string {
	let result = '';
	for (const seed of [0x811c9dc5, 0x050c5d1f]) {
		if (result.length >= length) break;
		let bits = hash32(text, seed);
		for (let count = 0; count < 5; count += 1) {
			result += characters[bits % 64];
			bits >>>= 6;
		}
	}
	return result.slice(0, length);
}
