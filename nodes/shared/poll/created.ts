import type { IDataObject } from 'n8n-workflow';
import { afterPage, beginBacklog, isGapless, storedBacklog, type Backlog } from './backlog';
import { IdList, idNumber } from './idList';
import { IdSet } from './ids';
import { isEnd, type Reading } from './reading';
import { storedPage, wholeNumber } from './stored';
import type { BeginWatch, Happening, StoredWatch, Watch, WatchContext } from './types';

/** So many of the newest IDs are remembered, because one that was given earlier may become visible later. */
const remembered = 100;

/** Max number of pages with new resources that a poll hands over. */
const pagesPerPoll = 10;

/** Max number of requests for a backlog in a poll: three for each page, and those of the search. */
const requestsPerPoll = 40;

interface Found {
	readonly id: number;
	readonly resource: IDataObject;
}

const foundIn = (resources: readonly IDataObject[]): Found[] =>
	resources.map((resource) => ({ id: idNumber(resource), resource }));

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

	/** The highest ID that was read. All new ones up to it are reported. */
	private highest: number;

	/** Set before the first poll. */
	private isNew: boolean;

	/** Set while there are more new resources than the newest page has. */
	private backlog?: Backlog;

	/** The page that had the highest ID at the end of the last backlog: the next search starts there. */
	private lastPage: number;

	/** The IDs that this poll has judged as outside of the filters. The next poll judges them again. */
	private readonly outside = new Set<number>();

	constructor(event: string, context: WatchContext, stored: StoredWatch | undefined) {
		this.event = event;
		this.context = context;
		this.isNew = stored ? stored.isNew === true : !context.startsFromAll;
		this.floor = stored ? wholeNumber(stored.floor) : 0;
		this.seen = stored ? IdSet.unpack(stored.seen) : new IdSet();
		this.highest = stored ? wholeNumber(stored.highest) : 0;
		this.backlog = storedBacklog(stored?.backlog);
		this.lastPage = storedPage(stored?.lastPage) ?? 0;
		if (this.floor > this.highest) throw new SyntaxError('Nothing would be new');
	}

	store(): StoredWatch {
		const { floor, seen, highest, lastPage } = this;
		const backlog = this.backlog ? { backlog: { ...this.backlog } } : {};
		// A poll may have ended before this watch had its turn.
		const isNew = this.isNew ? { isNew: true } : {};
		const page = lastPage > 0 ? { lastPage } : {};
		return { floor, seen: seen.pack(), highest, ...page, ...backlog, ...isNew };
	}

	async look(reading: Reading): Promise<void> {
		const { contract, fixedParams: params } = this.context;
		const list = new IdList(reading, { path: contract.path, params });
		const happenings: Happening[] = [];
		try {
			if (!this.backlog) await this.readNewest(list, happenings);
			await this.readBacklog(list, happenings);
		} finally {
			// One that becomes visible late is found after others with higher IDs.
			happenings.sort((one, other) => one.id - other.id);
			for (const happening of happenings) this.context.report(happening);
		}
	}

	private async readNewest(list: IdList, happenings: Happening[]): Promise<void> {
		const page = await list.readNewest();
		const found = foundIn(page.items);
		// The page has the highest IDs first.
		const lowest = found.at(-1)?.id ?? Infinity;
		if (this.isNew) this.begin(found, isEnd(page));
		else if (lowest <= this.highest + 1 || isEnd(page)) this.take(found, happenings);
		else this.backlog = beginBacklog(this.highest, this.lastPage, page.last);
	}

	/** What is there before the first poll is not new. */
	private begin(found: readonly Found[], isAll: boolean): void {
		this.seen = new IdSet(found.map(({ id }) => id));
		this.highest = this.seen.highest;
		const [lowest = 0] = this.seen;
		this.floor = isAll ? 0 : lowest;
		this.isNew = false;
	}

	/** Takes the new ones of a page. All new ones up to the highest of them are there. */
	private take(found: readonly Found[], happenings: Happening[]): void {
		const { highest, event } = this;
		const fresh = found.filter(({ id }) => id > this.floor && !this.seen.has(id));
		for (const { id, resource } of fresh) {
			const isOutside = this.context.fits(resource) === false;
			if (!isOutside) happenings.push({ event, id, resource, once: '' });
			if (!isOutside || (id <= highest && !this.outside.has(id))) this.seen.add(id);
			else this.outside.add(id);
		}
		this.forget(found);
		this.highest = found.reduce((most, { id }) => Math.max(most, id), highest);
	}

	/** Raises the floor, so that about as many IDs are remembered as a page has. */
	private forget(found: readonly Found[]): void {
		const ids = new IdSet([...this.seen, ...found.map(({ id }) => id)]);
		const [lowest = 0] = [...ids].slice(-remembered);
		if (ids.size > remembered) this.floor = Math.max(this.floor, lowest - 1);
		this.seen = new IdSet([...this.seen].filter((id) => id > this.floor));
	}

	/** Hands over a backlog, oldest first, until it or the poll ends. The next poll goes on where this one stops. */
	private async readBacklog(list: IdList, happenings: Happening[]): Promise<void> {
		let pages = 0;
		for (let read = 0; read < requestsPerPoll && pages < pagesPerPoll; read += 1) {
			const { backlog, highest } = this;
			if (!backlog) return;
			const page = await list.read(backlog.next);
			const gapless = isGapless(page, backlog, highest);
			if (gapless) {
				this.lastPage = page.number;
				this.take(foundIn(page.items), happenings);
			}
			const hasNew = this.highest > highest;
			this.backlog = afterPage(page, backlog, gapless, hasNew);
			if (hasNew) pages += 1;
		}
	}
}

/** Begins to watch for new resources. */
export const created =
	(event: string): BeginWatch =>
	(context, stored) =>
		new Created(event, context, stored);
