import { parseJson } from '../contract/values';

/** Min length of a secret that is masked. A shorter secret would mask ordinary text. */
export const minSecret = 8;

const utf8 = new TextDecoder();

const characterOf = (code: number): string => (code <= 0x10ffff ? String.fromCodePoint(code) : '');

/** The letters of escapes in JSON. */
const letters = new Map([
	['b', '\b'],
	['f', '\f'],
	['n', '\n'],
	['r', '\r'],
	['t', '\t'],
]);

/** Decodes the escapes of JSON, with those that only PHP writes: `\/` and `\u00e4`. */
const fromJson = (text: string): string =>
	text.replace(/\\(?:u([\da-f]{4})|(.))/gis, (_, hex?: string, letter = '') =>
		hex === undefined ? (letters.get(letter) ?? letter) : String.fromCharCode(parseInt(hex, 16)),
	);

/** Decodes the escapes of a URL. */
const fromUrl = (text: string): string =>
	text.replace(/(?:%[\da-f]{2})+/gi, (escapes) =>
		utf8.decode(Uint8Array.from(escapes.slice(1).split('%'), (hex) => parseInt(hex, 16))),
	);

/** The names of escapes in HTML that web frameworks write. */
const names = new Map([
	['amp', '&'],
	['apos', "'"],
	['gt', '>'],
	['lt', '<'],
	['quot', '"'],
]);

/** Decodes the escapes of HTML. */
const fromHtml = (text: string): string =>
	text.replace(
		/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(amp|apos|gt|lt|quot));/gi,
		(_, hex?: string, decimal?: string, name = '') => {
			if (hex !== undefined) return characterOf(parseInt(hex, 16));
			return decimal === undefined
				? (names.get(name.toLowerCase()) ?? '')
				: characterOf(Number(decimal));
		},
	);

/** The ways in which a text may contain a secret. Each takes linear time. */
const decoders: ReadonlyArray<(text: string) => string> = [
	(text) => text,
	fromJson,
	fromUrl,
	// A form encodes a blank as a plus.
	(text) => fromUrl(text.replaceAll('+', ' ')),
	fromHtml,
];

/** Max length in characters of a text that is decoded. A longer one comes from a hostile service, and must not block n8n. */
const maxDecoded = 1_000_000;

/** The strings and numbers of JSON. In valid JSON, each quote begins or ends a string. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/gs;

/** Max length in characters that is read of a body that is not JSON. */
const maxPlain = 10_000;

/** Masks secrets in responses of the service. */
export class SecretMask {
	/** Replaces each secret. It is safe in JSON, in a URL and in a header. */
	private readonly label: string;

	/** Without the blanks around them, which a service may drop. */
	private readonly secrets: readonly string[];

	/** @param secrets those of fewer than 8 characters are not masked */
	constructor(secrets: readonly string[], label: string) {
		this.label = label;
		this.secrets = secrets
			.map((secret) => secret.trim())
			.filter(({ length }) => length >= minSecret)
			// If one secret contains another, no part of it is left.
			.sort((a, b) => b.length - a.length);
	}

	/** Returns a text without the secrets. If a secret was escaped in it, the other escapes of the text are decoded as well. */
	text(text: string): string {
		if (this.secrets.length === 0) return text;
		const used = text.length > maxDecoded ? decoders.slice(0, 1) : decoders;
		return used.reduce((masked, decode) => {
			const decoded = decode(masked);
			const contained = this.secrets.filter((secret) => decoded.includes(secret));
			if (contained.length === 0) return masked;
			return contained.reduce((rest, secret) => rest.replaceAll(secret, this.label), decoded);
		}, text);
	}

	/** Returns a token of JSON without the secrets. */
	private token(token: string): string {
		if (!token.startsWith('"')) {
			return this.secrets.includes(token) ? JSON.stringify(this.label) : token;
		}
		const value: unknown = JSON.parse(token);
		const masked = typeof value === 'string' ? this.text(value) : value;
		return masked === value ? token : JSON.stringify(masked);
	}

	/**
	 * Returns a body without the secrets. JSON remains valid: secrets are masked in its strings and numbers. Of any other body,
	 * returns only the beginning, because no code reads the rest.
	 */
	body(body: string): string {
		const isJson = /^\uFEFF?\s*[[{"]/.test(body);
		const plain = isJson ? fromJson(body) : '';
		if (isJson && this.text(plain) === plain) return body;
		return isJson && parseJson(body.replace(/^\uFEFF/, '')) !== undefined
			? body.replace(tokens, (token) => this.token(token))
			: this.text(body.slice(0, maxPlain));
	}
}
