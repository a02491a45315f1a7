import { parseJson } from '../contract/values';

/** What stands in place of the key. It is safe in JSON, in a URL and in a header. */
const mask = '[API key]';

/** A shorter key would black out ordinary text. */
const shortestKey = 8;

/** Escapes are undone up to this number of times: JSON in JSON, a URL in JSON. */
const maxDepth = 2;

/** A text after escapes were undone, with the place of each character, and of its end, in the original. */
interface Decoded {
	readonly text: string;
	/** Undefined if each character is in its original place. */
	readonly starts?: Uint32Array;
}

/** One way of writing a character as several. */
interface Escape {
	/** The character that begins each. */
	readonly mark: string;
	readonly pattern: RegExp;
	readonly read: (hex: string | undefined, character: string | undefined) => string;
}

const characterOfCode = (code: number): string => String.fromCharCode(code);

const characterOf = (hex: string): string => String.fromCharCode(Number.parseInt(hex, 16));

/** The characters that HTML names, as web frameworks escape them. */
const named = new Map([
	['amp', '&'],
	['apos', "'"],
	['gt', '>'],
	['lt', '<'],
	['quot', '"'],
]);

/** `\/`, `\"` and `\u0041` of JSON, `%41` of a URL, and `&#43;` and `&amp;` of HTML. The header that has the key holds nothing but ASCII. */
const escapes: readonly Escape[] = [
	{
		mark: '\\',
		pattern: /\\(?:u([\da-f]{4})|(.))/gis,
		read: (hex, character = '') => (hex === undefined ? character : characterOf(hex)),
	},
	{ mark: '%', pattern: /%([\da-f]{2})/gi, read: (hex = '') => characterOf(hex) },
	{
		mark: '&',
		pattern: /&(?:#x([\da-f]{1,4})|(#\d{1,5}|amp|apos|gt|lt|quot));/gi,
		read: (hex, name = '') => {
			if (hex !== undefined) return characterOf(hex);
			return named.get(name.toLowerCase()) ?? String.fromCharCode(Number(name.slice(1)));
		},
	},
];

/** Returns a text with one kind of escapes undone; undefined if it has none. */
function decode({ text, starts }: Decoded, { pattern, read }: Escape): Decoded | undefined {
	const parts: string[] = [];
	const places = new Uint32Array(text.length + 1);
	let length = 0;
	const addPlaceOf = (at: number) => {
		places[length] = starts?.[at] ?? at;
		length += 1;
	};
	let end = 0;
	const copyUpTo = (next: number) => {
		parts.push(text.slice(end, next));
		for (let at = end; at < next; at += 1) addPlaceOf(at);
	};
	for (const match of text.matchAll(pattern)) {
		copyUpTo(match.index);
		parts.push(read(match[1], match[2]));
		addPlaceOf(match.index);
		end = match.index + match[0].length;
	}
	if (end === 0) return undefined;
	copyUpTo(text.length);
	addPlaceOf(text.length);
	return { text: parts.join(''), starts: places };
}

/** Gives a text as it is, and with its escapes undone in each order; one by one, because a text may have many megabytes. */
function* decodings(decoded: Decoded, depth = 0): Generator<Decoded> {
	yield decoded;
	for (const escape of depth < maxDepth ? escapes : []) {
		const inner = decode(decoded, escape);
		if (inner) yield* decodings(inner, depth + 1);
	}
}

/** A form writes a space as a plus, so that either may come back for the other. */
const withoutPlus = (text: string) => text.replaceAll('+', ' ');

/**
 * Returns the key in hexadecimal and in Base64, whatever is before it: without the characters that depend on its neighbors.
 */
function encodedForms(key: string): string[] {
	const bytes = new TextEncoder().encode(key);
	const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
	const base64 = [0, 1, 2].flatMap((before) => {
		const binary = Array.from([...new Uint8Array(before), ...bytes], characterOfCode).join('');
		const first = Math.ceil((before * 8) / 6);
		const last = Math.floor((binary.length * 8) / 6);
		const form = btoa(binary).slice(first, last);
		return [form, form.replaceAll('+', '-').replaceAll('/', '_')];
	});
	return [hex, hex.toUpperCase(), ...base64];
}

/** A place in a text, from its first character up to and without its end. */
type Range = readonly [start: number, end: number];

/** Returns the places of a part in a text. */
function placesOf(part: string, text: string): Range[] {
	const places: Range[] = [];
	for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) {
		places.push([at, at + part.length]);
	}
	return places;
}

/** Returns a text with the mask in some places, which may overlap. */
function maskPlaces(text: string, places: readonly Range[]): string {
	const parts: string[] = [];
	let end = 0;
	for (const [start, next] of [...places].sort(([one], [other]) => one - other)) {
		if (start >= end) parts.push(text.slice(end, start), mask);
		end = Math.max(end, next);
	}
	return [...parts, text.slice(end)].join('');
}

/** The strings and numbers of JSON. In valid JSON a quote begins or ends a string. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/gs;

/** Hides an API key in what comes from the service. */
export class KeyMask {
	private readonly key: string;

	private readonly forms: readonly string[];

	constructor(apiKey: string) {
		this.key = withoutPlus(apiKey.trim());
		this.forms = this.isShort ? [] : encodedForms(apiKey.trim());
	}

	private get isShort(): boolean {
		return this.key.length < shortestKey;
	}

	/** Returns whether a text may have the key, after escapes were undone a number of times. Quick where it has none. */
	private isIn(text: string, times: number): boolean {
		if (withoutPlus(text).includes(this.key) || this.forms.some((form) => text.includes(form)))
			return true;
		if (times === 0) return false;
		return escapes.some(({ mark, pattern, read }) => {
			if (!text.includes(mark)) return false;
			const undo = (_: string, hex?: string, character?: string) => read(hex, character);
			return this.isIn(text.replace(pattern, undo), times - 1);
		});
	}

	/**
	 * Returns a text without the key, however the key is escaped in it. Takes time in proportion to the length of the text.
	 * A key of fewer than 8 characters is left in the text.
	 */
	text(text: string): string {
		if (this.isShort || text.length < this.key.length) return text;
		const places: Range[] = [];
		for (const { text: decoded, starts } of decodings({ text })) {
			const found = [
				...placesOf(this.key, withoutPlus(decoded)),
				...this.forms.flatMap((form) => placesOf(form, decoded)),
			];
			for (const [start, end] of found)
				places.push([starts?.[start] ?? start, starts?.[end] ?? end]);
		}
		return places.length === 0 ? text : maskPlaces(text, places);
	}

	/** Returns a body without the key. JSON remains JSON: the key is hidden in its strings, and as a number. */
	body(body: string): string {
		// JSON has one level of escapes more.
		if (this.isShort || !this.isIn(body, maxDepth + 1)) return body;
		const isJson =
			/^\uFEFF?\s*[[{"]/.test(body) && parseJson(body.replace(/^\uFEFF/, '')) !== undefined;
		if (!isJson) return this.text(body);
		return body.replace(tokens, (token) => {
			if (!token.startsWith('"')) return token === this.key ? JSON.stringify(mask) : token;
			if (token.length < this.key.length) return token;
			const value: unknown = JSON.parse(token);
			const masked = typeof value === 'string' ? this.text(value) : value;
			return masked === value ? token : JSON.stringify(masked);
		});
	}
}
