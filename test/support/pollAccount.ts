import { callOf, ServiceCore } from '../../testkit/service/core.ts';
import { columnsOf, epoch, type LinkChange, type PollLink } from './eventExamples.ts';

/** An answer as n8n's helper gives it. */
export interface PollAnswer {
	readonly statusCode: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string;
}

const apiKey = 'poll-key-0123456789';

const headers = { accept: 'application/json', authorization: `Bearer ${apiKey}` };

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
