import { comparableUrl, isTidied } from '../../shared/contract/codecs/url';
import { parseAddress } from '../../shared/contract/text';
import type { Wire } from '../../shared/contract/fieldTypes';
import { isTextual } from '../../shared/contract/values';

/** Compares a destination with that of a link. A service may normalize it (assumption: normalized addresses). */
export const compareDestination: Wire['compare'] = ({ url }, [[, sent] = ['', '']]) => {
	const shown = isTextual(url) ? String(url) : '';
	if (!parseAddress(shown.trim())) return undefined;
	if (comparableUrl(shown) === comparableUrl(sent)) return 'same';
	return isTidied(sent, shown) ? 'similar' : 'different';
};

/** Max number of characters of a search for a destination. */
const maxSearchLength = 200;

/** Returns the longest part of a URL without characters that services may encode: usually the host and the path. */
function plainPart(address: string): string {
	const withoutScheme = address.replace(/^[a-z][a-z\d+.-]{0,30}:\/{0,2}/i, '');
	const parts = withoutScheme.slice(0, maxSearchLength).match(/[\w.~:/-]+/g) ?? [];
	const longest = parts.reduce((best, part) => (part.length > best.length ? part : best), '');
	return longest.endsWith('/') ? longest.slice(0, -1) : longest;
}

/** Returns texts that find a destination in the list, however the service normalized it. */
export function destinationSearchTexts(url: string): string[] {
	const texts = [plainPart(url), plainPart(parseAddress(url)?.href ?? url)];
	const distinct = [...new Set(texts.filter((text) => text !== ''))];
	return distinct.length > 0 ? distinct : [url];
}

/** Returns the decoded text of a part of a URL, or the part as it is if it cannot be decoded. */
export function decoded(part: string): string {
	try {
		return decodeURIComponent(part);
	} catch {
		return part;
	}
}

/**
 * Returns a URL with query parameters. A parameter with the same name is replaced in its position; the others are appended.
 * Nothing else changes: encoding, order, repeated names, fragment.
 */
export function withQuery(address: string, parameters: ReadonlyMap<string, string>): string {
	const [, base, query = '', fragment = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(address) ?? [];
	const remaining = new Map(parameters);
	const pairs = query.length > 1 ? query.slice(1).split('&') : [];
	const replaced = pairs.flatMap((pair) => {
		const name = decoded(pair.replace(/=.*/s, ''));
		if (!parameters.has(name)) return [pair];
		const value = remaining.get(name);
		remaining.delete(name);
		return value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`];
	});
	const added = [...remaining].map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
	const all = [...replaced, ...added];
	return `${base}${all.length > 0 ? `?${all.join('&')}` : query}${fragment}`;
}
