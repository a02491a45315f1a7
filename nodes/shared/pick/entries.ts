import type { INodeListSearchItems, INodeListSearchResult } from 'n8n-workflow';
import { fetchPage, type Listing } from '../client/fetchPage';
import type { Page } from '../client/page';
import type { Requester } from '../client/session';
import type { Resource } from '../contract/view';

/** A list of the service that a dropdown takes its entries from. */
export interface Source extends Listing {
	/** Entries on a page. */
	readonly size: number;
	/** So many pages are read at most; all of them unless told. */
	readonly pages?: number;
	/** The entry that a resource makes, if it makes one. */
	readonly entryOf: (resource: Resource) => INodeListSearchItems | undefined;
}

/** Where a dropdown goes on: which of its sources, and which page of it. */
interface Place {
	readonly source: number;
	readonly page: number;
}

/** A dropdown that holds so many entries can be scrolled, and asks for more when it is. */
const screenful = 20;

/** So many pages are read for one screenful, so that a search that finds little does not exhaust a rate limit. */
const maxReads = 10;

/** The place that the editor hands back when it wants more; the beginning for anything else. */
function placeOf(token: string | undefined): Place {
	const [, source, page] = token?.match(/^(\d+):(\d+)$/) ?? [];
	return { source: Number(source ?? 0), page: Number(page ?? 1) };
}

/** Whether a source has a page after this one. A service that ignores the page asked for has no other. */
function hasMore({ size, pages = Infinity }: Source, page: Page, asked: number): boolean {
	if (page.number !== undefined && page.number !== asked) return false;
	return asked < pages && (page.more ?? page.items.length >= size);
}

/**
 * Fills a dropdown: reads the sources one after the other, until there is a screenful or nothing is left. An entry that
 * two sources hold comes once; the editor itself drops what an earlier screenful held.
 *
 * @param token where an earlier answer ended; undefined for the beginning
 * @returns the entries, and a token if there may be more
 * @throws ServiceError as any read
 */
export async function fill(
	requester: Requester,
	sources: readonly Source[],
	token: string | undefined,
): Promise<INodeListSearchResult> {
	const entries = new Map<INodeListSearchItems['value'], INodeListSearchItems>();
	let { source, page: number } = placeOf(token);
	for (let reads = 0; reads < maxReads && entries.size < screenful; reads += 1) {
		const current = sources[source];
		if (!current) break;
		const page = await fetchPage(requester, current, current.size, number);
		for (const resource of page.items) {
			const entry = current.entryOf(resource);
			if (entry && !entries.has(entry.value)) entries.set(entry.value, entry);
		}
		if (hasMore(current, page, number)) number += 1;
		else [source, number] = [source + 1, 1];
	}
	const results = [...entries.values()];
	return source < sources.length
		? { results, paginationToken: `${source}:${number}` }
		: { results };
}
