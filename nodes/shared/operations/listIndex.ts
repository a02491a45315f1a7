import type { IDataObject } from 'n8n-workflow';
import {
	identifierOf,
	identifiersOf,
	isSame,
	isSameApartFromCase,
	mayBeSame,
	searchForm,
} from '../contract/compare';
import { type EncodedRow, sentTextOf } from '../contract/encodedRow';
import { apiRequest, type Param } from '../contract/endpoints';
import type { MatchChoice } from '../contract/resourceTypes';
import { isTextual } from '../contract/values';
import { ServiceError, settled } from '../transport/failures';
import type { ListRequest } from '../transport/pages';
import type { RowRequests } from '../transport/rowRequests';
import { findCandidates } from './find';
import { KeyValues } from './inferKey';
import { firstPage, isAll, keyOf, list } from './list';

/** Min number of rows to read the list. Fewer look-ups take no more requests than its first and last page. */
const minRows = 3;

/** The fields that identify resources; undefined if rows have an ID or an address. */
type MatchFields = MatchChoice['fields'];

/** Returns the text that finds the resource of a row: the value of a field, or its ID or address. */
const textIn = (row: EncodedRow, fields: MatchFields): string | undefined =>
	fields ? sentTextOf(row, fields.searchBy) : identifierOf(row);

/** Rows with the same text, and the resources that may match it, by ID. */
interface Entry {
	readonly rows: EncodedRow[];
	readonly resources: Map<string, IDataObject>;
}

/** The resources that rows may mean, by the texts of the rows. */
export class ListIndex {
	private readonly entries = new Map<string, Entry>();

	/** The values that the resources of the list have for the unique key. */
	readonly keyValues = new KeyValues();

	private readonly fields: MatchFields;

	private readonly formOf: (text: string) => string = (text) => text;

	private readonly first?: EncodedRow;

	/** @param fields undefined if the rows have an ID or an address. Rows without a text have no entry. */
	constructor(rows: readonly EncodedRow[], fields: MatchFields) {
		[this.first] = rows;
		if (this.first && fields) this.formOf = searchForm(this.first.contract, fields.searchBy);
		this.fields = fields;
		for (const row of rows) {
			const text = textIn(row, fields);
			if (text === undefined) continue;
			const form = this.formOf(text);
			const entry: Entry = this.entries.get(form) ?? { rows: [], resources: new Map() };
			entry.rows.push(row);
			this.entries.set(form, entry);
		}
	}

	/** Number of different texts. */
	get size(): number {
		return this.entries.size;
	}

	/** All resources that have an entry. */
	get all(): IDataObject[] {
		return [...this.entries.values()].flatMap(({ resources }) => [...resources.values()]);
	}

	/** Returns the entries for a resource. A resource can have several identifiers. */
	private entriesFor(resource: IDataObject): Entry[] {
		const { first, fields } = this;
		if (!first) return [];
		const text = fields && resource[fields.searchBy];
		const own = isTextual(text) ? [this.formOf(String(text))] : [];
		const forms = fields ? own : identifiersOf(first.contract, resource);
		return forms.flatMap((form) => this.entries.get(form) ?? []);
	}

	readonly hasEntryFor = (resource: IDataObject): boolean => this.entriesFor(resource).length > 0;

	/** Returns whether a resource may be the resource of a row. */
	isRequested(resource: IDataObject): boolean {
		return this.entriesFor(resource).some(({ rows }) =>
			rows.some((row) => mayBeSame(row, resource)),
		);
	}

	add(resource: IDataObject): void {
		for (const entry of this.entriesFor(resource)) entry.resources.set(keyOf(resource), resource);
	}

	/** Returns the resources with the text of a row. */
	readonly candidatesFor = (row: EncodedRow): readonly IDataObject[] => {
		const text = textIn(row, this.fields);
		const entry = text === undefined ? undefined : this.entries.get(this.formOf(text));
		return entry ? [...entry.resources.values()] : [];
	};

	/**
	 * Returns the lock of a row whose resource differs from a resource of the list only in case. The response to the first create shows
	 * whether the service distinguishes case, so other such rows wait for it.
	 */
	caseLockOf(row: EncodedRow): string | undefined {
		const candidates = this.candidatesFor(row);
		const hasVariant = candidates.some((resource) => isSameApartFromCase(row, resource));
		const exists = candidates.some((resource) => isSame(row, resource));
		return hasVariant && !exists ? `${row.contract.path} in another case` : undefined;
	}
}

/** Returns the filters of the list for the fields of the unique key that have the same value in all rows. */
function sharedFilters(first: EncodedRow, rows: readonly EncodedRow[]): Param[] {
	const { fields, key } = first.contract;
	const filters = fields.filter(({ wire }) => wire.on.getAll && key.uniqueBy.includes(wire.key));
	return filters.flatMap(({ wire }): Param[] => {
		const text = sentTextOf(first, wire.key);
		const isShared = rows.every((row) => sentTextOf(row, wire.key) === text);
		return isShared && text ? [[wire.key, text]] : [];
	});
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
	example: EncodedRow,
): Promise<IDataObject[] | undefined> {
	const first = await firstPage(requests, listing);
	const isWhole = first.more === false || isAll(first);
	// A service may put fewer resources on a page than the node asks for.
	const size = Math.max(1, first.items.length);
	const pages = isWhole ? 1 : Math.ceil((first.total ?? Infinity) / size);
	if (pages - 1 >= index.size) return undefined;
	const isWanted = (resource: IDataObject) => {
		index.keyValues.add(example, resource);
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
	fields: MatchFields,
): Promise<ListIndex | undefined> {
	const indexed = rows.filter((row) => textIn(row, fields) !== undefined);
	const [first] = indexed;
	const index = new ListIndex(indexed, fields);
	if (!first || index.size < minRows) return undefined;
	// The fields of a row with an identifier are values to write.
	const listing = apiRequest(first.contract, 'list', fields ? sharedFilters(first, indexed) : []);
	const resources = await settled(readShort(requests, listing, index, first));
	if (!(resources instanceof ServiceError)) {
		resources?.forEach((resource) => index.add(resource));
		return resources && index;
	}
	if (resources.failure.cause === 'ended') throw resources;
	return undefined;
}

/**
 * Finds the resources of all rows before the first write: in the list if that takes fewer requests, otherwise one row at a time,
 * because the end of a list aborts all other reads.
 *
 * @throws ServiceError if a read fails
 */
export async function findMatches(
	requests: RowRequests,
	rows: readonly EncodedRow[],
): Promise<ListIndex> {
	const fields = rows[0]?.match.fields;
	const listed = await readListIndex(requests, rows, fields);
	if (listed) return listed;
	const index = new ListIndex(rows, fields);
	const byText = new Map(rows.map((row) => [textIn(row, fields), row]));
	for (const row of byText.values()) {
		(await findCandidates(requests, row)).forEach((resource) => index.add(resource));
	}
	return index;
}
