import { maxPageSize } from '../contract/endpoints';
import { type NameList, normalizedName, type RequestedNames } from '../contract/names';
import type { NamedResource, NameSource } from '../contract/types';
import { fetchPage } from '../transport/pages';
import type { RowRequests } from '../transport/rowRequests';
import { ServiceError, settled, type Failure } from '../transport/failures';
import { isAll } from './list';

/** Max number of pages of a list of names, so that an endless list does not block a run. */
const maxNamePages = 100;

/**
 * Reads a list of names. A page without a new resource is the last one, also if a service ignores the page parameter. If names
 * are unique, reading stops as soon as all requested names are found.
 */
async function readSource(
	requests: RowRequests,
	{ path, params, pages, isUnique, toNamed }: NameSource,
	texts: ReadonlySet<string>,
): Promise<NameList> {
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
		const areFound = isUnique && missing.size === 0;
		if (fresh.length === 0 || isEnd || areFound) return { named, isEmpty: ids.size === 0 };
	}
	// If a source limits its pages, the error for an unknown name says so.
	const whyCut = pages === undefined ? `it has more than ${maxNamePages} pages` : undefined;
	return { named, incompleteReason: whyCut };
}

/** The lists of names that a run has read. */
export interface ReadNames {
	/** A list that could not be read is empty and has a reason. */
	readonly lists: ReadonlyMap<NameSource, NameList>;
	/** Why lists could not be read. */
	readonly failures: ReadonlyMap<NameSource, Failure>;
}

/**
 * Reads the lists of all requested names, each once.
 *
 * @throws ServiceError if the run has ended
 */
export async function readNames(
	requests: RowRequests,
	requested: RequestedNames,
): Promise<ReadNames> {
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
