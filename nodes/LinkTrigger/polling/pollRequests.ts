import type { IDataObject } from 'n8n-workflow';
import { linkContract } from '../../Link/link.contract';
import { maxPageSize, type Param } from '../../shared/contract/endpoints';
import { isMissing } from '../../shared/operations/deleteById';
import { readById } from '../../shared/operations/find';
import type { ApiClient } from '../../shared/transport/client';
import { fetchPage, type Page } from '../../shared/transport/pages';
import { RowRequests } from '../../shared/transport/rowRequests';
import { rejection, ServiceError, settled } from '../../shared/transport/failures';

/** Ends a poll that has reached its max number of requests. The next poll continues. */
export class OutOfRequests extends Error {}

/** A page of a list whose envelope counts pages and entries. */
export interface CountedPage {
	readonly items: readonly IDataObject[];
	readonly number: number;
	/** Number of the last page: 1 for an empty list. */
	readonly last: number;
	/** Number of entries on all pages. */
	readonly total: number;
	/** Number of entries on the previous pages. */
	readonly offset: number;
}

/**
 * Returns a page with its counts.
 *
 * @param requested number of the page that was requested
 * @throws ServiceError if the envelope has no counts, counts that contradict the entries, or another page
 */
function withCounts(
	{ items, number, last: lastPage, total }: Page,
	requested: number,
): CountedPage {
	if (number === undefined || lastPage === undefined || total === undefined) {
		throw rejection(
			'The lists of the service have no totals',
			'The trigger needs current_page, last_page and total in each list to detect changes, so it cannot work with this service. Read the list on a schedule instead.',
		);
	}
	if (number !== requested) throw pageIgnored();
	const last = Math.max(1, lastPage);
	const isFull = number < last;
	const offset = isFull ? (number - 1) * items.length : total - items.length;
	const isConsistent = isFull ? Math.ceil(total / items.length) === last : offset >= 0;
	if (isConsistent) return { items, number, last, total, offset };
	throw rejection(
		'The totals of a list contradict its entries',
		'The trigger cannot read this list. Ask the service why last_page or total is wrong, or why a page before the last one has fewer entries.',
	);
}

/** Returns the error for a service that returns another page than requested. */
export const pageIgnored = (): ServiceError =>
	rejection(
		'The service ignores the page parameter, so only the first page of the list can be read',
		'Narrow the list with Filters until it fits on one page.',
	);

/** Receives links that were read, and whether the service applied the filters of the node. */
type OnRead = (links: readonly IDataObject[], isFiltered: boolean) => void;

/** The requests of one poll. */
export class PollRequests {
	private readonly client: ApiClient;

	private readonly onRead: OnRead;

	private readonly filters: readonly Param[];

	/** Number of requests that the poll has left. */
	remaining: number;

	/** Number of entries on a full page, if this poll has read one. */
	pageSize: number = maxPageSize;

	/**
	 * @param most max number of requests of the poll
	 * @param onRead receives all links that were read, after each request
	 * @param filters the list parameters for the filters of the node (contract 4.1)
	 */
	constructor(client: ApiClient, most: number, onRead: OnRead, filters: readonly Param[] = []) {
		this.client = client;
		this.remaining = most;
		this.onRead = onRead;
		this.filters = filters;
	}

	/**
	 * Returns the requests for the next call. Max Wait applies to each request separately. The signal of the poll limits all
	 * requests together.
	 */
	private next(): RowRequests {
		if (this.remaining <= 0)
			throw new OutOfRequests('The poll has reached its max number of requests');
		this.remaining -= 1;
		return new RowRequests(this.client);
	}

	/**
	 * Returns a page of the list of links, with as many entries as the service allows.
	 *
	 * @param params filters and order (contract 4.1)
	 * @param number of the page, from 1
	 * @throws OutOfRequests; ServiceError if the read fails or the page has no counts
	 */
	async page(params: readonly Param[], number: number): Promise<CountedPage> {
		const listing = { path: linkContract.path, params };
		const page = withCounts(await fetchPage(this.next(), listing, maxPageSize, number), number);
		if (number < page.last) this.pageSize = page.items.length;
		const names = new Set(params.map(([name]) => name));
		this.onRead(
			page.items,
			this.filters.every(([name]) => names.has(name)),
		);
		return page;
	}

	/**
	 * Returns a link, or undefined if the service has none with this ID.
	 *
	 * @throws OutOfRequests; ServiceError if the read fails, or if the service returns another link
	 */
	async get(id: number): Promise<IDataObject | undefined> {
		const answer = await settled(readById(this.next(), linkContract, String(id)));
		if (!(answer instanceof ServiceError)) {
			this.onRead([answer], this.filters.length === 0);
			return answer;
		}
		if (isMissing(answer)) return undefined;
		throw answer;
	}
}
