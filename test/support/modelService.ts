import qs from 'qs';
import type { HttpAnswer, HttpRequest, Send, Service } from '../../nodes/shared/transport/exchange';
import { ModelThrottle, type ThrottleOptions } from './modelThrottle.ts';
import { seededRandom, type VirtualClock } from '../../testkit/clock/virtualClock.ts';

/** Whether the service did what a spoiled request asked for before it was spoiled. */
type When = 'after' | 'before';

/**
 * What goes wrong with one request:
 * - `drop`: the connection breaks, before or after the service did what was asked
 * - `late`: the connection breaks at once, and the service does it so many milliseconds later
 * - `refuse`: no connection is made
 * - `hang`: no answer ever comes
 * - `slow`: the answer comes so many milliseconds later
 * - `answer`: another answer than the service's own
 * - `cut`: the answer ends in the middle of its JSON
 */
export type Fault =
	| { readonly kind: 'answer'; readonly when: When; readonly answer: HttpAnswer }
	| { readonly kind: 'cut' }
	| { readonly kind: 'drop'; readonly when: When }
	| { readonly kind: 'hang'; readonly when: When }
	| { readonly kind: 'late'; readonly milliseconds: number }
	| { readonly kind: 'refuse' }
	| { readonly kind: 'slow'; readonly milliseconds: number };

/** What a request changed at the service. */
export interface Effect {
	readonly kind: 'created' | 'deleted' | 'updated';
	readonly id: number;
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
	readonly url: string;
	/** Query of a read, form of a write, decoded. */
	readonly params: Readonly<Record<string, unknown>>;
	readonly fault?: Fault;
	/** When the answer came, or its absence showed; undefined for one that hangs. */
	endedAt?: number;
	/** The answer that came. */
	answer?: HttpAnswer;
	effect?: Effect;
}

/** A form that was decoded. */
export type Form = Readonly<Record<string, unknown>>;

/** A link as the service holds it. The texts are as they were sent. */
export interface HeldLink {
	readonly id: number;
	readonly domain: number;
	alias: string;
	url: string;
	fields: Record<string, unknown>;
}

export interface ModelOptions {
	readonly seed?: number;
	/** Milliseconds that a request and its answer take on their way together. */
	readonly latency?: (random: () => number) => number;
	readonly throttle?: ThrottleOptions;
	/** Filters of the list that the service knows nothing of. */
	readonly ignoredFilters?: readonly string[];
	/** How the service normalizes each form before it checks and stores it. */
	readonly normalizes?: (form: Form) => Form;
	/** What the service stores in place of a form that it has accepted. */
	readonly stores?: (form: Form, link: HeldLink | undefined) => Form;
	/** How the service shows a link. */
	readonly shows?: (resource: Record<string, unknown>) => Record<string, unknown>;
	/** Whether an update is answered with the link as it was before. */
	readonly answersLate?: (link: HeldLink) => boolean;
	/** What goes wrong with a request. */
	readonly fault?: (request: Journaled, random: () => number) => Fault | undefined;
}

/** Addresses of the domains that there are. */
const domains = new Map([
	[1, 'short.example'],
	[2, 'go.example'],
]);

/** The moment at which the clock begins. */
const epoch = Date.parse('2026-01-01T00:00:00Z');

/** Fields of a form that are kept as texts, and read back as they were sent (contract 2.1). */
const plainFields = [
	'disabled',
	'privacy',
	'expiration_url',
	'expiration_clicks',
	'target_type',
] as const;

const secretFields = ['password', 'privacy_password'] as const;

const pageSizes = ['10', '25', '50', '100'];

