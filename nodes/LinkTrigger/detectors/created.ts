import type { IDataObject } from 'n8n-workflow';
import { rejection } from '../../shared/transport/failures';
import { IdList, type IdPage } from '../polling/idList';
import { IdSet } from '../polling/idSet';
import type { PollRequests } from '../polling/pollRequests';
import { readOptional, storedNumber, storedPage } from '../polling/storedValues';
import { isContiguous, nextBacklog, storedBacklog, type Backlog } from './backlog';
import {
	canGainLinks,
	type Detector,
	type DetectorContext,
	type DetectorDefinition,
	type StoredDetector,
	type TriggerEvent,
} from './detector';

/** Number of the newest IDs to store, because a link with a lower ID may become visible later. */
const remembered = 100;

/** Max number of pages with new links that a poll reports. */
const maxNewPages = 10;

/** Max number of requests for a backlog in a poll: three for each page, and some to find the first page. */
const maxBacklogRequests = 40;

/**
 * Finds new links: those with higher IDs than all links before (assumption: increasing IDs). The filters are checked when a
 * link is read, and again by the next poll, because a service may attach pixels a moment later.
 */
class CreatedDetector implements Detector {
	private readonly context: DetectorContext;

	/** Links with IDs up to this one are not new. */
	private floor: number;

	/** The IDs above the floor that are not new either. */
	private seen: IdSet;

	/** The highest ID that was read. All new links up to it are reported. */
	private highest: number;

	/** Whether the links of the first poll have not been read yet. */
	private isBaseline: boolean;

	/** Set while the new links do not fit on the newest page. */
	private backlog?: Backlog;

	/** The number of the page with the highest ID, where a backlog probably starts. */
	private lastPage: number;

	/** The new IDs of this poll that do not match the filters. The next poll checks them again. */
	private readonly outside = new Set<number>();

	/** The events of this poll. */
	private readonly events: TriggerEvent[] = [];

	constructor(context: DetectorContext, stored: StoredDetector | undefined) {
		this.context = context;
		this.isBaseline = stored ? stored.isBaseline === true : !context.startsFromAll;
		this.floor = stored ? storedNumber(stored.floor) : 0;
		this.seen = stored ? IdSet.decode(stored.seen) : new IdSet();
		this.highest = stored ? storedNumber(stored.highest) : 0;
		this.backlog = readOptional(storedBacklog, stored?.backlog);
		this.lastPage = readOptional(storedPage, stored?.lastPage) ?? 1;
		if (this.floor > this.highest) throw new SyntaxError('No link would be new');
	}

	store(): StoredDetector {
		const { floor, seen, highest, lastPage, backlog, isBaseline } = this;
		return {
			...{ floor, seen: seen.encode(), highest, lastPage },
			...(backlog && { backlog: { ...backlog } }),
			...(isBaseline && { isBaseline }),
		};
	}

	async poll(requests: PollRequests): Promise<void> {
		const list = new IdList(requests, this.context.fixedParams);
		try {
			if (!this.backlog) await this.readNewest(list);
			await this.readBacklog(list);
		} finally {
			// A link can become visible later than links with higher IDs.
			this.events.sort((a, b) => a.id - b.id).forEach(this.context.report);
		}
	}

	private async readNewest(list: IdList): Promise<void> {
		const page = await list.read(1, 'desc');
		const isWhole = page.last === 1;
		const [lowest = Infinity] = page.ids;
		if (this.isBaseline) this.begin(page.ids, isWhole);
		else if (isWhole || lowest <= this.highest + 1) this.collect(page);
		else {
			const next = this.highest === 0 ? 1 : Math.min(this.lastPage, page.last);
			this.backlog = { next };
			return;
		}
		this.lastPage = page.last;
	}

	/** Links of the first poll are not new. */
	private begin(ids: readonly number[], isWhole: boolean): void {
		this.seen = new IdSet(ids);
		this.highest = this.seen.highest;
		this.floor = isWhole ? 0 : (ids[0] ?? 0);
		this.isBaseline = false;
	}

	/** Collects the new links of a page, below which no link is new. */
	private collect({ ids, items }: IdPage): void {
		const { highest } = this;
		ids.forEach((id, index) => {
			const link = items[index];
			if (!link || id <= this.floor || this.seen.has(id)) return;
			const isOutside = !this.fits(link);
			if (!isOutside) this.events.push({ event: 'created', id, link, once: '' });
			if (!isOutside || (id <= highest && !this.outside.has(id))) this.seen.add(id);
			else this.outside.add(id);
		});
		this.highest = Math.max(highest, ids.at(-1) ?? 0);
		this.forget(ids);
	}

	/** The list is filtered only by fields that never change, so the link must contain the other filtered fields. */
	private fits(link: IDataObject): boolean {
		const answer = this.context.fits(link) ?? (canGainLinks(this.context) ? undefined : true);
		if (answer !== undefined) return answer;
		throw rejection(
			'The service does not return the fields of new links that Filters needs',
			'Remove the filters by space, pixel and alias, or the event Link Created.',
		);
	}

	/** Raises the floor, so that the number of stored IDs is about the size of a page. */
	private forget(ids: readonly number[]): void {
		const all = new IdSet([...this.seen, ...ids]);
		const [lowest = 0] = [...all].slice(-remembered);
		if (all.size > remembered) this.floor = Math.max(this.floor, lowest - 1);
		this.seen = new IdSet(this.seen.between(this.floor + 1, Infinity));
	}

	/** Reports a backlog, oldest first, until the backlog or the poll ends. The next poll continues. */
	private async readBacklog(list: IdList): Promise<void> {
		let pages = 0;
		for (let read = 0; read < maxBacklogRequests && pages < maxNewPages; read += 1) {
			const { backlog, highest } = this;
			if (!backlog) return;
			const page = await list.read(backlog.next);
			const contiguous = isContiguous(page, backlog, highest);
			if (contiguous) this.collect(page);
			if (contiguous) this.lastPage = page.number;
			if (this.highest > highest) pages += 1;
			this.backlog = nextBacklog(page, backlog, contiguous);
		}
	}
}

/** Finds new links. */
export const createdLinks: DetectorDefinition = {
	name: 'created',
	create: (context, stored) => new CreatedDetector(context, stored),
};
