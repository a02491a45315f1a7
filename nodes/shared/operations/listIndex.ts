import type { IDataObject } from 'n8n-workflow';
import {
	currentValue,
	identifierOf,
	identifiersOf,
	isSame,
	isSameApartFromCase,
	mayBeSame,
	searchForm,
} from '../contract/compare';
import { apiRequest, type Param } from '../contract/endpoints';
import { isTextual } from '../contract/values';
import type { ListRequest } from '../transport/pages';
import type { RowRequests } from '../transport/rowRequests';
import { ServiceError, settled } from '../transport/failures';
import { firstPage, isAll, list } from './list';
import { sentTextOf, type EncodedRow } from '../contract/encodedRow';

/** Min number of rows to read the list. Fewer look-ups take no more requests than its first and last page. */
const minRows = 3;

/** The field that finds resources. */
export interface SearchKey {
	/** Contract key of the field. The list can be searched by it. */
	readonly searchBy: string;
}

/** Returns the text that finds the resource of a row: the value of a field, or without a key the identifier of the row. */
const textIn = (row: EncodedRow, key: SearchKey | undefined): string | undefined =>
	key ? sentTextOf(row, key.searchBy) : identifierOf(row);

/** Returns the filters of the list for the fields of the unique key that have the same value in all rows. */
function sharedFilters([first, ...others]: readonly EncodedRow[]): Param[] {
	if (!first) return [];
	const { fields, key } = first.contract;
	const filters = fields.filter(({ wire }) => wire.on.getAll && key.uniqueBy.includes(wire.key));
	return filters.flatMap(({ wire }): Param[] => {
		const text = sentTextOf(first, wire.key);
		const isShared = others.every((row) => sentTextOf(row, wire.key) === text);
		return isShared && text ? [[wire.key, text]] : [];
	});
}

/** Rows with the same text, and the resources of the list that match it. */
interface Entry {
	readonly rows: EncodedRow[];
	readonly resources: IDataObject[];
}

/** The resources of a list by the texts of rows. */
export class ListIndex {
	private readonly entries = new Map<string, Entry>();

	private readonly keyed = new Map<string, IDataObject>();

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

	/** Stores a resource of the list if it is the first one with the values of its unique key, apart from the search text. */
	addKey(resource: IDataObject): void {
		if (!this.first) return;
		const { first } = this;
		const { fields, key } = first.contract;
		const others = fields.filter(
			({ wire }) => key.uniqueBy.includes(wire.key) && wire.key !== key.searchBy,
		);
		const values = others.map((field) => currentValue(field, resource, first.options.timeZone));
		this.keyed.set(JSON.stringify(values), resource);
	}

	/** Resources of the list that show which values the fields of the unique key have, apart from the search text. */
	get keys(): IDataObject[] {
		return [...this.keyed.values()];
	}

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

/**
 * Reads the resources that have an entry. Undefined if look-ups take fewer requests than the list.
 *
 * @throws ServiceError if the list cannot be read, or keeps changing
 */
async function readShort(
	requests: RowRequests,
	listing: ListRequest,
	index: ListIndex,
): Promise<IDataObject[] | undefined> {
	const first = await firstPage(requests, listing);
	const isWhole = first.more === false || isAll(first);
	// A service may put fewer resources on a page than the node asks for.
	const size = Math.max(1, first.items.length);
	const pages = isWhole ? 1 : Math.ceil((first.total ?? Infinity) / size);
	if (pages - 1 >= index.size) return undefined;
	const isWanted = (resource: IDataObject) => {
		index.addKey(resource);
		return index.hasEntryFor(resource);
	};
	return await list(requests, { ...listing, limit: Infinity, isWanted, first });
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
	const [first] = indexed;
	const index = new ListIndex(indexed, key);
	if (!first || index.size < minRows) return undefined;
	// The fields of a row with an identifier are values to write.
	const listing = apiRequest(first.contract, 'list', key ? sharedFilters(indexed) : []);
	const resources = await settled(readShort(requests, listing, index));
	if (resources instanceof ServiceError) {
		if (resources.failure.cause === 'ended') throw resources;
		return undefined;
	}
	resources?.forEach((resource) => index.add(resource));
	return resources && index;
}
