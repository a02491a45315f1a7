import { isRecord } from '../contract/values';
import { fieldErrorsOf } from './explanations';

/** Returns the salted SHA-256 hash of texts, as text. */
export async function digest(salt: string, texts: readonly string[]): Promise<string> {
	const bytes = new TextEncoder().encode(JSON.stringify([salt, ...texts]));
	const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
	return btoa(Array.from(hash, (byte) => String.fromCharCode(byte)).join('')).replaceAll('=', '');
}

/** Min length of a secret that is masked. A shorter secret would mask ordinary text. */
const minSecret = 8;

/** Decodes the escapes of JSON. PHP also escapes slashes and letters. */
const fromJson = (text: string): string =>
	text.replace(
		/\\(?:u[\da-fA-F]{4}|["\\/bfnrt])/g,
		(escape) => JSON.parse(`"${escape}"`) as string,
	);

/** Decodes the escapes of a URL. */
const fromUrl = (text: string): string =>
	text.replace(/(?:%[\da-f]{2})+/gi, (escapes) =>
		Buffer.from(escapes.replaceAll('%', ''), 'hex').toString(),
	);

/** The names of escapes in HTML that web frameworks write. */
const names: Record<string, string> = { amp: '&', apos: "'", gt: '>', lt: '<', quot: '"' };

/** Decodes the escapes of HTML. */
export const fromHtml = (text: string): string =>
	text.replace(
		/&(?:#(x[\da-f]{1,6}|\d{1,7})|(amp|apos|gt|lt|quot));/gi,
		(_, number?: string, name = '') => {
			if (number === undefined) return names[name.toLowerCase()] ?? '';
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

/** Masks secrets in texts of the service. */
export interface SecretMask {
	/**
	 * Returns a text without the secrets; empty if it may contain one that is too short to be masked. If a secret was escaped in
	 * the text, its other escapes are decoded as well.
	 */
	readonly text: (text: string) => string;
	/**
	 * Returns decoded JSON without the secrets: in its names, strings and numbers.
	 *
	 * @param source the JSON as text
	 * @param form the form that was sent
	 */
	readonly json: (value: unknown, source: string, form?: URLSearchParams) => unknown;
}

/**
 * Returns a mask for secrets, without the blanks around them, which a service may drop.
 *
 * @param all those of fewer than 8 characters are not masked
 * @param label replaces each secret
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
			const rest = secrets.reduce((each, secret) => each.replaceAll(secret, label), decoded);
			return rest === decoded ? masked : rest;
		}, text);
	};
	const isSecret = (number: number) =>
		number >= 10 ** (minSecret - 1) && secrets.some((secret) => Number(secret) === number);
	const maskValue = (value: unknown): unknown => {
		if (typeof value === 'string') return maskText(value);
		if (typeof value === 'number') return isSecret(value) ? label : value;
		if (Array.isArray(value)) return value.map(maskValue);
		if (!isRecord(value)) return value;
		const entries = Object.entries(value).map(([name, each]) => [maskText(name), maskValue(each)]);
		return Object.fromEntries(entries) as typeof value;
	};
	const maskJson = (value: unknown, source: string) => {
		const plain = fromJson(source);
		return maskText(plain) === plain ? value : maskValue(value);
	};
	return { text: maskText, json: maskJson };
}

export const omitted = '(left out, because it may repeat a password)';

/** Returns the field errors in decoded JSON, with the names of the fields that were sent, and no text. */
function withoutTexts(value: unknown, form = new URLSearchParams()) {
	const sent = new Set([...form.keys()].map((name) => name.split('[')[0]));
	const named = Object.keys(fieldErrorsOf(value) ?? {}).filter((key) => sent.has(key));
	return { errors: Object.fromEntries(named.map((key) => [key, omitted])) };
}

/** Returns a mask for the passwords of a row in texts of the node, which shows passwords that are too short to be masked. */
export const passwordMask = (secrets: readonly string[]) => secretMask(secrets, '[password]');

/** Returns a mask for the passwords of a row. If one is too short to be masked, errors show no text of the service. */
export function rowSecrets(secrets: readonly string[]): SecretMask {
	if (!secrets.some((secret) => secret.trim().length < minSecret)) return passwordMask(secrets);
	return { text: () => '', json: (value, _source, form) => withoutTexts(value, form) };
}
