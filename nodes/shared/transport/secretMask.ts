import { parseJson } from '../contract/values';
import { decodings, maxDepth, someDecoding } from './escapes';

/** Min length of a secret that is masked. A shorter secret would mask ordinary text. */
const minLength = 8;

const characterOfByte = (byte: number): string => String.fromCharCode(byte);

/** A form encodes a space as a plus, so a response may contain either. */
const withoutPlus = (text: string) => text.replaceAll('+', ' ');

/** Returns a secret in hexadecimal, and in Base64 without the characters that depend on the text around it. */
function encodedForms(secret: string): string[] {
	const bytes = new TextEncoder().encode(secret);
	const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
	const base64 = [0, 1, 2].flatMap((before) => {
		const binary = Array.from([...new Uint8Array(before), ...bytes], characterOfByte).join('');
		const first = Math.ceil((before * 8) / 6);
		const last = Math.floor((binary.length * 8) / 6);
		const form = btoa(binary).slice(first, last);
		return [form, form.replaceAll('+', '-').replaceAll('/', '_')];
	});
	return [hex, hex.toUpperCase(), ...base64];
}

/** Returns a secret without the spaces around it, which a service may drop. */
const plainForm = (secret: string): string => withoutPlus(secret.trim());

/** Returns the forms in which a text may contain a secret. */
const formsOf = (secret: string): string[] => {
	const json = JSON.stringify(secret.trim()).slice(1, -1);
	// A long body is not decoded, so these are the escapes that are usual in JSON.
	const written = [json, json.replaceAll('/', '\\/'), ...encodedForms(secret.trim())];
	const forms = new Set([plainForm(secret), ...written.map(withoutPlus)]);
	return [...forms].filter((form) => form !== '');
};

/** A range of a text. The end is exclusive. */
type Range = readonly [start: number, end: number];

/** Returns the ranges of a part in a text. */
function rangesOf(part: string, text: string): Range[] {
	const ranges: Range[] = [];
	for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) {
		ranges.push([at, at + part.length]);
	}
	return ranges;
}

/** Replaces ranges of a text with a label. The ranges may overlap. */
function maskRanges(text: string, ranges: readonly Range[], label: string): string {
	const parts: string[] = [];
	let end = 0;
	for (const [start, next] of [...ranges].sort(([a], [b]) => a - b)) {
		if (start >= end) parts.push(text.slice(end, start), label);
		end = Math.max(end, next);
	}
	return [...parts, text.slice(end)].join('');
}

/** The strings and numbers of JSON. In valid JSON, each quote begins or ends a string. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/gs;

/** Max length in characters of a text that is decoded in all orders. */
const maxDecoded = 100_000;

/** Max length in characters that is read of a body that is not JSON. */
const maxPlain = 10_000;

/**
 * Returns the number of times that a body is decoded. JSON has one level more than other texts. Each time multiplies the
 * work, so a long body is decoded fewer times: a hostile body must not block n8n.
 */
function timesFor(length: number): number {
	if (length > 10 * maxDecoded) return 0;
	return length > maxDecoded ? 1 : maxDepth + 1;
}

/** A set of secrets. The time to search a text does not depend on their number. */
export class SecretSet {
	private readonly secrets = new Set<string>();

	private readonly beginnings = new Set<string>();

	private readonly lengths = new Set<number>();

	/** Adds a secret, unless it is too short to be masked. */
	add(secret: string): void {
		const plain = plainForm(secret);
		if (plain.length < minLength) return;
		this.secrets.add(plain);
		this.beginnings.add(plain.slice(0, minLength));
		this.lengths.add(plain.length);
	}

	/** Returns the ranges of the secrets in a text that has spaces for its pluses. */
	rangesIn(plain: string): Range[] {
		const ranges: Range[] = [];
		const last = this.secrets.size === 0 ? -1 : plain.length - minLength;
		for (let start = 0; start <= last; start += 1) {
			if (!this.beginnings.has(plain.slice(start, start + minLength))) continue;
			for (const length of this.lengths) {
				const end = start + length;
				const isWhole = end <= plain.length && this.secrets.has(plain.slice(start, end));
				if (isWhole) ranges.push([start, end]);
			}
		}
		return ranges;
	}
}

/** Masks secrets in responses of the service. */
export class SecretMask {
	/** Replaces each secret with a label. It is safe in JSON, in a URL and in a header. */
	private readonly label: string;

	/** The forms of secrets that can be masked, and of secrets that are too short. */
	private readonly forms: readonly string[];
	private readonly shortForms: readonly string[];

	/** More secrets to mask, but not in hexadecimal or Base64. */
	private readonly others: SecretSet;

	constructor(secrets: readonly string[], label: string, others = new SecretSet()) {
		const isLong = (secret: string) => plainForm(secret).length >= minLength;
		this.label = label;
		this.forms = secrets.filter(isLong).flatMap(formsOf);
		this.shortForms = secrets.filter((secret) => !isLong(secret)).flatMap(formsOf);
		this.others = others;
	}

	private rangesIn(text: string): Range[] {
		const plain = withoutPlus(text);
		return [...this.forms.flatMap((form) => rangesOf(form, plain)), ...this.others.rangesIn(plain)];
	}

	/** Returns whether a text may contain a secret that is too short to be masked. */
	hasShort(text: string): boolean {
		const test = (decoded: string) =>
			this.shortForms.some((form) => withoutPlus(decoded).includes(form));
		return this.shortForms.length > 0 && someDecoding(text, timesFor(text.length), test);
	}

	/** Returns whether a text contains a secret. */
	isIn(text: string): boolean {
		return this.hasShort(text) || this.text(text) !== text;
	}

	/**
	 * Returns a text without the secrets, including escaped secrets. Takes linear time. Does not mask secrets of fewer than
	 * 8 characters.
	 */
	text(text: string): string {
		if (text.length < minLength) return text;
		const decoded = text.length > maxDecoded ? [{ text }] : decodings({ text });
		const ranges = decoded.flatMap(({ text: plain, starts }) =>
			this.rangesIn(plain).map(
				([start, end]): Range => [starts?.[start] ?? start, starts?.[end] ?? end],
			),
		);
		return ranges.length === 0 ? text : maskRanges(text, ranges, this.label);
	}

	/**
	 * Returns a body without the secrets. JSON remains valid: secrets are masked in its strings and numbers. Of any other body,
	 * returns only the beginning, because no code reads the rest.
	 */
	body(body: string): string {
		if (!/^\uFEFF?\s*[[{"]/.test(body)) return this.text(body.slice(0, maxPlain));
		const times = timesFor(body.length);
		if (!someDecoding(body, times, (decoded) => this.rangesIn(decoded).length > 0)) return body;
		if (parseJson(body.replace(/^\uFEFF/, '')) === undefined) {
			return this.text(body.slice(0, maxPlain));
		}
		return body.replace(tokens, (token) => {
			if (token.length < minLength) return token;
			if (!token.startsWith('"')) {
				return this.text(token) === this.label ? JSON.stringify(this.label) : token;
			}
			const value: unknown = JSON.parse(token);
			const masked = typeof value === 'string' ? this.text(value) : value;
			return masked === value ? token : JSON.stringify(masked);
		});
	}
}
