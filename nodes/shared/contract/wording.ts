import { oneLine } from './text';
import { quoteText, shorten } from './values';

/** Returns a text on one line, cut to a number of characters. */
export const cutText = (text: string, most: number): string => shorten(oneLine(text), most);

/**
 * Returns the first texts, up to a number of characters, and then the number of the others: `… and 5,000 more`. The first text is
 * always included, cut if necessary.
 *
 * @param total number of texts, if `texts` does not contain all
 */
export function firstTexts(texts: readonly string[], most: number, total = texts.length) {
	const shown: string[] = [];
	let length = 0;
	for (const text of texts) {
		const part = cutText(text, most);
		length += part.length;
		if (shown.length > 0 && length > most) break;
		shown.push(part);
	}
	const more = total - shown.length;
	return more > 0 ? [...shown, `… and ${more.toLocaleString('en-US')} more`] : shown;
}

/** Returns `a`, `a and b`, or `a, b and c`. */
export const joined = (texts: readonly string[]): string =>
	texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`;

/** Returns a text with a capital first letter. */
export const capitalized = (text: string): string =>
	`${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** Returns `1 item` or `5 items`. */
export const counted = (count: number, noun: string): string =>
	`${count} ${noun}${count === 1 ? '' : 's'}`;

/** Returns a function for templates with words for one and for several: `Column[|s] ${names} [is|are] not used`. */
export const inflected =
	(count: number) =>
	(texts: TemplateStringsArray, ...values: readonly string[]): string =>
		texts
			.map((text) => text.replace(/\[(.*?)\|(.*?)\]/g, count === 1 ? '$1' : '$2'))
			.map((text, at) => `${text}${values[at] ?? ''}`)
			.join('');

/** Returns the name of a column, shortened. Adds quotes if it could be misread, such as an empty name. */
export function columnText(column: string): string {
	const text = shorten(column);
	const isPlain = /^[\p{L}\p{N}_]([\p{L}\p{N} _.()-]*[\p{L}\p{N}_)])?$/u.test(text);
	return isPlain ? text : quoteText(column);
}
