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
