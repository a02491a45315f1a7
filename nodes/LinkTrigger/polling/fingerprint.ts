import { alphabet } from './compactEncoding';

const prime = 0x01000193;

const { imul } = Math;

/** Returns the FNV-1a hash of the code units of a text: 32 bits. */
function hash32(text: string, seed: number): number {
	let hash = seed;
	for (let index = 0; index < text.length; index += 1) {
		const unit = text.charCodeAt(index);
		hash = imul(hash ^ (unit & 0xff), prime);
		hash = imul(hash ^ (unit >>> 8), prime);
	}
	// FNV-1a moves only the low bits for the last units, so the bits are mixed once more.
	hash = imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
	hash = imul(hash ^ (hash >>> 12), 0x297a2d39);
	return (hash ^ (hash >>> 15)) >>> 0;
}

/**
 * Returns a short text that differs for almost all different texts: 6 bits a character. It is no secret and has no salt.
 *
 * @param length at most 10 characters
 */
export function fingerprint(text: string, length: number): string {
	let result = '';
	for (const seed of [0x811c9dc5, 0x050c5d1f]) {
		if (result.length >= length) break;
		let bits = hash32(text, seed);
		for (let count = 0; count < 5; count += 1) {
			result += alphabet[bits % 64];
			bits >>>= 6;
		}
	}
	return result.slice(0, length);
}