/** What the service is asked and answers, before anything happens on the way. */
interface Handled {
	readonly status: number;
	readonly body: unknown;
	readonly effect?: Effect;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const isFilled = (value: unknown) => textOf(value) !== '';

const networkError = (code: string) => Object.assign(new Error(code), { code });

/** Any JSON as an answer. */
export const jsonAnswer = (
	status: number,
	body: unknown,
	headers: Readonly<Record<string, string>> = {},
): HttpAnswer => ({
	status,
	headers: { 'content-type': 'application/json', ...headers },
	body: JSON.stringify(body),
});

/**
 * The service in a few lines, on a virtual clock: links behind the endpoints and the envelope of the contract, a limit of
 * requests, and what goes wrong on the way. It decodes forms with a library that shares nothing with our encoder.
 */
export class ModelService {
	readonly root = 'https://links.example/api/v1';

	/** All requests, in the order in which they left. */
	readonly journal: Journaled[] = [];

	/** All links that the service holds, by ID. */
	readonly links = new Map<number, HeldLink>();

	private lastId = 0;

	private readonly clock: VirtualClock;

	private readonly options: ModelOptions;

	private readonly random: () => number;

	/** The limit of requests, where there is one. */
	readonly throttle?: ModelThrottle;

	constructor(clock: VirtualClock, options: ModelOptions = {}) {
		this.clock = clock;
		this.options = options;
		this.random = seededRandom((options.seed ?? 1) + 1_000_003);
		if (options.throttle) {
			const { throttle } = options;
			this.throttle = new ModelThrottle(throttle, seededRandom((options.seed ?? 1) + 2_000_003));
		}
	}

	/** The service as one who sends requests sees it; the journal has the name. */
	as(client: string): Service {
		const send: Send = async (request, signal) => await this.carry(client, request, signal);
		return { root: this.root, send };
	}

	/** Adds a link without a request. */
	add(link: {
		readonly alias: string;
		readonly url: string;
		readonly domain?: number;
		readonly fields?: Readonly<Record<string, unknown>>;
	}): HeldLink {
		this.lastId += 1;
		const held: HeldLink = {
			id: this.lastId,
			domain: link.domain ?? 1,
			alias: link.alias,
			url: link.url,
			fields: { ...link.fields },
		};
		this.links.set(held.id, held);
		return held;
	}

	/** Everything that was changed, in the order in which it happened. */
	get effects(): (Effect & { readonly request: Journaled })[] {
		return this.journal
			.flatMap((request) => (request.effect ? [{ ...request.effect, request }] : []))
			.sort((one, other) => one.at - other.at);
	}

	/** The share of the requests that were refused for being too many. */
	get refusedShare(): number {
		const refused = this.journal.filter(({ answer }) => answer?.status === 429);
		return refused.length / this.journal.length;
	}

	private async carry(
		client: string,
		request: HttpRequest,
		signal: AbortSignal,
	): Promise<HttpAnswer> {
		const { pathname, search } = new URL(request.url);
		const decode = (text: string) => qs.parse(text, { arrayLimit: 1000, depth: 5 });
		const asked = {
			number: this.journal.length + 1,
			client,
			leftAt: this.clock.now(),
			method: request.method,
			path: pathname.replace('/api/v1', ''),
			url: request.url,
			params: decode(request.form ? request.form.toString() : search.slice(1)),
		};
		const fault = this.options.fault?.(asked, this.random);
		const entry: Journaled = { ...asked, fault };
		this.journal.push(entry);
		signal.addEventListener('abort', () => (entry.endedAt ??= this.clock.now()));
		try {
			return (entry.answer = await this.meet(entry, fault));
		} finally {
			entry.endedAt ??= this.clock.now();
		}
	}

