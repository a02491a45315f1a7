import type { IDataObject } from 'n8n-workflow';
import type { Param } from '../contract/endpoints';
import { integerOf } from '../contract/readers';
import type { ListRequest, Page } from '../transport/pages';
import { rejection } from '../transport/serviceError';
import { byRank, isEnd, type Reading } from './reading';

/** One page of a list that is sorted by ID: all of its resources from the first to the last one stand on it. */
export interface IdPage {
	readonly number: number;
	readonly ids: readonly number[];
	readonly items: readonly IDataObject[];
	readonly isLast: boolean;
	/** Whether it may be the last one all the same, because the envelope does not tell whether a page follows. */
	readonly mayBeLast: boolean;
	/** How many resources the list holds, where that is known. */
	readonly total?: number;
	/** Number of the last page, where that is known. */
	readonly last?: number;
}

/** The highest ID that the trigger stores: it packs two numbers of its size into one. */
const maxId = 2 ** 51;

/**
 * The ID of a resource as a number, by which resources are told apart and are ordered.
 *
 * @throws ServiceError where it is none
 */
export function idNumber({ id }: IDataObject): number {
	const number = integerOf(id);
	if (number !== null && number >= 0 && number <= maxId) return number;
	if (number !== null && number > maxId) {
		throw rejection(
			`The service has IDs above ${maxId}, which the trigger cannot store`,
			'The trigger cannot work with this service. Read the list on a schedule instead.',
		);
	}
	throw rejection(
		'The service has IDs that are no whole numbers',
		'The trigger tells new ones from old ones by their numbers, so it cannot work with this service.',
	);
}

/** The one order that stays the same while resources are being created (assumption: stable order). */
const inOrder = (sort: 'asc' | 'desc'): readonly Param[] => [
	['sort_by', 'id'],
	['sort', sort],
];

/** @throws ServiceError where IDs do not rise */
function checkOrder(ids: readonly number[]): void {
	if (ids.every((id, index) => index === 0 || id > (ids[index - 1] ?? Infinity))) return;
	throw rejection(
		'The service does not sort the list by ID',
		'The trigger needs this order to notice what changed, so it cannot work with this service.',
	);
}

/** A list of the service, read by ID. Lower IDs stand on lower pages, and what is deleted moves the others down. */
export class IdList {
	private readonly reading: Reading;

	private readonly listing: ListRequest;

	/** Resources on a page, as the service gives them; 1 if the reader counts no ranks, and takes pages of any size. */
	readonly size: number;

	/** The IDs of the pages that were read, to notice a service that ignores the page asked for. */
	private readonly seen = new Map<string, number>();

	constructor(reading: Reading, listing: ListRequest, size = 1) {
		this.reading = reading;
		this.listing = listing;
		this.size = size;
	}

	/** The number of the page that holds the resource of a rank, counted from 1. */
	pageOf(rank: number): number {
		return Math.max(1, Math.ceil(rank / this.size));
	}

	/**
	 * Reads a page, lowest IDs first.
	 *
	 * @throws SmallerPages; ServiceError also where the order is another one, or the page is not the one asked for
	 */
	async read(number: number): Promise<IdPage> {
		const page = await this.readIn('asc', number);
		const ids = page.items.map(idNumber);
		checkOrder(ids);
		const isLast = isEnd(page);
		const counted = isLast && (ids.length > 0 || number === 1);
		const total = page.total ?? (counted ? (number - 1) * this.size + ids.length : undefined);
		const last = page.last ?? (total === undefined ? undefined : this.pageOf(total));
		const mayBeLast = isLast || page.more === undefined;
		return { number, ids, items: page.items, isLast, mayBeLast, total, last };
	}

	/**
	 * Whether a page still begins with the same resource, so that nothing has come in below it, or left there.
	 *
	 * @throws as `read`
	 */
	async isStillAt({ number, ids }: IdPage): Promise<boolean> {
		return (await this.read(number)).ids[0] === ids[0];
	}

	/**
	 * Reads the page with the highest IDs, highest first.
	 *
	 * @throws as `read`
	 */
	async readNewest(): Promise<Page> {
		const page = await this.readIn('desc', 1);
		checkOrder(page.items.map(idNumber).reverse());
		return page;
	}

	private async readIn(sort: 'asc' | 'desc', number: number): Promise<Page> {
		const { path, params } = this.listing;
		const listing = { path, params: [...params, ...inOrder(sort)] };
		const page = await this.reading.page(listing, number, this.size);
		const key = `${sort} ${page.items.map(({ id }) => String(id)).join()}`;
		const repeats = page.items.length > 0 && (this.seen.get(key) ?? number) !== number;
		if (repeats || (page.number !== undefined && page.number !== number)) {
			throw rejection(
				'The service ignores the page parameter, so only the first page of the list can be read',
				'Narrow the list with Filters until it fits on one page.',
			);
		}
		this.seen.set(key, number);
		return page;
	}

	/**
	 * Reads the last page.
	 *
	 * @param guess its number as far as it is known
	 * @throws as `read`
	 */
	async readLast(guess: number): Promise<IdPage> {
		/** A page that is not the last one, and one behind it that is empty. */
		let [low, after] = [0, Infinity];
		/** The IDs of the full page that was read last. */
		let full = '';
		for (let number = Math.max(1, guess); ; ) {
			const page = await this.read(number);
			if (page.isLast && (page.ids.length > 0 || number === 1)) return page;
			// What stood on the empty page may have moved to the one before it, or this one's to that: it is read before and after.
			const isNext = !page.isLast && after - number <= 1;
			const ids = page.ids.join();
			if (isNext && page.mayBeLast && ids === full)
				return { ...page, isLast: true, total: number * this.size };
			if (page.isLast) after = number;
			else if (isNext) after = Infinity;
			if (!page.isLast) full = ids;
			low = page.isLast ? Math.min(low, number - 1) : number;
			const known = page.last ?? low;
			if (after - low <= 1) number = Math.max(1, low);
			else if (known > low && known < after) number = known;
			else if (after === Infinity) number = isNext ? low + 1 : low * 2;
			else number = Math.floor((low + after) / 2);
		}
	}
}

/**
 * Does some work on a list that is read by ID.
 *
 * @throws what the work throws
 */
export async function onList(
	reading: Reading,
	listing: ListRequest,
	work: (list: IdList) => Promise<void>,
): Promise<void> {
	await byRank(async (size) => await work(new IdList(reading, listing, size)));
}
