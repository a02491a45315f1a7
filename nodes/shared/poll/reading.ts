import type { IDataObject } from 'n8n-workflow';
import { apiRequest, maxPageSize, pageSizes } from '../contract/endpoints';
import type { ResourceContract } from '../contract/resourceTypes';
import { isMissing } from '../operations/delete';
import { requestResource } from '../operations/resource';
import { fetchPage, type ListRequest, type Page } from '../transport/pages';
import type { ApiClient } from '../transport/client';
import { RowRequests } from '../transport/rowRequests';
import { rejection, ServiceError, settled } from '../transport/serviceError';

/** Ends a poll that has made all requests it may; the next one goes on. */
export class OutOfRequests extends Error {
	constructor() {
		super('The poll has made all requests that it may');
	}
}

/** The service puts fewer resources on a page than it is taken to. */
class SmallerPages extends Error {
	readonly size: number;

	constructor(size: number) {
		super(`The service puts ${size} on a page`);
		this.size = size;
	}
}

/**
 * Does some work on a list by the ranks of its resources, and anew where its pages turn out to be smaller than asked for.
 *
 * @param work with so many resources on a page
 * @throws what the work throws; ServiceError if the size of the pages changes again
 */
export async function byRank(work: (size: number) => Promise<void>): Promise<void> {
	const again = async (error: unknown) => {
		if (error instanceof SmallerPages) await work(error.size);
		else throw error;
	};
	await work(maxPageSize)
		.catch(again)
		.catch((error: unknown) => {
			if (!(error instanceof SmallerPages)) throw error;
			throw rejection(
				'The pages of a list have different sizes',
				'The trigger cannot read this list. Ask the service why a page before the last one has fewer entries.',
			);
		});
}

/**
 * Whether a page is the last one. An envelope that does not tell ends with a page whose length is no page size (assumption:
 * list envelopes).
 */
export const isEnd = ({ items, more }: Page): boolean =>
	items.length === 0 || !(more ?? pageSizes.some((size) => size === items.length));

/** The requests of one poll. */
export class Reading {
	private readonly client: ApiClient;

	private readonly contract: ResourceContract;

	private readonly onRead: (resources: readonly IDataObject[]) => void;

	/** So many requests may still be made. */
	left: number;

	/**
	 * @param most so many requests may be made
	 * @param onRead told of all resources that were read, each time
	 */
	constructor(
		client: ApiClient,
		contract: ResourceContract,
		most: number,
		onRead: (resources: readonly IDataObject[]) => void,
	) {
		this.client = client;
		this.contract = contract;
		this.left = most;
		this.onRead = onRead;
	}

	/**
	 * Returns what the next request is made with. Max Wait counts for each request alone: the signal of the poll limits all of
	 * them together.
	 *
	 * @throws OutOfRequests
	 */
	private next(): RowRequests {
		if (this.left <= 0) throw new OutOfRequests();
		this.left -= 1;
		return new RowRequests(this.client, 0);
	}

	/**
	 * A page of a list, with as many resources as a page can have.
	 *
	 * @param number of the page, from 1
	 * @param size so many resources the pages are taken to have
	 * @throws OutOfRequests; SmallerPages if pages have fewer; ServiceError if the read fails
	 */
	async page(listing: ListRequest, number: number, size: number): Promise<Page> {
		const page = await fetchPage(this.next(), listing, maxPageSize, number);
		this.onRead(page.items);
		if (page.items.length < size && !isEnd(page)) throw new SmallerPages(page.items.length);
		return page;
	}

	/**
	 * One resource; undefined where there is none of this ID.
	 *
	 * @throws OutOfRequests; ServiceError if the read fails
	 */
	async get(id: number): Promise<IDataObject | undefined> {
		const request = apiRequest(this.contract, 'get', [], String(id));
		const answer = await settled(requestResource(this.next(), request));
		if (!(answer instanceof ServiceError)) {
			this.onRead([answer]);
			return answer;
		}
		if (isMissing(answer)) return undefined;
		throw answer;
	}
}
