import { callOf, ServiceCore } from '../../testkit/service/core.ts';

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

/** An answer as n8n's helper gives it. */
export interface PollAnswer {
	readonly statusCode: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string;
}

/** The moment at which the clock of the service begins. */
const epoch = Date.parse('2026-03-01T00:00:00Z');

const timeText = (milliseconds: number) =>
	new Date(epoch + milliseconds).toISOString().replace('Z', '000Z');

const apiKey = 'poll-key-0123456789';

const headers = { accept: 'application/json', authorization: `Bearer ${apiKey}` };

/** The columns of a link in the reference service. */
function columnsOf(link: PollLink, now: number) {
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

/** The core of the reference service, without sockets and on a clock of its own, and the links that were written to it. */
export class PollAccount {
	/** All links, also those that no read shows yet, by ID. */
	readonly links = new Map<number, PollLink>();

	/** The clock of the service, in milliseconds from its start. */
	now = 0;

	/** Number of requests that were answered. */
	requests = 0;

	private lastId = 0;

	private readonly core = new ServiceCore({
		apiKeys: [apiKey],
		settings: { strict: true },
		clock: () => epoch + this.now,
	});

	private readonly pageSize: number;

	/** Receives each change: the link before and after it. */
	private readonly onChange: (before: PollLink | undefined, after: PollLink | undefined) => void;

	/** @param pageSize max number of links on a page, whatever a request asks for */
	constructor(pageSize = 100, onChange: PollAccount['onChange'] = () => undefined) {
		this.pageSize = pageSize;
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
		const { database } = this.core;
		if (after) this.links.set(after.id, after);
		else if (before) this.links.delete(before.id);
		if (after?.isVisible) {
			const columns = columnsOf(after, this.now);
			const names = Object.keys(columns);
			const places = names.map(() => '?').join();
			// Also detaches its pixels.
			database
				.prepare(`INSERT OR REPLACE INTO links (${names.join()}) VALUES (${places})`)
				.run(...Object.values(columns));
			const attach = database.prepare('INSERT INTO link_pixels VALUES (?, ?)');
			for (const pixel of after.pixels) attach.run(after.id, pixel);
		} else if (before?.isVisible) {
			database.prepare('DELETE FROM links WHERE id = ?').run(before.id);
		}
		this.onChange(before, after);
	}

	/**
	 * Answers a read.
	 *
	 * @param url with the query
	 */
	read(url: string): PollAnswer {
		this.requests += 1;
		const call = callOf({ method: 'GET', url, headers, body: '' });
		if (this.pageSize < 100 && 'per_page' in call.query) {
			call.query.per_page = String(this.pageSize);
		}
		const { status, payload, ...answer } = this.core.respond(call);
		return { statusCode: status, headers: answer.headers, body: payload };
	}
}
