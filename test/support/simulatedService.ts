import type { IDataObject } from 'n8n-workflow';
import type { HttpAnswer, HttpRequest, Send, Service } from '../../nodes/shared/transport/exchange';
import { seededRandom, type VirtualClock } from '../../testkit/clock/virtualClock.ts';
import type { Answer } from '../../testkit/service/answers.ts';
import type { Call } from '../../testkit/service/call.ts';
import { callOf, ServiceCore } from '../../testkit/service/core.ts';
import { disturb } from '../../testkit/service/delivery.ts';
import type { Form } from '../../testkit/service/form.ts';
import type { Disturbance, ThrottleSettings } from '../../testkit/service/settings.ts';
import { noMask } from './client.ts';

/**
 * What goes wrong with one request: a disturbance of the reference service, or
 * - `late`: the connection breaks immediately, and the service processes the request after the given milliseconds
 * - `refuse`: no connection is made
 * - `slow`: the response arrives after the given milliseconds
 */
export type Fault =
	| Disturbance
	| { readonly kind: 'late'; readonly milliseconds: number }
	| { readonly kind: 'slow'; readonly milliseconds: number }
	| { readonly kind: 'refuse' };

/** What a request changed at the service. */
export interface Effect {
	readonly kind: 'created' | 'deleted' | 'updated';
	readonly id: number;
	/** Virtual milliseconds. */
	readonly at: number;
	/** The destination that the link has after it. */
	readonly url?: string;
}

/** One request as it happened, in virtual milliseconds. */
export interface Journaled {
	/** In the order in which they left, from 1. */
	readonly number: number;
	/** Who sent it. */
	readonly client: string;
	readonly leftAt: number;
	readonly method: HttpRequest['method'];
	/** Under the address of the API, without the query. */
	readonly path: string;
	/** Query of a read, form of a write, decoded. */
	readonly params: Form;
	readonly fault?: Fault;
	/** When the answer came, or its absence showed; undefined for one that hangs. */
	endedAt?: number;
	/** The status of the answer that came. */
	status?: number;
	effect?: Effect;
}

/** A link as the service stores it, whatever its answers show. */
export interface StoredLink extends IDataObject {
	readonly id: number;
	readonly alias: string;
	readonly url: string;
	readonly domain: { readonly id: number };
	readonly space: { readonly id: number } | null;
	readonly pixels: { readonly id: number }[];
	readonly disabled: number;
	readonly privacy: number;
	readonly password: boolean;
	readonly ends_at: string | null;
}

export interface SimulationOptions {
	readonly seed?: number;
	/** Milliseconds that a request and its answer take on their way together. */
	readonly latency?: (random: () => number) => number;
	readonly throttle?: ThrottleSettings;
	/** Parameters of the list that the service does not know. */
	readonly ignoredFilters?: readonly string[];
	/** What the service takes a form for; `link` is the one to update. */
	readonly takes?: (form: Form, link?: StoredLink) => Form;
	/** How the service shows a link. */
	readonly shows?: (resource: Form) => Form;
	/** Whether an update is answered with the link as it was before. */
	readonly answersLate?: () => boolean;
	/** What goes wrong with a request. */
	readonly fault?: (request: Journaled, random: () => number) => Fault | undefined;
}

/** The moment at which the clock begins. */
const epoch = Date.parse('2026-01-01T00:00:00Z');

const kinds = { POST: 'created', PUT: 'updated', DELETE: 'deleted' } as const;

const networkError = (code: string) => Object.assign(new Error(code), { code });

/** The reference service on a virtual clock and without sockets, and what goes wrong on the way to it. */
export class SimulatedService {
	readonly root = 'https://links.example/api/v1';

	/** All requests, in the order in which they left. */
	readonly journal: Journaled[] = [];

	private readonly core: ServiceCore;

	private readonly clock: VirtualClock;

	private readonly options: SimulationOptions;

	private readonly random: () => number;

	constructor(clock: VirtualClock, options: SimulationOptions = {}) {
		const { seed = 1, throttle = null } = options;
		this.clock = clock;
		this.options = options;
		this.random = seededRandom(seed + 1_000_003);
		this.core = new ServiceCore({
			apiKeys: ['key'],
			settings: { throttle },
			clock: () => epoch + clock.now(),
			random: seededRandom(seed + 2_000_003),
		});
	}

	/** The service as one who sends requests sees it; the journal has the name. */
	as(client: string): Service {
		const send: Send = async (request, signal) => await this.carry(client, request, signal);
		return { root: this.root, send, mask: noMask };
	}

	/** Adds a link without a request, and returns its ID. `fields` are texts of the form (contract 2.1). */
	add({ alias, url, domain = 1, fields = {} }: NewLink): number {
		const form = { ...fields, alias, url, domain_id: String(domain) };
		return Number(this.core.links.create(form).id);
	}

	/** All links that the service has, by ID. */
	get links(): ReadonlyMap<number, StoredLink> {
		const { rows } = this.core.links.list({ sort: 'asc' }, { limit: -1, offset: 0 });
		return new Map((rows as StoredLink[]).map((link) => [link.id, link]));
	}

