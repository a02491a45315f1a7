import type { IDataObject } from 'n8n-workflow';
import { apiRequest } from '../contract/endpoints';
import type { ResourceContract } from '../contract/types';
import { isMissing } from '../operations/delete';
import { requestResource } from '../operations/resource';
import { fetchPage, type Listing, type Page } from '../transport/pages';
import type { RowRequests } from '../transport/rowRequests';
import { ServiceError, settled } from '../transport/serviceError';

/** Ends a poll that has made all requests it may; the next one goes on. */
export class OutOfRequests extends Error {
	constructor() {
		super('The poll has made all requests that it may');
	}
}

/** The requests of one poll. */
export class Reading {
	private readonly requests: RowRequests;

	private readonly contract: ResourceContract;

	private readonly onRead: (resources: readonly IDataObject[]) => void;

	/** So many requests may still be made. */
	left: number;

	/**
	 * @param most so many requests may be made
	 * @param onRead told of all resources that were read, each time
	 */
	constructor(
		requests: RowRequests,
		contract: ResourceContract,
		most: number,
		onRead: (resources: readonly IDataObject[]) => void,
	) {
		this.requests = requests;
		this.contract = contract;
		this.left = most;
		this.onRead = onRead;
	}

	private count(): void {
		if (this.left <= 0) throw new OutOfRequests();
		this.left -= 1;
	}

	/**
	 * A page of a list.
	 *
	 * @param number of the page, from 1
	 * @throws OutOfRequests; ServiceError as any read
	 */
	async page(listing: Listing, size: number, number: number): Promise<Page> {
		this.count();
		const page = await fetchPage(this.requests, listing, size, number);
		this.onRead(page.items);
		return page;
	}

	/**
	 * One resource; undefined where there is none of this ID.
	 *
	 * @throws OutOfRequests; ServiceError as any read
	 */
	async get(id: number): Promise<IDataObject | undefined> {
		this.count();
		const request = apiRequest(this.contract, 'get', [], String(id));
		const answer = await settled(requestResource(this.requests, request));
		if (!(answer instanceof ServiceError)) {
			this.onRead([answer]);
			return answer;
		}
		if (isMissing(answer)) return undefined;
		throw answer;
	}
}
