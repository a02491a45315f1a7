import type { IDataObject } from 'n8n-workflow';
import { compareIdentity, currentValue, encodeCurrentValue, isSame } from '../contract/compare';
import { type EncodedRow, sentTextOf } from '../contract/encodedRow';
import { defaultMatch, isDefaultMatch } from '../contract/layout';
import { apiRequest, operationTable, searchParams } from '../contract/operations';
import { isOtherId } from '../contract/readers';
import type { Field, ResourceContract, ResourceReference } from '../contract/resourceTypes';
import { Invalid, type Problem } from '../contract/types';
import { isNumber, isTextual, isUnset, shorten } from '../contract/values';
import { earlyRejection, rejection, ServiceError, settled } from '../transport/failures';
import type { RowRequests } from '../transport/rowRequests';
import { WaitingTime } from '../transport/throttle';
import { distinct, firstPage, isAll, keyOf, list } from './list';
import { idIn, matchNames, keyFor, keysFor, requestResource, type Resources } from './resource';

/** Returns a row that is found by its alias or name, regardless of its ID and of Match By. */
export const byKey = (row: EncodedRow): EncodedRow => ({
	...row,
	match: defaultMatch(row.contract),
	id: undefined,
	reference: undefined,
});

/**
 * Returns what finds the resource of a row: the text of its address, of its ID or for Match By, the contract key of the field
 * (`id` for an ID), and the key of both. Undefined if it has none.
 */
export function queryOf(row: EncodedRow) {
	const { contract, id, match, reference } = row;
	const fields = reference ? contract.key : match.fields;
	const by = id === undefined || reference ? (fields?.searchBy ?? '') : 'id';
	const text = reference?.search ?? id ?? sentTextOf(row, by);
	return text === undefined ? undefined : { by, text, key: keyFor(contract, by, text) };
}

/**
 * Returns the resources that a row may mean: the resource with its ID, or the results of a search for its text. The service
 * also finds texts that contain it. Empty for a row without these.
 *
 * @throws ServiceError if a read fails; an HTTP error of a search does not count as "not found"
 */
export async function findCandidates(requests: RowRequests, row: EncodedRow): Promise<Resources> {
	const { contract } = row;
	const query = queryOf(row);
	if (!query) return [];
	const { by, text } = query;
	if (by === 'id') {
		const resource = await unlessMissing(readById(requests, contract, text));
		return resource ? [resource] : [];
	}
	const field = contract.fields.find(({ wire }) => wire.key === by);
	const texts = field?.wire.searchTexts?.(text) ?? [text];
	const lists: IDataObject[][] = [];
	for (const each of texts) {
		lists.push(await list(requests, { path: contract.path, params: searchParams(by, each) }));
	}
	return distinct(lists.flat());
}

/**
 * Resolves with the result of a promise; with undefined if its resource does not exist. A 404 of a list, or of a web page, does
 * not show this.
 */
export async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
	const result = await settled(work);
	if (!(result instanceof ServiceError)) return result;
	if (result.failure.isMissing) return undefined;
	throw result;
}

type FailureParts = Partial<ServiceError['failure']>;

/** Returns the failure of an ID that no resource has, and what to do about it. */
function noSuchId(contract: ResourceContract, id: string, failure: FailureParts): ServiceError {
	const { value } = contract;
	const choose = `Check the ID, or choose the ${value} from the list.`;
	const others = (contract.id.modes ?? []).filter(({ name }) => name !== 'id' && name !== 'list');
	const names = others.map(({ displayName }) => displayName).join(' or ');
	// The IDs of most services are numbers; the contract defines no type (2.1).
	const isOther = others.length > 0 && !isNumber(id);
	const hint = isOther ? ` IDs are usually numbers. For another text, choose ${names}.` : '';
	return new ServiceError({
		cause: 'rejected',
		...failure,
		message: `No ${value} has the ID ${shorten(id)}`,
		advice: `${choose}${hint} If every item fails like this, check Base URL in the credential.`,
		isMissing: true,
	});
}

/**
 * Returns the response to a request for the resource of an ID.
 *
 * @throws ServiceError if the request fails; the message contains the ID if the service has no such resource (status 404)
 */
export async function answerOfId<T>(contract: ResourceContract, id: string, answer: Promise<T>) {
	const answered = await settled(answer);
	if (!(answered instanceof ServiceError)) return answered;
	const { failure } = answered;
	// After a lost response, the resource may have existed.
	const isReported = failure.statusCode === 404 && failure.isPage !== true;
	if (!isReported || failure.outcome === 'unknown') throw answered;
	throw noSuchId(contract, id, failure);
}

