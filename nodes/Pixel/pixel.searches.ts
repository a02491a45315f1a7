import { newestFirst } from '../shared/contract/operations';
import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';
import type { Resource } from '../shared/contract/types';
import {
	requestOptions,
	entry,
	searched,
	searchSources,
	type ListSearch,
} from '../shared/methods/listSearch';
import { list } from '../shared/operations/list';
import { pixelContract, types } from './pixel.contract';
import { sortBy } from '../shared/contract/values';

const { path } = pixelContract;

/** Returns the label of a type, or the type itself if the contract does not list it. */
const typeName = (type: unknown) =>
	types.find(({ value }) => value === type)?.name ?? String(type ?? '');

const pixelEntry = ({ id, name, type }: Resource) =>
	entry(id, `${String(name ?? '')} – ${typeName(type)}`);

/** Searches pixels by name. Returns name and type, newest first. */
export const searchPixels: ListSearch = async function (filter, token) {
	const source = { path, size: 25, entryOf: pixelEntry };
	return await searchSources(this, searched(source, ['name'], filter), token);
};

/** Max number of pixels in a multi-select. */
const maxPixels = 5000;

/** Returns the newest pixels by name, with their type, for a multi-select. */
export async function getPixels(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const listing = { path, params: newestFirst, limit: maxPixels };
	const pixels = await requestOptions(this, async (requests) => await list(requests, listing));
	const entries = pixels.flatMap((pixel) => pixelEntry(pixel) ?? []);
	return sortBy(entries, ({ name }) => name);
}
