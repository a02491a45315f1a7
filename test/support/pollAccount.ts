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

/** How the service behaves. */
export interface Ways {
	/** Max number of links on a page. */
	readonly pageSize: number;
	/** Whether the list of expired links contains disabled links too. */
	readonly expiredHoldsDisabled: boolean;
}

/** A link that no filter and no event is about. */
export const plainLink: Omit<PollLink, 'id'> = {
	...{ alias: 'link', url: 'https://example.com/0', domain: 1, pixels: [], clicks: 0 },
	...{ disabled: false, privacy: 0, countries: {}, isVisible: true },
};

export const usualWays: Ways = { pageSize: 100, expiredHoldsDisabled: true };

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

/** The reads of the service in a few lines: links that come, go and change, and the endpoints of the contract. */
export class PollAccount {
	/** All links, also those that no read shows yet, by ID, lowest first. */
	readonly links = new Map<number, PollLink>();

	/** The clock of the service, in milliseconds from its start. */
	now = 0;

	/** Number of requests that were answered. */
	requests = 0;

	private lastId = 0;

	private changes = 0;

	private readonly ways: Ways;

	/** Receives each change: the link before and after it. */
	private readonly onChange: (before: PollLink | undefined, after: PollLink | undefined) => void;

	constructor(ways: Partial<Ways> = {}, onChange: PollAccount['onChange'] = () => undefined) {
		this.ways = { ...usualWays, ...ways };
		this.onChange = onChange;
	}

	/**
	 * Creates a link.
	 *
	 * @param gap number of IDs that are left out before it
	 */
	create(link: Omit<PollLink, 'id'>, gap = 0): PollLink {
		this.lastId += 1 + gap;
		const created = { ...link, id: this.lastId };
		this.put(undefined, created);
		return created;
	}

	/** Changes a link, and its `updated_at`. */
	change(id: number, change: LinkChange): void {
		const before = this.links.get(id);
		if (before) this.put(before, { ...before, ...change });
	}

	delete(id: number): void {
		const before = this.links.get(id);
		if (before) this.put(before, undefined);
	}

	private put(before: PollLink | undefined, after: PollLink | undefined): void {
		this.changes += 1;
		if (after) {
			versions.set(after, this.changes);
			this.links.set(after.id, after);
		} else if (before) this.links.delete(before.id);
		this.onChange(before, after);
	}

	/** Whether a link meets a parameter of a list (contract 4.1). */
	private meets(link: PollLink, name: string, value: string): boolean {
		switch (name) {
			case 'domain_id':
				return String(link.domain) === value;
			case 'space_id':
				return String(link.space) === value;
			case 'pixel_id':
				return link.pixels.map(String).includes(value);
			case 'search':
				return link.alias.toLowerCase().includes(value.toLowerCase());
			case 'status':
				return value === '2' ? this.isInExpired(link) : link.disabled;
			default:
				return true;
		}
	}

	/** Whether the list of expired links contains a link. */
	isInExpired(link: PollLink): boolean {
		return isExpired(link, this.now) && (this.ways.expiredHoldsDisabled || !link.disabled);
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
		const filters = [...searchParams].filter(([name]) => !/sort|page/.test(name));
		const found = [...this.links.values()].filter(
			(link) => link.isVisible && filters.every(([name, value]) => this.meets(link, name, value)),
		);
		if (searchParams.get('sort') === 'desc') found.reverse();
		const size = Math.min(Number(searchParams.get('per_page')), this.ways.pageSize);
		const number = Number(searchParams.get('page'));
		const items = found.slice((number - 1) * size, number * size);
		const last_page = Math.max(1, Math.ceil(found.length / size));
		const meta = { current_page: number, last_page, per_page: size, total: found.length };
		const rest = JSON.stringify({ meta, status: 200 });
		return answer(200, `{"data":[${items.map(textOf).join()}],${rest.slice(1)}`);
	}
}
