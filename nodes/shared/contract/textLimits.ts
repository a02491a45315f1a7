/** Max length of a text to normalize, in characters. Unordered combining marks take the platform quadratic time. */
const maxNormalizedLength = 3000;

/** Returns a text in a Unicode normalization form. Returns a text of more than 3,000 characters unchanged. */
export const normalize = (text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string =>
	text.length > maxNormalizedLength ? text : text.normalize(form);

/**
 * Returns a normalized name: without case, accents, a joining "and", and characters other than letters and digits.
 */
export const plainName = (name: string): string =>
	normalize(name, 'NFKD')
		.toLowerCase()
		.replace(/\s(&|and)\s/g, ' ')
		.replace(/\p{M}/gu, '')
		.replace(/[^\p{L}\p{N}]/gu, '');

/** Returns a text without trailing slashes. Uses a loop, because a pattern takes quadratic time. */
export function withoutEndSlashes(text: string): string {
	let end = text.length;
	while (text[end - 1] === '/') end -= 1;
	return text.slice(0, end);
}

/** Max length of a date-time, in characters. */
const maxTimeLength = 64;

/**
 * Trims a date or a time of day, and replaces all kinds of spaces in it with plain spaces. Returns an empty text for
 * a longer text.
 */
export function trimTime(written: string): string {
	const text = written.trim();
	return text.length > maxTimeLength ? '' : text.replace(/\p{Zs}/gu, ' ');
}

/** Returns a host in ASCII and lower case, so that all spellings of a domain are equal; any other text unchanged. */
export const asciiHost = (host: string): string =>
	/^[^\s/?#@:]+\.[^\s/?#@:]+$/.test(host) ? (parseAddress(`https://${host}`)?.host ?? host) : host;

/** Max length of a text for unbounded patterns, in characters. A longer text may cause a stack overflow. */
const maxMatchedLength = 1_000_000;

/** Max length of a text that is always parsed as an address, in characters. */
const maxParsedLength = 1000;

/** Matches a longer address that is safe to parse. Encoding a long host takes the platform quadratic time. */
const longAddress =
	/^(?:(?:https?|wss?|ftp|file):\/\/[^/\\?#]{0,1000}(?:[/\\?#]|$)|(?!(?:https?|wss?|ftp|file):)[a-z][a-z\d+.-]*:)/i;

/** Parses an absolute address. Returns undefined for any other text, and for a host that is longer than any name. */
export function parseAddress(text: string): URL | undefined {
	if (text.length > maxMatchedLength) return undefined;
	const isHarmless = text.length <= maxParsedLength || longAddress.test(text);
	return isHarmless && URL.canParse(text) ? new URL(text) : undefined;
}
