import type { IDataObject } from 'n8n-workflow';
import { apiRequest, type Param } from '../contract/endpoints';
import { fieldsNamed, paramsOf, type EncodedRow } from '../contract/encodedRow';
import {
	identifierOf,
	identifiersOf,
	isSame,
	isSameApartFromCase,
	mayBeSame,
	searchedText,
	searchForm,
} from '../contract/sameResource';
import { isTextual } from '../contract/values';
import type { ListRequest, Page } from '../transport/pages';
import type { RowRequests } from '../transport/rowRequests';
import { ServiceError, settled } from '../transport/serviceError';
import { firstPage, isAll, list } from './list';

/** With fewer rows, looking each one up takes no more requests than a first page and its last ones. */
const minRows = 3;

/** With fewer rows, asking for a narrower list costs about as much as it can save. */
const minRowsToNarrow = 10;

/** A shorter beginning that all texts share says little. */
const minPrefixLength = 3;

/** One field that resources are found by. */
export interface SearchKey {
	/** Contract key of the field; the list can be searched by it. */
	readonly searchBy: string;
}

/** The text that a row's resource is found by: that of a field, or without a key the identifier that the row gives. */
const textIn = (row: EncodedRow, key: SearchKey | undefined): string | undefined =>
	key ? searchedText(row, key) : identifierOf(row);

/** The longest beginning that all texts share. */
function sharedPrefix([first = '', ...others]: readonly string[]): string {
	let length = first.length;
	for (const other of others) {
		let same = 0;
		while (same < length && first[same] === other[same]) same += 1;
		length = same;
	}
	const prefix = first.slice(0, length);
	// Half a character, as of an emoji, cannot be sent.
	return prefix.isWellFormed() ? prefix : prefix.slice(0, -1);
}

/** The filters of the list that all rows share, as far as the list can be filtered by their fields. */
function sharedFilters(rows: readonly EncodedRow[]): Param[] {
	const [first] = rows;
	const fields = first?.contract.fields.filter(({ wire }) => wire.on.getAll) ?? [];
	return fields.flatMap(({ wire }): Param[] => {
		const texts = new Set(
			rows.map((row) => JSON.stringify(paramsOf(fieldsNamed(row, [wire.key])))),
		);
		const params = first ? paramsOf(fieldsNamed(first, [wire.key])) : [];
		const [[, text] = []] = params;
		return texts.size === 1 && params.length === 1 && text ? [[wire.key, text]] : [];
	});
}

/**
 * The lists that may hold what the rows ask for, the safest one first: all of what makes the rows unique, and then the
 * narrowest. What is in none of them may exist all the same, and then the service refuses to create it again.
 */
function listingsFor(rows: readonly EncodedRow[], key: SearchKey | undefined): ListRequest[] {
	const [first] = rows;
	if (!first) return [];
	const { contract } = first;
	const { path } = apiRequest(contract, 'getAll', []);
	// The fields of a row that has an identifier are values to write.
	if (!key) return [{ path, params: [] }];
	const filters = sharedFilters(rows);
	const wide = filters.filter(([name]) => contract.key.uniqueBy.includes(name));
	const comparable = contract.fields.find(({ wire }) => wire.key === key.searchBy)?.wire.comparable;
	const texts = rows.map((row) => textIn(row, key) ?? '');
	// A service that tidies a text up would not find it by the beginning that was written.
	const isTidy = !comparable || texts.every((text) => comparable(text, '') === text);
	const prefix = isTidy ? sharedPrefix(texts) : '';
	const search: Param[] =
		prefix.length < minPrefixLength
			? []
			: [
					['search', prefix],
					['search_by', key.searchBy],
				];
	const narrow = [...search, ...filters];
	const isNarrower = rows.length >= minRowsToNarrow && narrow.length > wide.length;
	return [{ path, params: wide }, ...(isNarrower ? [{ path, params: narrow }] : [])];
}

/** Rows of one text, and what the list holds of it. */
interface Entry {
	readonly rows: EncodedRow[];
	readonly resources: IDataObject[];
}

/** Resources of a list by the texts that rows ask for. */
export class ListIndex {
	private readonly entries = new Map<string, Entry>();

	private readonly key?: SearchKey;

	private readonly formOf: (text: string) => string = (text) => text;

	private readonly first?: EncodedRow;

