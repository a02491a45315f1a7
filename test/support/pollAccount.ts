import { seededRandom } from '../../testkit/clock/virtualClock.ts';

/** A link as the service holds it. It is never changed, but replaced by another one. */
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
	readonly expirationUrl?: string;
	readonly privacy: number;
	/** Destinations by country. */
	readonly countries: Readonly<Record<string, string>>;
	/** Whether reads show it. A service that creates two at once may show the one with the higher ID first. */
	readonly isVisible: boolean;
}

/** What an operation changes of a link. */
export type LinkChange = Partial<Omit<PollLink, 'domain' | 'id'>>;

/** What the service does in its own way. */
export interface Ways {
	/** How a list tells of its pages: all, whether there is a next one, or nothing. */
	readonly envelope: 'bare' | 'collection' | 'simple';
	/** So many links it puts on a page at most. */
	readonly pageSize: number;
	/** Whether the list of expired links holds disabled ones too. */
	readonly expiredHoldsDisabled: boolean;
	/** Whether links with the same clicks come in another order with each request. */
	readonly hasRandomTies: boolean;
}

/** A link that no filter and no event is about. */
export const plainLink: Omit<PollLink, 'id'> = {
	...{ alias: 'link', url: 'https://example.com/0', domain: 1, pixels: [], clicks: 0 },
	...{ disabled: false, privacy: 0, countries: {}, isVisible: true },
};

export const usualWays: Ways = {
	envelope: 'collection',
	pageSize: 100,
	expiredHoldsDisabled: true,
	hasRandomTies: true,
};

/** An answer as n8n's helper gives it. */
export interface PollAnswer {
	readonly statusCode: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string;
}

/** The moment at which the clock of the service begins. */
const epoch = Date.parse('2026-03-01T00:00:00Z');

/** What `updated_at` is: it moves with each click. */
const versions = new WeakMap<PollLink, number>();

/** The JSON of the links, which most requests repeat. */
const texts = new WeakMap<PollLink, string>();

const dateText = (milliseconds: number) =>
	new Date(epoch + milliseconds).toISOString().slice(0, 19).replace('T', ' ');

/** A link as answers show it (assumption: one resource). */
function textOf(link: PollLink): string {
	const known = texts.get(link);
	if (known !== undefined) return known;
	const { id, alias, url, domain, space, pixels, countries } = link;
	const text = JSON.stringify({
		id,
		alias,
		url,
		short_url: `https://go.example/${alias}`,
		title: null,
		target_type: Object.keys(countries).length > 0 ? 1 : 0,
		country_target: Object.entries(countries).map(([key, value]) => ({ key, value })),
		disabled: link.disabled ? 1 : 0,
		privacy: link.privacy,
		password: false,
		expiration_url: link.expirationUrl ?? null,
		expiration_clicks: link.expirationClicks ?? null,
		clicks: link.clicks,
		space: space === undefined ? null : { id: space, name: `Space ${space}` },
		domain: { id: domain, name: `d${domain}.example` },
		pixels: pixels.map((pixel) => ({ id: pixel, name: `Pixel ${pixel}` })),
		ends_at: link.endsAt === undefined ? null : dateText(link.endsAt),
		updated_at: dateText((versions.get(link) ?? 0) * 1000),
	});
	texts.set(link, text);
	return text;
}

/** Whether a link is in the state Expired at a time of the service. */
export const isExpired = ({ endsAt, clicks, expirationClicks }: PollLink, now: number): boolean =>
	(endsAt !== undefined && endsAt < now) ||
	(expirationClicks !== undefined && expirationClicks > 0 && clicks >= expirationClicks);

const answer = (statusCode: number, body: string): PollAnswer => ({
	statusCode,
	headers: { 'content-type': 'application/json' },
	body,
});

const notFound = answer(404, JSON.stringify({ message: 'Resource not found.', status: 404 }));

/** The reads of the service in a few lines: links that come, go and change, behind the endpoints of the contract. */
export class PollAccount {
	/** All links, also those that no read shows yet, by ID, lowest first. */
	readonly links = new Map<number, PollLink>();

	/** The clock of the service, in milliseconds from its beginning. */
	now = 0;

	/** How many requests were answered. */
	requests = 0;

	private lastId = 0;

	private changes = 0;

	private readonly ways: Ways;

	private readonly random: () => number;

	/** Told of each change: what a link was, and what it is. */
	private readonly onChange: (before: PollLink | undefined, after: PollLink | undefined) => void;

	/** The links in the order of their clicks, as long as nothing changes and ties have a certain order. */
	private ranked?: PollLink[];

