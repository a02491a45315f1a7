/** Each character encodes 6 bits. JSON needs no escape for any of them. */
export const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Each character has 5 bits of a number, the lowest first. All but the last character have the sixth bit set. */
const base = 32;

/** Returns non-negative integers as a short text. A number below 32 takes one character. */
export function encodeNumbers(numbers: readonly number[]): string {
	let text = '';
	for (const number of numbers) {
		let rest = number;
		for (; rest >= base; rest = Math.floor(rest / base)) text += alphabet[base + (rest % base)];
		text += alphabet[rest];
	}
	return text;
}

/**
 * Returns the numbers that `encodeNumbers` encoded.
 *
 * @throws SyntaxError for any other value
 */
export function decodeNumbers(text: unknown): number[] {
	if (typeof text !== 'string') throw new SyntaxError('Not an encoded text');
	const numbers: number[] = [];
	let number = 0;
	let weight = 1;
	for (const character of text) {
		const bits = alphabet.indexOf(character);
		number += (bits % base) * weight;
		weight *= base;
		if (bits < 0 || number > Number.MAX_SAFE_INTEGER) throw new SyntaxError('Not an encoded text');
		if (bits >= base) continue;
		numbers.push(number);
		number = 0;
		weight = 1;
	}
	if (weight > 1) throw new SyntaxError('An encoded text ends too early');
	return numbers;
}
