import type { INodeProperties } from 'n8n-workflow';
import { invisibleMark, line, loneSurrogate, textOf } from '../../shared/contract/codecs/scalar';
import { refused, isRecord, isTextual, unwrapLocator } from '../../shared/contract/values';
import { type Resource, Invalid } from '../../shared/contract/types';
import type { AddressContract, ResourceReference } from '../../shared/contract/resourceTypes';
import { asciiHost, hasMark, trimInvisible, withoutEndSlashes } from '../../shared/contract/text';
import { decoded } from './destination';

const hasScheme = /^https?:\/\//i;

/** Returns the lowercase host and the path of a URL, without scheme, query and trailing slashes; undefined without a path. */
function hostAndPath(address: string): string | undefined {
	const [place = ''] = address.trim().replace(hasScheme, '').split(/[?#]/, 1);
	const slash = Math.max(place.indexOf('/'), 0);
	const path = withoutEndSlashes(place.slice(slash).replace(/^\/+/, ''));
	const host = place.slice(0, slash).replace(/\.?(?::(?:80|443))?$/, '');
	if (host === '' || path === '' || /\s/.test(address.trim())) return undefined;
	return `${asciiHost(host.toLowerCase())}/${decoded(path)}`;
}

/** Returns the name of a link's domain; undefined if the service does not show it. */
const domainOf = ({ domain }: Resource): string | undefined =>
	isRecord(domain) && isTextual(domain.name) ? String(domain.name) : undefined;

/**
 * Returns the keys of a link: its short URL, its domain with its alias, and its alias after a slash, which no ID and no short
 * URL starts with (assumption: one resource).
 */
function linkKeys(link: Resource): string[] {
	const path = isTextual(link.alias) ? `/${link.alias}` : undefined;
	const places = [String(link.short_url), `${domainOf(link) ?? ''}${path ?? ''}`];
	return [...places.map(hostAndPath), path].filter((key) => key !== undefined);
}

/** Returns the reference to a link by its alias. Digits are an alias, too. */
function readAlias(value: unknown, property: INodeProperties): Invalid | ResourceReference {
	const text = textOf(line, value, property);
	if (text instanceof Invalid) return text;
	return hasScheme.test(text)
		? refused(text, property, 'is not an alias; choose By Short URL for it')
		: { text, kind: 'alias', search: text, key: `/${text}` };
}

const trimmed = (value: unknown) => (isTextual(value) ? trimInvisible(String(value)) : '');

/** Returns the reference to a link by its short URL, or by domain and alias such as `short.example/spring-sale`. */
function readShortUrl(value: unknown, property: INodeProperties): Invalid | ResourceReference {
	const refuse = (what: string) => refused(value, property, what);
	const text = trimmed(value);
	const key = hostAndPath(text);
	if (hasMark(text)) return refuse(invisibleMark);
	if (key === undefined) {
		return refuse(
			'is not a short URL; enter one like https://short.example/spring-sale, or short.example/spring-sale',
		);
	}
	if (!key.isWellFormed()) return refuse(loneSurrogate);
	return { text, kind: 'short URL', search: key.slice(key.lastIndexOf('/') + 1), key };
}

/**
 * References to links by their short URLs or aliases. A complete URL is no ID in any mode, because no ID has a scheme, and AI
 * agents mix them up.
 */
export const shortUrl: AddressContract = {
	outputName: 'shortUrl',
	read: (value, property, mode) => {
		if (mode === 'alias') return readAlias(value, property);
		const input = unwrapLocator(value);
		const isUrl = mode === 'url' || hasScheme.test(trimmed(input));
		return isUrl ? readShortUrl(input, property) : undefined;
	},
	keysOf: linkKeys,
	placeOf: domainOf,
};
