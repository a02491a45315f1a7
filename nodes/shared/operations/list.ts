import type { IDataObject } from 'n8n-workflow';
import { maxPageSize, pageSizes } from '../contract/operations';
import { type NameList, normalizedName, type RequestedNames } from '../contract/names';
import { idOf } from '../contract/readers';
import type { NamedResource, NameSource } from '../contract/types';
import type { ApiClient } from '../transport/client';
import { rejection, ServiceError, settled, type Failure } from '../transport/failures';
import { fetchPage, type ListRequest, type Page } from '../transport/pages';
import type { RowRequests } from '../transport/rowRequests';

/** Max number of times that a list is read while it changes. */
const maxListReads = 3;

/** Max number of pages of a list: a million resources on full pages. An endless list must not fill the memory. */
const maxListPages = 10_000;

/** The first page of the list of each run that needs it. */
const firstPages = new WeakMap<ApiClient, Promise<Page>>();

/** Returns the first page of the list of all resources, which is read once for all rows of a run. */
export async function firstPage(requests: RowRequests, path: string): Promise<Page> {
	const { client } = requests;
	const page = firstPages.get(client) ?? fetchPage(requests, { path, params: [] }, maxPageSize, 1);
	firstPages.set(client, page);
	page.catch(() => firstPages.delete(client));
	return await page;
}

/** Returns an error about pages of a list that do not fit together. */
const brokenList = (message: string, advice: string) =>
	rejection(message, advice, { isBrokenList: true });

const pageIgnored = () =>
	brokenList(
		'The service ignores the page parameter, so only the first page of the list can be read',
		'Turn off Return All and set Limit to 100 or less, or narrow the list with filters.',
	);

/** Returns the key that identifies a resource of a list. */
export const keyOf = ({ id }: IDataObject): string => JSON.stringify(idOf(id) ?? id);

/** Returns each resource once. */
export const distinct = (resources: readonly IDataObject[]): IDataObject[] => [
	...new Map(resources.map((resource) => [keyOf(resource), resource])).values(),
];

const pageKeys = (page: Page) => page.items.map(keyOf).join();

/** Returns whether the service returned another page than requested. */
function isIgnored(number: number, page: Page, previous?: Page): boolean {
	if (!previous || page.items.length === 0) return false;
	return page.number === undefined ? pageKeys(page) === pageKeys(previous) : page.number !== number;
}

/**
 * Returns whether a page looks like the whole list of a service without pages: its envelope has no page number, and its
 * length is not a page size (assumption: list envelopes).
 */
export const isAll = ({ items, more, number }: Page): boolean =>
	more === undefined && number === undefined && !pageSizes.some((size) => size === items.length);

/**
 * Returns whether no page follows. Without this in its envelope, a list ends with an empty page, with a page that is shorter
 * than the previous page, or with a first page that is shorter than any page size.
 */
function isLast(page: Page, previous?: Page): boolean {
	if (page.items.length === 0) return true;
	return page.more === undefined
		? page.items.length < (previous?.items.length ?? pageSizes[0])
		: !page.more;
}

/** Returns whether a resource was deleted since the previous page, so that others moved to a page that was read before. */
const hasShrunk = (page: Page, previous?: Page) =>
	page.total !== undefined && previous?.total !== undefined && page.total < previous.total;

/** A list to read. */
export type ListQuery = ListRequest & {
	/** Max number of resources; all by default. */
	readonly limit?: number;
	/** Returns whether to include a resource; by default all are included. */
	readonly isWanted?: (resource: IDataObject) => boolean;
	/** The first page with the largest page size, if it was read before. */
	readonly first?: Page;
};

/** Yields the pages of a list in order. Once the first page shows the number of pages, it fetches them concurrently. */
async function* pagesOf(
	requests: RowRequests,
	listing: ListQuery,
	size: number,
	concurrency: number,
): AsyncGenerator<Page, never> {
	const fetch = async (number: number) => await fetchPage(requests, listing, size, number);
	const first = listing.first ?? (await fetch(1));
	yield first;
	const last = Math.min(first.last ?? 1, Math.ceil((listing.limit ?? Infinity) / size));
	const prefetched: Array<Promise<Page>> = [];
	for (let next = 2; ; ) {
		while (prefetched.length === 0 || (next <= last && prefetched.length < concurrency)) {
			const page = fetch(next);
			// The caller may stop before a page that fails.
			page.catch(() => undefined);
			prefetched.push(page);
			next += 1;
		}
		yield* prefetched.splice(0, 1);
	}
}

