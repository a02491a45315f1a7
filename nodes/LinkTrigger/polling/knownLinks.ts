import type { IDataObject } from 'n8n-workflow';
import { fingerprint } from './fingerprint';
import { idNumber } from './idList';
import type { PollRequests } from './pollRequests';
import { storedNumber, storedObject, storedText } from './storedValues';

/** A link of the account, and a fingerprint of when it was created. */
export interface KnownLink {
	readonly id: number;
	readonly print: string;
}

/**
 * Returns a known link that was stored.
 *
 * @throws SyntaxError if it is broken
 */
export function storedLink(value: unknown): KnownLink {
	const { id, print } = storedObject(value);
	return { id: storedNumber(id), print: storedText(print) };
}

const creationFingerprint = ({ created_at: createdAt }: IDataObject) =>
	fingerprint(String(createdAt), 6);

/** Max number of known links. */
const maxKnown = 3;

const knownLink = (link: IDataObject): KnownLink => ({
	id: idNumber(link),
	print: creationFingerprint(link),
});

/** Returns the newest known links after a link was read, so that a deletion does not remove all of them. */
export function withKnownLink(earlier: readonly KnownLink[], link: IDataObject): KnownLink[] {
	const newest = knownLink(link);
	return [newest, ...earlier.filter(({ id }) => id !== newest.id)].slice(0, maxKnown);
}

/** Returns up to three links of a page, from its ends and its middle, so that a deletion does not remove all of them. */
export function knownLinksIn(links: readonly IDataObject[]): KnownLink[] {
	const places = new Set([0, Math.floor(links.length / 2), links.length - 1]);
	return links.filter((_, index) => places.has(index)).map(knownLink);
}

/**
 * Returns whether the account has one of the links. If so, the links were read from the same account (assumption: links of an
 * account).
 *
 * @throws ServiceError if a read fails
 */
export async function hasAny(
	requests: PollRequests,
	links: readonly KnownLink[],
): Promise<boolean> {
	for (const { id, print } of links) {
		const link = await requests.get(id);
		if (link && creationFingerprint(link) === print) return true;
	}
	return false;
}
