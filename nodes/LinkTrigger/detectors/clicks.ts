import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { integerOf } from '../../shared/contract/readers';
import type { Resource } from '../../shared/contract/types';
import type { Failure } from '../../shared/transport/failures';
import { decodeIds, decodeNumbers, encodeIds, encodeNumbers } from '../encoding';
import type { PollReader } from '../reader';
import {
	allLinks,
	ListDetector,
	type DetectorContext,
	type DetectorDefinition,
	type ScannedPage,
	type Stored,
} from './detector';

/** The numbers of clicks that Clicks Reached reports. */
export const thresholdsProperty: INodeProperties = {
	displayName: 'Thresholds',
	name: 'thresholds',
	type: 'string',
	required: true,
	default: '100',
	placeholder: 'e.g. 100, 1000, 10000',
	description:
		'The numbers of clicks to report, separated by commas. The node reports each number once per link. An expression can return a list.',
	displayOptions: { show: { events: ['clicksReached'] } },
};

/** The number of new clicks from which Link Clicked reports a link. */
export const minNewClicksProperty: INodeProperties = {
	displayName: 'Min New Clicks',
	name: 'minNewClicks',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 1,
	description:
		'For Link Clicked: min number of new clicks to report. Clicks of several polls add up until they reach it.',
	displayOptions: { show: { events: ['clicked'] } },
};

/** Returns the output fields of an event about clicks. */
export const clickFields = (previousClicks: number, clicks: number) => ({
	clicks,
	previousClicks,
	newClicks: clicks - previousClicks,
});

/** Returns the clicks of a link; null if it does not show them as a whole number. */
export function clicksOf({ clicks }: Resource): number | null {
	const number = integerOf(clicks);
	return number !== null && number >= 0 ? number : null;
}

const noClicks: Failure = {
	cause: 'rejected',
	message: 'The service does not return the clicks of links as whole numbers',
	advice: 'Link Clicked and Clicks Reached cannot work with this service. Remove these events.',
};

/** The name of Link Clicked. */
const clicked = 'clicked';

/**
 * What the detector knows of a link. `clicks` is the number at its last event; undefined without Link Clicked, and if the link
 * no longer matches the filters. `reached` is the highest threshold that it has reached, whether it was reported or reached
 * before the first poll; 0 for none.
 */
type Counts = { clicks?: number; reached: number };

/**
 * Finds clicks. Compares the clicks of a link, each time that a list contains it, with its clicks at its last event and with the
 * highest threshold that was reported for it.
 */
class ClicksDetector extends ListDetector<Counts> {
	readonly list = allLinks;

	/** The IDs of known links that the list lacks, perhaps by mistake, and whether it lacked them before this poll. */
	private readonly lacked = new Map<number, boolean>();

	constructor(context: DetectorContext, stored: Stored) {
		const { events, thresholds } = context;
		const counted = events.has(clicked) ? [clicked] : [];
		super(context, [...counted, ...thresholds.map(String)], stored);
		if (!stored) return;
		decodeIds(stored.lacked).forEach((id) => this.lacked.set(id, true));
		const ids = decodeIds(stored.ids);
		const counts = decodeNumbers(stored.counts);
		if (counts.length !== 2 * ids.length) throw new SyntaxError('Not the numbers of these IDs');
		ids.forEach((id, index) => {
			const [clicks = 0, reached = 0] = counts.slice(2 * index, 2 * index + 2);
			const isKnown = clicks > 0 && events.has(clicked);
			this.links.set(id, { reached, ...(isKnown && { clicks: clicks - 1 }) });
		});
	}

	override store(): IDataObject {
		const ids = this.knownIds();
		const counts = ids.map((id) => this.links.get(id) ?? { reached: 0 });
		return {
			...super.store(),
			lacked: encodeIds(ids.filter((id) => this.lacked.has(id))),
			counts: encodeNumbers(counts.flatMap(({ clicks = -1, reached }) => [clicks + 1, reached])),
		};
	}

	observe(link: IDataObject, id: number): void {
		const { events, thresholds, startsFromAll, report } = this.context;
		const now = clicksOf(link);
		if (now === null) return;
		this.lacked.delete(id);
		const counts = this.links.get(id) ?? { reached: 0 };
		if (events.has(clicked)) this.compareClicks(link, id, now, counts);
		for (const threshold of thresholds) {
			if (threshold <= counts.reached || threshold > now) continue;
			counts.reached = threshold;
			if (id < this.unreadBelow(String(threshold)) && !startsFromAll) continue;
			report({ event: 'clicksReached', id, link, once: String(threshold), extra: { threshold } });
		}
		if (counts.clicks !== undefined || counts.reached > 0) this.links.set(id, counts);
	}

	/** After a reset of its clicks, a link starts with the fewer clicks. */
	private compareClicks(link: IDataObject, id: number, now: number, counts: Counts): void {
		const { startsFromAll, canGain, minNewClicks, report } = this.context;
		// An update can also make an unknown link match the filters, and its earlier clicks are not new.
		const isCounted = id < this.unreadBelow(clicked) ? startsFromAll : !canGain;
		const before = counts.clicks ?? (isCounted ? 0 : now);
		const isReported = now - before >= minNewClicks;
		counts.clicks = isReported ? now : Math.min(before, now);
		if (isReported) report({ event: clicked, id, link, extra: clickFields(before, now) });
	}

	override async readPage(page: ScannedPage, reader: PollReader): Promise<void> {
		const lacksClicks = page.items.every((link) => clicksOf(link) === null);
		if (lacksClicks && page.items.length > 0) this.warning = noClicks;
		await super.readPage(page, reader);
	}

	protected enter(id: number, _: IDataObject, fits: boolean): void {
		if (!fits) this.forget(id);
	}

	/** Forgets a link that the list lacks in a second poll, unless it was read in between, alone or in another list. */
	protected leave(id: number): void {
		if (this.lacked.get(id)) this.forget(id);
		else this.lacked.set(id, false);
	}

	/**
	 * Forgets a link that was deleted. A link that only stopped matching the filters keeps its threshold, so that it is not
	 * reported again. The clicks of a link that has yet to be read would count again from 0.
	 */
	private forget(id: number): void {
		const counts = this.links.get(id);
		if (!counts || id < this.unreadBelow(clicked)) return;
		delete counts.clicks;
		if (!this.context.canGain || counts.reached === 0) this.links.delete(id);
	}
}

/** Finds clicks on links, and links whose clicks have reached a threshold. */
export const linkClicks: DetectorDefinition = {
	name: 'clicks',
	create: (context, stored) => new ClicksDetector(context, stored),
};