	/** @param key undefined if the rows give identifiers. Rows without a text ask for nothing. */
	constructor(rows: readonly EncodedRow[], key: SearchKey | undefined) {
		const asking = rows.filter((row) => textIn(row, key) !== undefined);
		[this.first] = asking;
		if (this.first && key) this.formOf = searchForm(this.first.contract, key.searchBy);
		this.key = key;
		for (const row of asking) {
			const text = this.formOf(textIn(row, key) ?? '');
			const entry = this.entries.get(text) ?? { rows: [], resources: [] };
			entry.rows.push(row);
			this.entries.set(text, entry);
		}
	}

	/** How many texts rows ask for. */
	get size(): number {
		return this.entries.size;
	}

	/** The entries that may be about a resource; it has several identifiers. */
	private entriesOf(resource: IDataObject): Entry[] {
		if (!this.first) return [];
		const text = this.key && resource[this.key.searchBy];
		const texts = this.key
			? isTextual(text)
				? [this.formOf(String(text))]
				: []
			: identifiersOf(this.first.contract, resource);
		return texts.flatMap((one) => this.entries.get(one) ?? []);
	}

	isWanted = (resource: IDataObject): boolean => this.entriesOf(resource).length > 0;

	/** Whether a resource may be the one of a row. */
	isRequested = (resource: IDataObject): boolean =>
		this.entriesOf(resource).some(({ rows }) => rows.some((row) => mayBeSame(row, resource)));

	add(resource: IDataObject): void {
		for (const entry of this.entriesOf(resource)) entry.resources.push(resource);
	}

	/**
	 * What rows take turns at whose resource differs from one of the list in case only: the answer to the first create shows
	 * whether the service distinguishes case.
	 */
	readonly caseLockOf = (row: EncodedRow): string | undefined => {
		const candidates = this.candidatesFor(row);
		const isTwin = candidates.some((one) => isSameApartFromCase(row, one));
		const isThere = candidates.some((one) => isSame(row, one));
		return isTwin && !isThere ? `${row.contract.path} in another case` : undefined;
	};

	/** All resources that rows ask for. */
	get all(): IDataObject[] {
		return [...this.entries.values()].flatMap(({ resources }) => resources);
	}

	/** All resources with the text of a row. */
	readonly candidatesFor = (row: EncodedRow): readonly IDataObject[] => {
		const text = textIn(row, this.key);
		return text === undefined ? [] : (this.entries.get(this.formOf(text))?.resources ?? []);
	};
}

/** What a list is read for. */
interface Purpose {
	/** Number of requests that the list saves. */
	readonly lookUps: number;
	/** Whether a resource is wanted; all are unless told. */
	readonly isWanted?: (resource: IDataObject) => boolean;
}

/**
 * Returns the wanted resources of the list with the fewest pages. Undefined if look-ups take fewer requests, or if the list
 * cannot be read, or keeps changing.
 *
 * @param listings each has all that is wanted
 * @throws ServiceError only if the run is over
 */
async function readCheapest(
	requests: RowRequests,
	listings: readonly ListRequest[],
	{ lookUps, isWanted }: Purpose,
): Promise<IDataObject[] | undefined> {
	const reading = async () => {
		let best: { listing: ListRequest; first: Page; pages: number } | undefined;
		for (const listing of listings) {
			const first = await firstPage(requests, listing);
			const isWhole = first.more === false || isAll(first);
			// A service may put fewer on a page than it is asked for.
			const size = Math.max(1, first.items.length);
			const pages = isWhole ? 1 : Math.ceil((first.total ?? Infinity) / size);
			if (!best || pages < best.pages) best = { listing, first, pages };
			// Of so few, the first page of a narrower list saves none.
			if (best.pages <= 2) break;
		}
		if (!best || best.pages - 1 >= lookUps) return undefined;
		const { listing, first } = best;
		return await list(requests, { ...listing, limit: Infinity, isWanted, first });
	};
	const found = await settled(reading());
	if (!(found instanceof ServiceError)) return found;
	if (found.failure.cause === 'ended') throw found;
	return undefined;
}

/**
 * Reads what rows ask for from the list, where that takes fewer requests than looking up each row: the first page tells how
 * many there are. Undefined where looking up is cheaper, where the list cannot be read, or where it keeps changing.
 *
 * @throws ServiceError only where the run is over
 */
export async function readListIndex(
	requests: RowRequests,
	rows: readonly EncodedRow[],
	key: SearchKey | undefined,
): Promise<ListIndex | undefined> {
	const asked = rows.filter((row) => textIn(row, key) !== undefined);
	const known = new ListIndex(asked, key);
	if (known.size < minRows) return undefined;
	const { isWanted, size: lookUps } = known;
	const found = await readCheapest(requests, listingsFor(asked, key), { lookUps, isWanted });
	found?.forEach((resource) => known.add(resource));
	return found && known;
}
