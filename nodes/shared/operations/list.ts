import type { IDataObject } from 'n8n-workflow';
import { maxPageSize, pageSizes } from '../contract/endpoints';
import { fetchPage, type ListRequest, type Page } from '../transport/pages';
import type { RowRequests } from '../transport/rowRequests';
import { rejection } from '../transport/serviceError';
import { idIn } from './resource';

/** How often a list that changed under our hands is read again before giving up. */
const maxWalks = 3;

/** Max number of pages of a list: a million entries on full pages. A list without an end must not fill the memory. */
const maxPages = 10_000;

/** The first page of a list, read once for all rows of a run. */
export const firstPage = async (requests: RowRequests, listing: ListRequest): Promise<Page> =>
	await requests.client.once(
		`first page ${listing.path} ${JSON.stringify(listing.params)}`,
		async () => await fetchPage(requests, listing, maxPageSize, 1),
	);

const pageIgnored = () =>
	rejection(
		'The service ignores the page parameter, so only the first page of the list can be read',
		'Turn off Return All and set Limit to 100 or less, or narrow the list with filters.',
	);

const unstable = () =>
	rejection(
		`The list changed ${maxWalks} times while it was being read, so it would be incomplete`,
		'Run again when nothing is being deleted, or sort by Date Created, the only stable order.',
	);

const endless = () =>
	rejection(
		`The list has more than ${maxPages} pages`,
		'Turn off Return All, or narrow the list with filters.',
	);

/** What tells an entry of a list from the others. */
export const keyOf = (item: IDataObject): string => idIn(item) ?? JSON.stringify(item.id);

const keysOf = (page: Page) => page.items.map(keyOf).join();

/** Whether the service sent another page than the one asked for. */
function isIgnored(number: number, page: Page, previous?: Page): boolean {
	if (!previous || page.items.length === 0) return false;
	return page.number === undefined ? keysOf(page) === keysOf(previous) : page.number !== number;
}

/**
 * Whether a page looks like the whole list of a service without pages: it tells nothing about pages, and the number of
 * entries is that of no page (assumption: list envelopes).
 */
export const isAll = ({ items, more, number }: Page): boolean =>
	more === undefined && number === undefined && !pageSizes.some((size) => size === items.length);

/**
 * Whether no page follows. An envelope that does not tell ends with an empty page, with one shorter than the page before
 * it, or with a first page that is shorter than any page size.
 */
function isLast(page: Page, previous?: Page): boolean {
	if (page.items.length === 0) return true;
	return page.more === undefined
		? page.items.length < (previous?.items.length ?? pageSizes[0])
		: !page.more;
}

/** Something was deleted since the previous page, so a later page moved up past what was already read. */
const hasShrunk = (page: Page, previous?: Page) =>
	page.total !== undefined && previous?.total !== undefined && page.total < previous.total;

/** A list, and what of it is wanted. */
export type Wanted = ListRequest & {
	/** How many of its entries. */
	readonly limit: number;
	/** Whether an entry is; all are unless told. What is not wanted is forgotten at once. */
	readonly isWanted?: (resource: IDataObject) => boolean;
	/** Its first page, where it has been read already, with as many entries as a page can have. */
	readonly first?: Page;
};

/** How a list is walked: entries on a page, and pages under way at the same time. */
interface Stride {
	readonly size: number;
	readonly width: number;
}

/**
 * The pages of a list in their order. Once the first one tells which is the last, those that are wanted are fetched side
 * by side.
 */
async function* pagesOf(
	requests: RowRequests,
	listing: Wanted,
	{ size, width }: Stride,
): AsyncGenerator<Page, never> {
	const fetch = async (number: number) => await fetchPage(requests, listing, size, number);
	const first = listing.first ?? (await fetch(1));
	yield first;
	const wanted = Math.min(first.last ?? 1, Math.ceil(listing.limit / size));
	// Settled, because a page that fails may never be asked for.
	const ahead: Array<Promise<[PromiseSettledResult<Page>]>> = [];
	for (let next = 2; ; ) {
		while (ahead.length === 0 || (next <= wanted && ahead.length < width)) {
			ahead.push(Promise.allSettled([fetch(next)]));
			next += 1;
		}
		for (const [page] of await Promise.all(ahead.splice(0, 1))) {
			if (page.status === 'rejected') throw page.reason;
			yield page.value;
		}
	}
}

/** Walks the pages once. Undefined where the list changed so that something may have been missed. */
async function walk(
	requests: RowRequests,
	listing: Wanted,
	stride: Stride,
): Promise<IDataObject[] | undefined> {
	const seen = new Set<string>();
	const found: IDataObject[] = [];
	let previous: Page | undefined;
	let number = 0;
	let total = 0;
	for await (const page of pagesOf(requests, listing, stride)) {
		number += 1;
		if (number > maxPages) throw endless();
		// What is created from now on may come or not; what was there when the walk began must come.
		total = previous ? total : (page.total ?? 0);
		if (isIgnored(number, page, previous)) {
			if (number === 2 && isAll(page)) return found;
			throw pageIgnored();
		}
		if (hasShrunk(page, previous)) return undefined;
		// What was created meanwhile pushes older entries onto the next page a second time; the key drops the repeat.
		// Without a total, pages that repeat what was read could go on for ever.
		const isRepeated = page.items.length > 0 && page.items.every((item) => seen.has(keyOf(item)));
		if (isRepeated && page.total === undefined) throw pageIgnored();
		for (const item of page.items) {
			const key = keyOf(item);
			if (!seen.has(key) && (listing.isWanted?.(item) ?? true)) found.push(item);
			seen.add(key);
		}
		if (found.length >= listing.limit) return found.slice(0, listing.limit);
		if (isLast(page, previous)) return seen.size < total ? undefined : found;
		previous = page;
	}
	return undefined;
}

/**
 * Reads a list up to its limit, no entry twice and none left out. A deletion while the list is being read shows in its
 * total; an envelope without a total hides it (assumption: list envelopes). Our own filters go out with every page, since
 * the links of the service lose some (assumption: next link loses filters).
 *
 * @throws ServiceError if a read fails, if the service ignores `page`, or if the list keeps changing
 */
export async function list(requests: RowRequests, listing: Wanted): Promise<IDataObject[]> {
	const size = pageSizes.find((each) => each >= listing.limit) ?? maxPageSize;
	for (let walks = 0; walks < maxWalks; walks += 1) {
		// Pages that are read side by side may show a change in another order than it happened, so a second walk goes
		// page by page.
		const width = walks === 0 ? requests.client.options.concurrency : 1;
		const first = walks === 0 ? listing.first : undefined;
		const found = await walk(requests, { ...listing, first }, { size, width });
		requests.cancelRequests();
		if (found) return found;
	}
	throw unstable();
}
