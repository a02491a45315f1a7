import type { IDataObject } from 'n8n-workflow';
import { compareIdentity, identifierOf, identifiersOf, searchForm } from '../contract/compare';
import { type EncodedRow, sentTextOf } from '../contract/encodedRow';
import { apiRequest, type Param } from '../contract/endpoints';
import type { MatchChoice } from '../contract/resourceTypes';
import { isTextual } from '../contract/values';
import { ServiceError, settled } from '../transport/failures';
import type { ListRequest } from '../transport/pages';
import type { RowRequests } from '../transport/rowRequests';
import { findCandidates } from './find';
import { firstPage, isAll, keyOf, list } from './list';

/** Min number of rows to read the list. Fewer look-ups take no more requests than its first and last page. */
const minRows = 3;

/** Returns the text that finds the resource of a row: its ID or address, or the value of a field. */
const textIn = (row: EncodedRow): string | undefined =>
	identifierOf(row) ?? (row.match.fields && sentTextOf(row, row.match.fields.searchBy));

/** Rows with the same text, and the resources that may match it, by ID. */
interface Entry {
	readonly rows: EncodedRow[];
	readonly resources: Map<string, IDataObject>;
}

/** The resources that rows may mean, by the texts of the rows. */
export class ListIndex {
	private readonly entries = new Map<string, Entry>();

	private readonly first?: EncodedRow;

	/** The fields that identify resources; undefined if the rows have an ID or an address. */
	readonly fields: MatchChoice['fields'];

	private readonly formOf: (text: string) => string = (text) => text;

	/** @param rows rows that find their resources in the same way. Rows without a text have no entry. */
	constructor(rows: readonly EncodedRow[]) {
		const [first] = rows;
		this.first = first;
		if (first && identifierOf(first) === undefined) this.fields = first.match.fields;
		if (first && this.fields) this.formOf = searchForm(first.contract, this.fields.searchBy);
		for (const row of rows) {
			const text = textIn(row);
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
			rows.some((row) => compareIdentity(row, resource) !== 'different'),
		);
	}

	add(resource: IDataObject): void {
		for (const entry of this.entriesFor(resource)) entry.resources.set(keyOf(resource), resource);
	}

	/** Returns the resources with the text of a row. */
	readonly candidatesFor = (row: EncodedRow): readonly IDataObject[] => {
		const text = textIn(row);
		const entry = text === undefined ? undefined : this.entries.get(this.formOf(text));
		return entry ? [...entry.resources.values()] : [];
	};
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

/** Called with each resource of a list. */
export type OnResource = (resource: IDataObject) => void;

/**
 * Reads the resources that have an entry. Undefined if look-ups take fewer requests than the list.
 *
 * @throws ServiceError if the list cannot be read, or keeps changing
 */
async function readShort(
	requests: RowRequests,
	listing: ListRequest,
	index: ListIndex,
	onResource?: OnResource,
): Promise<ListIndex | undefined> {
	const first = await firstPage(requests, listing);
	const isWhole = first.more === false || isAll(first);
	// A service may put fewer resources on a page than the node asks for.
	const size = Math.max(1, first.items.length);
	const pages = isWhole ? 1 : Math.ceil((first.total ?? Infinity) / size);
	if (pages - 1 >= index.size) return undefined;
	const isWanted = (resource: IDataObject) => {
		onResource?.(resource);
		return index.hasEntryFor(resource);
	};
	const resources = await list(requests, { ...listing, limit: Infinity, isWanted, first });
	resources.forEach((resource) => index.add(resource));
	return index;
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
	onResource?: OnResource,
): Promise<ListIndex | undefined> {
	const indexed = rows.filter((row) => textIn(row) !== undefined);
	const [first] = indexed;
	const index = new ListIndex(indexed);
	if (!first || index.size < minRows) return undefined;
	// The fields of a row with an identifier are values to write.
	const filters = index.fields ? sharedFilters(first, indexed) : [];
	const listing = apiRequest(first.contract, 'list', filters);
	const result = await settled(readShort(requests, listing, index, onResource));
	if (!(result instanceof ServiceError)) return result;
	if (result.failure.cause === 'ended') throw result;
	return undefined;
}

/**
 * Finds the resources of all rows before the first write: in the list if that takes fewer requests, otherwise one row at a time,
 * because the end of a list aborts all other reads.
 *
 * @throws ServiceError if a read fails
 */
export async function findAll(
	requests: RowRequests,
	rows: readonly EncodedRow[],
	onResource?: OnResource,
): Promise<ListIndex> {
	const listed = await readListIndex(requests, rows, onResource);
	if (listed) return listed;
	const index = new ListIndex(rows);
	const byText = new Map(rows.map((row) => [textIn(row), row]));
	for (const row of byText.values()) {
		(await findCandidates(requests, row)).forEach((resource) => index.add(resource));
	}
	return index;
}
