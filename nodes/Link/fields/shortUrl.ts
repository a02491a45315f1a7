import type { INodeProperties } from 'n8n-workflow';
import { invisibleMark, line, loneSurrogate, textOf } from '../../shared/contract/codecs/scalar';
import { refused, isRecord, isTextual, unwrapLocator } from '../../shared/contract/values';
import { Invalid, type Resource } from '../../shared/contract/types';
import { asciiHost, hasMark, trimInvisible, withoutEndSlashes } from '../../shared/contract/text';
import type { AddressContract, ResourceReference } from '../../shared/contract/resourceTypes';

const hasScheme = /^https?:\/\//i;

function decodedPath(path: string): string {
	try {
		return decodeURIComponent(path);
	} catch {
		return path;
	}
}

/** Returns the lowercase host and the path of a URL, without scheme, query and trailing slashes; undefined without a path. */
function hostAndPath(address: string): string | undefined {
	const [place = ''] = address.trim().replace(hasScheme, '').split(/[?#]/, 1);
	const slash = place.indexOf('/');
	const path = withoutEndSlashes(place.slice(slash).replace(/^\/+/, ''));
	if (slash < 1 || path === '' || /\s/.test(address.trim())) return undefined;
	return `${asciiHost(place.slice(0, slash).toLowerCase())}/${decodedPath(path)}`;
}

/** Returns the key of an alias. No ID and no short URL starts with a slash. */
const aliasKey = (alias: string): string => `/${alias}`;

/** Returns the name of a link's domain; undefined if the service does not show it. */
const domainOf = ({ domain }: Resource): string | undefined =>
	isRecord(domain) && isTextual(domain.name) ? String(domain.name) : undefined;

/** Returns the keys of a link: its short URL, its domain with its alias, and its alias (assumption: one resource). */
function linkKeys(link: Resource): string[] {
	const alias = isTextual(link.alias) ? String(link.alias) : undefined;
	const names = [
		hostAndPath(String(link.short_url)),
		hostAndPath(`${domainOf(link) ?? ''}/${alias ?? ''}`),
		alias === undefined ? undefined : aliasKey(alias),
	];
	return names.filter((name) => name !== undefined);
}

/** Returns the reference to a link by its alias. Digits are an alias, too. */
function readAlias(value: unknown, property: INodeProperties): Invalid | ResourceReference {
	const text = textOf(line, value, property);
	if (text instanceof Invalid) return text;
	return hasScheme.test(text)
		? refused(text, property, 'is not an alias; choose By Short URL for it')
		: { text, kind: 'alias', search: text, key: aliasKey(text) };
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
	const text = typeof input === 'string' ? trimInvisible(input) : '';
	if (!isUrlMode && !hasScheme.test(text)) return undefined;
	const name = hostAndPath(text);
	if (hasMark(text)) return refused(input, property, invisibleMark);
	if (name?.isWellFormed() === false) return refused(input, property, loneSurrogate);
	if (name === undefined) {
		return refused(
			input,
			property,
			'is not a short URL; enter one like https://short.example/spring-sale, or short.example/spring-sale',
		);
	}
	const search = name.slice(name.lastIndexOf('/') + 1);
	return { text, kind: 'short URL', search, key: name };
}

/** References to links by their short URLs or aliases. */
export const shortUrl: AddressContract = {
	outputName: 'shortUrl',
	read: (value, property, mode) =>
		mode === 'alias' ? readAlias(value, property) : readShortUrl(value, property, mode === 'url'),
	keysOf: linkKeys,
	placeOf: domainOf,
};
