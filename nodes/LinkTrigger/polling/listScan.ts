import type { IDataObject } from 'n8n-workflow';
import type { IdList, IdPage } from './idList';
import { encodeBound, optional, storedBound, storedPage } from './storedValues';

/** A page that a scan has read. */
export interface ScannedPage extends IdPage {
	/** The scan has read all IDs of this round from here on; Infinity at the start of a round. */
	readonly bound: number;
	/** All links of the list with IDs from the page's first ID up to this one (excluded) are on the page, if it is continuous. */
	readonly below: number;
	/**
	 * Whether no link lies between this page and the pages above that the scan has read. If it is not, the scan reads the page
	 * above next.
	 */
	readonly isContinuous: boolean;
}

/** Returns the bounds of the IDs whose links a page shows: those that are not on it are not in the list. */
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

	/** The number of the last page when the list was read last. */
	last: number;

	/** The scan has read all IDs of this round from here on. */
	bound: number;

	/** The page that this poll has read before the next one. */
	private above?: IdPage;

	/** @throws SyntaxError if the stored state is broken */
	constructor(stored: IDataObject | undefined) {
		this.next = optional(storedPage, stored?.next);
		this.last = optional(storedPage, stored?.last) ?? 1;
		this.bound = optional(storedBound, stored?.bound) ?? Infinity;
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
	 * @param needsContinuity whether it matters that no link lies between the page and the pages above. Only then the scan
	 * makes requests to find out.
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

	/** Returns whether the page above is still the same after this one was read: only a link that comes in below moves others up. */
	private async follows(list: IdList, page: IdPage): Promise<boolean> {
		const { above } = this;
		if (above?.number !== page.number + 1 || page.total > above.total) return false;
		const { ids } = await list.read(above.number);
		return ids[0] === above.ids[0];
	}

	/**
	 * Continues after a page. Returns whether the round is over.
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
