import type { IDataObject } from 'n8n-workflow';
import { isSame, isSameApartFromCase, mayBeSame } from '../contract/compare';
import { apiRequest, type Param } from '../contract/endpoints';
import { fieldsNamed, paramsOf, type EncodedRow } from '../contract/encodeRow';
import { normalize } from '../contract/longTexts';
import { isTextual } from '../contract/values';
import type { Listing, Page } from '../transport/pages';
import type { RowRequests } from '../transport/rowRequests';
import { ServiceError, settled } from '../transport/serviceError';
import { firstPage, isAll, list } from './list';

/** With fewer rows, looking each one up takes no more requests than a first page and its last ones. */
const fewestRows = 3;

/** With fewer rows, asking for a narrower list costs about as much as it can save. */
const fewestToNarrow = 10;

/** A shorter beginning that all texts share says little. */
const shortestPrefix = 3;

/** One field that resources are found by. */
export interface SearchKey {
	/** Contract key of the field; the list can be searched by it. */
	readonly searchBy: string;
}

/** The text that a row's resource is found by. */
export const textIn = (row: EncodedRow, { searchBy }: SearchKey): string | undefined =>
	fieldsNamed(row, [searchBy])[0]?.values[0]?.[1];

/** How the texts of a key are compared: services differ in whether case counts, and some tidy up what they are sent. */
type Compare = (text: string) => string;

function comparisonFor(rows: readonly EncodedRow[], { searchBy }: SearchKey): Compare {
	const field = rows[0]?.contract.fields.find(({ wire }) => wire.key === searchBy);
	return (text) => {
		const composed = normalize(text, 'NFC');
		return (field?.wire.comparable?.(composed, '') ?? composed).trim().toLowerCase();
	};
}

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
function listingsFor(rows: readonly EncodedRow[], key: SearchKey): Listing[] {
	const [first] = rows;
	if (!first) return [];
	const { contract } = first;
	const { path } = apiRequest(contract, 'getAll', []);
	const filters = sharedFilters(rows);
	const wide = filters.filter(([name]) => contract.key.uniqueBy.includes(name));
	const comparable = contract.fields.find(({ wire }) => wire.key === key.searchBy)?.wire.comparable;
	const texts = rows.map((row) => textIn(row, key) ?? '');
	// A service that tidies a text up would not find it by the beginning that was written.
	const isTidy = !comparable || texts.every((text) => comparable(text, '') === text);
	const prefix = isTidy ? sharedPrefix(texts) : '';
	const search: Param[] =
		prefix.length < shortestPrefix
			? []
			: [
					['search', prefix],
					['search_by', key.searchBy],
				];
	const narrow = [...search, ...filters];
	const isNarrower = rows.length >= fewestToNarrow && narrow.length > wide.length;
	return [{ path, params: wide }, ...(isNarrower ? [{ path, params: narrow }] : [])];
}

/** Rows of one text, and what the list holds of it. */
interface Entry {
	readonly rows: EncodedRow[];
	readonly resources: IDataObject[];
}

/** Resources of a list by the texts that rows ask for. */
export class KnownResources {
	private readonly entries = new Map<string, Entry>();

	private readonly key: SearchKey;

	private readonly normalized: Compare;

	constructor(rows: readonly EncodedRow[], key: SearchKey) {
		this.key = key;
		this.normalized = comparisonFor(rows, key);
		for (const row of rows) {
			const text = this.normalized(textIn(row, key) ?? '');
			const entry = this.entries.get(text) ?? { rows: [], resources: [] };
			entry.rows.push(row);
			this.entries.set(text, entry);
		}
	}

	/** How many texts rows ask for. */
	get size(): number {
		return this.entries.size;
	}

	private entryOf(resource: IDataObject): Entry | undefined {
		const text = resource[this.key.searchBy];
		return isTextual(text) ? this.entries.get(this.normalized(String(text))) : undefined;
	}

	isWanted = (resource: IDataObject): boolean => this.entryOf(resource) !== undefined;

	/** Whether a resource may be the one of a row. */
	isAskedFor = (resource: IDataObject): boolean =>
		this.entryOf(resource)?.rows.some((row) => mayBeSame(row, resource)) ?? false;

	add(resource: IDataObject): void {
		this.entryOf(resource)?.resources.push(resource);
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
	readonly candidatesFor = (row: EncodedRow): readonly IDataObject[] =>
		this.entries.get(this.normalized(textIn(row, this.key) ?? ''))?.resources ?? [];
}

/**
 * Reads what rows ask for from the list, where that takes fewer requests than looking up each row: the first page tells how
 * many there are. Undefined where looking up is cheaper, where the list cannot be read, or where it keeps changing.
 *
 * @throws ServiceError only where the run is over
 */
export async function readKnown(
	requests: RowRequests,
	rows: readonly EncodedRow[],
	key: SearchKey,
): Promise<KnownResources | undefined> {
	const asked = rows.filter((row) => textIn(row, key) !== undefined);
	const known = new KnownResources(asked, key);
	if (known.size < fewestRows) return undefined;
	const reading = async () => {
		let best: { listing: Listing; first: Page; pages: number } | undefined;
		for (const listing of listingsFor(asked, key)) {
			const first = await firstPage(requests, listing);
			const isWhole = first.more === false || isAll(first);
			// A service may put fewer on a page than it is asked for.
			const size = Math.max(1, first.items.length);
			const pages = isWhole ? 1 : Math.ceil((first.total ?? Infinity) / size);
			if (!best || pages < best.pages) best = { listing, first, pages };
			// Of so few, the first page of a narrower list saves none.
			if (best.pages <= 2) break;
		}
		if (!best || best.pages - 1 >= known.size) return undefined;
		const { listing, first } = best;
		const { isWanted } = known;
		return await list(requests, { ...listing, limit: Infinity, isWanted, first });
	};
	const found = await settled(reading());
	if (found instanceof ServiceError) {
		if (found.failure.cause === 'ended') throw found;
		return undefined;
	}
	found?.forEach((resource) => known.add(resource));
	return found && known;
}
