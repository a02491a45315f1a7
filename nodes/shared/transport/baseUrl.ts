import { parseAddress, withoutEndSlashes } from '../contract/textLimits';

/** The path of the API under the base URL (contract 4 and 9). */
export const apiPrefix = '/api/v1';

export const baseUrlExpected =
	'Base URL must be the http or https address of the service, such as https://links.example.com';

/**
 * Returns the address of the API for a base URL. The base URL may have trailing slashes, a folder, or the prefix of the API.
 * Undefined if it is not an http(s) URL.
 */
export function apiRoot(baseUrl: unknown): string | undefined {
	const written = String(baseUrl ?? '').trim();
	const isWeb = /^https?:\/\/[^\s/]/i.test(written) && written.isWellFormed();
	const url = isWeb ? parseAddress(written) : undefined;
	if (!url) return undefined;
	const { origin, pathname } = url;
	const folder = withoutEndSlashes(pathname);
	return `${origin}${folder.endsWith(apiPrefix) ? folder : `${folder}${apiPrefix}`}`;
}
