import { parseAddress, withoutEndSlashes } from './textLimits';

/** Characters that mean something else when they are percent-encoded, in the path and in the query (RFC 3986, 2.2). */
const pathDelimiters = /[%/?#]/g;
const queryDelimiters = /[%&=+#]/g;

/** Decodes percent-encoding, apart from the delimiters, and from bytes that are no UTF-8. */
const decoded = (text: string, delimiters: RegExp): string =>
	text.replace(/(?:%[\da-f]{2})+/gi, (encoded) => {
		try {
			return decodeURIComponent(encoded).replace(delimiters, encodeURIComponent);
		} catch {
			return encoded.toUpperCase();
		}
	});

/** The parts of an address that visitors are sent by, each in a form that equal values share. */
interface AddressParts {
	readonly protocol: string;
	/** Host and port in lower case, in ASCII, and without the default port; with user and password if there are any. */
	readonly host: string;
	readonly path: string;
	/** With its question mark; empty if there is none. */
	readonly query: string;
	/** With its hash; empty if there is none. */
	readonly fragment: string;
}

/** The parts of an address; undefined for text that is none. */
function partsOf(address: string): AddressParts | undefined {
	const url = parseAddress(address.trim());
	if (!url) return undefined;
	const { protocol, username, password, host, pathname, search, hash } = url;
	const user = username || password ? `${username}:${password}@` : '';
	return {
		protocol,
		host: `${user}${host}`,
		path: decoded(pathname, pathDelimiters),
		// In a query, a plus sign is a space.
		query: decoded(search.replaceAll('+', '%20'), queryDelimiters),
		fragment: decoded(hash, /%/g),
	};
}

/**
 * Returns an address in a form that is the same for addresses that lead to the same place: case of scheme and host, default
 * port, empty path, IDN, percent-encoding, and `+` for a space in the query. Returns other text as it is
 * (assumption: normalized addresses).
 */
export function comparableUrl(address: string): string {
	const parts = partsOf(address);
	if (!parts) return address;
	const { protocol, host, path, query, fragment } = parts;
	return `${protocol}//${host}${path}${query}${fragment}`;
}

/** Returns whether two addresses have the same host and port. Returns true if one of them is no address. */
export function isSameHost(a: string, b: string): boolean {
	const [first, second] = [partsOf(a), partsOf(b)];
	return !first || !second || first.host === second.host;
}

const pathKey = ({ path }: AddressParts) => path.replaceAll(/\/\/+/g, '/').toLowerCase();

const pairsOf = ({ query }: AddressParts) =>
	query
		.slice(1)
		.toLowerCase()
		.split('&')
		.filter((pair) => pair !== '');

/**
 * Returns whether a service may have made one address of another by tidying it up: it keeps the host and the path, apart
 * from case and slashes, and adds nothing to the query. It may make `https` of `http`. Returns true if one of them is no
 * address.
 *
 * @param sentUrl the address that was written
 * @param answeredUrl the one that the service answered with
 * @param keepsQuery whether it drops nothing of the query either
 */
export function isTidied(sentUrl: string, answeredUrl: string, keepsQuery = false): boolean {
	const [from, to] = [partsOf(sentUrl), partsOf(answeredUrl)];
	if (!from || !to) return true;
	const [sentPairs, answeredPairs] = [from, to].map((parts) => new Set(pairsOf(parts)));
	return (
		(from.protocol === to.protocol || to.protocol === 'https:') &&
		from.host === to.host &&
		withoutEndSlashes(pathKey(from)) === withoutEndSlashes(pathKey(to)) &&
		pairsOf(to).every((pair) => sentPairs?.has(pair)) &&
		(!keepsQuery || sentPairs?.size === answeredPairs?.size) &&
		(to.fragment === '' || to.fragment.toLowerCase() === from.fragment.toLowerCase())
	);
}
