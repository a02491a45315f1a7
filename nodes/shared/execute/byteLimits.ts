import { escapeHtml, oneLine } from '../contract/text';
import type { FieldErrors } from '../transport/failures';

/** Returns the number of bytes of a text as n8n stores it: as JSON in UTF-8, with escaped HTML. */
const sizeOf = (text: string): number => Buffer.byteLength(JSON.stringify(escapeHtml(text))) - 2;

/** Returns a text on one line, cut to a number of bytes as n8n stores it. */
export function cutText(original: string, most: number): string {
	const text = oneLine(original);
	// Each character takes at least one byte.
	if (text.length <= most && sizeOf(text) <= most) return text;
	const cutAt = (length: number) => `${text.slice(0, length).replace(/[\ud800-\udbff]$/, '')}…`;
	let [low, high] = [0, most];
	while (low < high) {
		const middle = Math.ceil((low + high) / 2);
		if (sizeOf(cutAt(middle)) <= most) low = middle;
		else high = middle - 1;
	}
	return cutAt(low);
}

/** Bytes of `… and 5,000 more` with its separator. */
const sizeOfRest = 30;

const restText = (count: number): string[] =>
	count > 0 ? [`… and ${count.toLocaleString('en-US')} more`] : [];

/** Returns the first texts, up to a number of bytes. The first text is always included, cut if necessary. */
export function fittingTexts(texts: readonly string[], separator: string, most: number): string[] {
	const shown: string[] = [];
	let available = most - sizeOfRest;
	for (const text of texts) {
		const part = cutText(text, most - sizeOfRest);
		available -= sizeOf(part) + separator.length;
		if (shown.length > 0 && available < 0) break;
		shown.push(part);
	}
	return shown;
}

/**
 * Joins texts up to a number of bytes, and adds the number of omitted texts.
 *
 * @param total number of texts, if `texts` does not contain all
 */
export function joinTexts(
	texts: readonly string[],
	separator: string,
	most: number,
	total = texts.length,
): string {
	const shown = fittingTexts(texts, separator, most);
	return [...shown, ...restText(total - shown.length)].join(separator);
}

/** Bytes of one message of a field, and of its key. */
const maxMessageBytes = 250;
const maxKeyBytes = 80;

/** What JSON adds to a message. */
const jsonMarks = '"",';

/** Returns field errors up to a number of bytes. The last list ends with the number of the other messages. */
export function limitFieldErrors(errors: FieldErrors, most = 750): FieldErrors {
	const all = Object.entries(errors).flatMap(([key, messages]) =>
		messages.map((message) => [
			cutText(key, maxKeyBytes),
			cutText(message, Math.min(maxMessageBytes, most)),
		]),
	);
	const texts = all.map(([key = '', message = ''], at) =>
		key === all[at - 1]?.[0] ? message : `${key}'':[],${message}`,
	);
	const shown = fittingTexts(texts, jsonMarks, most);
	const limited = new Map<string, string[]>();
	for (const [key = '', message = ''] of all.slice(0, shown.length)) {
		limited.set(key, [...(limited.get(key) ?? []), message]);
	}
	const last = [...limited.values()].at(-1);
	for (const text of restText(all.length - shown.length)) last?.push(text);
	return Object.fromEntries(limited);
}
