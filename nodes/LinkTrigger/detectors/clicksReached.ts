import type { IDataObject } from 'n8n-workflow';
import type { Param } from '../../shared/contract/endpoints';
import { integerOf } from '../../shared/contract/readers';
import { rejection } from '../../shared/transport/failures';
import { IdSet } from '../polling/idSet';
import type { ScannedPage } from '../polling/listScan';
import type { CountedPage, PollRequests } from '../polling/pollRequests';
import {
	encodeBound,
	maxPageNumber,
	readOptional,
	storedBound,
	storedNumber,
	storedObject,
} from '../polling/storedValues';
import {
	maxPagesPerPoll,
	type Detector,
	type DetectorContext,
	type DetectorDefinition,
	type ScanPart,
	type StoredDetector,
} from './detector';

/** The list that has the links with the most clicks first (contract 4.1). */
export const mostClicksFirst: readonly Param[] = [
	['sort_by', 'clicks'],
	['sort', 'desc'],
];

/**
 * Returns the clicks of a link of a list.
 *
 * @throws ServiceError if the link does not show them as a whole number
 */
function clicksOf({ clicks }: IDataObject): number {
	const number = integerOf(clicks);
	if (number !== null) return number;
	throw rejection(
		'The service does not return the clicks of links as whole numbers',
		'Clicks Reached cannot work with this service. Remove this event.',
	);
}

/** The state of one threshold. */
class Threshold {
	readonly value: number;

	/** The IDs of the links that reached it. */
	readonly reached: IdSet;

	/** Number of links above it at the last count; undefined before the first count. */
	count?: number;

	/** Number of counted links that are not in `reached` yet. */
	hidden: number;

	/** Links with IDs up to this one existed before the first poll. */
	base: number;

	/** The links of these with lower IDs than this one have not been read yet. */
	unread: number;

	constructor(value: number, stored: unknown, startsFromAll: boolean) {
		const state = readOptional(storedObject, stored);
		const beginning = startsFromAll ? 0 : Infinity;
		this.value = value;
		this.reached = state ? IdSet.decode(state.reached) : new IdSet();
		this.count = readOptional(storedNumber, state?.count);
		this.hidden = readOptional(storedNumber, state?.hidden) ?? 0;
		this.base = state ? storedBound(state.base) : beginning;
		this.unread = state ? storedBound(state.unread) : beginning;
	}

	store(): StoredDetector {
		const { reached, count, hidden, base, unread } = this;
		return {
			...{
				reached: reached.encode(),
				hidden,
				base: encodeBound(base),
				unread: encodeBound(unread),
			},
			...(count === undefined ? {} : { count }),
		};
	}

	isUnread(id: number): boolean {
		return id <= this.base && id < this.unread;
	}
}

/**
 * Finds links whose clicks have reached a threshold. The list is sorted by clicks, so the page with the last link above a
 * threshold shows whether their number grew.
 */
class ClicksReachedDetector implements Detector {
	private readonly context: DetectorContext;

	private readonly thresholds: readonly Threshold[];

	/** Number of rounds that the full scan must complete to find all hidden links. */
	private rounds: number;

	constructor(context: DetectorContext, stored: StoredDetector | undefined) {
		this.context = context;
		this.rounds = stored ? storedNumber(stored.rounds) : 0;
		const states = stored ? storedObject(stored.thresholds) : {};
		this.thresholds = context.thresholds.map(
			(value) => new Threshold(value, states[value], context.startsFromAll),
		);
	}

	store(): StoredDetector {
		const thresholds = this.thresholds.map((threshold) => [threshold.value, threshold.store()]);
		return { rounds: this.rounds, thresholds: Object.fromEntries(thresholds) as IDataObject };
	}

