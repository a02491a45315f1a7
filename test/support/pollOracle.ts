import type { IDataObject } from 'n8n-workflow';
import type { EventName } from '../../nodes/LinkTrigger/events';
import {
	eventExamples,
	isExpired,
	type Bounds,
	type Entry,
	type Expectation,
	type Oracle,
	type PollLink,
	type Reported,
	type RuleContext,
} from './eventExamples.ts';

/** What the trigger is to look for. */
export interface Watched {
	readonly events: readonly EventName[];
	readonly thresholds: readonly number[];
	/** Link Clicked: the number of new clicks from which it reports a link. */
	readonly minNewClicks: number;
	readonly startFrom: 'all' | 'now';
	readonly filters: {
		readonly domainId?: number;
		readonly spaceId?: number;
		readonly pixelId?: number;
		readonly aliasStartsWith?: string;
	};
	/** So many of the newest links are remembered at least. */
	readonly remembered: number;
}

const nothing: Omit<Entry, 'at'> = { isThere: false, fits: false, expired: false };

const isDisabled = ({ link, isThere }: Entry): boolean => isThere && link?.disabled === true;

/** What people wrote, as one text. The order of the pixels means nothing. */
function printOf({ pixels, ...link }: PollLink): string {
	const notWritten: Partial<PollLink> = { clicks: 0, isVisible: true };
	const sorted = pixels.toSorted((one, other) => one - other);
	return JSON.stringify({ ...link, ...notWritten, pixels: sorted });
}

/** How often something becomes true along the entries. */
const rises = (entries: readonly Entry[], is: (entry: Entry) => boolean): number =>
	entries.filter((entry, index) => {
		const before = entries[index - 1];
		return before !== undefined && !is(before) && is(entry);
	}).length;

/**
 * Knows all that ever happened to the links, and so which events must come, which may, and which must not. Times are
 * points of the history, counted up.
 */
export class PollOracle implements Oracle {
	private readonly watched: Watched;

	private readonly timelines = new Map<number, Entry[]>();

	private readonly reported: Reported[] = [];

	private readonly byLink = new Map<string, Reported[]>();

	private readonly eventIds = new Set<string>();

	private clock = 0;

	/** When the first poll began. What happened before is not reported with Start From = Now. */
	private begunAt = Infinity;

	/** When a poll had ended that nothing disturbed: from then on new links are seen. */
	private readsNewSince = Infinity;

	/** When n8n last wrote down what the trigger knows. */
	private savedAt = -1;

	/** When the trigger knew everything, for sure. */
	private settledAt: number[] = [];

	constructor(watched: Watched) {
		this.watched = watched;
		const [unknown] = watched.events.filter((event) => !(event in eventExamples));
		if (unknown) throw new Error(`There is no rule for the event ${unknown}. See eventExamples.`);
	}

	/** Begins a new point of the history. */
	tick(): number {
		this.clock += 1;
		return this.clock;
	}

	private fits({ domain, space, pixels, alias }: PollLink): boolean {
		const { domainId, spaceId, pixelId, aliasStartsWith = '' } = this.watched.filters;
		return (
			(domainId === undefined || domain === domainId) &&
			(spaceId === undefined || space === spaceId) &&
			(pixelId === undefined || pixels.includes(pixelId)) &&
			alias.startsWith(aliasStartsWith)
		);
	}

	/** Notes what a link is now. */
	note(id: number, link: PollLink | undefined, now: number): void {
		const timeline = this.timelines.get(id) ?? [];
		this.timelines.set(id, timeline);
		const at = this.tick();
		const isThere = link?.isVisible === true;
		const is = isThere && { fits: this.fits(link), expired: isExpired(link, now) };
		timeline.push({ at, link, ...nothing, isThere, ...is });
	}

	pollBegins(): number {
		const at = this.tick();
		this.begunAt = Math.min(this.begunAt, at);
		return at;
	}