/**
 * Reads the resource of an ID.
 *
 * @throws ServiceError in the same cases as `answerOfId`, and if the service returns another resource: no resource has an ID that
 * the service reads as a number
 */
export async function readById(requests: RowRequests, contract: ResourceContract, id: string) {
	const request = apiRequest(contract, 'get', [], id);
	const resource = await answerOfId(contract, id, requestResource(requests, request));
	const answered = idIn(resource);
	if (!isOtherId(answered, id)) return resource;
	if (!isNumber(id) && isNumber(answered ?? '')) throw noSuchId(contract, id, {});
	throw earlyRejection(
		`The service returned the ${contract.value} ${shorten(answered ?? '')} instead of ${id}`,
		'Check the ID, and Base URL in the credential.',
	);
}

/** Returns the text of a reference in a message: `short URL https://short.example/spring-7`. */
const referenceText = ({ kind, text }: ResourceReference) => `${kind} ${shorten(text, 200)}`;

/** Returns the failure of a row without a resource: none has its ID or address, or the service does not show the address. */
function noTarget({ contract, id = '', reference }: EncodedRow, resources: Resources) {
	if (!reference) return noSuchId(contract, id, { statusCode: 404 });
	const { key, value } = contract;
	const shown = [key.address ?? key.searchBy, key.searchBy];
	if (resources.some((resource) => shown.some((name) => isUnset(resource[name])))) {
		const message = `The service does not show the ${reference.kind} of each ${value}`;
		return rejection(message, `Choose the ${value} from the list, or enter its ID.`);
	}
	return rejection(
		`No ${contract.value} has the ${referenceText(reference)}`,
		`Check its spelling, or choose the ${contract.value} from the list.`,
		{ statusCode: 404, isMissing: true },
	);
}

/**
 * Returns the resource with the ID or address of a row.
 *
 * @param resources the resources that the row may mean
 * @throws ServiceError if not exactly one resource has the ID or address; with status 404 if none has it
 */
export function targetIn(row: EncodedRow, resources: Resources): IDataObject {
	const { contract, reference } = row;
	const matches = resources.filter((resource) => isSame(row, resource));
	const [match] = matches;
	if (!match || idIn(match) === undefined) throw noTarget(row, resources);
	if (!reference || matches.length === 1) return match;
	throw rejection(
		`${matches.length} ${contract.value}s have the ${referenceText(reference)}: ${matchNames(row, matches)}`,
		`Choose the ${contract.value} from the list, or enter its ID.`,
	);
}

/**
 * Returns the ID of the resource of a row: the ID of the row, or the ID of the resource with its address.
 *
 * @throws ServiceError if a read fails, and in the same cases as `targetIn`
 */
export async function resolveId(requests: RowRequests, row: EncodedRow): Promise<string> {
	if (!row.reference) return row.id ?? '';
	return idIn(targetIn(row, await findCandidates(requests, row))) ?? '';
}

/** Min number of rows to read the list. Fewer look-ups take no more requests than its first and last page. */
const minRows = 3;

