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
