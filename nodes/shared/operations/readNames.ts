import { maxPageSize } from '../contract/endpoints';
import { NameListResolver, type NameList } from '../contract/nameResolver';
import type { NamedResource, NameSource } from '../contract/types';
import { fetchPage } from '../transport/pages';
import type { RowRequests } from '../transport/rowRequests';
import { ServiceError, settled, type Failure } from '../transport/serviceError';
import { isAll } from './list';

/** Max number of pages that are read of a list of names, so that a list without an end does not stop a run. */
const maxPages = 100;

/**
 * Reads the list of a source as far as names are sought in it. A page that holds nothing new ends it, also where a service
 * ignores the page asked for. Of names that only one can have, no more is read than is needed to find those wanted.
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
		const fresh = page.items.filter(({ id }) => !ids.has(String(id)));
		for (const resource of fresh) {
			ids.set(String(resource.id), resource.id);
			const one = toNamed(resource);
			if (one) named.push(one);
		}
		const isEnd = page.more === false || (number === 1 && isAll(page));
		const areFound = isUnique && NameListResolver.areAmong(named, texts);
		if (fresh.length === 0 || isEnd || areFound) return { named, ids: [...ids.values()] };
	}
	// A source with a number of pages of its own says so in the text for an unknown name.
	const whyCut = pages === undefined ? `it has more than ${maxPages} pages` : undefined;
	return { named, ids: [...ids.values()], incompleteReason: whyCut };
}

/**
 * Reads the lists of all names that are wanted, each once. The names of a list that cannot be read are refused.
 *
 * @returns why lists could not be read
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
		if (failure.cause === 'ended' || requests.client.queue.isOver) throw read;
		names.addFailure(source, failure.message);
		failures.set(source, failure);
	}
	return failures;
}