	/**
	 * Notes the end of a poll.
	 *
	 * @param began when it began
	 * @param isSaved whether n8n has written down what it knows
	 * @param readNew whether nothing kept it from reading the newest links, and what it knows is kept
	 */
	pollEnds(
		events: readonly IDataObject[],
		began: number,
		{ isSaved, readNew }: { readonly isSaved: boolean; readonly readNew: boolean },
	): void {
		const at = this.tick();
		for (const json of events) this.take({ at, json }, began);
		const created = events.filter(({ event }) => event === 'created');
		const ids = created.map(({ id }) => Number(id));
		if (ids.some((id, index) => id <= (ids[index - 1] ?? -1))) {
			throw new Error(`The new links ${ids.join()} are not in their order`);
		}
		if (isSaved) this.savedAt = at;
		if (readNew) this.readsNewSince = Math.min(this.readsNewSince, at);
	}

	/** n8n begins anew with what it has written down. */
	reverted(): void {
		if (this.readsNewSince > this.savedAt) this.readsNewSince = Infinity;
		this.settledAt = this.settledAt.filter((at) => at <= this.savedAt);
	}

	/** The entries from the one on that was in force at a time. */
	private since(id: number, at: number): Entry[] {
		const timeline = this.timelines.get(id) ?? [];
		const first = timeline.findLastIndex((entry) => entry.at <= at);
		return first < 0 ? [{ at, ...nothing }, ...timeline] : timeline.slice(first);
	}

	/** Takes an event, which must be new, asked for, and true of the link at some time of the poll. */
	private take(reported: Reported, began: number): void {
		const { json } = reported;
		const id = Number(json.id);
		const fail = (what: string): never => {
			throw new Error(`${what}: ${JSON.stringify(json)}\n${this.story(id)}`);
		};
		const eventId = String(json.eventId);
		if (this.eventIds.has(eventId)) fail('An eventId comes twice');
		this.eventIds.add(eventId);
		const event = this.watched.events.find((name) => name === json.event);
		if (!event) return fail('The trigger reports an event that is not selected');
		const entries = this.since(id, began);
		const isTrue = entries.some(({ link, isThere, fits }) => {
			if (event === 'deleted') return !isThere;
			const isWatched = fits || eventExamples[event].reportsLeaving;
			if (!isThere || !link || !isWatched) return false;
			return link.alias === json.alias && link.url === json.url && link.clicks === json.clicks;
		});
		if (!isTrue) fail('An event shows what is not so');
		if (event === 'disabled' && json.status !== 'disabled') fail('A disabled link is none');
		if (event === 'enabled' && json.status === 'disabled') fail('An enabled link is none');
		if (event === 'clicksReached') {
			const threshold = Number(json.threshold);
			if (!this.watched.thresholds.includes(threshold)) fail('Nobody asked for this threshold');
			if (Number(json.clicks) < threshold) fail('A threshold is not reached');
		}
		if (event === 'clicked') this.checkClicks(reported, fail);
		this.reported.push(reported);
		const key = `${event} ${id}`;
		this.byLink.set(key, [...(this.byLink.get(key) ?? []), reported]);
	}

	/** An event of clicks continues where the last one of the link ended, unless its clicks have fallen since then. */
	private checkClicks({ json }: Reported, fail: (what: string) => never): void {
		const { minNewClicks } = this.watched;
		const [now, before, more] = [json.clicks, json.previousClicks, json.newClicks].map(Number);
		if (before === undefined || before + (more ?? NaN) !== now) fail('The clicks do not add up');
		if (Number(more) < minNewClicks) fail('There are fewer new clicks than asked for');
	}

	/** All that is known of a link, for a message. */
	private story(id: number): string {
		const entries = (this.timelines.get(id) ?? []).map((entry) => {
			const { at, link, fits, expired } = entry;
			return { at, text: `${at}: ${link ? JSON.stringify({ ...link, fits, expired }) : 'gone'}` };
		});
		const reported = this.reported
			.filter(({ json }) => Number(json.id) === id)
			.map(({ at, json }) => ({ at, text: `${at}: reported ${JSON.stringify(json)}` }));
		const { begunAt, readsNewSince, savedAt, settledAt } = this;
		const times = JSON.stringify({ begunAt, readsNewSince, savedAt, settledAt });
		const all = [...entries, ...reported].sort((one, other) => one.at - other.at);
		return [times, ...all.map(({ text }) => text)].join('\n');
	}

	/** Checks all events so far, at a point where the trigger must have seen everything, and has time to forget nothing. */
	settle(): void {
		const base = this.settledAt.at(-1);
		for (const id of this.timelines.keys()) this.check(id, base);
		this.settledAt.push(this.tick());
	}