	constructor(
		ways: Ways,
		seed: number,
		onChange: (before: PollLink | undefined, after: PollLink | undefined) => void,
	) {
		this.ways = ways;
		this.random = seededRandom(seed);
		this.onChange = onChange;
	}

	/**
	 * Creates a link.
	 *
	 * @param gap so many IDs are left out before it
	 */
	create(link: Omit<PollLink, 'id'>, gap = 0): PollLink {
		this.lastId += 1 + gap;
		const created = { ...link, id: this.lastId };
		this.put(undefined, created);
		return created;
	}

	/** Changes a link, and `updated_at` of it. */
	change(id: number, change: LinkChange): void {
		const before = this.links.get(id);
		if (before) this.put(before, { ...before, ...change });
	}

	delete(id: number): void {
		const before = this.links.get(id);
		if (before) this.put(before, undefined);
	}

	private put(before: PollLink | undefined, after: PollLink | undefined): void {
		this.ranked = undefined;
		this.changes += 1;
		if (after) {
			versions.set(after, this.changes);
			this.links.set(after.id, after);
		} else if (before) this.links.delete(before.id);
		this.onChange(before, after);
	}

	/** Whether a list shows a link, by the list's filters (contract 4.1). */
	private isIn(link: PollLink, params: URLSearchParams): boolean {
		const own = (name: string, value: number | undefined) =>
			!params.has(name) || params.get(name) === String(value);
		const search = params.get('search');
		const isFound = () =>
			search === null ||
			(params.get('search_by') === 'alias' &&
				link.alias.toLowerCase().includes(search.toLowerCase()));
		return (
			link.isVisible &&
			own('domain_id', link.domain) &&
			own('space_id', link.space) &&
			(!params.has('pixel_id') || link.pixels.map(String).includes(params.get('pixel_id') ?? '')) &&
			this.isOfStatus(link, params.get('status')) &&
			isFound()
		);
	}

	private isOfStatus(link: PollLink, status: string | null): boolean {
		if (status === '1') return !link.disabled && !isExpired(link, this.now);
		if (status === '2') return this.isInExpired(link);
		if (status === '3') return link.disabled;
		return true;
	}

	/** Whether the list of expired links holds a link. */
	isInExpired(link: PollLink): boolean {
		return isExpired(link, this.now) && (this.ways.expiredHoldsDisabled || !link.disabled);
	}

	private byClicks(found: PollLink[]): PollLink[] {
		if (!this.ways.hasRandomTies) return found.sort((one, other) => one.clicks - other.clicks);
		const chance = new Map(found.map((link) => [link, this.random()]));
		return found.sort(
			(one, other) =>
				one.clicks - other.clicks || (chance.get(one) ?? 0) - (chance.get(other) ?? 0),
		);
	}

	/** The links of a list, in its order. */
	private listed(params: URLSearchParams): PollLink[] {
		const isRanked = params.get('sort_by') === 'clicks';
		if (isRanked && !this.ways.hasRandomTies)
			this.ranked ??= this.byClicks([...this.links.values()]);
		const all = (isRanked && this.ranked) || [...this.links.values()];
		const found = all.filter((link) => this.isIn(link, params));
		if (isRanked && !this.ranked) this.byClicks(found);
		return params.get('sort') === 'asc' ? found : found.reverse();
	}

	/**
	 * Answers a read.
	 *
	 * @param url with the query
	 */
	read(url: string): PollAnswer {
		this.requests += 1;
		const { pathname, searchParams } = new URL(url);
		const [, id] = /\/api\/v1\/links(?:\/(\d+))?$/.exec(pathname) ?? [];
		if (id !== undefined) {
			const link = this.links.get(Number(id));
			return link?.isVisible ? answer(200, `{"data":${textOf(link)},"status":200}`) : notFound;
		}
		const found = this.listed(searchParams);
		const asked = Number(searchParams.get('per_page') ?? 10);
		const size = Math.min(asked, this.ways.pageSize);
		const number = Number(searchParams.get('page') ?? 1);
		const items = found.slice((number - 1) * size, number * size);
		const last = Math.max(1, Math.ceil(found.length / size));
		const data = `[${items.map(textOf).join()}]`;
		const next = number < last ? `${url}&page=${number + 1}` : null;
		switch (this.ways.envelope) {
			case 'bare':
				return answer(200, data);
			case 'simple':
				return answer(200, `{"data":${data},"links":${JSON.stringify({ next })},"status":200}`);
			default: {
				const meta = {
					current_page: number,
					last_page: last,
					per_page: size,
					total: found.length,
				};
				const rest = JSON.stringify({ links: { next }, meta, status: 200 });
				return answer(200, `{"data":${data},${rest.slice(1)}`);
			}
		}
	}
}
