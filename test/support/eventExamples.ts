import type { IDataObject } from 'n8n-workflow';
import { events, type EventName } from '../../nodes/LinkTrigger/events';

/** A link that a test has written. It is never changed, but replaced by another one. */
export interface PollLink {
	readonly id: number;
	readonly alias: string;
	readonly url: string;
	readonly domain: number;
	readonly space?: number;
	readonly pixels: readonly number[];
	readonly clicks: number;
	readonly disabled: boolean;
	/** Milliseconds on the clock of the service. */
	readonly endsAt?: number;
	readonly expirationClicks?: number;
	readonly privacy: number;
	/** Destinations by country. */
	readonly countries: Readonly<Record<string, string>>;
	/** Whether reads show it. A service that creates two at once may show the one with the higher ID first. */
	readonly isVisible: boolean;
}

/** What an operation changes of a link. */
export type LinkChange = Partial<Omit<PollLink, 'domain' | 'id'>>;

/** A link that no filter and no event is about. */
export const plainLink: Omit<PollLink, 'id'> = {
	...{ alias: 'link', url: 'https://example.com/0', domain: 1, pixels: [], clicks: 0 },
	...{ disabled: false, privacy: 0, countries: {}, isVisible: true },
};

/** Which links an operation is about: some that follow each other, or every so many-th one. */
export interface Pick {
	/** Where the first one stands among the visible ones, from 0 up to 1. */
	readonly from: number;
	readonly count: number;
	readonly stride: number;
}

export const minute = 60_000;

/** Returns one of some values. Numbers choose among few values, so that changes are undone, too. */
const choose = <T>(number: number, ...values: readonly T[]): T =>
	values[number % values.length] as T;

/** The moment at which the clock of the service begins. */
export const epoch = Date.parse('2026-03-01T00:00:00Z');

const timeText = (milliseconds: number) =>
	new Date(epoch + milliseconds).toISOString().replace('Z', '000Z');

/** The columns of a link in the reference service. */
export function columnsOf(link: PollLink, now: number) {
	const { id, url, domain, space, clicks, disabled, endsAt, expirationClicks, privacy } = link;
	const countries = Object.entries(link.countries).map(([key, value]) => ({ key, value }));
	return {
		// Tests use one alias for many links.
		...{ id, alias: link.alias === plainLink.alias ? `link-${id}` : link.alias, url, clicks },
		...{ domain_id: domain, space_id: space ?? null, disabled: Number(disabled), privacy },
		ends_at: endsAt === undefined ? null : timeText(endsAt),
		expiration_clicks: expirationClicks ?? null,
		country: countries.length > 0 ? JSON.stringify(countries) : null,
		...{ created_at: timeText(id), updated_at: timeText(now) },
	};
}

/** Whether a link is in the state Expired at a time of the service. */
export const isExpired = ({ endsAt, clicks, expirationClicks }: PollLink, now: number): boolean =>
	(endsAt !== undefined && endsAt < now) ||
	(expirationClicks !== undefined && expirationClicks > 0 && clicks >= expirationClicks);

/** What operations change of a link: the change by the link, a number, and the time of the service in milliseconds. */
export const linkChanges = {
	alias: ({ id }, value) => ({
		alias: `${choose(value, 'a', 'spring', 'x-spring', 'Spring')}-${id}`,
	}),
	clicked: ({ clicks }, value) => ({
		clicks: clicks + choose(value, 1, 10, 95, 1, 100, 900, 5000),
	}),
	countries: (_, value) => ({
		countries: choose<Record<string, string>>(
			...([value, {}, { US: 'https://us.example' }] as const),
			{ US: 'https://us.example', DE: 'https://de.example' },
		),
	}),
	destination: (_, value) => ({ url: `https://example.com/${value % 4}` }),
	disable: (_, value) => ({ disabled: choose(value, true, false) }),
	expireAt: (_, value, now) => {
		const minutes = choose(value, undefined, -5, 1, 30);
		return { endsAt: minutes === undefined ? undefined : now + minutes * minute };
	},
	expireBy: (_, value) => ({ expirationClicks: choose(value, undefined, 0, 1, 10, 100) }),
	level: (_, value) => ({ clicks: choose(value, 0, 5, 99, 100, 101, 1000) }),
	pixels: (_, value) => ({ pixels: choose<number[]>(value, [], [1], [2, 1], [1, 2]) }),
	privacy: (_, value) => ({ privacy: value % 3 }),
	space: (_, value) => ({ space: choose(value, undefined, 1, 2) }),
} satisfies Record<string, (link: PollLink, value: number, now: number) => LinkChange>;

export type LinkChangeName = keyof typeof linkChanges;

/** Links that are created, with gaps of up to a number of IDs between them. Each number `like` stands for another mixture. */
export interface NewLinks {
	readonly count: number;
	readonly like: number;
	readonly gap: number;
}

/** An operation on the account. */
export type Operation =
	| { readonly kind: LinkChangeName; readonly pick: Pick; readonly value: number }
	| { readonly kind: 'delete' | 'replace'; readonly pick: Pick }
	| (NewLinks & { readonly kind: 'create' | 'hold' })
	| { readonly kind: 'pass'; readonly minutes: number }
	| { readonly kind: 'show' }
	| {
			readonly kind: 'swap';
			readonly pick: Pick;
			readonly other: number;
			readonly threshold: number;
	  };

/** The values of all events, in the order of the table of events. */
export const eventNames = events.map(({ value }) => value) as EventName[];

