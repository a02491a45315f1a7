import type { IDataObject } from 'n8n-workflow';
import { Names } from '../contract/names';
import type { Named, NameSource } from '../contract/types';
import type { RowRequests } from '../transport/rowRequests';
import { firstPage, list } from './list';

const namedIn = ({ namedBy }: NameSource, resources: readonly IDataObject[]): Named[] =>
	resources.flatMap((resource) => namedBy(resource) ?? []);

/** Reads the list of a source; of names that only one can have, no more than is needed to find those that are wanted. */
async function readSource(
	requests: RowRequests,
	source: NameSource,
	texts: ReadonlySet<string>,
): Promise<Named[]> {
	const { path, params, most = Infinity, isUnique } = source;
	const first = await firstPage(requests, { path, params });
	const named = namedIn(source, first.items);
	const areFound = [...texts].every((text) => Names.find(named, text).length > 0);
	if (isUnique && areFound) return named;
	return namedIn(source, await list(requests, { path, params, limit: most, first }));
}

/**
 * Reads the lists of all names that are wanted, each once.
 *
 * @throws ServiceError as any read
 */
export async function readNames(requests: RowRequests, names: Names): Promise<void> {
	for (const [source, texts] of [...names.wanted]) {
		names.learn(source, await readSource(requests, source, texts));
	}
}