/** Returns the value that a resource has for a field; empty if it has none, and undefined if it does not show it. */
function valueOf(field: Field, resource: IDataObject, { options }: EncodedRow): string | undefined {
	const value = currentValue(field, resource, options.timeZone);
	if (isUnset(value)) return value === undefined ? undefined : '';
	const encoded = encodeCurrentValue(field, value);
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

	/** Any of the rows. */
	private readonly row?: EncodedRow;

	/** The contract keys of the texts. */
	private readonly searchedBy = new Set<string>();

	/** The field that makes a resource unique together with its alias or name; undefined if there is none. */
	private readonly keyField?: Field;

	/** The values of this field. */
	private readonly keyValues = new Set<string | undefined>();

	/** The IDs of all resources that were listed. */
	readonly ids = new Set<string>();

	/** Whether the resources of all rows were read. */
	private isRead = false;

	/** Whether a resource does not show a text by which rows are found. */
	private isCut = false;

	/** @param rows Rows without a text have no entry. */
	constructor(rows: readonly EncodedRow[]) {
		[this.row] = rows;
		const { fields = [], key } = this.row?.contract ?? {};
		this.keyField = fields.find(
			({ wire }) => wire.key !== key?.searchBy && key?.uniqueBy.includes(wire.key),
		);
		for (const row of rows) {
			const query = queryOf(row);
			if (!query) continue;
			this.searchedBy.add(query.by);
			const entry: Entry = this.entries.get(query.key) ?? { rows: [], resources: new Map() };
			entry.rows.push(row);
			this.entries.set(query.key, entry);
		}
	}

	/** All resources that have an entry. */
	get all(): IDataObject[] {
		return [...this.entries.values()].flatMap(({ resources }) => [...resources.values()]);
	}

	/** Returns the entries for a resource. */
	private entriesFor(resource: IDataObject): Entry[] {
		const { contract } = this.row ?? {};
		const keys = contract ? keysFor(contract, [...this.searchedBy], resource) : [];
		return keys.flatMap((key) => this.entries.get(key) ?? []);
	}

	/** Returns whether a resource may be the resource of a row. */
	isRequested(resource: IDataObject): boolean {
		return this.entriesFor(resource).some(({ rows }) =>
			rows.some((row) => compareIdentity(row, resource) !== 'different'),
		);
	}

	/** Records the domain of a resource that was listed, and what it hides. Returns whether it has an entry. */
	readonly see = (resource: IDataObject): boolean => {
		const { keyField, row } = this;
		this.ids.add(idIn(resource) ?? '');
		this.isCut ||= [...this.searchedBy].some((by) => !isTextual(resource[by]));
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
		return [...(this.entries.get(queryOf(row)?.key ?? '')?.resources.values() ?? [])];
	}

	/**
	 * Returns the resources that a row may mean: from the list if that has exactly one resource of the row, or if it has none, the
	 * row may create one, and the service refuses a second one or the list shows all texts; otherwise from a search.
	 *
	 * @param isStale whether the list is outdated for this row
	 * @throws ServiceError if a read fails
	 */
	async find(requests: RowRequests, row: EncodedRow, isStale = false): Promise<Resources> {
		const listed = isStale ? undefined : this.candidatesFor(row);
		const count = listed?.filter((each) => isSame(row, each)).length;
		const isNew = count === 0 && (isDefaultMatch(row) || !this.isCut);
		const isClear = count === 1 || (isNew && operationTable[row.operation].creates);
		return listed && isClear ? listed : await findCandidates(requests, row);
	}

	/**
	 * Reads the list if that takes fewer requests than looking up each row. The first page shows how long the list is.
	 *
	 * @throws ServiceError if the list cannot be read, or keeps changing
	 */
	private async readList(requests: RowRequests, path: string): Promise<void> {
		const first = await firstPage(requests, path);
		const isWhole = first.more === false || isAll(first);
		// A service may put fewer resources on a page than the node asks for.
		const length = Math.max(1, first.items.length);
		const pages = isWhole ? 1 : Math.ceil((first.total ?? Infinity) / length);
		if (pages - 1 < this.entries.size)
			this.fill(await list(requests, { path, params: [], isWanted: this.see, first }));
	}

	/**
	 * Reads the resources of the rows, if that takes fewer requests than looking up each row when it is executed.
	 *
	 * @param isAlways whether to look up each row now if its list is too long, or cannot be read. One row at a time, because the end
	 *   of a list aborts all other reads.
	 * @throws ServiceError if a look-up fails, or if the run has ended
	 */
	async read(requests: RowRequests, isAlways: boolean): Promise<void> {
		if (this.row && this.entries.size >= minRows) {
			const read = await settled(this.readList(requests, this.row.contract.path));
			if (read instanceof ServiceError && read.failure.cause === 'ended') throw read;
		}
		if (this.isRead) return;
		this.isRead = isAlways;
		// The rows must not stay in memory.
		if (!isAlways) this.entries.clear();
		for (const { rows } of this.entries.values()) {
			const byText = new Map(rows.map((row) => [queryOf(row)?.text, row]));
			for (const row of byText.values()) {
				// Each row has its own Max Wait.
				requests.waited = new WaitingTime();
				(await findCandidates(requests, row)).forEach(this.add);
			}
		}
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
		const { items } = await firstPage(requests, first.contract.path);
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
		// An account may have no domain at all.
		if (more.length === 0 && (value === '' || this.keyValues.size + found.length === 0)) return row;
		if (value !== undefined && more.length === 0)
			return { ...row, fields: [...row.fields, { field, values: [['', value]] }] };
		const what = `is required, because your ${row.contract.value}s do not all have the same one; set it for each item`;
		return [{ field: field.displayName, key: field.wire.key, what }];
	}
}
