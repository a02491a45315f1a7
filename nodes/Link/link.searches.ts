import { isRecord } from '../shared/contract/values';
import type { Resource } from '../shared/contract/types';
import {
	entry,
	newestFirst,
	searched,
	searchSources,
	type ListSearch,
} from '../shared/methods/listSearch';
import { anywhere, linkContract } from './link.contract';

const { path } = linkContract;

const text = (value: unknown) => (value === null || value === undefined ? '' : String(value));

const linkEntry = ({ id, alias, url, short_url: shortUrl }: Resource) =>
	entry(id, `${text(alias)} → ${text(url)}`, shortUrl);

/** Links by alias, destination or title, as alias and destination; newest first. */
export const searchLinks: ListSearch = async function (filter, token) {
	const source = { path, size: 25, entryOf: linkEntry };
	return await searchSources(this, searched(source, anywhere, filter), token);
};

/**
 * A search for what links carry and the contract has no list of: the distinct ones of the newest 1,000 links, by name.
 *
 * @param key where a link holds it (assumption: one resource)
 */
const searchCarried = (key: 'domain' | 'space'): ListSearch =>
	async function (filter = '', token) {
		const wanted = filter.trim().toLowerCase();
		const entryOf = ({ [key]: carried }: Resource) => {
			if (!isRecord(carried)) return undefined;
			const name = text(carried.name);
			return name.toLowerCase().includes(wanted) ? entry(carried.id, name) : undefined;
		};
		const source = { path, params: newestFirst, size: 100, pages: 10, entryOf };
		return await searchSources(this, [source], token);
	};

export const searchDomains = searchCarried('domain');
export const searchSpaces = searchCarried('space');
