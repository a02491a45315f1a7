import { isTextual, isUnset, parseJson } from './values';

/** What can be between the names in a text. */
const separator = /([,;\r\n])/;

/** Max number of separators in a heading that is found as a whole. */
const maxSeparators = 10;

/** Headings that have a separator in them, by their text without blanks around it. */
type WholeHeadings = ReadonlyMap<string, readonly string[]>;

function wholeHeadings(headings: Iterable<string>): WholeHeadings {
	const partsByHeading = new Map<string, string[]>();
	for (const heading of headings) {
		if (!separator.test(heading)) continue;
		const text = heading.trim();
		partsByHeading.set(text, [...(partsByHeading.get(text) ?? []), heading]);
	}
	return partsByHeading;
}

/** Returns the longest heading that begins at a piece, and the position of its last piece; undefined if there is none. */
function wholeAt(pieces: readonly string[], at: number, headingParts: WholeHeadings) {
	for (let end = at + 2 * maxSeparators; end > at; end -= 2) {
		const text = pieces.slice(at, end + 1).join('');
		const names = end < pieces.length ? headingParts.get(text.trim()) : undefined;
		if (names) return { names, end };
	}
	return undefined;
}

function namesInText(text: string, headings: Iterable<string>): string[] {
	const headingParts = wholeHeadings(headings);
	// Names and separators in turn.
	const pieces = text.split(separator);
	const names: string[] = [];
	let at = 0;
	while (at < pieces.length) {
		const heading = headingParts.size > 0 ? wholeAt(pieces, at, headingParts) : undefined;
		for (const name of heading?.names ?? [pieces[at]?.trim() ?? '']) names.push(name);
		at = (heading?.end ?? at) + 2;
	}
	return names.filter((name) => name !== '');
}

/**
 * Returns the names in a list, in its JSON, or in a text with commas, semicolons or line breaks between them; undefined for
 * any other value. In a text, a heading of the input that has a separator in it stays whole.
 */
export function namesOfColumns(
	value: unknown,
	headings: ReadonlySet<string>,
): readonly string[] | undefined {
	if (isUnset(value)) return [];
	if (typeof value === 'string') {
		const list = value.trim().startsWith('[') ? parseJson(value) : undefined;
		return Array.isArray(list) ? namesOfColumns(list, headings) : namesInText(value, headings);
	}
	if (!Array.isArray(value)) return undefined;
	const names = Array.from<unknown>(value);
	if (!names.every(isTextual)) return undefined;
	return names
		.map((name) => (headings.has(String(name)) ? String(name) : String(name).trim()))
		.filter((name) => name !== '');
}