	/** Returns a link as it is stored; undefined if there is none. */
	link(id: unknown): StoredLink | undefined {
		return this.core.links.find(Number(id)) as StoredLink | undefined;
	}

	/** Everything that was changed, in the order in which it happened. */
	get effects(): (Effect & { readonly request: Journaled })[] {
		return this.journal
			.flatMap((request) => (request.effect ? [{ ...request.effect, request }] : []))
			.sort((one, other) => one.at - other.at);
	}

	/** The share of the requests that were refused for being too many. */
	get refusedShare(): number {
		return this.journal.filter(({ status }) => status === 429).length / this.journal.length;
	}

	/** Frees the memory of the database. */
	close(): void {
		this.core.database.close();
	}

	private async carry(
		client: string,
		{ method, url, headers, form }: HttpRequest,
		signal: AbortSignal,
	): Promise<HttpAnswer> {
		const body = form?.toString() ?? '';
		const sent = Object.fromEntries(new Headers({ ...headers, authorization: 'Bearer key' }));
		const call = callOf({ method, url, headers: sent, body });
		const asked = {
			...{ number: this.journal.length + 1, client, leftAt: this.clock.now(), method },
			path: call.path.replace('/api/v1', ''),
			params: form ? call.form : call.query,
		};
		const fault = this.options.fault?.(asked, this.random);
		const entry: Journaled = { ...asked, fault };
		this.journal.push(entry);
		signal.addEventListener('abort', () => (entry.endedAt ??= this.clock.now()));
		try {
			const answer = await this.meet(entry, call);
			entry.status = answer.status;
			return answer;
		} finally {
			entry.endedAt ??= this.clock.now();
		}
	}

	/** What becomes of a request on its way there, at the service, and on its way back. */
	private async meet(entry: Journaled, call: Call): Promise<HttpAnswer> {
		const { fault } = entry;
		const way = (this.options.latency?.(this.random) ?? 50) / 2;
		await this.clock.sleep(way);
		if (fault?.kind === 'refuse') throw networkError('ECONNREFUSED');
		if (fault?.kind === 'late') {
			void this.clock.sleep(fault.milliseconds).then(() => this.respond(entry, call));
			throw networkError('ECONNRESET');
		}
		const date = new Date(epoch + this.clock.now()).toUTCString();
		const disturbance = fault?.kind === 'slow' ? undefined : fault;
		const { kind, answer } = disturb(disturbance, () => this.respond(entry, call));
		if (kind === 'hang') return await new Promise<never>(() => undefined);
		if (fault?.kind === 'slow') await this.clock.sleep(fault.milliseconds);
		await this.clock.sleep(way);
		if (kind !== 'answer') throw networkError('ECONNRESET');
		const { status, headers, payload } = answer;
		return { status, headers: { date, ...headers }, body: payload };
	}

	/** The answer of the core, which gets the request and shows its answer as the options say. */
	private respond(entry: Journaled, { ...call }: Call): Answer {
		const { ignoredFilters = [], takes, shows, answersLate } = this.options;
		const { method, path } = entry;
		const id = Number(/\d+$/.exec(path)?.[0]);
		const before = takes || answersLate ? this.link(id) : undefined;
		const isIgnored = ([name]: [string, unknown]) => ignoredFilters.includes(name);
		call.query = Object.fromEntries(Object.entries(call.query).filter((one) => !isIgnored(one)));
		if (takes && method !== 'GET') call.form = takes(call.form, before);
		const own = this.core.respond(call);
		if (own.status >= 300) return own;
		const body = JSON.parse(own.payload) as { id?: number; data: Form | Form[] };
		const { data } = body;
		const isList = Array.isArray(data);
		if (method !== 'GET') {
			const stored = isList ? {} : { ...data };
			const changed = { id: Number(stored.id ?? body.id), url: stored.url as string | undefined };
			entry.effect = { kind: kinds[method], at: this.clock.now(), ...changed };
		}
		if (method === 'DELETE') return own;
		if (before && method === 'PUT' && answersLate?.()) body.data = before;
		else if (shows) body.data = isList ? data.map(shows) : shows(data);
		return { ...own, payload: JSON.stringify(body) };
	}
}

/** A link that is there before the first request. */
interface NewLink {
	readonly alias: string;
	readonly url: string;
	readonly domain?: number;
	readonly fields?: Readonly<Record<string, unknown>>;
}

/**
 * Returns the largest number of requests of one client that were in flight at the same time. A request without a response
 * counts until its timeout.
 */
export function mostUnderWay(requests: readonly Journaled[], timeout = Infinity): number {
	const changes = requests.flatMap(({ leftAt, endedAt = Infinity }) => [
		{ at: leftAt, change: 1 },
		{ at: Math.min(endedAt, leftAt + timeout), change: -1 },
	]);
	// What ends at a time makes room for what leaves at the same time.
	changes.sort((one, other) => one.at - other.at || one.change - other.change);
	let underWay = 0;
	let most = 0;
	for (const { change } of changes) {
		underWay += change;
		most = Math.max(most, underWay);
	}
	return most;
}