/** Events whose requests and effects on each other tests expect in full. A new event is in the tables of all events only. */
export const eightEvents: EventName[] = [
	...(['clicksReached', 'clicked', 'created', 'deleted'] as const),
	...(['disabled', 'enabled', 'expired', 'updated'] as const),
];

/** What a link was from a point of the history on. All is false where no read shows the link. */
export interface Entry {
	readonly at: number;
	readonly link?: PollLink;
	readonly isThere: boolean;
	readonly fits: boolean;
	readonly expired: boolean;
}

/** The min and max number of times that an event must be reported. */
export type Bounds = readonly [least: number, most: number];

export interface RuleContext {
	readonly id: number;
	/** What the link was since the base. */
	readonly entries: readonly Entry[];
	/** When the trigger last knew everything; undefined if it never did. */
	readonly base: number | undefined;
	/** What was reported of the event and the link, in all and since the base. */
	readonly all: readonly Reported[];
	readonly since: readonly Reported[];
}

/** How often an event was reported, and must be; for Clicks Reached of a threshold. */
export interface Expectation {
	readonly count: number;
	readonly bounds: Bounds;
	readonly threshold?: number;
}

/** Returns how often an event must be reported of a link; Clicks Reached once for each threshold. */
export type Rule = (oracle: Oracle, context: RuleContext) => Expectation | readonly Expectation[];

export interface Reported {
	readonly at: number;
	readonly json: IDataObject;
}

export interface Oracle {
	/** Least and most events of coming into a state since the beginning of the entries. */
	entered(context: RuleContext, isIn: (entry: Entry) => boolean): Expectation;
	reached(context: RuleContext): readonly Expectation[];
	clickedBounds(context: RuleContext): Bounds;
	createdBounds(context: RuleContext): Bounds;
	deletedBounds(context: RuleContext): Bounds;
	enabledBounds(context: RuleContext): Bounds;
	updatedBounds(context: RuleContext, of?: (link: PollLink) => unknown): Bounds;
}

type Columns = Readonly<Record<string, number | string>>;

/** How an event happens to a link of the reference service. A new event needs an entry. */
interface EventExample {
	/** The operations that matter most for it in random histories. */
	readonly operations: readonly Operation['kind'][];
	/** Columns of the link before the event. */
	readonly before?: Columns;
	/** Columns that change, or what happens to the whole link. */
	readonly change: Columns | 'create' | 'delete';
	/** Output fields that only this event has. */
	readonly extraFields?: readonly string[];
	/** Other events that the change causes. If their changes cause this event, their entries have it. */
	readonly alsoCauses?: readonly EventName[];
	/** Whether it is reported for a change after which the link no longer matches the filters. */
	readonly reportsLeaving?: true;
	readonly rule: Rule;
}

export const past = '2020-01-01T00:00:00.000000Z';

/** Has an entry for each event. Clicks Reached has the threshold 100. Tests apply a change to two links at once. */
export const eventExamples: Readonly<Record<EventName, EventExample>> = {
	clicksReached: {
		operations: ['clicked', 'clicked', 'level', 'swap', 'delete', 'create'],
		before: { clicks: 49 },
		change: { clicks: 100 },
		extraFields: ['threshold'],
		alsoCauses: ['clicked'],
		rule: (oracle, given) => oracle.reached(given),
	},
	clicked: {
		operations: ['clicked', 'clicked', 'clicked', 'level', 'create', 'delete', 'space'],
		before: { clicks: 10 },
		change: { clicks: 20 },
		extraFields: ['clicks', 'previousClicks', 'newClicks'],
		// The clicks are counted, and not the events.
		rule: (oracle, given) => ({
			count: given.since.reduce((sum, { json }) => sum + Number(json.newClicks), 0),
			bounds: oracle.clickedBounds(given),
		}),
	},
	created: {
		operations: ['create', 'create', 'hold', 'show', 'delete'],
		change: 'create',
		rule: (oracle, given) => ({ count: given.all.length, bounds: oracle.createdBounds(given) }),
	},
	deleted: {
		operations: ['delete', 'delete', 'replace', 'create', 'space'],
		change: 'delete',
		rule: (oracle, given) => ({ count: given.all.length, bounds: oracle.deletedBounds(given) }),
	},
	disabled: {
		operations: ['disable', 'disable', 'swap', 'delete', 'space'],
		change: { disabled: 1 },
		alsoCauses: ['updated'],
		rule: (oracle, given) => oracle.entered(given, ({ link }) => link?.disabled === true),
	},
	enabled: {
		operations: ['disable', 'disable', 'swap', 'delete', 'space'],
		before: { disabled: 1 },
		change: { disabled: 0 },
		alsoCauses: ['updated'],
		rule: (oracle, given) => ({ count: given.since.length, bounds: oracle.enabledBounds(given) }),
	},
	expired: {
		operations: ['expireAt', 'expireBy', 'clicked', 'pass', 'swap', 'delete'],
		change: { ends_at: past },
		alsoCauses: ['updated'],
		rule: (oracle, given) => oracle.entered(given, ({ expired }) => expired),
	},
	updated: {
		operations: ['destination', 'pixels', 'alias', 'delete', 'create'],
		change: { url: 'https://example.com/new' },
		extraFields: ['changes'],
		reportsLeaving: true,
		rule: (oracle, given) => ({ count: given.since.length, bounds: oracle.updatedBounds(given) }),
	},
};
