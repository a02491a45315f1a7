import type { IDataObject } from 'n8n-workflow';
import { decodeNumbers, encodeNumbers } from '../polling/compactEncoding';
import { IdSet } from '../polling/idSet';
import { coverageOf, type ScannedPage } from '../polling/listScan';
import { encodeBound, storedBound } from '../polling/storedValues';
import { ChosenLinksDetector } from './chosenLinks';
import { ClickCounter, clicksIn, noClicks } from './clickCounter';
import {
	canGainLinks,
	maxPagesPerPoll,
	type Detector,
	type DetectorContext,
	type DetectorDefinition,
	type ScanPart,
	type StoredDetector,
} from './detector';

/** Finds clicks on all links that match the filters. Compares the clicks of a link each time that a list contains it. */
class AllLinksDetector implements Detector {
	private readonly context: DetectorContext;

	private readonly counter: ClickCounter;

	/** The known links. */
	private readonly ids: IdSet;

	/** Links with IDs up to this one existed before the first poll. */
	private base: number;

	/** The links of these with lower IDs than this one have not been read yet. */
	private unread: number;

	/** Whether a page of the last round, or of the current round, has shown no clicks. */
	private lacksClicks: boolean;

	/** Whether a page of the current round has shown no clicks. */
	private lacksClicksInRound: boolean;

	constructor(context: DetectorContext, stored: StoredDetector | undefined) {
		this.context = context;
		this.counter = new ClickCounter(context);
		this.ids = stored ? IdSet.decode(stored.ids) : new IdSet();
		this.base = stored ? storedBound(stored.base) : Infinity;
		this.unread = stored ? storedBound(stored.unread) : Infinity;
		this.lacksClicks = stored?.lacksClicks === true;
		this.lacksClicksInRound = stored?.lacksClicksInRound === true;
		if (stored) this.readClicks(decodeNumbers(stored.clicks));
	}

	private readClicks(clicks: readonly number[]): void {
		if (clicks.length !== this.ids.size) throw new SyntaxError('Not the clicks of these IDs');
		[...this.ids].forEach((id, index) => this.counter.clicks.set(id, clicks[index] ?? 0));
	}

	get scan(): ScanPart {
		return {
			isNew: this.unread === Infinity,
			needsContinuity: this.unread > 0,
			pages: maxPagesPerPoll,
			scanPage: (page) => {
				this.scanPage(page);
			},
			endRound: () => {
				this.lacksClicks = this.lacksClicksInRound;
				this.lacksClicksInRound = false;
			},
		};
	}

	store(): StoredDetector {
		const { ids, base, unread, lacksClicks, lacksClicksInRound } = this;
		return {
			ids: ids.encode(),
			clicks: encodeNumbers([...ids].map((id) => this.counter.clicks.get(id) ?? 0)),
			base: encodeBound(base),
			unread: encodeBound(unread),
			...(lacksClicks && { lacksClicks }),
			...(lacksClicksInRound && { lacksClicksInRound }),
		};
	}

	get warning() {
		return this.lacksClicks ? noClicks : undefined;
	}

	observe(link: IDataObject, id: number): void {
		if (this.counter.observe(link, id, (clicks) => this.startOf(id, clicks))) this.ids.add(id);
	}

	/**
	 * Returns the clicks from which an unknown link starts. A new link starts from 0. An update can also make a link match the
	 * filters, and its earlier clicks are not new.
	 */
	private startOf(id: number, clicks: number): number {
		const { startsFromAll } = this.context;
		const isCounted = canGainLinks(this.context)
			? startsFromAll && id < this.unread
			: startsFromAll || id > this.base;
		return isCounted ? 0 : clicks;
	}

	/** A known link that is not on its page was deleted, or no longer matches the filters. */
	private scanPage(page: ScannedPage): void {
		const { ids, items, number, isContinuous } = page;
		const fitting = new Set(ids.filter((_, index) => this.fits(items[index])));
		if (items.some((link) => this.fits(link) && clicksIn(link) === null)) {
			this.lacksClicks = true;
			this.lacksClicksInRound = true;
		}
		const { from, to } = coverageOf(page);
		for (const id of this.ids.between(from, to)) if (!fitting.has(id)) this.forget(id);
		if (this.unread === 0 || !isContinuous) return;
		if (this.unread === Infinity) this.base = ids.at(-1) ?? 0;
		this.unread = number === 1 ? 0 : Math.min(this.unread, ids[0] ?? this.unread);
	}

	private fits(link: IDataObject | undefined): boolean {
		return link !== undefined && this.context.fits(link) !== false;
	}

	/** Forgets a link, unless the first round has yet to read it: its clicks would count again from 0. */
	private forget(id: number): void {
		if (this.unread > 0 && id < this.unread) return;
		this.ids.delete(id);
		this.counter.clicks.delete(id);
	}
}

/** Finds clicks on the chosen links, or on all links that match the filters. */
export const clickedLinks: DetectorDefinition = {
	name: 'clicked',
	create: (context, stored) =>
		context.chosenLinks.length > 0
			? new ChosenLinksDetector(context, stored)
			: new AllLinksDetector(context, stored),
};
