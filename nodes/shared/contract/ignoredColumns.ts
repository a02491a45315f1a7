import { isTextual, isUnset, parseJson } from './values';

/** Matches a separator. The group keeps it in the result of a split. */
const columnSeparator = /([,;\r\n])/;

/** Max number of separators in a column name that is recognized as a whole. */
const maxSeparators = 10;

/** Column names that contain a separator, by their trimmed text. */
type WholeHeadings = ReadonlyMap<string, readonly string[]>;

function wholeHeadings(headings: Iterable<string>): WholeHeadings {
	const partsByHeading = new Map<string, string[]>();
	for (const heading of headings) {
		if (!columnSeparator.test(heading)) continue;
		const text = heading.trim();
		partsByHeading.set(text, [...(partsByHeading.get(text) ?? []), heading]);
	}
	return partsByHeading;
}

/**
 * Returns the longest column name that starts at a piece, and the index of its last piece; undefined if there is
 * none.
 */
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
	// Names and separators alternate.
	const pieces = text.split(columnSeparator);
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
 * Returns the names in a list, in its JSON, or in a text with commas, semicolons or line breaks; undefined for any
 * other value. A column name of the input that contains a separator stays whole.
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
