import type { INodeProperties } from 'n8n-workflow';
import { loneSurrogate } from '../../shared/contract/codecs/scalar';
import { Invalid, type Resource } from '../../shared/contract/types';
import type { AddressContract, ResourceReference } from '../../shared/contract/resourceTypes';
import { isRecord, quote, unwrapLocator } from '../../shared/contract/values';

const hasScheme = /^https?:\/\//i;

function decodedPath(path: string): string {
	try {
		return decodeURIComponent(path);
	} catch {
		return path;
	}
}

/** Returns a text without leading and trailing slashes. Uses a loop, because a regular expression takes quadratic time. */
function withoutSlashes(text: string): string {
	let [from, to] = [0, text.length];
	while (text[from] === '/') from += 1;
	while (to > from && text[to - 1] === '/') to -= 1;
	return text.slice(from, to);
}

/** Returns the lowercase host and the path of a URL, without scheme, query and trailing slashes; undefined without a path. */
function hostAndPath(address: string): string | undefined {
	const [place = ''] = address.trim().replace(hasScheme, '').split(/[?#]/, 1);
	const slash = place.indexOf('/');
	const path = withoutSlashes(place.slice(slash));
	if (slash < 1 || path === '' || /\s/.test(address.trim())) return undefined;
	return `${place.slice(0, slash).toLowerCase()}/${decodedPath(path)}`;
}

/** Returns the keys of a link: its short URL, and its domain with its alias (assumption: one resource). */
function linkKeys({ short_url: shortUrl, domain, alias }: Resource): string[] {
	const domainName = isRecord(domain) ? String(domain.name) : '';
	const names = [hostAndPath(String(shortUrl)), hostAndPath(`${domainName}/${String(alias)}`)];
	return names.filter((name) => name !== undefined);
}

/**
 * Returns the reference to a link by its short URL, or by domain and alias such as `short.example/spring-sale`; undefined for
 * an ID. Accepts a complete URL as an ID, because no ID has a scheme, and AI agents mix them up.
 */
function readShortUrl(
	value: unknown,
	property: INodeProperties,
	isUrlMode: boolean,
): Invalid | ResourceReference | undefined {
	const input = unwrapLocator(value);
	const text = typeof input === 'string' ? input.trim() : '';
	if (!isUrlMode && !hasScheme.test(text)) return undefined;
	const name = hostAndPath(text);
	if (name?.isWellFormed() === false) {
		return new Invalid([`${quote(input, property)} ${loneSurrogate}`]);
	}
	if (name === undefined) {
		return new Invalid([
			`${quote(input, property)} is not a short URL; enter one like https://short.example/spring-sale, or short.example/spring-sale`,
		]);
	}
	const search = name.slice(name.lastIndexOf('/') + 1);
	return { text, search, key: name };
}

/** References to links by their short URLs. */
export const shortUrl: AddressContract = {
	displayName: 'short URL',
	read: readShortUrl,
	keysOf: linkKeys,
};
