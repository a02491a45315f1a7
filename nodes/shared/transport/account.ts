import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { parseAddress, withoutEndSlashes } from '../contract/text';
import { shorten } from '../contract/values';
import { isTimeZone } from '../contract/wallTime';
import { rejection } from './failures';

/** The path of the API under the base URL (contract 4 and 9). */
export const apiPrefix = '/api/v1';

/**
 * Returns the address of the API for a base URL. The base URL may have repeated or trailing slashes, a folder, the prefix of
 * the API, and invisible characters. Undefined if it is not an http(s) URL.
 */
export function apiRoot(baseUrl: unknown): string | undefined {
	const visible = String(baseUrl ?? '').replace(/[\p{Cc}\p{Cf}]/gu, '');
	const written = visible.trim();
	const isWeb = /^https?:\/\/[^\s/]/i.test(written) && written.isWellFormed();
	const url = isWeb ? parseAddress(written) : undefined;
	if (!url) return undefined;
	const folder = withoutEndSlashes(url.pathname.replace(/\/+/g, '/'));
	return `${url.origin}${folder.endsWith(apiPrefix) ? folder : `${folder}${apiPrefix}`}`;
}

const quotes = '"\'`“”‘’';

/** What is often pasted in front of a key: quotes, invisible characters, and the name and scheme of the header. */
const beforeKey = new RegExp(
	`^(?:[\\s\\p{Cc}\\p{Cf}${quotes}]|authorization\\s*:|bearer(?=[\\s:]|$):?)+`,
	'iu',
);

/** A character that is no part of a key at its end. */
const afterKey = new RegExp(`[\\s\\p{Cc}\\p{Cf}${quotes}]`, 'u');

/** Returns the key in a pasted text; empty if there is none. */
function pastedKey(text: string): string {
	const key = text.replace(beforeKey, '');
	let end = key.length;
	while (end > 0 && afterKey.test(key.charAt(end - 1))) end -= 1;
	return key.slice(0, end);
}

/** Matches a character that an HTTP header cannot contain, or that a response may omit when it repeats the key. */
const impossible = /[\p{Cc}\p{Cf}]|[^\0-\xff]/u;

const unusable = (problem: string) =>
	rejection(problem, 'Nothing was sent. Open the credential and correct it.');

/**
 * Returns the IANA name of the time zone of a credential; an empty text if it has none.
 *
 * @throws ServiceError if it does not exist
 */
export function timeZoneIn({ accountTimeZone }: ICredentialDataDecryptedObject): string {
	const name = String(accountTimeZone ?? '').trim();
	if (name === '' || isTimeZone(name)) return name;
	throw unusable(
		`Account Time Zone "${shorten(name)}" does not exist; enter a name such as Europe/Berlin, or leave it empty`,
	);
}

/**
 * Returns the account of a credential: the address of the API, and the key.
 *
 * @throws ServiceError if the credential cannot be used. It contains no part of the key.
 */
export function readAccount(credential: ICredentialDataDecryptedObject) {
	const root = apiRoot(credential.baseUrl);
	if (root === undefined) {
		throw unusable(
			'Base URL must be the http or https address of the service, such as https://links.example.com',
		);
	}
	const apiKey = pastedKey(String(credential.apiKey ?? ''));
	if (apiKey === '') throw unusable('API Key is empty; paste it');
	if (impossible.test(apiKey))
		throw unusable('API Key contains an impossible or invisible character; paste it again');
	timeZoneIn(credential);
	return { root, apiKey };
}

/** The service of a credential, and its key. */
export type Account = Readonly<ReturnType<typeof readAccount>>;

/**
 * Returns an address as n8n would request it. A path under `/api/v1` belongs to the API. Another relative address belongs to
 * the base URL of the request, if there is one. Undefined if it is not an address.
 */
function resolve(address: string, root: string, requestBase: string | undefined): URL | undefined {
	if (address.startsWith(apiPrefix)) return parseAddress(root + address.slice(apiPrefix.length));
	const isAbsolute = /^([a-z][a-z\d+.-]*:)?\/\//i.test(address);
	if (requestBase === undefined || isAbsolute) return parseAddress(address);
	return parseAddress(`${requestBase.replace(/\/$/, '')}/${address.replace(/^\/+/, '')}`);
}

/** The address of a request. n8n has two types of requests, with the address in `url` or in `uri`. */
export type RequestAddress = Partial<Record<'baseURL' | 'uri' | 'url', string>>;

/**
 * Returns the absolute address of a request if it belongs to the service: it has the origin of Base URL, and is in its folder.
 *
 * @throws Error if it does not, so that the key is sent to no other address
 */
export function addressWithin(root: string, request: RequestAddress): string {
	// Without an address, the request is for no address of the service.
	const url = resolve(request.uri ?? request.url ?? '', root, request.baseURL);
	const { origin, pathname: apiPath } = new URL(root);
	const folder = apiPath.slice(0, -apiPrefix.length);
	const path = url?.pathname ?? '';
	// A web server may decode an encoded slash.
	const decoded = new URL(`${origin}${path.replaceAll(/%2f|%5c/gi, '/')}`).pathname;
	const isWithin = [path, decoded].every((each) => `${each}/`.startsWith(`${folder}/`));
	if (url?.origin === origin && isWithin) return url.href;
	throw new Error(
		'This credential works only for URLs under its Base URL; enter another URL, or choose another credential',
	);
}
