import type { IDataObject } from 'n8n-workflow';
import { apiRequest, type Param } from '../contract/endpoints';
import {
	identifierOf,
	identifiersOf,
	isSame,
	isSameApartFromCase,
	mayBeSame,
	searchForm,
} from '../contract/sameResource';
import { isTextual } from '../contract/values';
import type { ListRequest } from '../transport/pages';
import type { RowRequests } from '../transport/rowRequests';
import { ServiceError, settled } from '../transport/serviceError';
import { firstPage, isAll, list } from './list';
import { fieldsNamed, paramsOf, sentTextOf, type EncodedRow } from '../contract/encodedRow';

/** Min number of rows to read the list. Fewer look-ups take no more requests than its first and last page. */
const minRows = 3;

/** Min number of rows to try a narrower list. It costs a request. */
const minRowsToNarrow = 10;

/** Min length of a prefix that is worth a search. */
const minPrefixLength = 3;

/** The field that finds resources. */
export interface SearchKey {
	/** Contract key of the field. The list can be searched by it. */
	readonly searchBy: string;
}

/** Returns the text that finds the resource of a row: the value of a field, or without a key the identifier of the row. */
const textIn = (row: EncodedRow, key: SearchKey | undefined): string | undefined =>
	key ? sentTextOf(row, key.searchBy) : identifierOf(row);

/** Returns the longest prefix that all texts share. */
function sharedPrefix([first = '', ...others]: readonly string[]): string {
	let { length } = first;
	for (const other of others) {
		let same = 0;
		while (same < length && first[same] === other[same]) same += 1;
		length = same;
	}
	const prefix = first.slice(0, length);
	// The node cannot send a lone surrogate.
	return prefix.isWellFormed() ? prefix : prefix.slice(0, -1);
}

/** Returns the filters of the list for the fields that have the same value in all rows. */
function sharedFilters(rows: readonly EncodedRow[]): Param[] {
	const [first] = rows;
	if (!first) return [];
	return first.contract.fields.flatMap(({ wire }): Param[] => {
		const params = paramsOf(fieldsNamed(first, [wire.key]));
		const texts = new Set(
			rows.map((row) => JSON.stringify(paramsOf(fieldsNamed(row, [wire.key])))),
		);
		const [[, text] = []] = params;
		const isShared = texts.size === 1 && params.length === 1 && text;
		return wire.on.getAll && isShared ? [[wire.key, text]] : [];
	});
}

/**
 * Returns the lists that can have the resources of the rows: first the list that is filtered by the unique key only, then
 * a narrower one. If a resource is in neither list, the service refuses to create it a second time.
 */
function listingsFor(rows: readonly EncodedRow[], key: SearchKey | undefined): ListRequest[] {
	const [first] = rows;
	if (!first) return [];
	const { contract } = first;
	const { path } = apiRequest(contract, 'list', []);
	// The fields of a row with an identifier are values to write.
	if (!key) return [{ path, params: [] }];
	const filters = sharedFilters(rows);
	const wide = filters.filter(([name]) => contract.key.uniqueBy.includes(name));
	if (rows.length < minRowsToNarrow) return [{ path, params: wide }];
	const comparable = contract.fields.find(({ wire }) => wire.key === key.searchBy)?.wire.comparable;
	const texts = rows.map((row) => textIn(row, key) ?? '');
	// A search for the prefix does not find texts that the service has normalized.
	const isNormal = !comparable || texts.every((text) => comparable(text, '') === text);
	const prefix = isNormal ? sharedPrefix(texts) : '';
	const search: Param[] = [
		['search', prefix],
		['search_by', key.searchBy],
	];
	const narrow = [...(prefix.length < minPrefixLength ? [] : search), ...filters];
	return [
		{ path, params: wide },
		...(narrow.length > wide.length ? [{ path, params: narrow }] : []),
	];
}

/** Rows with the same text, and the resources of the list that match it. */
interface Entry {
	readonly rows: EncodedRow[];
	readonly resources: IDataObject[];
}

/** The resources of a list by the texts of rows. */
export class ListIndex {
	private readonly entries = new Map<string, Entry>();

	private readonly key?: SearchKey;

	private readonly formOf: (text: string) => string = (text) => text;

	private readonly first?: EncodedRow;

	/** @param key undefined if the rows have identifiers. Rows without a text have no entry. */
	constructor(rows: readonly EncodedRow[], key: SearchKey | undefined) {
		const indexed = rows.filter((row) => textIn(row, key) !== undefined);
		[this.first] = indexed;
		if (this.first && key) this.formOf = searchForm(this.first.contract, key.searchBy);
		this.key = key;
		for (const row of indexed) {
			const text = this.formOf(textIn(row, key) ?? '');
			const entry = this.entries.get(text) ?? { rows: [], resources: [] };
			entry.rows.push(row);
			this.entries.set(text, entry);
		}
	}