	/** Where both are asked for, a link that is on was enabled as often as it was disabled. */
	private checkBalance(id: number, entries: readonly Entry[], from: number): void {
		const [first, last] = [entries[0], entries.at(-1)];
		const isWhole = entries.every(({ isThere, fits }) => fits || !isThere);
		if (!first || !last?.isThere || !isWhole) return;
		const [on, off] = ['enabled', 'disabled'].map(
			(event) => (this.byLink.get(`${event} ${id}`) ?? []).filter(({ at }) => at > from).length,
		);
		if ((off ?? 0) - (on ?? 0) === Number(isDisabled(last)) - Number(isDisabled(first))) return;
		throw new Error(`${id} was enabled ${on} times, and disabled ${off} times\n${this.story(id)}`);
	}

	private check(id: number, base: number | undefined): void {
		const { events } = this.watched;
		const from = base ?? this.begunAt;
		const entries = this.since(id, from);
		const isBoth = events.includes('enabled') && events.includes('disabled');
		if (base !== undefined && isBoth) this.checkBalance(id, entries, from);
		for (const event of events) {
			const all = this.byLink.get(`${event} ${id}`) ?? [];
			const since = all.filter(({ at }) => at > from);
			const given = { id, entries, base, all, since };
			for (const { count, bounds, threshold = '' } of [
				eventExamples[event].rule(this, given),
			].flat()) {
				const [least, most] = bounds;
				if (count >= least && count <= most) continue;
				const what = count < least ? 'is lost' : 'comes too often';
				const times = `${count} times instead of ${least} to ${most} since ${from}`;
				throw new Error(`${event} ${threshold} of ${id} ${what}: ${times}\n${this.story(id)}`);
			}
		}
	}

	/** Least and most Link Created of a link in all. */
	createdBounds({ id }: RuleContext): Bounds {
		const timeline = this.timelines.get(id) ?? [];
		const seen = timeline.filter(({ isThere }) => isThere);
		const [first] = seen;
		if (!first || seen.every(({ fits }) => !fits)) return [0, 0];
		const isAll = this.watched.startFrom === 'all';
		if (!isAll && first.at < this.begunAt) return [0, 0];
		const isSeen = isAll || first.at > this.readsNewSince;
		const isStable = seen.length === timeline.length - (timeline[0]?.isThere ? 0 : 1);
		return [isSeen && isStable && seen.every(({ fits }) => fits) && !this.isLate(id) ? 1 : 0, 1];
	}

	/** Whether so many newer links were there before a link became visible that it may be overlooked. */
	private isLate(id: number): boolean {
		if (this.timelines.get(id)?.[0]?.isThere !== false) return false;
		const newer = [...this.timelines.keys()].filter((other) => other > id);
		return newer.length > this.watched.remembered;
	}

	/** Least and most Link Deleted of a link in all. */
	deletedBounds({ id, entries, base }: RuleContext): Bounds {
		const isGone = entries.at(-1)?.isThere === false;
		const seen = this.since(id, this.begunAt).filter(({ isThere }) => isThere);
		if (!isGone || seen.every(({ fits }) => !fits)) return [0, 0];
		// The trigger has seen what it reported as created since it knew everything.
		const reported = this.byLink.get(`created ${id}`) ?? [];
		const isSeen =
			entries[0]?.isThere === true || reported.some(({ at }) => at > (base ?? Infinity));
		const wasThere = base !== undefined && isSeen;
		const alwaysFits = entries.every(({ isThere, fits }) => fits || !isThere);
		return [wasThere && alwaysFits ? 1 : 0, 1];
	}

	/** Least and most changes of what people wrote since the beginning of the entries, or of a part that only counts in links that match. */
	updatedBounds({ entries, base }: RuleContext, of: (link: PollLink) => unknown = printOf): Bounds {
		const there = entries.filter(({ isThere }) => isThere);
		const prints = there.map(({ link }) => link && of(link));
		const most = prints.filter((print, index) => index > 0 && print !== prints[index - 1]).length;
		const [first, last] = [entries[0], entries.at(-1)];
		if (base === undefined || !first?.fits || !last?.isThere) return [0, most];
		const leaves = there.findIndex(({ fits }) => !fits);
		const isOut = of === printOf && leaves > 0 && there.slice(leaves).every(({ fits }) => !fits);
		const isIn = leaves < 0 && prints[0] !== prints.at(-1);
		return [isIn || isOut ? 1 : 0, most];
	}

