import type { EventName } from '../../nodes/LinkTrigger/events';

type Columns = Readonly<Record<string, number | string>>;

/** How an event happens to a link of the reference service. A new event needs an entry. */
interface EventExample {
	/** Columns of the link before the event. */
	readonly before?: Columns;
	/** Columns that change, or what happens to the whole link. */
	readonly change: Columns | 'create' | 'delete';
	/** Output fields that only this event has. */
	readonly extraFields?: readonly string[];
	/** Other events that the change causes. */
	readonly alsoCauses?: readonly EventName[];
	/** Whether it is reported for a change after which the link no longer matches the filters. */
	readonly reportsLeaving?: true;
}

export const past = '2020-01-01T00:00:00.000000Z';

/** Has an entry for each event. Clicks Reached has the threshold 100. Tests apply a change to two links at once. */
export const eventExamples: Readonly<Record<EventName, EventExample>> = {
	clicksReached: {
		before: { clicks: 49 },
		change: { clicks: 100 },
		extraFields: ['threshold'],
		alsoCauses: ['clicked'],
	},
	clicked: {
		before: { clicks: 10 },
		change: { clicks: 20 },
		extraFields: ['clicks', 'previousClicks', 'newClicks'],
	},
	created: { change: 'create' },
	deleted: { change: 'delete' },
	disabled: { change: { disabled: 1 }, alsoCauses: ['updated'] },
	enabled: { before: { disabled: 1 }, change: { disabled: 0 }, alsoCauses: ['updated'] },
	expired: { change: { ends_at: past }, alsoCauses: ['updated'] },
	updated: {
		change: { url: 'https://example.com/new' },
		extraFields: ['changes'],
		reportsLeaving: true,
	},
};