	/** What becomes of a request on its way there, at the service, and on its way back. */
	private async meet(entry: Journaled, fault: Fault | undefined): Promise<HttpAnswer> {
		const way = (this.options.latency?.(this.random) ?? 50) / 2;
		await this.clock.sleep(way);
		if (fault?.kind === 'refuse') throw networkError('ECONNREFUSED');
		if (fault?.kind === 'late') {
			void this.clock.sleep(fault.milliseconds).then(() => this.handle(entry));
			throw networkError('ECONNRESET');
		}
		const isSpoiledBefore = fault && 'when' in fault && fault.when === 'before';
		const answer = isSpoiledBefore ? undefined : this.handle(entry);
		if (fault?.kind === 'hang') return await new Promise<never>(() => undefined);
		if (fault?.kind === 'slow') await this.clock.sleep(fault.milliseconds);
		await this.clock.sleep(way);
		if (fault?.kind === 'answer') {
			return { ...fault.answer, headers: { ...this.date(), ...fault.answer.headers } };
		}
		if (!answer || fault?.kind === 'drop') throw networkError('ECONNRESET');
		return fault?.kind === 'cut'
			? { ...answer, body: answer.body.slice(0, Math.max(1, answer.body.length - 5)) }
			: answer;
	}

	/** The service's own answer, after its limit let the request through. */
	private handle(entry: Journaled): HttpAnswer {
		const now = this.clock.now();
		const verdict = this.throttle?.admit(now, epoch);
		const headers = { ...this.date(), ...verdict?.headers };
		if (verdict && !verdict.isLetThrough) {
			return jsonAnswer(429, { message: 'Too Many Attempts.' }, headers);
		}
		const { status, body, effect } = this.answer(entry);
		entry.effect = effect;
		return jsonAnswer(status, body, headers);
	}

	private date(): Record<string, string> {
		return { date: new Date(epoch + this.clock.now()).toUTCString() };
	}

	private answer({ method, path, params }: Journaled): Handled {
		const [, collection, id] = path.split('/');
		if (collection !== 'links') return notFound;
		if (id === undefined) return method === 'POST' ? this.create(params) : this.list(params);
		const link = this.links.get(Number(id));
		if (!link) return notFound;
		if (method === 'GET') return { status: 200, body: { data: this.shown(link), status: 200 } };
		if (method === 'PUT') return this.update(link, params);
		this.links.delete(link.id);
		const effect = { kind: 'deleted', id: link.id, at: this.clock.now() } as const;
		const body = { id: link.id, object: 'link', deleted: true, status: 200 };
		return { status: 200, body, effect };
	}

	private create(sent: Form): Handled {
		const { normalizes, stores } = this.options;
		const form = normalizes?.(sent) ?? sent;
		const domain = isFilled(form.domain_id) ? Number(form.domain_id) : 1;
		const alias = isFilled(form.alias) ? textOf(form.alias) : `made-${this.lastId + 1}`;
		const problems = this.problemsOf({ url: '', ...form, alias }, domain);
		if (!domains.has(domain)) problems.domain_id = ['The domain does not exist.'];
		if (Object.keys(problems).length > 0) return invalid(problems);
		const stored: Form = stores?.({ ...form, alias }, undefined) ?? { ...form, alias };
		const link = this.add({
			alias: textOf(stored.alias),
			domain: stored.domain_id === undefined ? domain : Number(stored.domain_id),
			url: textOf(stored.url),
		});
		link.fields = { ...stored };
		const effect = { kind: 'created', id: link.id, at: this.clock.now(), url: link.url } as const;
		return { status: 201, body: { data: this.shown(link), status: 200 }, effect };
	}

	private update(link: HeldLink, sent: Form): Handled {
		const { normalizes, stores, answersLate } = this.options;
		const accepted = normalizes?.(sent) ?? sent;
		const problems = this.problemsOf(accepted, link.domain, link.id);
		if (Object.keys(problems).length > 0) return invalid(problems);
		const form = stores?.(accepted, link) ?? accepted;
		const before = answersLate?.(link) ? this.shown(link) : undefined;
		if ('alias' in form) link.alias = textOf(form.alias);
		if ('url' in form) link.url = textOf(form.url);
		link.fields = { ...link.fields, ...form };
		const effect = { kind: 'updated', id: link.id, at: this.clock.now(), url: link.url } as const;
		return { status: 200, body: { data: before ?? this.shown(link), status: 200 }, effect };
	}