/** Reads the pages once. Returns undefined if the list changed, so that a resource may be missing. */
async function readOnce(requests: RowRequests, listing: ListQuery, concurrency: number) {
	const { isWanted = () => true, limit = Infinity } = listing;
	const size = pageSizes.find((each) => each >= limit) ?? maxPageSize;
	const seen = new Set<string>();
	const resources: IDataObject[] = [];
	let previous: Page | undefined;
	let number = 0;
	let total = 0;
	for await (const page of pagesOf(requests, listing, size, concurrency)) {
		number += 1;
		if (number > maxListPages) {
			const advice = 'Turn off Return All, or narrow the list with filters.';
			throw brokenList(`The list has more than ${maxListPages} pages`, advice);
		}
		// The result must have all resources that existed at the first page. Later ones may be missing.
		total = previous ? total : (page.total ?? 0);
		if (isIgnored(number, page, previous)) {
			if (number === 2 && isAll(page)) return resources;
			throw pageIgnored();
		}
		if (hasShrunk(page, previous)) return undefined;
		// A new resource moves older ones to the next page, so that they appear twice. The key removes duplicates.
		// Without a total, repeated pages could continue forever.
		const isRepeated = page.items.length > 0 && page.items.every((item) => seen.has(keyOf(item)));
		if (isRepeated && page.total === undefined) throw pageIgnored();
		for (const item of page.items) {
			const key = keyOf(item);
			if (!seen.has(key) && isWanted(item)) resources.push(item);
			seen.add(key);
		}
		if (resources.length >= limit) return resources.slice(0, limit);
		if (isLast(page, previous)) return seen.size < total || page.more ? undefined : resources;
		previous = page;
	}
	return undefined;
}

/**
 * Reads a list up to its limit, each resource once. It detects deletions during the read by the total of the list, which
 * some envelopes do not have (assumption: list envelopes). Each request has the filters, because the next links of the
 * service lose some of them (assumption: next link loses filters).
 *
 * @throws ServiceError if a read fails, if the service ignores `page`, or if the list keeps changing
 */
export async function list(requests: RowRequests, listing: ListQuery): Promise<IDataObject[]> {
	for (let reads = 0; reads < maxListReads; reads += 1) {
		// Concurrent requests may show changes in the wrong order, so a second try reads page by page.
		const concurrency = reads === 0 ? requests.client.options.concurrency : 1;
		const first = reads === 0 ? listing.first : undefined;
		const resources = await readOnce(requests, { ...listing, first }, concurrency);
		requests.cancelRequests();
		if (resources) return resources;
	}
	throw brokenList(
		`The list changed ${maxListReads} times while the node read it, so the result would be incomplete`,
		'Run the node again while nothing is deleted, or sort by Date Created, the only stable order.',
	);
}

/** Max number of pages of a list of names, so that an endless list does not block a run. */
const maxNamePages = 100;

/**
 * Reads a list of names. A page without a new resource is the last one, also if a service ignores the page parameter. If names
 * are unique, reading stops as soon as all requested names are found.
 */
async function readSource(requests: RowRequests, source: NameSource, texts: ReadonlySet<string>) {
	const { path, params, pages, isUnique, toNamed } = source;
	const named: NamedResource[] = [];
	const ids = new Set<string>();
	const missing = new Set([...texts].map(normalizedName));
	for (let number = 1; number <= (pages ?? maxNamePages); number += 1) {
		const page = await fetchPage(requests, { path, params }, maxPageSize, number);
		const fresh = page.items.filter(({ id }) => !ids.has(String(id)));
		for (const resource of fresh) {
			ids.add(String(resource.id));
			const namedResource = toNamed(resource);
			if (!namedResource) continue;
			named.push(namedResource);
			missing.delete(normalizedName(namedResource.name));
			missing.delete(normalizedName(String(namedResource.id)));
		}
		const isEnd = page.more === false || (number === 1 && isAll(page));
		if (fresh.length === 0 || isEnd || (isUnique && missing.size === 0)) return { named };
	}
	// If a source limits its pages, the error for an unknown name says so.
	const whyCut = pages === undefined ? `it has more than ${maxNamePages} pages` : undefined;
	return { named, incompleteReason: whyCut };
}

/**
 * Reads the lists of all requested names, each once. Also returns why lists could not be read: such a list is empty and has a
 * reason.
 *
 * @throws ServiceError if the run has ended
 */
export async function readNames(requests: RowRequests, requested: RequestedNames) {
	const lists = new Map<NameSource, NameList>();
	const failures = new Map<NameSource, Failure>();
	for (const [source, texts] of requested) {
		const list = await settled(readSource(requests, source, texts));
		if (!(list instanceof ServiceError)) {
			lists.set(source, list);
			continue;
		}
		const { failure } = list;
		if (failure.cause === 'ended' || requests.client.isOver) throw list;
		lists.set(source, { named: [], incompleteReason: failure.message });
		failures.set(source, failure);
	}
	return { lists, failures };
}

/** The lists of names that a run has read. */
export type ReadNames = Awaited<ReturnType<typeof readNames>>;
