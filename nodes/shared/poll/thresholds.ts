import type { IDataObject } from 'n8n-workflow';
import { integerOf } from '../contract/readers';
import type { Page } from '../transport/pages';
import type { IdPage } from './idList';
import { IdSet } from './ids';
import { byRank, isEnd, type Reading } from './reading';
import { boundIn, optionalNumber, storeBound, storedObject } from './stored';
import type { BeginWatch, RollingWatch, StoredWatch, Watch, WatchContext } from './types';

/** A number of resources that can reach thresholds. */
export interface ThresholdsSpec {
	readonly event: string;
	/** Under which resources hold the number; the list can be sorted by it (contract 4.1). */
	readonly key: string;
}

/** So many pages are read of those beyond a threshold, and of all while one may be hidden. */
const pagesPerPoll = 20;

/** What is known of one threshold. */
class Threshold {
	readonly value: number;

	/** The IDs of those that have reached it. */
	readonly reached: IdSet;

	/** How many had reached it when they were counted last; undefined before that. */
	count?: number;

	/** So many of those are not known yet. */
	hidden: number;

	/** IDs up to this one were there at the beginning. */
	base: number;

	/** Of those, IDs below this one have not been read yet. */
	unread: number;

	constructor(value: number, stored: unknown, startsFromAll: boolean) {
		const known = stored === undefined ? undefined : storedObject(stored);
		const beginning = startsFromAll ? 0 : Infinity;
		this.value = value;
		this.reached = known ? IdSet.unpack(known.reached) : new IdSet();
		this.count = optionalNumber(known?.count);
		this.hidden = optionalNumber(known?.hidden) ?? 0;
		this.base = known ? boundIn(known.base) : beginning;
		this.unread = known ? boundIn(known.unread) : beginning;
	}

	store(): StoredWatch {
		const { reached, count, hidden, base, unread } = this;
		const bounds = { base: storeBound(base), unread: storeBound(unread) };
		return {
			reached: reached.pack(),
			...(count === undefined ? {} : { count }),
			hidden,
			...bounds,
		};
	}

	/** Whether one was there at the beginning and has not been read since. */
	isUnread(id: number): boolean {
		return id <= this.base && id < this.unread;
	}
}

/**
 * Finds resources whose number has reached a threshold: in the list that is sorted by the number, those beyond a threshold
 * stand on the first pages, so that the page on which they end shows whether there are more than before.
 */
class Thresholds implements Watch {
	private readonly spec: ThresholdsSpec;

	private readonly context: WatchContext;

	private readonly thresholds: readonly Threshold[];

	/** So many times the rolling read is to come to its end before it has surely seen what is hidden. */
	private rounds: number;

	readonly rolling: RollingWatch;

	constructor(spec: ThresholdsSpec, context: WatchContext, stored: StoredWatch | undefined) {
		this.spec = spec;
		this.context = context;
		this.rounds = optionalNumber(stored?.rounds) ?? 0;
		const known = stored ? storedObject(stored.thresholds) : {};
		this.thresholds = context.thresholds.map(
			(value) => new Threshold(value, known[value], context.startsFromAll),
		);
		this.rolling = this.rollingWatch();
	}

	store(): StoredWatch {
		const thresholds = this.thresholds.map((threshold) => [threshold.value, threshold.store()]);
		return { rounds: this.rounds, thresholds: Object.fromEntries(thresholds) as IDataObject };
	}

	see(resource: IDataObject, id: number): void {
		const number = this.numberIn(resource);
		for (const threshold of this.thresholds) {
			if (number < threshold.value || threshold.isUnread(id) || !threshold.reached.add(id))
				continue;
			if (threshold.hidden > 0) threshold.hidden -= 1;
			else if (threshold.count !== undefined) threshold.count += 1;
			const { value } = threshold;
			const told = { threshold: value };
			this.context.report({ event: this.spec.event, id, resource, once: String(value), told });
		}
	}

	async look(reading: Reading): Promise<void> {
		const { contract, params } = this.context;
		const order = [...params, ['sort_by', this.spec.key], ['sort', 'desc']] as const;
		const listing = { path: contract.path, params: order };
		await byRank(async (size) => {
			// Thresholds that end on the same page share it.
			const pages = new Map<number, Page>();
			const read = async (number: number) => {
				const page = pages.get(number) ?? (await reading.page(listing, number, size));
				pages.set(number, page);
				return page;
			};
			for (const threshold of this.thresholds) {
				if (threshold.unread === 0) await this.recount(threshold, size, read);
			}
		});
	}

	private numberIn(resource: IDataObject): number {
		return integerOf(resource[this.spec.key]) ?? -1;
	}

	/** Counts those beyond a threshold, and looks for as many as have come to them. */
	private async recount(
		threshold: Threshold,
		size: number,
		read: (number: number) => Promise<Page>,
	): Promise<void> {
		threshold.count ??= threshold.reached.size;
		const before = threshold.count;
		let number = Math.floor(before / size) + 1;
		let left = pagesPerPoll;
		let counted: number | undefined;
		for (; left > 0 && counted === undefined; left -= 1) {
			const page = await read(number);
			const { length } = page.items.filter((item) => this.numberIn(item) >= threshold.value);
			const rank = (number - 1) * size;
			if (length > 0 && length === page.items.length && !isEnd(page)) number += 1;
			else if (length === 0 && rank > 0 && rank < before) {
				// Where many have been deleted, the next poll goes on from here.
				threshold.count = rank;
				number = page.items.length > 0 ? number - 1 : Math.min(number - 1, page.last ?? number - 1);
			} else counted = rank + length;
		}
		if (counted === undefined) return;
		const missing = () => (counted ?? 0) - (threshold.count ?? 0) - threshold.hidden;
		// The next ones to reach a threshold are those just below it.
		for (number -= 1; left > 0 && number > 0 && missing() > 0; number -= 1, left -= 1) {
			await read(number);
		}
		const hidden = Math.max(0, missing());
		threshold.count = counted;
		if (hidden === 0) return;
		threshold.hidden += hidden;
		// What is left of this round may have passed it already.
		this.rounds = 2;
	}

	private rollingWatch(): RollingWatch {
		const { thresholds } = this;
		const isHurried = () => thresholds.some(({ hidden, unread }) => unread > 0 || hidden > 0);
		return {
			get isNew() {
				return thresholds.some(({ unread }) => unread === Infinity);
			},
			get pages() {
				return isHurried() ? pagesPerPoll : 1;
			},
			take: async (page) => {
				for (const threshold of thresholds) this.readOn(threshold, page);
				await Promise.resolve();
			},
			endRound: () => {
				this.rounds = Math.max(0, this.rounds - 1);
				if (this.rounds > 0) return;
				for (const threshold of thresholds) threshold.hidden = 0;
			},
		};
	}

	/** Those that have reached a threshold before they are read for the first time are not reported. */
	private readOn(threshold: Threshold, { ids, items, number }: IdPage): void {
		if (threshold.unread === Infinity) threshold.base = ids.at(-1) ?? 0;
		ids.forEach((id, index) => {
			const resource = items[index];
			const isUnread = resource && threshold.isUnread(id);
			if (isUnread && this.numberIn(resource) >= threshold.value) threshold.reached.add(id);
		});
		threshold.unread = number === 1 ? 0 : Math.min(threshold.unread, ids[0] ?? threshold.unread);
	}
}

/** Begins to watch a number of resources. */
export const thresholds =
	(spec: ThresholdsSpec): BeginWatch =>
	(context, stored) =>
		new Thresholds(spec, context, stored);