	/** What is wrong with the values of a form, by field. */
	private problemsOf(form: Journaled['params'], domain: number, own?: number) {
		const problems: Record<string, string[]> = {};
		if ('url' in form && !/^[a-z]+:\/\/\S+$/i.test(textOf(form.url))) {
			problems.url = ['The url must be a valid URL.'];
		}
		if ('alias' in form) {
			const alias = textOf(form.alias);
			const isTaken = [...this.links.values()].some(
				(link) => link.alias === alias && link.domain === domain && link.id !== own,
			);
			if (!/^[\w-]{1,255}$/.test(alias)) problems.alias = ['The alias format is invalid.'];
			else if (isTaken) problems.alias = ['The alias has already been taken.'];
		}
		if (isFilled(form.expiration_date) !== isFilled(form.expiration_time)) {
			problems.expiration_date = ['The expiration date and time need each other.'];
		}
		return problems;
	}

	/** A page in the envelope of resource collections, newest first unless asked otherwise. */
	private list(asked: Journaled['params']): Handled {
		const { ignoredFilters = [] } = this.options;
		const query = Object.fromEntries(
			Object.entries(asked).filter(([name]) => !ignoredFilters.includes(name)),
		);
		const text = textOf(query.search).toLowerCase();
		const by = query.search_by === 'alias' || query.search_by === 'url' ? query.search_by : 'title';
		const found = [...this.links.values()].filter(
			(link) =>
				(text === '' || (by !== 'title' && link[by].toLowerCase().includes(text))) &&
				(!isFilled(query.domain_id) || link.domain === Number(query.domain_id)) &&
				(!isFilled(query.space_id) || link.fields.space_id === query.space_id),
		);
		if (query.sort !== 'asc') found.reverse();
		const size = Number(pageSizes.find((each) => each === query.per_page) ?? 10);
		const number = Math.max(1, Number(query.page) || 1);
		const last = Math.max(1, Math.ceil(found.length / size));
		const items = found.slice((number - 1) * size, number * size);
		const body = {
			data: items.map((link) => this.shown(link)),
			links: { next: number < last ? `${this.root}/links?page=${number + 1}` : null },
			meta: { current_page: number, last_page: last, per_page: size, total: found.length },
			status: 200,
		};
		return { status: 200, body };
	}

	/** A link as answers show it (assumption: one resource). */
	private shown(link: HeldLink): Record<string, unknown> {
		const resource = this.resourceOf(link);
		return this.options.shows?.(resource) ?? resource;
	}

	private resourceOf({ id, alias, url, domain, fields }: HeldLink): Record<string, unknown> {
		const name = domains.get(domain) ?? '';
		const plain = plainFields.map((field) => [
			field,
			isFilled(fields[field]) ? fields[field] : null,
		]);
		const secret = secretFields.map((field) => [field, isFilled(fields[field])]);
		const pixels = Array.isArray(fields.pixel_ids) ? fields.pixel_ids.filter(isFilled) : [];
		return {
			id,
			alias,
			url,
			short_url: `https://${name}/${alias}`,
			title: null,
			...Object.fromEntries(plain),
			...Object.fromEntries(secret),
			clicks: 0,
			domain: { id: domain, name },
			space: isFilled(fields.space_id) ? { id: Number(fields.space_id), name: 'Space' } : null,
			pixels: pixels.map((pixel) => ({ id: Number(pixel) })),
			country_target: fields.country ?? [],
			ends_at: isFilled(fields.expiration_date)
				? `${textOf(fields.expiration_date)} ${textOf(fields.expiration_time)}`
				: null,
		};
	}
}

const notFound: Handled = { status: 404, body: { message: 'Resource not found.', status: 404 } };

const invalid = (message: Record<string, string[]>): Handled => ({
	status: 422,
	body: { message, status: 422 },
});

/**
 * The most requests of one client that were under way at the same time. One that has no answer counts until its time-out:
 * after that nobody waits for it any longer.
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
