import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { parseAddress, withoutEndSlashes } from '../contract/text';
import { shorten } from '../contract/values';
import { isTimeZone } from '../contract/wallTime';

/** The service of a credential, and its key. */
export interface Account {
	/** The address of the API. */
	readonly root: string;
	readonly apiKey: string;
}

/** The path of the API under the base URL (contract 4 and 9). */
export const apiPrefix = '/api/v1';

const baseUrlExpected =
	'Base URL must be the http or https address of the service, such as https://links.example.com';

/**
 * Returns the address of the API for a base URL. The base URL may have repeated or trailing slashes, a folder, the prefix of
 * the API, and invisible characters. Undefined if it is not an http(s) URL.
 */
export function apiRoot(baseUrl: unknown): string | undefined {
	const written = String(baseUrl ?? '')
		.replace(/[\p{Cc}\p{Cf}]/gu, '')
		.trim();
	const isWeb = /^https?:\/\/[^\s/]/i.test(written) && written.isWellFormed();
	const url = isWeb ? parseAddress(written) : undefined;
	if (!url) return undefined;
	const folder = withoutEndSlashes(url.pathname.replace(/\/+/g, '/'));
	return `${url.origin}${folder.endsWith(apiPrefix) ? folder : `${folder}${apiPrefix}`}`;
}

/** The text from the first to the last visible character: a pasted key may have line breaks or invisible characters around it. */
const visible = /[^\s\p{Cc}\p{Cf}](?:.*[^\s\p{Cc}\p{Cf}])?/su;

const quotes = '"\'`“”‘’';

/** What is often pasted in front of a key: quotes, and the name and scheme of the header. */
const beforeKey = new RegExp(`^(?:[\\s${quotes}]|authorization\\s*:|bearer(?=[\\s:]|$):?)+`, 'i');

/** A character that is no part of a key at its end. */
const afterKey = new RegExp(`[\\s\\p{Cc}\\p{Cf}${quotes}]`, 'u');

/** Returns the key in a pasted text; empty if there is none. */
function pastedKey(text: string): string {
	const key = (visible.exec(text)?.[0] ?? '').replace(beforeKey, '');
	let end = key.length;
	while (end > 0 && afterKey.test(key.charAt(end - 1))) end -= 1;
	return key.slice(0, end);
}

/** Characters that a key cannot have: an HTTP header cannot contain them, or a response may omit them when it repeats the key. */
const unusable: ReadonlyArray<readonly [pattern: RegExp, name: string]> = [
	[/\p{Cc}/u, 'a line break or another control character'],
	[/\p{Cf}/u, 'an invisible character'],
	[/[^\0-\xff]/u, 'a character that an HTTP header cannot have'],
];

/** Returns the IANA name of the time zone of a credential; an empty text if it has none. */
export const accountTimeZone = ({
	accountTimeZone: name,
}: ICredentialDataDecryptedObject): string => String(name ?? '').trim();

/** Returns the problem of a credential whose time zone does not exist; undefined if there is none. */
export function timeZoneProblem(credential: ICredentialDataDecryptedObject): string | undefined {
	const name = accountTimeZone(credential);
	return name === '' || isTimeZone(name)
		? undefined
		: `Account Time Zone "${shorten(name)}" does not exist; enter a name such as Europe/Berlin, or leave it empty`;
}

/** Returns the account of a credential, or a problem of the credential that contains no part of the key. */
export function readAccount(credential: ICredentialDataDecryptedObject): Account | string {
	const { baseUrl, apiKey } = credential;
	const root = apiRoot(baseUrl);
	if (root === undefined) return baseUrlExpected;
	const key = pastedKey(String(apiKey ?? ''));
	if (key === '') return 'API Key is empty; paste it';
	const [, name] = unusable.find(([pattern]) => pattern.test(key)) ?? [];
	if (name !== undefined) return `API Key contains ${name}; paste it again`;
	return timeZoneProblem(credential) ?? { root, apiKey: key };
}

const isAbsolute = /^([a-z][a-z\d+.-]*:)?\/\//i;

/**
 * Returns an address as n8n would request it. A path under `/api/v1` belongs to the API. Another relative address belongs to
 * the base URL of the request, if there is one. Undefined if it is not an address.
 */
function resolve(address: string, root: string, requestBase: string | undefined): URL | undefined {
	let text = address;
	if (address.startsWith(apiPrefix)) text = `${root}${address.slice(apiPrefix.length)}`;
	else if (requestBase !== undefined && !isAbsolute.test(address)) {
		text = `${requestBase.replace(/\/$/, '')}/${address.replace(/^\/+/, '')}`;
	}
	return parseAddress(text);
}

export const foreignAddress =
	'This credential works only for URLs under its Base URL; enter another URL, or choose another credential';

/**
 * Returns the absolute address if it belongs to the service: it has the origin of Base URL, and is in its folder. Otherwise
 * undefined, so that the key is sent to no other address.
 *
 * @param requestBase the base URL of the request, if there is one
 */
export function addressWithin(
	root: string,
	address: string,
	requestBase?: string,
): string | undefined {
	const url = resolve(address, root, requestBase);
	const { origin, pathname: apiPath } = new URL(root);
	if (url?.origin !== origin) return undefined;
	const folder = apiPath.slice(0, -apiPrefix.length);
	// A web server may decode an encoded slash.
	const plain = new URL(`${origin}${url.pathname.replaceAll(/%2f|%5c/gi, '/')}`).pathname;
	const isWithin = [url.pathname, plain].every((path) => `${path}/`.startsWith(`${folder}/`));
	return isWithin ? url.href : undefined;
}
