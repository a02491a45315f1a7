import { escapeHtml, oneLine } from '../contract/escape';
import type { FieldErrors } from '../transport/failures';

/** Returns the max bytes of a character in JSON as UTF-8. Quotes, lone surrogates and HTML are escaped. */
function sizeOfCharacter(character: string): number {
	const code = character.codePointAt(0) ?? 0;
	if (code >= 0xd800 && code <= 0xdfff) return 6;
	if (character === '"' || character === '\\') return 2;
	if (code < 0x80) return escapeHtml(character).length;
	if (code < 0x800) return 2;
	return code < 0x10000 ? 3 : 4;
}

const ellipsis = '…';
const sizeOfEllipsis = sizeOfCharacter(ellipsis);

/** Returns a text on one line, cut to a number of bytes as n8n stores it, and its size in bytes. */
function fit(original: string, most: number): { readonly text: string; readonly size: number } {
	const text = oneLine(original);
	let size = 0;
	let end = 0;
	let cut = { end: 0, size: 0 };
	for (const character of text) {
		if (size + sizeOfEllipsis <= most) cut = { end, size };
		size += sizeOfCharacter(character);
		end += character.length;
		if (size > most) {
			return { text: `${text.slice(0, cut.end)}${ellipsis}`, size: cut.size + sizeOfEllipsis };
		}
	}
	return { text, size };
}

/** Returns a text on one line, cut to a number of bytes, as n8n stores it. */
export const cutText = (text: string, most: number): string => fit(text, most).text;

/** Bytes of `… and 5,000 more` with its separator. */
const sizeOfRest = 30;

const restText = (count: number): string[] =>
	count > 0 ? [`${ellipsis} and ${count.toLocaleString('en-US')} more`] : [];

/**
 * Joins texts up to a number of bytes, and adds the number of omitted texts. The first text is always included, cut if necessary.
 *
 * @param total number of texts, if `texts` does not contain all
 */
export function joinTexts(
	texts: readonly string[],
	separator: string,
	most: number,
	total = texts.length,
): string {
	const shown: string[] = [];
	let available = most - sizeOfRest;
	for (const text of texts) {
		const { text: part, size } = fit(text, most - sizeOfRest);
		if (shown.length > 0 && size + separator.length > available) break;
		shown.push(part);
		available -= size + separator.length;
	}
	return [...shown, ...restText(total - shown.length)].join(separator);
}

/** Bytes of one message of a field, and of its key. */
const maxMessageBytes = 250;
const maxKeyBytes = 80;

/** Returns field errors up to a number of bytes. The last list ends with the number of the other messages. */
export function limitFieldErrors(errors: FieldErrors, most = 750): FieldErrors {
	const all = Object.entries(errors).flatMap(([key, messages]) =>
		messages.map((message) => ({ key, message })),
	);
	const limited = new Map<string, string[]>();
	let available = most - sizeOfRest;
	let shown = 0;
	for (const { key, message } of all) {
		const { text: name, size: nameSize } = fit(key, maxKeyBytes);
		const { text, size } = fit(message, Math.min(maxMessageBytes, most));
		// The quotes and comma of an entry, and the quotes and brackets of the list.
		const cost = size + 3 + (limited.has(name) ? 0 : nameSize + 6);
		if (shown > 0 && cost > available) break;
		limited.set(name, [...(limited.get(name) ?? []), text]);
		available -= cost;
		shown += 1;
	}
	const last = [...limited.values()].at(-1);
	restText(all.length - shown).forEach((text) => last?.push(text));
	return Object.fromEntries(limited);
}
