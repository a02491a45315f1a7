import type { IDataObject } from 'n8n-workflow';
import type { IdList, IdPage } from './idList';
import { encodeBound, readOptional, storedBound, storedPage } from './storedValues';

/** A page that a scan has read. */
export interface ScannedPage extends IdPage {
	/** The lowest ID that the round has read before this page; Infinity at the start of a round. */
	readonly bound: number;
	/**
	 * The lowest ID that the round has read before; Infinity for the last page. If the page is continuous, it has all links
	 * from its first ID up to this ID (excluded).
	 */
	readonly below: number;
	/**
	 * Whether there is no unread link between this page and the pages above it. If there may be one, the scan reads the page
	 * above again.
	 */
	readonly isContinuous: boolean;
}

/** Returns the range of IDs that a page covers. An ID in this range that is not on the page is not in the list. */
export const coverageOf = ({ ids, number, below, isContinuous }: ScannedPage) => {
	const after = (ids.at(-1) ?? -1) + 1;
	return {
		from: number === 1 ? 0 : (ids[0] ?? Infinity),
		to: (isContinuous ? Math.max(after, below) : after) - 1,
	};
};

/**
 * The position of a scan of a list by ID. Each round reads all pages, the highest IDs first: a deletion moves links to lower
 * pages, so that no round misses one.
 */
export class ListScan {
	/** The page to read next; undefined at the start of a round. */
	private next?: number;

	/** The number of the last page at the most recent read. */
	last: number;

	/** The lowest ID that the round has read. */
	bound: number;

	/** The page that this poll has read before the next one. */
	private above?: IdPage;

	/** @throws SyntaxError if the stored state is broken */
	constructor(stored: IDataObject | undefined) {
		this.next = readOptional(storedPage, stored?.next);
		this.last = readOptional(storedPage, stored?.last) ?? 1;
		this.bound = readOptional(storedBound, stored?.bound) ?? Infinity;
	}

	store(): IDataObject {
		const { next, last, bound } = this;
		return next === undefined ? { last } : { last, next, bound: encodeBound(bound) };
	}

	/** Starts a round. */
	restart(): void {
		this.next = undefined;
		this.bound = Infinity;
	}

	/**
	 * Reads the next page. Without `advance`, the next call reads the same page.
	 *
	 * @param needsContinuity returns whether the scan must know that it missed no link between the page and the page above.
	 * This can take a request.
	 */
	async read(
		list: IdList,
		needsContinuity: (page: IdPage, below: number) => boolean,
	): Promise<ScannedPage> {
		const { next = this.last, bound } = this;
		let page = await list.read(next);
		// After deletions the next page may be beyond the end.
		const isLastDue = this.next === undefined || next > page.last;
		if (isLastDue && next !== page.last) page = await list.readLast(page.last);
		this.last = page.last;
		const below = page.isLast ? Infinity : bound;
		const isContinuous =
			page.isLast ||
			(page.ids.at(-1) ?? 0) + 1 >= below ||
			!needsContinuity(page, below) ||
			(await this.follows(list, page));
		return { ...page, bound, below, isContinuous };
	}

	/** Returns whether the page above is unchanged. It changes if a link enters a lower page, which moves other links up. */
	private async follows(list: IdList, page: IdPage): Promise<boolean> {
		const { above } = this;
		if (above?.number !== page.number + 1 || page.total > above.total) return false;
		const { ids } = await list.read(above.number);
		return ids[0] === above.ids[0];
	}

	/**
	 * Continues after a page. Returns whether the round has ended.
	 */
	advance(page: ScannedPage): boolean {
		if (!page.isContinuous) {
			this.above = undefined;
			this.next = page.number + 1;
			return false;
		}
		this.above = page;
		this.bound = Math.min(page.bound, page.ids[0] ?? Infinity);
		this.next = page.number - 1;
		if (page.number > 1) return false;
		this.restart();
		return true;
	}
}
