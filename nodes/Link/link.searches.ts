import { NodeApiError } from 'n8n-workflow';
import type { NameSource, Resource } from '../shared/contract/types';
import { entry, searched, searchSources, type ListSearch } from '../shared/methods/listSearch';
import { linkContract } from './link.contract';
import { domainNames, spaceNames } from './link.locators';

const { path } = linkContract;

const linkEntry = ({ id, alias, url, short_url: shortUrl }: Resource) =>
	entry(id, `${String(alias ?? '')} → ${String(url ?? '')}`, shortUrl);

/** Searches links by alias, destination and title. Returns alias and destination, newest first. */
export const searchLinks: ListSearch = async function (filter, token) {
	const source = { path, size: 25, entryOf: linkEntry };
	return await searchSources(this, searched(source, ['alias', 'url', 'title'], filter), token);
};

/**
 * Searches the domains or spaces of the newest links by name.
 *
 * @throws NodeApiError if there are none, which the editor shows instead of an empty list
 */
const searchInLinks = (names: NameSource): ListSearch =>
	async function (filter = '', token) {
		const text = filter.trim().toLowerCase();
		const entryOf = (link: Resource) => {
			const { id, name = '' } = names.toNamed(link) ?? {};
			return name.toLowerCase().includes(text) ? entry(id, name) : undefined;
		};
		const list = await searchSources(this, [{ ...names, size: 100, entryOf }], token);
		if (list.results.length > 0 || list.paginationToken || token || text) return list;
		const { resourceName: name } = names;
		const message = `None of your newest 1,000 links has a ${name}`;
		const description = `The service has no list of ${name}s, so the node takes them from your links. Choose By ID, and enter the ID. You find it on the website of the service.`;
		throw new NodeApiError(this.getNode(), {}, { message, description });
	};

export const searchDomains = searchInLinks(domainNames);
export const searchSpaces = searchInLinks(spaceNames);
