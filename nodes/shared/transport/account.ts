import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { parseAddress } from '../contract/textLimits';
import { apiPrefix, apiRoot, baseUrlExpected } from './baseUrl';

/** Which service a credential leads to, and as whom. */
export interface Account {
	/** Address of the API. */
	readonly root: string;
	readonly apiKey: string;
}

/** From the first to the last visible character: a key that was pasted may have line breaks or invisible characters around it. */
const visible = /[^\s\p{Cc}\p{Cf}](?:.*[^\s\p{Cc}\p{Cf}])?/su;

/** Characters that a key cannot have, because an HTTP header cannot, or because the service's answer may lack them. */
const unusable: ReadonlyArray<readonly [pattern: RegExp, name: string]> = [
	[/\p{Cc}/u, 'a line break or another control character'],
	[/\p{Cf}/u, 'an invisible character'],
	[/[^\0-\xff]/u, 'a character that an HTTP header cannot have'],
];

/** Reads a credential. Returns the account, or what is wrong with the credential, without any part of the key. */
export function readAccount({ baseUrl, apiKey }: ICredentialDataDecryptedObject): Account | string {
	const root = apiRoot(baseUrl);
	if (root === undefined) return baseUrlExpected;
	const key = visible.exec(String(apiKey ?? ''))?.[0];
	if (key === undefined) return 'API Key is empty; paste it';
	const [, name] = unusable.find(([pattern]) => pattern.test(key)) ?? [];
	return name === undefined ? { root, apiKey: key } : `API Key contains ${name}; paste it again`;
}

const isAbsolute = /^([a-z][a-z\d+.-]*:)?\/\//i;

/**
 * Returns an address as n8n would request it: a path under `/api/v1` is one of the API, another relative address is one under
 * the request's own base URL if it has one. Undefined if it is no address.
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
	'This credential is only for addresses under its Base URL; enter such an address, or choose another credential';

/**
 * Returns an address in full if it is one of the service: on the origin of Base URL, and in its folder. Undefined if it is
 * not, so that the key is sent nowhere else.
 *
 * @param requestBase the base URL of the request itself, if it has one
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
	// A web server may take an encoded slash for a slash.
	const plain = new URL(`${origin}${url.pathname.replaceAll(/%2f|%5c/gi, '/')}`).pathname;
	const isWithin = [url.pathname, plain].every((path) => `${path}/`.startsWith(`${folder}/`));
	return isWithin ? url.href : undefined;
}
