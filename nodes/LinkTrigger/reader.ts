import type { IDataObject } from 'n8n-workflow';
import { linkContract } from '../Link/link.contract';
import { maxPageSize, type Param } from '../shared/contract/operations';
import { integerOf } from '../shared/contract/readers';
import { readById, unlessMissing } from '../shared/operations/find';
import type { ApiClient } from '../shared/transport/client';
import { fetchPage } from '../shared/transport/pages';
import { RowRequests } from '../shared/transport/rowRequests';
import { rejection } from '../shared/transport/failures';

/** Ends a poll that has reached its max number of requests, or its time limit. The next poll continues. */
export class OutOfRequests extends Error {}

/**
 * A page of a list that is sorted by ID, lowest first: the only order that stays the same while links are created (assumption:
 * stable order). It has all links of the list from its first to its last ID. A deletion moves links to lower pages. `last` is the
 * number of the last page, 1 for an empty list, and `total` the number of links on all pages.
 */
export type IdPage = Awaited<ReturnType<PollReader['page']>>;

/** Returns the error of a service whose lists the trigger cannot use. */
const unusable = (message: string, reason: string) =>
	rejection(message, `${reason}, so it cannot work with this service.`);

/**
 * Returns the ID of a link as a number.
 *
 * @throws ServiceError if it is no whole number
 */
export function idNumber({ id }: IDataObject): number {
	const number = integerOf(id);
	if (number !== null && number >= 0) return number;
	throw unusable(
		'The service has IDs that are not whole numbers up to 9007199254740991',
		'The trigger recognizes new links by their increasing IDs',
	);
}

/** Throws a ServiceError if a page has no counts, or counts that contradict its entries, or if it is not sorted by ID. */
function checkPage({ ids, items, number, last, total }: IdPage): void {
	const isWhole = number < last ? Math.ceil(total / items.length) === last : total >= items.length;
	if (!isWhole || (number === last && total > 0 && items.length === 0)) {
		throw unusable(
			'The lists of the service have no totals, or totals that contradict their entries',
			'The trigger needs current_page, last_page and total in each list to detect changes',
		);
	}
	if (ids.every((id, index) => id > (ids[index - 1] ?? -1))) return;
	throw unusable(
		'The service does not sort the list by ID',
		'The trigger needs this order to detect changes',
	);
}

/** Sends the requests of one poll. */
export class PollReader {
	/** Number of requests that the poll has left. */
	remaining = 150;

	/** The links that were read alone. */
	private readonly alone = new Map<number, IDataObject | undefined>();

	private readonly client: ApiClient;

	/** Receives the links of each response, and the list parameters that the service applied. */
	onRead?: (links: Pick<IdPage, 'ids' | 'items'>, params: readonly Param[]) => void;

	constructor(client: ApiClient) {
		this.client = client;
	}

	/** Returns the requests for the next call. Max Wait applies to each of them. The time limit of the poll applies to all. */
	private next(): RowRequests {
		if (this.remaining <= 0 || this.client.options.signal?.aborted) throw new OutOfRequests();
		this.remaining -= 1;
		return new RowRequests(this.client);
	}

	/**
	 * Reads a page of the list by ID, with as many entries as the service allows.
	 *
	 * @param params filters of the list (contract 4.1)
	 * @param requested number of the page
	 * @param sort the order in which the list is read; in descending order page 1 has the highest IDs
	 * @throws OutOfRequests; ServiceError if the read fails, or if the service returns another page than requested
	 */
	async page(params: readonly Param[], requested: number, sort = 'asc') {
		// A service may misread a higher number, so that polls would fail forever.
		const number = Math.min(Math.max(1, requested), 1_000_000);
		const sorted: Param[] = [...params, ['sort_by', 'id'], ['sort', sort]];
		const listing = { path: linkContract.path, params: sorted };
		const read = await fetchPage(this.next(), listing, maxPageSize, number);
		if (read.number !== undefined && read.number !== number) {
			throw rejection(
				'The service ignores the page parameter, so only the first page of the list can be read',
				'Narrow the list with Filters until it fits on one page.',
			);
		}
		const { total = NaN } = read;
		const last = Math.max(1, read.number === undefined ? NaN : (read.last ?? NaN));
		const items = sort === 'asc' ? read.items : [...read.items].reverse();
		const page = { ids: items.map(idNumber), items, number, last, total };
		checkPage(page);
		this.onRead?.(page, params);
		return page;
	}

	/**
	 * Returns a link, or undefined if the service has none with this ID. A poll reads each link once.
	 *
	 * @throws OutOfRequests; ServiceError if the read fails, or if the service returns another link
	 */
	async get(id: number): Promise<IDataObject | undefined> {
		if (this.alone.has(id)) return this.alone.get(id);
		const link = await unlessMissing(readById(this.next(), linkContract, String(id)));
		this.alone.set(id, link);
		if (link) this.onRead?.({ ids: [id], items: [link] }, []);
		return link;
	}
}
