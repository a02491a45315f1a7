import { parseJson } from '../contract/values';
import { fieldErrorsOf } from './explanations';

const toText = (bytes: Uint8Array): string =>
	btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')).replaceAll('=', '');

/** Returns 128 random bits as text. */
export const newSalt = (): string => toText(crypto.getRandomValues(new Uint8Array(16)));

/** Returns the salted SHA-256 hash of texts, as text. */
export async function digest(salt: string, texts: readonly string[]): Promise<string> {
	const bytes = new TextEncoder().encode(JSON.stringify([salt, ...texts]));
	return toText(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));
}

/** Min length of a secret that is masked. A shorter secret would mask ordinary text. */
const minSecret = 8;

/** Decodes the escapes of JSON. PHP also escapes slashes and letters. */
const fromJson = (text: string): string =>
	text.replace(
		/\\(?:u[\da-fA-F]{4}|["\\/bfnrt])/g,
		(escape) => JSON.parse(`"${escape}"`) as string,
	);

const utf8 = new TextDecoder();

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
export const fromHtml = (text: string): string =>
	text.replace(
		/&(?:#(x[\da-f]{1,6}|\d{1,7})|(amp|apos|gt|lt|quot));/gi,
		(_, number?: string, name = '') => {
			if (number === undefined) return names.get(name.toLowerCase()) ?? '';
			const code = Number(number.toLowerCase().replace('x', '0x'));
			return code <= 0x10ffff ? String.fromCodePoint(code) : '';
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

/** Masks secrets in texts of the service. */
export interface SecretMask {
	/** Returns a text without the secrets. If a secret was escaped in it, the other escapes of the text are decoded as well. */
	readonly text: (text: string) => string;
	/**
	 * Returns a body without the secrets. JSON remains valid: secrets are masked in its strings and numbers. Of any other body,
	 * returns only the beginning, because no code reads the rest.
	 */
	readonly body: (body: string) => string;
}

/**
 * Returns a mask for secrets, without the blanks around them, which a service may drop.
 *
 * @param all those of fewer than 8 characters are not masked
 * @param label replaces each secret. It is safe in JSON, in a URL and in a header.
 */
export function secretMask(all: readonly string[], label: string): SecretMask {
	const secrets = all
		.map((secret) => secret.trim())
		.filter(({ length }) => length >= minSecret)
		// If one secret contains another, no part of it is left.
		.sort((a, b) => b.length - a.length);
	const maskText = (text: string) => {
		const used = text.length > maxDecoded ? decoders.slice(0, 1) : decoders;
		return used.reduce((masked, decode) => {
			const decoded = decode(masked);
			const contained = secrets.filter((secret) => decoded.includes(secret));
			if (contained.length === 0) return masked;
			return contained.reduce((rest, secret) => rest.replaceAll(secret, label), decoded);
		}, text);
	};
	const maskToken = (token: string) => {
		if (!token.startsWith('"')) return secrets.includes(token) ? JSON.stringify(label) : token;
		const value = JSON.parse(token) as string;
		const masked = maskText(value);
		return masked === value ? token : JSON.stringify(masked);
	};
	const maskBody = (body: string) => {
		const isJson = /^\uFEFF?\s*[[{"]/.test(body);
		const plain = isJson ? fromJson(body) : '';
		if (isJson && maskText(plain) === plain) return body;
		return isJson && parseJson(body.replace(/^\uFEFF/, '')) !== undefined
			? body.replace(tokens, maskToken)
			: maskText(body.slice(0, maxPlain));
	};
	return { text: maskText, body: maskBody };
}

/** The parts of a response that may repeat a secret. */
interface ShownAnswer {
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string;
}

const omitted = '(left out, because it may repeat a password)';

/** Returns a body with the names of the fields that were sent, and no text. */
function withoutTexts(form: URLSearchParams | undefined, body: string): string {
	const sent = new Set([...(form?.keys() ?? [])].map((name) => name.split('[')[0]));
	const named = Object.keys(fieldErrorsOf(parseJson(body)) ?? {}).filter((key) => sent.has(key));
	return JSON.stringify({ errors: Object.fromEntries(named.map((key) => [key, omitted])) });
}

/** Masks the passwords of a row in the texts of the service that errors show. */
export interface RowSecrets {
	/** Returns a text that an error may show; empty if a password is too short to be masked. */
	readonly text: (text: string) => string;
	/**
	 * Returns a response that an error may show. If a password is too short to be masked, it keeps only the names of the fields
	 * that were sent.
	 */
	readonly answer: <T extends ShownAnswer>(form: URLSearchParams | undefined, answer: T) => T;
}

/** Returns a mask for the passwords of a row. If one is too short to be masked, errors show no text of the service. */
export function rowSecrets(secrets: readonly string[]): RowSecrets {
	const mask = secretMask(secrets, '[password]');
	const hasShort = secrets.some((secret) => secret.trim().length < minSecret);
	const text = hasShort ? () => '' : mask.text;
	return {
		text,
		answer: (form, answer) => {
			const { headers, body } = answer;
			const { location } = headers;
			const shown = location && (hasShort ? omitted : text(location));
			return {
				...answer,
				headers: shown === undefined ? headers : { ...headers, location: shown },
				body: hasShort ? withoutTexts(form, body) : mask.body(body),
			};
		},
	};
}