	/** Number of different texts. */
	get size(): number {
		return this.entries.size;
	}

	/** Returns the entries for a resource. A resource can have several identifiers. */
	private entriesFor(resource: IDataObject): Entry[] {
		if (!this.first) return [];
		if (!this.key) {
			const identifiers = identifiersOf(this.first.contract, resource);
			return identifiers.flatMap((text) => this.entries.get(text) ?? []);
		}
		const text = resource[this.key.searchBy];
		const entry = isTextual(text) ? this.entries.get(this.formOf(String(text))) : undefined;
		return entry ? [entry] : [];
	}

	readonly hasEntryFor = (resource: IDataObject): boolean => this.entriesFor(resource).length > 0;

	/** Returns whether a resource may be the resource of a row. */
	isRequested(resource: IDataObject): boolean {
		return this.entriesFor(resource).some(({ rows }) =>
			rows.some((row) => mayBeSame(row, resource)),
		);
	}

	add(resource: IDataObject): void {
		for (const entry of this.entriesFor(resource)) entry.resources.push(resource);
	}

	/**
	 * Returns the lock of a row whose resource differs from a resource of the list only in case. The response to the first create shows
	 * whether the service distinguishes case, so other such rows wait for it.
	 */
	readonly caseLockOf = (row: EncodedRow): string | undefined => {
		const candidates = this.candidatesFor(row);
		const hasVariant = candidates.some((resource) => isSameApartFromCase(row, resource));
		const exists = candidates.some((resource) => isSame(row, resource));
		return hasVariant && !exists ? `${row.contract.path} in another case` : undefined;
	};

	/** The resources that have an entry. */
	get all(): IDataObject[] {
		return [...this.entries.values()].flatMap(({ resources }) => resources);
	}

	/** Returns the resources with the text of a row. */
	readonly candidatesFor = (row: EncodedRow): readonly IDataObject[] => {
		const text = textIn(row, this.key);
		return text === undefined ? [] : (this.entries.get(this.formOf(text))?.resources ?? []);
	};
}

/** Returns the estimated number of pages of a list, and its first page. */
async function measure(requests: RowRequests, listing: ListRequest) {
	const first = await firstPage(requests, listing);
	const isWhole = first.more === false || isAll(first);
	// A service may put fewer resources on a page than the node asks for.
	const size = Math.max(1, first.items.length);
	return { listing, first, pages: isWhole ? 1 : Math.ceil((first.total ?? Infinity) / size) };
}

/**
 * Reads the list with the fewest pages, and returns the resources that have an entry. Undefined if look-ups take fewer
 * requests.
 *
 * @throws ServiceError if the list cannot be read, or keeps changing
 */
async function readShortest(
	requests: RowRequests,
	listings: readonly ListRequest[],
	{ size: lookUps, hasEntryFor }: ListIndex,
): Promise<IDataObject[] | undefined> {
	let shortest: Awaited<ReturnType<typeof measure>> | undefined;
	for (const listing of listings) {
		const measured = await measure(requests, listing);
		if (!shortest || measured.pages < shortest.pages) shortest = measured;
		// If the list has two pages, a narrower list saves no request.
		if (shortest.pages <= 2) break;
	}
	if (!shortest || shortest.pages - 1 >= lookUps) return undefined;
	const { listing, first } = shortest;
	return await list(requests, { ...listing, limit: Infinity, isWanted: hasEntryFor, first });
}

/**
 * Reads the resources of rows from the list if that takes fewer requests than looking up each row. The first page shows how
 * long the list is. Undefined if look-ups are cheaper, or if the list cannot be read or keeps changing.
 *
 * @throws ServiceError only if the run has ended
 */
export async function readListIndex(
	requests: RowRequests,
	rows: readonly EncodedRow[],
	key: SearchKey | undefined,
): Promise<ListIndex | undefined> {
	const indexed = rows.filter((row) => textIn(row, key) !== undefined);
	const index = new ListIndex(indexed, key);
	if (index.size < minRows) return undefined;
	const resources = await settled(readShortest(requests, listingsFor(indexed, key), index));
	if (resources instanceof ServiceError) {
		if (resources.failure.cause === 'ended') throw resources;
		return undefined;
	}
	resources?.forEach((resource) => index.add(resource));
	return resources && index;
}
