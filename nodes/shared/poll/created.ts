import type { IDataObject } from 'n8n-workflow';
import { idNumber, onList, type IdList, type IdPage } from './idList';
import { IdSet } from './ids';
import { isEnd, type Reading } from './reading';
import { optionalNumber, wholeNumber } from './stored';
import type { BeginWatch, StoredWatch, Watch, WatchContext } from './types';

/** So many of the newest IDs are remembered, because one that was given earlier may become visible later. */
const remembered = 100;

/** So many pages of a backlog are handed over with one poll. */
const pagesPerPoll = 10;

interface Found {
	readonly id: number;
	readonly resource: IDataObject;
}

/**
 * Finds new resources: those with IDs that are higher than any before. Whether one fits the filters is judged when it is
 * read, and once more by the next poll, because a service may attach what the filters look at a moment later.
 */
class Created implements Watch {
	private readonly event: string;

	private readonly context: WatchContext;

	/** What has an ID up to this one is not new. */
	private floor: number;

	/** The IDs above the floor that are not new either. */
	private seen: IdSet;

	/** The highest ID that was read. */
	private highest: number;

	/** Set before the first poll. */
	private isNew: boolean;

	/** The page that held the highest known ID when a part of a backlog was handed over. */
	private boundary?: number;

	/** So many pages are tried at once. */
	private stride: number;

	constructor(event: string, context: WatchContext, stored: StoredWatch | undefined) {
		this.event = event;
		this.context = context;
		this.isNew = stored ? stored.isNew === true : !context.startsFromAll;
		this.floor = stored ? wholeNumber(stored.floor) : 0;
		this.seen = stored ? IdSet.unpack(stored.seen) : new IdSet();
		this.highest = stored ? wholeNumber(stored.highest) : 0;
		this.boundary = optionalNumber(stored?.boundary);
		this.stride = optionalNumber(stored?.stride) ?? pagesPerPoll;
		if (this.floor > this.highest) throw new SyntaxError('Nothing would be new');
	}

	store(): StoredWatch {
		const { floor, seen, highest, boundary, stride } = this;
		const backlog = boundary === undefined ? {} : { boundary, stride };
		// A poll may have ended before this watch had its turn.
		const isNew = this.isNew ? { isNew: true } : {};
		return { floor, seen: seen.pack(), highest, ...backlog, ...isNew };
	}

	async look(reading: Reading): Promise<void> {
		const { contract, fixedParams: params } = this.context;
		await onList(reading, { path: contract.path, params }, async (list) => {
			const page = await list.readNewest();
			const found = page.items.map((resource) => ({ id: idNumber(resource), resource }));
			const lowest = Math.min(...found.map(({ id }) => id));
			if (this.isNew) this.begin(found, isEnd(page));
			else if (lowest <= this.highest || isEnd(page)) {
				this.take(found);
				this.boundary = undefined;
			} else await this.handOver(reading, list);
		});
	}

	/** What is there before the first poll is not new. */
	private begin(found: readonly Found[], isAll: boolean): void {
		this.seen = new IdSet(found.map(({ id }) => id));
		this.highest = this.seen.highest;
		this.floor = isAll ? 0 : Math.min(...this.seen);
		this.isNew = false;
	}

	/** Reports what is new, oldest first. All new ones up to the highest of them are there. */
	private take(found: readonly Found[]): void {
		const { highest } = this;
		const isNew = ({ id }: Found) => id > this.floor && !this.seen.has(id);
		// What a deletion moves to a lower page meanwhile is read twice.
		const fresh = new Map(found.filter(isNew).map((each) => [each.id, each]));
		const inOrder = [...fresh.values()].sort((one, other) => one.id - other.id);
		for (const { id, resource } of inOrder) {
			const isOutside = this.context.fits(resource) === false;
			if (!isOutside) this.context.report({ event: this.event, id, resource, once: '' });
			if (!isOutside || id <= highest) this.seen.add(id);
		}
		this.forget(found);
		this.highest = Math.max(highest, ...found.map(({ id }) => id));
	}

	/** Raises the floor, so that about as many IDs are remembered as stand on a page. */
	private forget(found: readonly Found[]): void {
		const ids = new IdSet([...this.seen, ...found.map(({ id }) => id)]);
		const [lowest = 0] = [...ids].slice(-remembered);
		if (ids.size > remembered) this.floor = Math.max(this.floor, lowest - 1);
		this.seen = new IdSet([...this.seen].filter((id) => id > this.floor));
	}

	/**
	 * Hands over the oldest part of a backlog. Its pages are read downwards: what is deleted meanwhile moves the others to
	 * lower pages, so that none slips through. One that becomes visible below moves them up: then a page is read once more.
	 */
	private async handOver(reading: Reading, list: IdList): Promise<void> {
		// So much may have been deleted that the boundary lies far below.
		const isFar = this.stride === 1;
		const boundary = (isFar ? undefined : this.boundary) ?? (await this.findBoundary(list));
		this.boundary = boundary;
		const width = Math.max(1, Math.min(this.stride, reading.left - 1));
		// Where the poll ends before it is at the boundary, the next one tries fewer pages.
		this.stride = Math.max(1, Math.floor(width / 2));
		const found: Found[] = [];
		let page = await this.readAtMost(list, boundary + width);
		const top = page.number;
		for (;;) {
			page.ids.forEach((id, index) => {
				const resource = page.items[index];
				if (resource) found.push({ id, resource });
			});
			if (page.number === 1 || (page.ids[0] ?? Infinity) <= this.highest) break;
			const above = page;
			page = await list.read(above.number - 1);
			const mayHaveMoved = page.total === undefined || page.total > (above.total ?? 0);
			if (mayHaveMoved && !(await list.isStillAt(above))) page = await list.read(above.number);
		}
		this.take(found);
		this.boundary = top;
		this.stride = pagesPerPoll;
	}

	/** A page, or the last one where there are not so many. */
	private async readAtMost(list: IdList, number: number): Promise<IdPage> {
		const page = await list.read(number);
		return page.ids.length > 0 ? page : await list.readLast(page.last ?? number - 1);
	}

	/** The number of the page up to which all IDs are known: the last one that begins with a known ID. */
	private async findBoundary(list: IdList): Promise<number> {
		if (this.highest === 0) return 0;
		const { number: last } = await list.readLast(1);
		let [low, high] = [0, last];
		while (low < high) {
			const middle = Math.ceil((low + high) / 2);
			const { ids } = await list.read(middle);
			if (ids[0] !== undefined && ids[0] <= this.highest) low = middle;
			else high = middle - 1;
		}
		return low;
	}
}

/** Begins to watch for new resources. */
export const created =
	(event: string): BeginWatch =>
	(context, stored) =>
		new Created(event, context, stored);
