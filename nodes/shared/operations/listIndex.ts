import type { IDataObject } from 'n8n-workflow';
import {
	currentValue,
	encodeCurrentValue,
	identifierOf,
	identifiersOf,
	isSame,
	compareIdentity,
	searchForm,
} from '../contract/compare';
import { type EncodedRow, sentTextOf } from '../contract/encodedRow';
import type { Field, MatchChoice } from '../contract/resourceTypes';
import { isDefaultMatch } from '../contract/layout';
import { Invalid, type Problem } from '../contract/types';
import { isTextual, isUnset } from '../contract/values';
import { ServiceError, settled } from '../transport/failures';
import type { ListRequest } from '../transport/pages';
import type { RowRequests } from '../transport/rowRequests';
import { findCandidates } from './find';
import { firstPage, isAll, keyOf, list } from './list';

type Resources = readonly IDataObject[];

/** Min number of rows to read the list. Fewer look-ups take no more requests than its first and last page. */
const minRows = 3;

/** Returns the text that finds the resource of a row: its ID or address, or the value of a field. */
const textIn = (row: EncodedRow): string | undefined =>
	identifierOf(row) ?? (row.match.fields && sentTextOf(row, row.match.fields.searchBy));

/** Returns the value that a resource has for a field; undefined if it does not show it. */
function valueOf(field: Field, resource: IDataObject, { options }: EncodedRow): string | undefined {
	const value = currentValue(field, resource, options.timeZone);
	const encoded = isUnset(value) ? [] : encodeCurrentValue(field, value);
	return encoded instanceof Invalid ? undefined : encoded[0]?.[1];
}

/** Rows with the same text, and the resources that may match it, by ID. */
interface Entry {
	readonly rows: EncodedRow[];
	readonly resources: Map<string, IDataObject>;
}

/** The resources that rows may mean, by the texts of the rows, and the domains of all resources that were read. */
export class ListIndex {
	private readonly entries = new Map<string, Entry>();

	/** The last row of each text. */
	private readonly byText = new Map<string, EncodedRow>();

	/** Any of the rows. */
	private readonly row?: EncodedRow;

	/** The fields that identify resources; undefined if the rows have an ID or an address. */
	private readonly fields: MatchChoice['fields'];

	private readonly formOf: (text: string) => string = (text) => text;

	/** The field that makes a resource unique together with its alias or name; undefined if there is none. */
	private readonly keyField?: Field;

	/** The values of this field. */
	private readonly keyValues = new Set<string | undefined>();

	/** Whether the resources of all rows were read. */
	private isRead = false;

