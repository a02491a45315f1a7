import { comparableUrl, isSamePath, isTidied } from '../../shared/contract/comparableUrl';
import { parseAddress } from '../../shared/contract/textLimits';
import type { Resource } from '../../shared/contract/types';
import type { WrittenField } from '../../shared/contract/fieldTypes';
import { isTextual, isUnset } from '../../shared/contract/values';

const urlOf = ({ url }: Resource): string => (isTextual(url) ? String(url) : '');

const sentUrl = ({ sent }: WrittenField): string => sent.values[0]?.[1] ?? '';

/** Returns true if the response to an update has the old destination; undefined if that is not known. */
export function isDestinationKept(answer: Resource, written: WrittenField): true | undefined {
	const { before } = written;
	if (before === undefined || isUnset(answer.url)) return undefined;
	const answered = comparableUrl(urlOf(answer));
	const isOld = comparableUrl(urlOf(before)) === answered;
	return isOld && answered !== comparableUrl(sentUrl(written)) ? true : undefined;
}

/**
 * Returns whether the row fails because the service stored another destination: after a create, a URL with another host or
 * path; after an update, a URL that is not a normalized form of the sent URL, such as the old URL.
 */
export function isDestinationMismatch(answer: Resource, written: WrittenField): boolean {
	const answered = urlOf(answer);
	if (written.isCreate) return !isSamePath(sentUrl(written), answered);
	const isKept = isDestinationKept(answer, written) ?? false;
	return !isTidied(sentUrl(written), answered, isKept);
}

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
