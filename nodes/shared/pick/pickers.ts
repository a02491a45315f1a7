import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';
import { list } from '../client/list';
import type { Pair } from '../contract/plan';
import { isRecord } from '../contract/values';
import type { Resource } from '../contract/view';
import { askForList, askForOptions } from './ask';
import { fill, type Source } from './entries';

type Search = (
	this: ILoadOptionsFunctions,
	filter?: string,
	token?: string,
) => Promise<INodeListSearchResult>;

/** The only order that stays the same while links are being created (assumption: stable order). */
const newestFirst: readonly Pair[] = [
	['sort_by', 'id'],
	['sort', 'desc'],
];

const text = (value: unknown) => (value === null || value === undefined ? '' : String(value));

/** An entry, for resources that have an ID. */
function entry(id: unknown, name: string, url?: unknown): INodeListSearchItems | undefined {
	if (typeof id !== 'number' && typeof id !== 'string') return undefined;
	const open = typeof url === 'string' && url !== '' ? { url } : {};
	return { name: name || String(id), value: id, ...open };
}

/** The sources of a search: one for each field that the service can search by; without a text, the whole list. */
function searched(
	source: Omit<Source, 'pairs'>,
	searchBy: readonly string[],
	filter: string | undefined,
): Source[] {
	const wanted = filter?.trim();
	if (!wanted) return [{ ...source, pairs: newestFirst }];
	return searchBy.map((by) => ({
		...source,
		pairs: [['search', wanted], ['search_by', by], ...newestFirst],
	}));
}

const linkEntry = ({ id, alias, url, short_url: shortUrl }: Resource) =>
	entry(id, `${text(alias)} → ${text(url)}`, shortUrl);

const pixelEntry = ({ id, name, type }: Resource) => entry(id, `${text(name)} (${text(type)})`);

/** Links by alias, destination or title, as alias and destination; newest first. */
export const searchLinks: Search = async function (filter, token) {
	const source = { path: '/links', size: 25, entryOf: linkEntry };
	const sources = searched(source, ['alias', 'url', 'title'], filter);
	return await askForList(this, async (requester) => await fill(requester, sources, token));
};

/** Pixels by name, with their type; newest first. */
export const searchPixels: Search = async function (filter, token) {
	const sources = searched({ path: '/pixels', size: 25, entryOf: pixelEntry }, ['name'], filter);
	return await askForList(this, async (requester) => await fill(requester, sources, token));
};

/**
 * A search for what links carry and the contract has no list of: the distinct ones of the newest 1,000 links, by name.
 *
 * @param key where a link holds it (assumption: one resource)
 */
const searchCarried = (key: 'domain' | 'space'): Search =>
	async function (filter = '', token) {
		const wanted = filter.trim().toLowerCase();
		const entryOf = ({ [key]: carried }: Resource) => {
			if (!isRecord(carried)) return undefined;
			const name = text(carried.name);
			return name.toLowerCase().includes(wanted) ? entry(carried.id, name) : undefined;
		};
		const source = { path: '/links', pairs: newestFirst, size: 100, pages: 10, entryOf };
		return await askForList(this, async (requester) => await fill(requester, [source], token));
	};

export const searchDomains = searchCarried('domain');
export const searchSpaces = searchCarried('space');

/** All pixels by name, with their type, for a multi-select. */
export async function getPixels(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const listing = { path: '/pixels', pairs: newestFirst, limit: Infinity };
	const pixels = await askForOptions(this, async (requester) => await list(requester, listing));
	return pixels
		.flatMap((pixel) => pixelEntry(pixel) ?? [])
		.sort((one, other) => one.name.localeCompare(other.name));
}
