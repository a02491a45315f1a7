import type { IdPage } from '../polling/idList';
import { readOptional, storedNumber, storedObject, storedPage } from '../polling/storedValues';

/**
 * The position in the list by ID while the new links do not fit on one page. Each page that is read advances it, so that a
 * poll can end after any request. After deletions, the page number may be wrong. The first ID of the page shows that.
 */
export type Backlog = {
	/** The page to read next. */
	readonly next: number;
	/** The next higher page, if its first ID does not directly follow the known IDs. */
	readonly above?: { readonly number: number; readonly first?: number };
};

/**
 * Returns a stored backlog.
 *
 * @throws SyntaxError if it is broken
 */
export function storedBacklog(value: unknown): Backlog {
	const { next, above } = storedObject(value);
	const page = readOptional(storedObject, above);
	return {
		next: storedPage(next),
		...(page && {
			above: { number: storedPage(page.number), first: readOptional(storedNumber, page.first) },
		}),
	};
}

/**
 * Returns whether all new links are on a page or above it. They are if it is the first page, if its first ID is known or
 * directly follows the known IDs, or if its first ID did not change while the page below was read.
 *
 * @param highest the highest known ID
 */
export function isContiguous(
	{ number, ids: [first] }: IdPage,
	{ above }: Backlog,
	highest: number,
) {
	if (number === 1 || (first !== undefined && first <= highest + 1)) return true;
	return above?.number === number && above.first === first;
}

/** Returns the backlog after a page was read; undefined after the last page. */
export function nextBacklog(
	page: IdPage,
	{ above }: Backlog,
	contiguous: boolean,
): Backlog | undefined {
	const { number, last, ids, isLast } = page;
	if (!contiguous) {
		return { next: Math.min(number - 1, last), above: { number, first: ids[0] } };
	}
	return isLast ? undefined : { next: number + 1, above };
}
