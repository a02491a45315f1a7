import type { IDataObject } from 'n8n-workflow';
import { rejection } from '../../shared/transport/failures';
import { decodeIds, encodeIds, storedNumbers } from '../encoding';
import type { IdPage, PollReader } from '../reader';
import {
	type DetectorContext,
	type DetectorDefinition,
	type PollingDetector,
	type Stored,
	type TriggerEvent,
} from './detector';

/** Number of events after which a poll reads no other page of a backlog. */
const maxEvents = 1000;

/** Max number of requests for a backlog in a poll: three for each page, and some to find the first page. */
const maxBacklogRequests = 40;

/**
 * What the detector knows, as JSON. Links with IDs up to `floor` are not new. It is below the newest page, because a link may
 * become visible late. All new links up to `highest` are reported. `lastPage` is the number of the page with this ID, where a
 * backlog probably starts.
 *
 * While the new links do not fit on the newest page, it has the position in the list by ID: `next` is the page to read next (0
 * without a backlog), `above` the lowest page whose first ID does not directly follow the known IDs, and `first` this ID (0 for
 * none). Each page that is read advances it, so that a poll can end after any request. After deletions, the page may be too
 * high. Its first ID shows that.
 */
const newState = { floor: 0, highest: 0, lastPage: 1, next: 0, above: 0, first: 0 };

/**
 * Finds new links: those with higher IDs than all links before (assumption: increasing IDs). The filters are checked when a
 * link is read, and again by the next poll, because a service may attach pixels a moment later.
 */
class CreatedDetector implements PollingDetector {
	private state: typeof newState;

	/** Whether no link has been read yet. */
	private isBaseline: boolean;

	/** The IDs above the floor that are not new either. */
	private readonly seen: Set<number>;

	/** The new IDs of this poll that do not match the filters. The next poll checks them again. */
	private readonly outside = new Set<number>();

	/** The events of this poll. */
	private readonly events: TriggerEvent[] = [];

	private readonly context: DetectorContext;

	constructor(context: DetectorContext, stored: Stored) {
		this.context = context;
		const from = stored ?? { ...newState, seen: '', isBaseline: !context.startsFromAll };
		this.state = storedNumbers(from, 'floor', 'highest', 'lastPage', 'next', 'above', 'first');
		this.isBaseline = from.isBaseline === true;
		this.seen = new Set(decodeIds(from.seen));
		if (this.state.floor > this.state.highest) throw new SyntaxError('No link would be new');
	}

	store(): IDataObject {
		const seen = encodeIds([...this.seen].sort((a, b) => a - b));
		return { ...this.state, seen, isBaseline: this.isBaseline };
	}

	async poll(reader: PollReader): Promise<void> {
		try {
			if (this.state.next === 0) await this.readNewest(reader);
			for (let read = 0; read < maxBacklogRequests && this.events.length < maxEvents; read += 1) {
				if (this.state.next > 0) await this.readBacklog(reader);
			}
		} finally {
			// Oldest first. A link can become visible later than links with higher IDs.
			this.events.sort((a, b) => a.id - b.id).forEach(this.context.report);
		}
	}

	private async readNewest(reader: PollReader): Promise<void> {
		const page = await reader.page(this.context.fixedParams, 1, 'desc');
		const { ids, last } = page;
		const lowest = last === 1 ? 0 : (ids[0] ?? 0);
		const { state } = this;
		if (!this.isBaseline && lowest > state.highest + 1) {
			const next = state.highest === 0 ? 1 : Math.min(state.lastPage, last);
			this.state = { ...state, next, above: 0, first: 0 };
			return;
		}
		if (this.isBaseline) ids.forEach((id) => this.seen.add(id));
		this.isBaseline = false;
		this.collect(page);
		state.lastPage = last;
		state.floor = Math.max(state.floor, lowest - 1);
		for (const id of this.seen) if (id <= state.floor) this.seen.delete(id);
	}

	/**
	 * Reads a page of a backlog. All new links are on it or above it if it is the first page, if its first ID is known or
	 * directly follows the known IDs, or if its first ID did not change while the page below was read.
	 */
	private async readBacklog(reader: PollReader): Promise<void> {
		const { state } = this;
		const page = await reader.page(this.context.fixedParams, state.next);
		const { ids, number, last } = page;
		const [lowest = Infinity] = ids;
		const isUnchanged = state.above === number && lowest === state.first;
		if (number > 1 && lowest > state.highest + 1 && !isUnchanged) {
			const next = Math.min(number - 1, last);
			this.state = { ...state, next, above: number, first: ids[0] ?? 0 };
			return;
		}
		this.collect(page);
		state.lastPage = number;
		state.next = number < last ? number + 1 : 0;
	}

	/** Collects the new links of a page, below which no link is new. */
	private collect({ ids, items }: IdPage): void {
		const { highest, floor } = this.state;
		items.forEach((link, index) => {
			const id = ids[index] ?? 0;
			if (id <= floor || this.seen.has(id)) return;
			const isOutside = !this.fits(link);
			if (!isOutside) this.events.push({ event: 'created', id, link, once: '' });
			if (!isOutside || (id <= highest && !this.outside.has(id))) this.seen.add(id);
			else this.outside.add(id);
		});
		this.state.highest = Math.max(highest, ids.at(-1) ?? 0);
	}

	/** The list is filtered only by fields that never change, so the link must contain the other filtered fields. */
	private fits(link: IDataObject): boolean {
		const answer = this.context.fits(link) ?? (this.context.canGain ? undefined : true);
		if (answer !== undefined) return answer;
		throw rejection(
			'The service does not return the fields of new links that Filters needs',
			'Remove the filters by space, pixel and alias, or the event Link Created.',
		);
	}
}

/** Finds new links. */
export const createdLinks: DetectorDefinition = {
	name: 'created',
	create: (context, stored) => new CreatedDetector(context, stored),
};