	observe(link: IDataObject, id: number): void {
		const clicks = integerOf(link.clicks) ?? -1;
		for (const threshold of this.thresholds) {
			const { value } = threshold;
			if (clicks < value || threshold.isUnread(id) || !threshold.reached.add(id)) continue;
			if (threshold.hidden > 0) threshold.hidden -= 1;
			else if (threshold.count !== undefined) threshold.count += 1;
			const extra = { threshold: value };
			this.context.report({ event: 'clicksReached', id, link, once: String(value), extra });
		}
	}

	async poll(requests: PollRequests): Promise<void> {
		const params = [...this.context.params, ...mostClicksFirst];
		// Thresholds that end on the same page share it.
		const pages = new Map<number, CountedPage>();
		const read = async (number: number) => {
			const page = pages.get(number) ?? (await requests.page(params, number));
			pages.set(number, page);
			return page;
		};
		for (const threshold of this.thresholds) {
			if (threshold.unread > 0) continue;
			threshold.count ??= threshold.reached.size;
			const numberOf = (count: number) =>
				Math.min(Math.floor(count / requests.pageSize) + 1, maxPageNumber);
			const first = numberOf(threshold.count);
			await read(first);
			// The first page of a poll shows the size of the pages.
			await this.recount(threshold, numberOf(threshold.count), read);
		}
	}

	/** Counts the links above a threshold, and searches for links that reached it since the last count. */
	private async recount(
		threshold: Threshold,
		first: number,
		read: (number: number) => Promise<CountedPage>,
	): Promise<void> {
		const before = threshold.count ?? 0;
		let number = first;
		let remaining = maxPagesPerPoll;
		let counted: number | undefined;
		for (; remaining > 0 && counted === undefined; remaining -= 1) {
			const { items, last, offset } = await read(number);
			const { length } = items.filter((link) => clicksOf(link) >= threshold.value);
			if (length > 0 && length === items.length && number < last) number += 1;
			else if (length === 0 && offset > 0 && offset < before) {
				// After many deletions the next poll continues here.
				threshold.count = offset;
				number = Math.min(number - 1, last);
			} else counted = offset + length;
		}
		if (counted === undefined) return;
		const total = counted;
		const missing = () => total - (threshold.count ?? 0) - threshold.hidden;
		// The links just below a threshold reach it next.
		for (number -= 1; remaining > 0 && number > 0 && missing() > 0; number -= 1, remaining -= 1) {
			await read(number);
		}
		const hidden = Math.max(0, missing());
		threshold.count = total;
		if (hidden === 0) return;
		threshold.hidden += hidden;
		// The rest of this round may have passed the links already.
		this.rounds = 2;
	}

	get scan(): ScanPart {
		const { thresholds } = this;
		const isUnread = thresholds.some(({ unread }) => unread > 0);
		return {
			isNew: thresholds.some(({ unread }) => unread === Infinity),
			needsContinuity: isUnread,
			pages: isUnread || thresholds.some(({ hidden }) => hidden > 0) ? maxPagesPerPoll : 1,
			scanPage: (page) => thresholds.forEach((threshold) => readBaseline(threshold, page)),
			endRound: () => {
				this.rounds = Math.max(0, this.rounds - 1);
				if (this.rounds === 0) for (const threshold of thresholds) threshold.hidden = 0;
			},
		};
	}
}

/** Stores links that reached a threshold before they are read for the first time. They are not reported. */
function readBaseline(threshold: Threshold, page: ScannedPage): void {
	const { ids, items, number, isContinuous } = page;
	if (threshold.unread === 0 || !isContinuous) return;
	if (threshold.unread === Infinity) threshold.base = ids.at(-1) ?? 0;
	ids.forEach((id, index) => {
		const link = items[index];
		const isUnread = link && threshold.isUnread(id);
		if (isUnread && clicksOf(link) >= threshold.value) threshold.reached.add(id);
	});
	threshold.unread = number === 1 ? 0 : Math.min(threshold.unread, ids[0] ?? threshold.unread);
}

/** Finds links that reached a number of clicks. */
export const clicksReached: DetectorDefinition = {
	name: 'clicksReached',
	create: (context, stored) => new ClicksReachedDetector(context, stored),
};
