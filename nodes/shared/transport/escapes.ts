/** Max number of times that a text is decoded: JSON in JSON, a URL in JSON. */
export const maxDepth = 2;

/** A decoded text, with the position of each character, and of its end, in the original. */
interface Decoded {
	readonly text: string;
	/** Undefined if no position has changed. */
	readonly starts?: readonly number[];
}

/** A kind of escape. */
interface Escape {
	/** The first character of each escape. */
	readonly mark: string;
	readonly pattern: RegExp;
	readonly read: (escape: string, hex?: string, name?: string) => string;
}

const characterOfCode = (code: number): string =>
	code <= 0x10ffff ? String.fromCodePoint(code) : '';

const utf8 = new TextDecoder();

const fromHex = (hex: string): number => Number.parseInt(hex, 16);

/** The letters of escapes in JSON. */
const lettered = new Map([
	['b', '\b'],
	['f', '\f'],
	['n', '\n'],
	['r', '\r'],
	['t', '\t'],
]);

/** The names of escapes in HTML that web frameworks use. */
const namedEscapes = new Map([
	['amp', '&'],
	['apos', "'"],
	['gt', '>'],
	['lt', '<'],
	['quot', '"'],
]);

/** `\/`, `\"` and `\u0041` of JSON, `%C3%A4` and `%E4` of a URL, and `&#43;` and `&amp;` of HTML. */
const escapes: readonly Escape[] = [
	{
		mark: '\\',
		pattern: /\\(?:u([\da-f]{4})|(.))/gis,
		read: (_, hex, name = '') =>
			hex === undefined ? (lettered.get(name) ?? name) : String.fromCharCode(fromHex(hex)),
	},
	{
		mark: '%',
		pattern:
			/%(?:[cd][\da-f]%[89ab][\da-f]|e[\da-f](?:%[89ab][\da-f]){2}|f[0-7](?:%[89ab][\da-f]){3}|[\da-f]{2})/gi,
		read: (escape) => {
			const bytes = escape.split('%').slice(1).map(fromHex);
			const [first = 0] = bytes;
			return bytes.length > 1 ? utf8.decode(Uint8Array.from(bytes)) : characterOfCode(first);
		},
	},
	{
		mark: '&',
		pattern: /&(?:#x([\da-f]{1,6})|(#\d{1,7}|amp|apos|gt|lt|quot));/gi,
		read: (_, hex, name = '') =>
			hex === undefined
				? (namedEscapes.get(name.toLowerCase()) ?? characterOfCode(Number(name.slice(1))))
				: characterOfCode(fromHex(hex)),
	},
];

/** Decodes one kind of escapes; returns undefined if the text has none. */
function decode({ text, starts }: Decoded, { pattern, read }: Escape): Decoded | undefined {
	const parts: string[] = [];
	const places: number[] = [];
	const placeOf = (at: number) => starts?.[at] ?? at;
	let end = 0;
	const copyUpTo = (next: number) => {
		parts.push(text.slice(end, next));
		for (let at = end; at < next; at += 1) places.push(placeOf(at));
	};
	for (const match of text.matchAll(pattern)) {
		copyUpTo(match.index);
		const part = read(match[0], match[1], match[2]);
		parts.push(part);
		for (let unit = 0; unit < part.length; unit += 1) places.push(placeOf(match.index));
		end = match.index + match[0].length;
	}
	if (end === 0) return undefined;
	copyUpTo(text.length);
	places.push(placeOf(text.length));
	return { text: parts.join(''), starts: places };
}

/** Returns a text, and the text decoded in each order of the kinds of escapes. */
export function decodings(decoded: Decoded, depth = 0): Decoded[] {
	const inner = depth < maxDepth ? escapes.flatMap((escape) => decode(decoded, escape) ?? []) : [];
	return [decoded, ...inner.flatMap((text) => decodings(text, depth + 1))];
}

/** Returns whether a text passes a test when it is decoded up to a number of times. Fast if it has no escapes. */
export function someDecoding(
	text: string,
	times: number,
	test: (decoded: string) => boolean,
): boolean {
	if (test(text)) return true;
	if (times === 0) return false;
	return escapes.some(
		({ mark, pattern, read }) =>
			text.includes(mark) && someDecoding(text.replace(pattern, read), times - 1, test),
	);
}