	/** @param rows rows that find their resources in the same way. Rows without a text have no entry. */
	constructor(rows: readonly EncodedRow[]) {
		const [first] = rows;
		if (!first) return;
		const { contract, match } = first;
		const { searchBy, uniqueBy } = contract.key;
		this.row = first;
		this.keyField = contract.fields.find(
			({ wire: { key } }) => key !== searchBy && uniqueBy.includes(key),
		);
		if (rows.every((row) => identifierOf(row) === undefined)) this.fields = match.fields;
		if (this.fields) this.formOf = searchForm(contract, this.fields.searchBy);
		for (const row of rows) {
			const text = textIn(row);
			if (text === undefined) continue;
			this.byText.set(text, row);
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
		const { row, fields } = this;
		if (!row) return [];
		const text = fields && resource[fields.searchBy];
		const own = isTextual(text) ? [this.formOf(String(text))] : [];
		const forms = fields ? own : identifiersOf(row.contract, resource);
		return forms.flatMap((form) => this.entries.get(form) ?? []);
	}

	/** Returns whether a resource may be the resource of a row. */
	isRequested(resource: IDataObject): boolean {
		return this.entriesFor(resource).some(({ rows }) =>
			rows.some((row) => compareIdentity(row, resource) !== 'different'),
		);
	}

	/** Records the domain of a resource that was listed. Returns whether it has an entry. */
	readonly see = (resource: IDataObject): boolean => {
		const { keyField, row } = this;
		if (keyField && row) this.keyValues.add(valueOf(keyField, resource, row));
		return this.entriesFor(resource).length > 0;
	};

	readonly add = (resource: IDataObject): void => {
		for (const entry of this.entriesFor(resource)) entry.resources.set(keyOf(resource), resource);
	};

	/** Adds the resources of a whole list. */
	fill(resources: Resources): void {
		resources.forEach(this.see);
		resources.forEach(this.add);
		this.isRead = true;
	}

	/** Returns the resources with the text of a row; undefined if they were not read. */
	candidatesFor(row: EncodedRow): Resources | undefined {
		if (!this.isRead) return undefined;
		const text = textIn(row);
		const entry = text === undefined ? undefined : this.entries.get(this.formOf(text));
		return [...(entry?.resources.values() ?? [])];
	}

	/**
	 * Reads the list if that takes fewer requests than looking up each row. The first page shows how long the list is.
	 *
	 * @throws ServiceError if the list cannot be read, or keeps changing
	 */
	private async readList(requests: RowRequests, listing: ListRequest): Promise<void> {
		const first = await firstPage(requests, listing);
		const isWhole = first.more === false || isAll(first);
		// A service may put fewer resources on a page than the node asks for.
		const length = Math.max(1, first.items.length);
		const pages = isWhole ? 1 : Math.ceil((first.total ?? Infinity) / length);
		if (pages - 1 >= this.size) return;
		const isWanted = this.see;
		const resources = await list(requests, { ...listing, isWanted, first });
		resources.forEach(this.add);
		this.isRead = true;
	}

	/**
	 * Reads the resources of the rows, if that takes fewer requests than looking up each row when it is executed.
	 *
	 * @param isAlways whether to look up each row now if its list is too long, or cannot be read. One row at a time, because the end
	 *   of a list aborts all other reads.
	 * @throws ServiceError if a look-up fails, or if the run has ended
	 */
	async read(requests: RowRequests, isAlways: boolean): Promise<void> {
		if (this.row && this.size >= minRows) {
			const listing = { path: this.row.contract.path, params: [] };
			const read = await settled(this.readList(requests, listing));
			if (read instanceof ServiceError && read.failure.cause === 'ended') throw read;
		}
		if (this.isRead) return;
		for (const row of isAlways ? this.byText.values() : []) {
			(await findCandidates(requests, row)).forEach(this.add);
		}
		this.isRead = isAlways;
		// The rows must not stay in memory.
		this.byText.clear();
		if (!isAlways) this.entries.clear();
	}

	/** Returns the field that a row lacks. Undefined if it needs none, because Match By finds its resource without its whole key. */
	private missingIn(row: EncodedRow, candidates: Resources): Field | undefined {
		const { keyField } = this;
		if (row.fields.some(({ field }) => field === keyField)) return undefined;
		const exists = !isDefaultMatch(row) && candidates.some((resource) => isSame(row, resource));
		return exists ? undefined : keyField;
	}

	/**
	 * Reads the newest resources of the account if a row lacks a domain, and no list was read.
	 *
	 * @throws ServiceError if they cannot be read
	 */
	async readDomains(requests: RowRequests, rows: readonly EncodedRow[]): Promise<void> {
		const first = rows.find((row) => this.missingIn(row, this.candidatesFor(row) ?? []));
		if (!first || this.keyValues.size > 0) return;
		const { items } = await firstPage(requests, { path: first.contract.path, params: [] });
		items.forEach(this.see);
	}

	/**
	 * Returns a row with its whole unique key, or why it must not be written. A row without a domain means the only domain of the
	 * resources that were read. Without any resource, the service decides.
	 *
	 * @param candidates the resources that the row may mean
	 */
	complete(row: EncodedRow, candidates: Resources): EncodedRow | readonly Problem[] {
		const field = this.missingIn(row, candidates);
		if (!field) return row;
		const found = candidates.map((resource) => valueOf(field, resource, row));
		const [value, ...more] = new Set([...this.keyValues, ...found]);
		if (value !== undefined && more.length === 0) {
			return { ...row, fields: [...row.fields, { field, values: [['', value]] }] };
		}
		if (this.keyValues.size + found.length === 0) return row;
		const what = `is required, because your ${row.contract.value}s do not all have the same one; set it for each item`;
		return [{ field: field.displayName, key: field.wire.key, what }];
	}
}
