import type { IDataObject } from 'n8n-workflow';
import type { Param } from '../contract/endpoints';
import { onList, type IdList, type IdPage } from './idList';
import { IdSet } from './ids';
import type { Reading } from './reading';
import { boundIn, pageNumber, storeBound, wholeNumber } from './stored';
import type { BeginWatch, StoredWatch, Watch, WatchContext } from './types';

/** What it means that a resource has left a list. */
export type Leaving = 'dropped' | 'happened' | 'member';

/** A list of the service, and what it means that a resource comes into it or leaves it. */
export interface MembersSpec {
	/** The filters of the list, beside those of the node (contract 4.1). */
	readonly params: readonly Param[];
	/** Whether new ones come at the end, unless a change makes one fit the filters: then every other poll reads the last page. */
	readonly growsAtEnd?: true;
	/** The event of one that has come in. */
	readonly entered?: string;
	/** The event of one that has left. */
	readonly left?: string;
	/** Whether one leaves once at most. */
	readonly isFinal?: true;
	/** What became of one that is no longer in the list, by what the service holds of it now. */
	readonly judge?: (resource: IDataObject | undefined, context: WatchContext) => Leaving;
}

/** Numbers of two pages: what is known agrees with the list up to the end of one, and not at the beginning of the other. */
interface Bounds {
	readonly low: number;
	readonly high: number;
}

/** So many pages are read to find what changed, or to get to know the list; the next poll goes on. */
const pagesPerPoll = 20;

/** Knows the IDs of all resources of a list, and finds those that have come in or left. */
class Members implements Watch {
	private readonly spec: MembersSpec;

	private readonly context: WatchContext;

	/** All that are in the list. */
	private readonly known: IdSet;

	/** Those of them that do not fit the node's filters: a search finds more than what begins with its text. */
	private readonly unfit: IdSet;

	/** IDs below this one have not been read yet. */
	private unread: number;

	/** The page that a quiet poll reads, so that all pages are read by and by. */
	private next: number;

	/** Whether the next poll reads the end of the list instead, where new ones come in. */
	private isEndDue: boolean;

	/** Where a search that was cut short goes on. */
	private search?: Bounds;

	constructor(spec: MembersSpec, context: WatchContext, stored: StoredWatch | undefined) {
		this.spec = spec;
		this.context = context;
		this.known = stored ? IdSet.unpack(stored.ids) : new IdSet();
		this.unfit = stored ? IdSet.unpack(stored.unfit) : new IdSet();
		const isAllNew = context.startsFromAll && spec.entered !== undefined;
		this.unread = stored ? boundIn(stored.unread) : isAllNew ? 0 : Infinity;
		this.next = stored ? pageNumber(stored.next) : 1;
		this.isEndDue = spec.growsAtEnd === true && stored?.isEndDue !== false;
		if (stored?.low !== undefined) {
			this.search = { low: wholeNumber(stored.low), high: pageNumber(stored.high) };
		}
	}

	store(): StoredWatch {
		const { known, unfit, next, isEndDue, unread, search } = this;
		const bounds = { next, isEndDue, unread: storeBound(unread), ...search };
		return { ids: known.pack(), unfit: unfit.pack(), ...bounds };
	}

	async look(reading: Reading): Promise<void> {
		const { contract, params } = this.context;
		const listing = { path: contract.path, params: [...this.spec.params, ...params] };
		await onList(reading, listing, async (list) => {
			await (this.unread === 0 ? this.compare(reading, list) : this.readFirst(list));
		});
	}

	/** One that another watch has seen may be gone before this one reads it. Pages come in any order. */
	see(resource: IDataObject, id: number): void {
		if (!this.spec.growsAtEnd || id < this.unread || !this.context.fits(resource)) return;
		this.known.add(id);
		this.unfit.delete(id);
	}

	/** One that is in the list. It has come in when it is known, and fits, for the first time. */
	private enter(id: number, resource: IDataObject | undefined, isReported: boolean): void {
		const { entered } = this.spec;
		const fits = !resource || this.context.fits(resource) !== false;
		const isNew = this.known.add(id) || (fits && this.unfit.has(id));
		if (fits) this.unfit.delete(id);
		else this.unfit.add(id);
		if (isNew && fits && isReported && entered && this.context.events.has(entered)) {
			this.context.report({ event: entered, id, resource });
		}
	}

	private drop(id: number): void {
		this.known.delete(id);
		this.unfit.delete(id);
	}

	/** One that is no longer in the list. What became of it is asked only where an event depends on it. */
	private async leave(reading: Reading, id: number): Promise<void> {
		const { left, judge } = this.spec;
		const isAsked = left !== undefined && this.context.events.has(left) && !this.unfit.has(id);
		if (!isAsked || !judge) {
			this.drop(id);
			return;
		}
		const resource = await reading.get(id);
		const leaving = judge(resource, this.context);
		if (leaving === 'member') return;
		this.drop(id);
		const once = this.spec.isFinal ? '' : undefined;
		if (leaving === 'happened') this.context.report({ event: left, id, resource, once });
	}

	/** What a page shows of the IDs from its first to its last one: all that are there stand on it. */
	private async learn(reading: Reading, page: IdPage): Promise<void> {
		page.ids.forEach((id, index) => this.enter(id, page.items[index], true));
		const from = page.number === 1 ? 0 : page.ids[0];
		const to = page.isLast ? Number.MAX_SAFE_INTEGER : page.ids.at(-1);
		if (from === undefined || to === undefined) return;
		const there = new Set(page.ids);
		for (const id of this.known.between(from, to)) {
			if (!there.has(id)) await this.leave(reading, id);
		}
	}

