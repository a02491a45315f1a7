import type { IncomingHttpHeaders } from 'node:http';
import { broken, notFound, type Answer } from './answers.ts';
import { authenticate, bearerOf, checkHeaders, isForm, type Call } from './call.ts';
import { Database } from './database.ts';
import { endpointsOf, type Endpoint } from './endpoints.ts';
import { decodeForm } from './form.ts';
import { linkResource } from './links.ts';
import { pixelResource } from './pixels.ts';
import type { Resource } from './resource.ts';
import { completeSettings, type Settings } from './settings.ts';
import { Throttle } from './throttle.ts';

export interface CoreOptions {
	/** File path; by default ':memory:'. */
	database?: string;
	/** By default one: 'demo-key-0123456789'. */
	apiKeys?: readonly string[];
	settings?: Partial<Settings>;
	/** Returns the address that short URLs and pages of lists begin with. */
	origin?: () => string;
	/** Returns milliseconds since 1970; by default of this process. */
	clock?: () => number;
	/** Returns numbers from 0 up to 1. */
	random?: () => number;
}

/** An API request as text. */
export interface ApiRequest {
	method: string;
	/** Path and query, or a whole address. */
	url: string;
	headers: IncomingHttpHeaders;
	body: string;
}

/** Returns a decoded request. Only the body of a form is read, as PHP does with a PUT. */
export function callOf({ method, url, headers, body }: ApiRequest): Call {
	const [path = '', ...query] = url.replace(/^https?:\/\/[^/]*/, '').split('?');
	return {
		...{ method, path, headers },
		query: decodeForm(query.join('?')),
		form: isForm(headers) ? decodeForm(body) : {},
	};
}

/**
 * The reference service without sockets: the whole of `service-interface.md`, and the assumptions where that is silent.
 * Faults and hooks are around it: see {@link startService}.
 */
export class ServiceCore {
	/** Live: a change counts from the next request on. */
	readonly settings: Settings;
	/** Live: a test can revoke a key. */
	readonly apiKeys: Set<string>;
	readonly database: Database;
	readonly links: Resource;
	readonly pixels: Resource;
	private readonly throttle: Throttle;
	private readonly endpoints: Record<string, ReturnType<typeof endpointsOf>>;

	constructor(options: CoreOptions = {}) {
		const { database = ':memory:', apiKeys = ['demo-key-0123456789'], settings } = options;
		const { clock = () => Date.now(), origin = () => 'https://links.example' } = options;
		this.settings = completeSettings(settings);
		this.apiKeys = new Set(apiKeys);
		this.database = new Database(database, clock);
		this.links = linkResource(this.database, origin);
		this.pixels = pixelResource(this.database);
		this.throttle = new Throttle(clock, options.random ?? Math.random);
		const of = (resource: Resource) =>
			endpointsOf(resource, () => `${origin()}/api/v1/${resource.name}s`);
		this.endpoints = { links: of(this.links), pixels: of(this.pixels) };
	}

	/** Responds to a request: throttle, then headers (strict), then key, then endpoint. */
	respond(call: Call): Answer {
		const { settings, apiKeys } = this;
		const key = bearerOf(call);
		// Clients without a valid key count by their address, which is the same for all here.
		const sender = key !== undefined && apiKeys.has(key) ? `key ${key}` : 'address';
		const verdict = this.throttle.admit(sender, settings.throttle);
		if ('refusal' in verdict) return verdict.refusal;
		const refused = (settings.strict && checkHeaders(call)) || authenticate(call, apiKeys);
		const answered = refused || this.carryOut(call);
		return { ...answered, headers: { ...answered.headers, ...verdict.headers } };
	}

	private carryOut(call: Call): Answer {
		const { endpoint, id } = this.route(call);
		try {
			return endpoint({ ...call, id }, this.settings);
		} catch (error) {
			return broken(error);
		}
	}

	/** Finds one of the ten endpoints of contract 4. */
	private route({ method, path }: Call): { endpoint: Endpoint; id?: string } {
		const [, name = '', id] = /^\/api\/v1\/(links|pixels)(?:\/([^/]+))?$/.exec(path) ?? [];
		const { list, create, read, update, remove } = this.endpoints[name] ?? {};
		const methods: Record<string, Endpoint | undefined> =
			id === undefined ? { GET: list, POST: create } : { GET: read, PUT: update, DELETE: remove };
		return { endpoint: methods[method] ?? notFound, id };
	}

	/** Changes some settings. New faults count from zero, and a new throttle opens new windows. */
	set(changes: Partial<Settings>): void {
		// Copies are strangers to the fault plan, which counts by identity.
		Object.assign(this.settings, structuredClone(changes));
		if (changes.throttle !== undefined) this.throttle.reset();
	}

	/** Deletes all links and pixels. */
	clear(): void {
		this.database.exec('DELETE FROM links; DELETE FROM pixels');
	}

	counts(): { links: number; pixels: number } {
		const count = (table: string) =>
			Number(this.database.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.count);
		return { links: count('links'), pixels: count('pixels') };
	}
}
