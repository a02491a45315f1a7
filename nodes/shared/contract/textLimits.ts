/** Longest text that is normalized, in characters: combining marks in no order take the platform quadratic time. */
const maxNormalizedLength = 3000;

/** Returns a text in a normalization form of Unicode; one of more than 3,000 characters as it is. */
export const normalize = (text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string =>
	text.length > maxNormalizedLength ? text : text.normalize(form);

/** Returns a text without the slashes at its end; in a loop, because a pattern for them takes quadratic time. */
export function withoutEndSlashes(text: string): string {
	let end = text.length;
	while (text[end - 1] === '/') end -= 1;
	return text.slice(0, end);
}

/** Longest date-time, in characters. */
const maxTimeLength = 64;

/**
 * Returns the text of a date or a time of day without the spaces around it, and with plain spaces inside; an empty one if it is
 * too long for either.
 */
export function trimTime(written: string): string {
	const text = written.trim();
	return text.length > maxTimeLength ? '' : text.replace(/\p{Zs}/gu, ' ');
}

/** Longest text that patterns without a bound are tried on, in characters: a longer one may be too much for their stack. */
export const maxMatchedLength = 1_000_000;

/** Texts up to this length are parsed as addresses whatever they are, in characters. */
const maxParsedLength = 1000;

/** A longer address that is parsed. A long host is not, because its encoding takes the platform quadratic time. */
const longAddress =
	/^(?:(?:https?|wss?|ftp|file):\/\/[^/\\?#]{0,1000}(?:[/\\?#]|$)|(?!(?:https?|wss?|ftp|file):)[a-z][a-z\d+.-]*:)/i;

/** Returns the parts of an absolute address; undefined for a text that is none, or that has a host no name is as long as. */
export function parseAddress(text: string): URL | undefined {
	if (text.length > maxMatchedLength) return undefined;
	const isHarmless = text.length <= maxParsedLength || longAddress.test(text);
	return isHarmless && URL.canParse(text) ? new URL(text) : undefined;
}
