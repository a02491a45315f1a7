import { parseJson } from '../contract/values';
import { decodings, maxDepth, someDecoding } from './escapes';

/** To mask a shorter secret would black out ordinary text. */
const shortest = 8;

const characterOf = (byte: number): string => String.fromCharCode(byte);

/** A form writes a space as a plus, so that either may come back for the other. */
const withoutPlus = (text: string) => text.replaceAll('+', ' ');

/** Returns a secret in hexadecimal and in Base64, whatever is before it: without the characters that depend on its neighbors. */
function encodedForms(secret: string): string[] {
	const bytes = new TextEncoder().encode(secret);
	const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
	const base64 = [0, 1, 2].flatMap((before) => {
		const binary = Array.from([...new Uint8Array(before), ...bytes], characterOf).join('');
		const first = Math.ceil((before * 8) / 6);
		const last = Math.floor((binary.length * 8) / 6);
		const form = btoa(binary).slice(first, last);
		return [form, form.replaceAll('+', '-').replaceAll('/', '_')];
	});
	return [hex, hex.toUpperCase(), ...base64];
}

/** A service may drop the spaces around a secret. */
const plainForm = (secret: string): string => withoutPlus(secret.trim());

/** Returns a secret as texts that have it contain it. */
const formsOf = (secret: string): string[] => {
	const json = JSON.stringify(secret.trim()).slice(1, -1);
	// In a long body, no escapes are undone; this is how JSON commonly has them.
	const written = [json, json.replaceAll('/', '\\/'), ...encodedForms(secret.trim())];
	const forms = new Set([plainForm(secret), ...written.map(withoutPlus)]);
	return [...forms].filter((form) => form !== '');
};

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

/** Returns a text with a label in some places, which may overlap. */
function maskPlaces(text: string, places: readonly Range[], label: string): string {
	const parts: string[] = [];
	let end = 0;
	for (const [start, next] of [...places].sort(([one], [other]) => one - other)) {
		if (start >= end) parts.push(text.slice(end, start), label);
		end = Math.max(end, next);
	}
	return [...parts, text.slice(end)].join('');
}

/** The strings and numbers of JSON. In valid JSON a quote begins or ends a string. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/gs;

/** In characters: escapes are undone in all orders only in a text of this length. */
const longestDecoded = 100_000;

/** In characters: of a body that is not JSON, no more is read. */
const maxPlain = 10_000;

/**
 * Returns how many times escapes are undone in a body: JSON has one level more than other texts. Each time multiplies the
 * work, so it is less for a long body: a hostile one must not block n8n.
 */
function timesFor(length: number): number {
	if (length > 10 * longestDecoded) return 0;
	return length > longestDecoded ? 1 : maxDepth + 1;
}

/** Secrets, any number of them. How long it takes to find one in a text does not depend on their number. */
export class SecretSet {
	private readonly secrets = new Set<string>();

	private readonly beginnings = new Set<string>();

	private readonly lengths = new Set<number>();

	/** Adds a secret, unless it is too short to be masked. */
	add(secret: string): void {
		const plain = plainForm(secret);
		if (plain.length < shortest) return;
		this.secrets.add(plain);
		this.beginnings.add(plain.slice(0, shortest));
		this.lengths.add(plain.length);
	}

	/** Returns the places of the secrets in a text that has spaces for its pluses. */
	placesIn(plain: string): Range[] {
		const places: Range[] = [];
		const last = this.secrets.size === 0 ? -1 : plain.length - shortest;
		for (let start = 0; start <= last; start += 1) {
			if (!this.beginnings.has(plain.slice(start, start + shortest))) continue;
			for (const length of this.lengths) {
				const end = start + length;
				const isWhole = end <= plain.length && this.secrets.has(plain.slice(start, end));
				if (isWhole) places.push([start, end]);
			}
		}
		return places;
	}
}

/** Hides secrets in what comes from the service. */
export class SecretMask {
	/** Replaces each secret. It is safe in JSON, in a URL and in a header. */
	private readonly label: string;

	/** All forms of those that can be masked, and of those that are too short. */
	private readonly forms: readonly string[];
	private readonly shortForms: readonly string[];

	/** Secrets that are hidden as well, but not in hexadecimal or Base64. */
	private readonly others: SecretSet;

	constructor(secrets: readonly string[], label: string, others = new SecretSet()) {
		const isLong = (secret: string) => plainForm(secret).length >= shortest;
		this.label = label;
		this.forms = secrets.filter(isLong).flatMap(formsOf);
		this.shortForms = secrets.filter((secret) => !isLong(secret)).flatMap(formsOf);
		this.others = others;
	}

	private placesIn(text: string): Range[] {
		const plain = withoutPlus(text);
		return [...this.forms.flatMap((form) => placesOf(form, plain)), ...this.others.placesIn(plain)];
	}

	/** Returns whether a text may have a secret that is too short to be masked. JSON has one level of escapes more. */
	hasShort(text: string): boolean {
		const test = (decoded: string) =>
			this.shortForms.some((form) => withoutPlus(decoded).includes(form));
		return this.shortForms.length > 0 && someDecoding(text, timesFor(text.length), test);
	}

	/** Returns whether a text has any of the secrets. */
	isIn(text: string): boolean {
		return this.hasShort(text) || this.text(text) !== text;
	}

	/**
	 * Returns a text without the secrets, however they are escaped in it. Takes time in proportion to the length of the text.
	 * A secret of fewer than 8 characters is left in the text.
	 */
	text(text: string): string {
		if (text.length < shortest) return text;
		const decoded = text.length > longestDecoded ? [{ text }] : decodings({ text });
		const places = decoded.flatMap(({ text: plain, starts }) =>
			this.placesIn(plain).map(
				([start, end]): Range => [starts?.[start] ?? start, starts?.[end] ?? end],
			),
		);
		return places.length === 0 ? text : maskPlaces(text, places, this.label);
	}

	/**
	 * Returns a body without the secrets. JSON remains JSON: they are hidden in its strings, and as numbers. Of another body no
	 * more than the beginning is returned, because nothing reads the rest.
	 */
	body(body: string): string {
		if (!/^\uFEFF?\s*[[{"]/.test(body)) return this.text(body.slice(0, maxPlain));
		const times = timesFor(body.length);
		if (!someDecoding(body, times, (decoded) => this.placesIn(decoded).length > 0)) return body;
		if (parseJson(body.replace(/^\uFEFF/, '')) === undefined) {
			return this.text(body.slice(0, maxPlain));
		}
		return body.replace(tokens, (token) => {
			if (token.length < shortest) return token;
			if (!token.startsWith('"')) {
				return this.text(token) === this.label ? JSON.stringify(this.label) : token;
			}
			const value: unknown = JSON.parse(token);
			const masked = typeof value === 'string' ? this.text(value) : value;
			return masked === value ? token : JSON.stringify(masked);
		});
	}
}
