import type { IDataObject } from 'n8n-workflow';
import { integerOf } from '../../shared/contract/readers';
import type { Failure } from '../../shared/transport/failures';
import type { DetectorContext } from './detector';

/** The output fields of an event about clicks. */
export const clickFields = (previousClicks: number, clicks: number) => ({
	clicks,
	previousClicks,
	newClicks: clicks - previousClicks,
});

/** The failure if the service does not show clicks, which polls cannot solve. */
export const noClicks: Failure = {
	cause: 'rejected',
	message: 'The service does not return the clicks of links as whole numbers',
	advice: 'Link Clicked cannot work with this service. Remove this event.',
};

/** Returns the clicks of a link; null if it does not show them as a whole number. */
export function clicksIn({ clicks }: IDataObject): number | null {
	const number = integerOf(clicks);
	return number !== null && number >= 0 ? number : null;
}

/** The clicks of links at their last event. Reports a link when its clicks have grown by Min New Clicks since then. */
export class ClickCounter {
	private readonly context: DetectorContext;

	/** The clicks by ID. */
	readonly clicks = new Map<number, number>();

	constructor(context: DetectorContext) {
		this.context = context;
	}

	/**
	 * Compares a link with its last event. After a reset of its clicks, the link starts with the fewer clicks.
	 *
	 * @param startOf returns the clicks from which an unknown link starts
	 * @returns whether the link shows its clicks
	 */
	observe(link: IDataObject, id: number, startOf: (clicks: number) => number): boolean {
		const now = clicksIn(link);
		if (now === null) return false;
		const before = this.clicks.get(id) ?? startOf(now);
		const isReported = now - before >= this.context.minNewClicks;
		this.clicks.set(id, isReported ? now : Math.min(before, now));
		if (isReported) {
			this.context.report({ event: 'clicked', id, link, extra: clickFields(before, now) });
		}
		return true;
	}
}
