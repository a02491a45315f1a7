import { NodeApiError, type INode } from 'n8n-workflow';
import type { NameSource, Resource } from '../shared/contract/types';
import { entry, searched, searchSources, type ListSearch } from '../shared/methods/listSearch';
import { anywhere } from './fields/complete';
import { linkContract } from './link.contract';
import { domainNames, spaceNames } from './link.locators';

const { path } = linkContract;

const linkEntry = ({ id, alias, url, short_url: shortUrl }: Resource) =>
	entry(id, `${String(alias ?? '')} → ${String(url ?? '')}`, shortUrl);

/** Searches links by alias, destination and title. Returns alias and destination, newest first. */
export const searchLinks: ListSearch = async function (filter, token) {
	const source = { path, size: 25, entryOf: linkEntry };
	return await searchSources(this, searched(source, anywhere, filter), token);
};

/** Returns the error that the editor shows instead of an empty list. */
function emptyListError(
	node: INode,
	{ resourceName }: NameSource,
	hasLinks: boolean,
): NodeApiError {
	const message = hasLinks
		? `None of your newest 1,000 links has a ${resourceName}`
		: `The list has no ${resourceName}s, because you have no links yet`;
	const description = `The service has no list of ${resourceName}s, so the node takes them from your links. Choose By ID, and enter the ID. You find it on the website of the service.`;
	return new NodeApiError(node, {}, { message, description });
}

/**
 * Searches the domains or spaces of the newest links by name.
 *
 * @throws NodeApiError if there are none
 */
const searchInLinks = (names: NameSource): ListSearch =>
	async function (filter = '', token) {
		const text = filter.trim().toLowerCase();
		let hasLinks = false;
		const entryOf = (link: Resource) => {
			hasLinks = true;
			const { id, name = '' } = names.toNamed(link) ?? {};
			return name.toLowerCase().includes(text) ? entry(id, name) : undefined;
		};
		const size = 100;
		const list = await searchSources(this, [{ ...names, size, entryOf }], token);
		const isEmpty = list.results.length === 0 && !list.paginationToken && !token;
		if (isEmpty && (!hasLinks || text === ''))
			throw emptyListError(this.getNode(), names, hasLinks);
		return list;
	};

export const searchDomains = searchInLinks(domainNames);
export const searchSpaces = searchInLinks(spaceNames);
