import type { IdPage } from './idList';
import { storedPage } from './stored';

/**
 * How far a backlog has been read: a search for the first new resource in the list by ID, and then one page after the other.
 * Each page that is read moves it on, so a poll can end after any request. It holds page numbers only, which deletions make
 * wrong; then the search goes on from the page that shows it.
 */
export interface Backlog {
	/** The page to read next. */
	readonly next: number;
	/** The highest page below which nothing new is left; 0 if none is known. */
	readonly low: number;
	/** A page that is empty, or begins with an ID beyond a gap. */
	readonly high?: number;
	/** The ID that the page `high` begins with. */
	readonly highBegin?: number;
}

/** Returns a stored backlog. A broken one is undefined: the search then starts again and loses nothing. */
export function storedBacklog(stored: unknown): Backlog | undefined {
	const { next, low, high, highBegin } = Object(stored) as Record<string, unknown>;
	const page = storedPage(next);
	if (page === undefined) return undefined;
	return {
		next: page,
		low: storedPage(low) ?? 0,
		high: storedPage(high),
		highBegin: Number.isSafeInteger(highBegin) ? Number(highBegin) : undefined,
	};
}

/**
 * Begins to read a backlog.
 *
 * @param highest the highest ID that is not new
 * @param guess the page that probably has this ID; 0 if none is known
 * @param last the number of the last page, if it is known
 */
export function beginBacklog(highest: number, guess: number, last: number | undefined): Backlog {
	const high = last === undefined ? undefined : last + 1;
	if (highest === 0) return { next: 1, low: 0, high };
	return { next: guess > 0 ? guess : Math.ceil((high ?? 1) / 2), low: guess, high };
}

/**
 * Whether no new resource lies below a page: it is the first page, or it begins with an ID that is not new or is the one
 * after that. Otherwise the page is read, then the one below it, and then the page again. If it still begins with the same
 * ID, nothing lies between the two.
 *
 * @param highest the highest ID that is not new
 */
export function isGapless({ number, ids: [first] }: IdPage, backlog: Backlog, highest: number) {
	if (number === 1) return true;
	if (first === undefined) return false;
	return first <= highest + 1 || (number === backlog.high && first === backlog.highBegin);
}

/** Returns the backlog after a page that is not gapless: half of the distance down. */
function belowOf(page: IdPage, backlog: Backlog): Backlog {
	const { number: high } = page;
	// Deletions may have moved the first new one to a lower page.
	const low = backlog.low < high ? backlog.low : 0;
	return { next: Math.max(1, Math.floor((low + high) / 2)), low, high, highBegin: page.ids[0] };
}

/**
 * Returns the backlog after a page was read, or undefined at its end.
 *
 * @param gapless whether no new resource lies below the page
 * @param hasNew whether the page has new resources
 */
export function afterPage(
	page: IdPage,
	backlog: Backlog,
	gapless: boolean,
	hasNew: boolean,
): Backlog | undefined {
	const { number } = page;
	const isBehindLast = page.ids.length === 0 && backlog.low === number - 1;
	if (isBehindLast || (gapless && page.isLast)) return undefined;
	if (!gapless) return belowOf(page, backlog);
	const { high = 0, highBegin } = backlog;
	const isSearching = high > number && !(hasNew && high > number + 1);
	if (!isSearching) return { next: hasNew ? number + 1 : number * 2, low: number };
	return { next: Math.ceil((number + high) / 2), low: number, high, highBegin };
}