	/** Least and most events of coming into a state since the beginning of the entries. */
	entered({ entries, base, since }: RuleContext, isIn: (entry: Entry) => boolean): Expectation {
		const isMember = (entry?: Entry) => entry !== undefined && entry.fits && isIn(entry);
		const isNew = base === undefined && this.watched.startFrom === 'all';
		const most = rises(entries, isMember) + (isNew && isMember(entries[0]) ? 1 : 0);
		const wasMember = base === undefined ? !isNew : isMember(entries[0]);
		const least = !wasMember && isMember(entries.at(-1)) ? 1 : 0;
		return { count: since.length, bounds: [least, most] };
	}

	enabledBounds({ entries, base }: RuleContext): Bounds {
		const [first, last] = [entries[0], entries.at(-1)];
		const there = entries.filter(({ isThere }) => isThere);
		const alwaysFits = there.every(({ fits }) => fits);
		const ons = rises(there, (entry) => !isDisabled(entry));
		if (!first || !last?.isThere) return [0, ons];
		const isOn = base !== undefined && isDisabled(first) && !isDisabled(last);
		return [isOn && alwaysFits ? 1 : 0, ons];
	}

	/** Least and most new clicks of a link since the beginning of the entries. */
	clickedBounds({ id, entries, base }: RuleContext): Bounds {
		const { minNewClicks, filters, startFrom } = this.watched;
		const clicksOf = ({ link, isThere }: Entry) => (isThere && link ? link.clicks : undefined);
		let most = minNewClicks - 1;
		let before: number | undefined;
		entries.forEach((entry, index) => {
			const clicks = clicksOf(entry);
			if (clicks === undefined) return;
			// What is there from the beginning is not new, unless all is reported.
			const isOld = index === 0 && (base !== undefined || startFrom === 'now');
			most += Math.max(0, clicks - (before ?? (isOld ? clicks : 0)));
			before = clicks;
		});
		const [first, last] = [entries[0], entries.at(-1)];
		const now = last && clicksOf(last);
		const isSeen = entries.every(({ isThere, fits }) => fits || !isThere);
		if (base === undefined || !isSeen || now === undefined || !first) return [0, most];
		const canGain = [filters.spaceId, filters.pixelId, filters.aliasStartsWith].some(Boolean);
		// A link that becomes visible late may count as an old one.
		const isNew = !canGain && this.timelines.get(id)?.[0]?.isThere === true && !first.isThere;
		const start = clicksOf(first) ?? (isNew ? 0 : now);
		return [Math.max(0, now - start - minNewClicks + 1), most];
	}

	/** Clicks Reached of a link, by threshold. */
	reached(context: RuleContext): Expectation[] {
		return this.watched.thresholds.map((threshold) => ({
			threshold,
			count: context.all.filter(({ json }) => json.threshold === threshold).length,
			bounds: this.reachedBounds(context, threshold),
		}));
	}

	/** Least and most Clicks Reached of a link and a threshold in all. */
	private reachedBounds({ id, base }: RuleContext, threshold: number): Bounds {
		const timeline = this.timelines.get(id) ?? [];
		const isPast = ({ link, isThere }: Entry) => isThere && (link?.clicks ?? 0) >= threshold;
		const isAll = this.watched.startFrom === 'all';
		const since = this.since(id, this.begunAt);
		if (!since.some((entry) => entry.fits && isPast(entry))) return [0, 0];
		const alwaysFits = timeline.every(({ isThere, fits }) => fits || !isThere);
		if (!isAll && since.every((entry) => entry.fits && isPast(entry))) return [0, 0];
		const last = timeline.at(-1);
		if (!last?.isThere || !isPast(last) || !alwaysFits) return [0, 1];
		if (isAll) return [1, 1];
		const was = timeline.filter(({ at }) => at <= (base ?? -1));
		return [base !== undefined && !was.some(isPast) ? 1 : 0, 1];
	}
}
