import { NodeApiError, type INode } from 'n8n-workflow';
import type { NameSource, Resource } from '../shared/contract/types';
import { entry, searched, searchSources, type ListSearch } from '../shared/methods/listSearch';
import { anywhere, linkContract } from './link.contract';
import { domainNames, spaceNames } from './link.locators';

const { path } = linkContract;

const text = (value: unknown) => (value === null || value === undefined ? '' : String(value));

const linkEntry = ({ id, alias, url, short_url: shortUrl }: Resource) =>
	entry(id, `${text(alias)} → ${text(url)}`, shortUrl);

/** Links by alias, destination or title, as alias and destination; newest first. */
export const searchLinks: ListSearch = async function (filter, token) {
	const source = { path, size: 25, entryOf: linkEntry };
	return await searchSources(this, searched(source, anywhere, filter), token);
};

/** What the editor shows in place of a list that would be empty: why, and how to go on. */
function nothingKnown(node: INode, { resourceName }: NameSource, hasLinks: boolean): NodeApiError {
	const message = hasLinks
		? `None of your newest 1,000 links has a ${resourceName}`
		: `The list has no ${resourceName}s, because you have no links yet`;
	const description = `The service has no list of ${resourceName}s, so the node takes them from your links. Choose By ID, and enter the ID from the page of the ${resourceName} at the service.`;
	return new NodeApiError(node, {}, { message, description });
}

/**
 * A search for what links carry, by name: the distinct ones of the newest links.
 *
 * @throws NodeApiError where there is none, beside what any list throws
 */
const searchCarried = (names: NameSource): ListSearch =>
	async function (filter = '', token) {
		const wanted = filter.trim().toLowerCase();
		let hasLinks = false;
		const entryOf = (link: Resource) => {
			hasLinks = true;
			const { id, name = '' } = names.toNamed(link) ?? {};
			return name.toLowerCase().includes(wanted) ? entry(id, name) : undefined;
		};
		const size = 100;
		const found = await searchSources(this, [{ ...names, size, entryOf }], token);
		const isEmpty = found.results.length === 0 && !found.paginationToken && !token;
		if (isEmpty && (!hasLinks || wanted === ''))
			throw nothingKnown(this.getNode(), names, hasLinks);
		return found;
	};

export const searchDomains = searchCarried(domainNames);
export const searchSpaces = searchCarried(spaceNames);
