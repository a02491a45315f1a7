import { maxPageSize } from '../contract/endpoints';
import { NameListResolver, type NameList } from '../contract/nameResolver';
import type { NamedResource, NameSource } from '../contract/types';
import { fetchPage } from '../transport/pages';
import type { RowRequests } from '../transport/rowRequests';
import { ServiceError, settled, type Failure } from '../transport/serviceError';
import { isAll } from './list';

/** Max number of pages of a list of names, so that an endless list does not block a run. */
const maxPages = 100;

/**
 * Reads the list of a source. It ends at a page without new resources, so that a service which ignores the page parameter
 * does not repeat it forever. If names are unique, it ends as soon as it has all of them.
 */
async function readSource(
	requests: RowRequests,
	{ path, params, pages, isUnique, toNamed }: NameSource,
	texts: ReadonlySet<string>,
): Promise<NameList> {
	const named: NamedResource[] = [];
	const ids = new Map<string, unknown>();
	for (let number = 1; number <= (pages ?? maxPages); number += 1) {
		const page = await fetchPage(requests, { path, params }, maxPageSize, number);
		const unseen = page.items.filter(({ id }) => !ids.has(String(id)));
		for (const resource of unseen) {
			ids.set(String(resource.id), resource.id);
			const namedResource = toNamed(resource);
			if (namedResource) named.push(namedResource);
		}
		const isEnd = page.more === false || (number === 1 && isAll(page));
		const hasAll = isUnique && NameListResolver.areAmong(named, texts);
		if (unseen.length === 0 || isEnd || hasAll) return { named, ids: [...ids.values()] };
	}
	// The message for an unknown name mentions the max number of pages of a source.
	const incompleteReason = pages === undefined ? `it has more than ${maxPages} pages` : undefined;
	return { named, ids: [...ids.values()], incompleteReason };
}

/**
 * Reads the lists of all names that rows use, each list once. Rows with names of a list that cannot be read are refused.
 *
 * @returns the failures of lists that could not be read
 * @throws ServiceError if the run is over
 */
export async function readNames(
	requests: RowRequests,
	names: NameListResolver,
): Promise<ReadonlyMap<NameSource, Failure>> {
	const failures = new Map<NameSource, Failure>();
	for (const [source, texts] of [...names.requested]) {
		const read = await settled(readSource(requests, source, texts));
		if (!(read instanceof ServiceError)) {
			names.addList(source, read);
			continue;
		}
		const { failure } = read;
		if (failure.cause === 'ended' || requests.client.lane.isOver) throw read;
		names.addFailure(source, failure.message);
		failures.set(source, failure);
	}
	return failures;
}