	/**
	 * Gets to know the list, the highest IDs first: what is deleted moves the others to lower pages, so that none slips
	 * through. What is read first is not reported.
	 */
	private async readFirst(list: IdList): Promise<void> {
		let page: IdPage | undefined;
		/** Whether no ID lies between those of the page and those that are known. */
		let isNext = true;
		for (let read = 0; read < pagesPerPoll && this.unread > 0; read += 1) {
			const above = page;
			if (this.unread === Infinity) page = await list.readLast(page?.last ?? this.next);
			else page = await list.read(this.next);
			const follows: boolean =
				isNext && above !== undefined && (await this.isBelow(list, page, above));
			isNext = follows || page.isLast || (page.ids.at(-1) ?? 0) >= this.unread;
			this.readOn(page, isNext);
		}
	}

	/**
	 * Whether a page ends where the one above it began. One that comes in below moves the others to higher pages: the total
	 * shows it, and where another one left meanwhile, a second look at the page above.
	 */
	private async isBelow(list: IdList, page: IdPage, above: IdPage): Promise<boolean> {
		if (above.number !== page.number + 1 || (page.total ?? 0) > (above.total ?? 0)) return false;
		return this.spec.growsAtEnd === true || (await list.isStillAt(above));
	}

	private readOn(page: IdPage, isNext: boolean): void {
		const { unread } = this;
		page.ids.forEach((id, index) => {
			if (id >= unread || isNext) this.enter(id, page.items[index], id >= unread);
		});
		// Where the page does not reach up to what is known, the one above it does.
		this.next = isNext
			? Math.max(1, Math.min(page.number - 1, page.last ?? Infinity))
			: page.number + 1;
		if (isNext) this.unread = page.number === 1 ? 0 : Math.min(unread, page.ids[0] ?? unread);
	}

	/** How many IDs too many are known below a page's first one. */
	private surplus({ ids, number }: IdPage, list: IdList): number {
		const [first] = ids;
		return first === undefined ? 0 : this.known.countBelow(first) - (number - 1) * list.size;
	}

	/** Compares what is known with the list: reads one page, and where something changed those that show what. */
	private async compare(reading: Reading, list: IdList): Promise<void> {
		const { isEndDue } = this;
		const first = await list.read(isEndDue ? list.pageOf(this.known.size) : this.next);
		await this.learn(reading, first);
		let page = first;
		if (page.total === undefined) {
			page = await list.readLast(list.pageOf(this.known.size));
			await this.learn(reading, page);
		}
		const agrees = this.surplus(page, list) === 0;
		const low = agrees && page.ids.length > 0 ? page.number : 0;
		await this.settle(reading, list, page.total ?? 0, low, agrees ? undefined : page.number);
		if (!isEndDue) this.next = first.number >= (page.last ?? page.number) ? 1 : first.number + 1;
		this.isEndDue = this.spec.growsAtEnd === true && !isEndDue;
	}

	/**
	 * Finds what makes the number of known IDs another one than the list's: halves the distance between a page up to whose
	 * end all agrees, and one that does not begin where it should. A poll that is cut short leaves the bounds to the next one.
	 */
	private async settle(
		reading: Reading,
		list: IdList,
		total: number,
		agreeing: number,
		disagreeing: number | undefined,
	): Promise<void> {
		let count = total;
		let low = Math.max(agreeing, this.search?.low ?? 0);
		let high = disagreeing ?? this.search?.high;
		if (high !== undefined && high <= low) [low, high] = [agreeing, disagreeing];
		for (let read = 0; read < pagesPerPoll; read += 1) {
			const isSettled = high === undefined && this.known.size === count;
			this.search = isSettled ? undefined : { low, high: high ?? list.pageOf(count) + 1 };
			if (!this.search) return;
			if (this.search.high - low <= 1) {
				const isClosed = await this.closeGap(reading, list, this.search);
				low = this.search.high;
				high = undefined;
				this.search = undefined;
				if (isClosed) continue;
				return;
			}
			const { size } = this.known;
			const page = await list.read(Math.floor((low + this.search.high) / 2));
			await this.learn(reading, page);
			if (this.known.size !== size) high = undefined;
			count = page.total ?? count;
			if (page.ids.length === 0) high = page.number;
			else if (this.surplus(page, list) === 0) low = page.number;
			else high = page.number;
		}
	}

	/**
	 * Two pages follow each other, and IDs that are known lie between them: they have left. A second look at the lower page
	 * shows whether it was still the same when the higher one was read.
	 *
	 * @returns whether that was so
	 */
	private async closeGap(reading: Reading, list: IdList, bounds: Bounds): Promise<boolean> {
		if (bounds.low < 1) return false;
		const low = await list.read(bounds.low);
		const last = low.ids.at(-1);
		if (low.isLast || last === undefined) return false;
		const high = await list.read(bounds.high);
		const [first] = high.ids;
		if (first === undefined) return false;
		const between = this.known.between(last + 1, first - 1);
		if (between.length === 0) return false;
		const again = await list.read(bounds.low);
		if (again.ids.join() !== low.ids.join()) return false;
		for (const id of between) await this.leave(reading, id);
		return this.surplus(high, list) === 0;
	}
}

/** Begins to watch the members of a list. */
export const members =
	(spec: MembersSpec): BeginWatch =>
	(context, stored) =>
		new Members(spec, context, stored);
