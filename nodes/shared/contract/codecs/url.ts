import { hasInvisible, trimInvisible, parseAddress } from '../text';
import { formulaError, isFormulaError, refused } from '../values';
import type { Codec } from '../types';
import { loneSurrogate } from './scalar';

export const startsWithHttp = (written: string): boolean => /^https?:\/\//i.test(written);

/** Matches a host and port without a scheme. URL parsing would read the host as the scheme. */
const hostWithPort = /^((localhost|[\w-]+(\.[\w-]+)+):\d{1,5}([/?#]|$)|[\w-]+:\d{1,5}\/)/i;

/** Matches a second address in the same cell, with or without a key. A service would store both as a single broken link. */
const secondAddress = /[\s,;|，；、](?:[^\s=,;|，；、]{1,200}=)?[a-z][a-z0-9+.-]{0,30}:\/\//i;

/** Characters that no URL contains: of HTML tags, and of escapes such as `\\n`. */
const noCharacter = /[<>\\]/;

/** Matches text with a colon that is no address: a blank after the colon, a drive letter, or a scheme before another one. */
const noAddress =
	/^(?:[a-z][a-z\d+.-]*:\s|[a-z]:|[a-z][a-z\d+.-]*:(?:\/\/)?[a-z][a-z\d+.-]{0,30}:\/\/)/i;

/** Matches a scheme with a typo in http or https: its letters in another order or number, or one that is missing, wrong or added. */
const mistypedScheme =
	/^(?!https?:)(?:[htps]{2,8}|\w{0,2}ttps?|h\w{0,2}tps?|ht\w{0,2}ps?|htt\w{0,2}s?|http\w{1,2}):\/\//i;

/** Max length of a host, in characters. */
const maxHostLength = 300;

/**
 * An absolute address. Refuses a text without a scheme or with a mistyped http or https, a line break or control character (assumption: line break in a URL), a second
 * address, and an invisible character unless the service sent it. Trims blanks and invisible characters. The service
 * decides which schemes it accepts.
 */
export const url: Codec = (value, property, { isAnswer } = {}) => {
	const refuse = (reason: string) => refused(value, property, reason);
	if (typeof value !== 'string') return refuse('is not text; it must start with https://');
	if (isFormulaError(value) && !isAnswer) return refuse(formulaError);
	const address = isAnswer ? value.trim() : trimInvisible(value);
	if (/[\n\v\f\r\u0085\u2028\u2029]/.test(address))
		return refuse('contains a line break; enter each address on its own line');
	if (!address.isWellFormed()) return refuse(loneSurrogate);
	if (!isAnswer && secondAddress.test(address)) {
		return refuse('contains more than one address; use a separate item for each');
	}
	if (!isAnswer && (hasInvisible(address) || /\p{Cc}/u.test(address))) {
		return refuse('contains an invisible character; delete it, or type the address again');
	}
	const start = address.slice(0, maxHostLength);
	const isNone = noAddress.test(start) || mistypedScheme.test(start);
	const isText = hostWithPort.test(start) || (!isAnswer && isNone);
	if (!isText && parseAddress(address)) {
		return isAnswer || !noCharacter.test(address)
			? [['', address]]
			: refuse('contains <, > or a backslash; remove it, or enter it as %3C, %3E or %5C');
	}
	return refuse(
		startsWithHttp(address) ? 'is not a URL; correct its domain' : 'must start with https://',
	);
};

/** Characters whose meaning changes if they are percent-encoded (RFC 3986, 2.2). A fragment may have a path and a query of its own. */
const delimiters = { path: /[%/?#]/g, query: /[%&=+#]/g, fragment: /[%/?&=+]/g };

/** Decodes percent-encoding, except for delimiters and bytes that are not UTF-8. A percent sign alone is `%25`. */
const decodeExcept = (text: string, reserved: RegExp): string =>
	text.replace(/%(?![\da-f]{2})/gi, '%25').replace(/(?:%[\da-f]{2})+/gi, (encoded) => {
		try {
			return decodeURIComponent(encoded).replace(reserved, encodeURIComponent);
		} catch {
			return encoded.toUpperCase();
		}
	});

/**
 * Returns a normalized address. Addresses that lead to the same place are equal: case of scheme and host, default
 * port, empty path, IDN, percent-encoding, and `+` for a space in the query. Returns any other text unchanged
 * (assumption: normalized addresses).
 */
export function comparableUrl(address: string): string {
	const url = parseAddress(address.trim());
	if (!url) return address;
	// The host is in lower case and ASCII, without the default port.
	const { protocol, username, password, host, pathname, search, hash } = url;
	const user = username || password ? `${username}:${password}@` : '';
	const path = decodeExcept(pathname, delimiters.path);
	// A plus sign in the query of a web address is a space.
	const isWeb = /^https?:$/.test(protocol);
	const query = decodeExcept(isWeb ? search.replaceAll('+', '%20') : search, delimiters.query);
	return `${protocol}//${user}${host}${path}${query}${decodeExcept(hash, delimiters.fragment)}`;
}
