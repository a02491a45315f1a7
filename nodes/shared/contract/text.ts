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

/** Returns a heading without case, blanks, `_` and `-`: `Expiration Date` and `expiration_date` are equal. */
export const columnName = (heading: string): string =>
	heading.toLowerCase().replace(/[\s\p{Cf}_-]/gu, '');

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

/** Marks that change how adjacent text is shown, blanks without width, and the soft hyphen. */
const marks = '\\u00ad\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060\\u2066-\\u2069\\ufeff';

/** A joiner without the emoji or letter that it joins. Some scripts use joiners too. */
const strayJoiner = '(?<![\\p{M}\\p{Extended_Pictographic}\\p{Emoji_Modifier}])\\u200d';

const invisible = new RegExp(`[${marks}]|${strayJoiner}`, 'u');

const allInvisible = new RegExp(invisible.source, 'gu');

const isInvisibleAtEnd = new RegExp(`[\\s${marks}]|\\u200c|\\u200d`);

const mark = new RegExp(`[${marks}]`);

/** Returns whether a text contains an invisible mark, apart from joiners, which some scripts and emoji need. */
export const hasMark = (text: string): boolean => mark.test(text);

/** Returns whether a text contains an invisible character, such as a zero-width space. */
export const hasInvisible = (text: string): boolean => invisible.test(text);

/** Trims blanks and invisible characters. Uses a loop, because a pattern takes quadratic time. */
export function trimInvisible(text: string): string {
	let start = 0;
	let end = text.length;
	while (start < end && isInvisibleAtEnd.test(text.charAt(start))) start += 1;
	while (end > start && isInvisibleAtEnd.test(text.charAt(end - 1))) end -= 1;
	return text.slice(start, end);
}

/** Replaces each invisible character with an escape such as `\u200b`. */
export const showInvisible = (text: string): string =>
	text.replace(
		allInvisible,
		(character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
	);

/**
 * Untrusted texts: cells, column names, responses of the service. They stay plain until they are passed to n8n,
 * which shows some of them as HTML. docs/architecture.md lists these under "Untrusted texts".
 */

/** Replaces line breaks, other control characters and marks that change the writing direction with spaces. */
export const oneLine = (text: string): string =>
	text.replace(/[\p{Cc}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]+/gu, ' ');

/** The escapes for HTML. n8n renders text between backticks as code. */
const entities = new Map(Object.entries({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '`': '&#96;' }));

/** Escapes a text for HTML. Leaves quotes unchanged, so the result is not safe in attributes. */
export const escapeHtml = (text: string): string =>
	text.replace(/[&<>`]/g, (character) => entities.get(character) ?? character);

/** Returns a text for a message: on one line, with similar characters in place of angle brackets, which look the same as HTML. */
export const forMessage = (text: string): string =>
	oneLine(text).replaceAll('<', '‹').replaceAll('>', '›');

/** The parts of an error that the editor shows. */
interface ShownError {
	message: string;
	description?: string | null;
}

/**
 * Prepares an error for the editor: escapes its description as HTML and removes tags from its message.
 *
 * @param isTool whether a model reads the message as plain text
 */
export function forEditor<E extends ShownError>(error: E, isTool = false): E {
	if (!isTool) error.message = forMessage(error.message);
	if (error.description) error.description = escapeHtml(error.description);
	return error;
}
