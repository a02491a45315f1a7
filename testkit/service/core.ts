import { broken, json, notFound, type Answer } from './answers.ts';
import { bearerOf, checkHeaders, type Call } from './call.ts';
import { Database } from './database.ts';
import { endpointsOf, type Endpoint } from './endpoints.ts';
import { nullEmpty } from './form.ts';
import { linkResource } from './links.ts';
import { pixelResource } from './pixels.ts';
import type { Resource } from './resource.ts';
import { completeSettings, type Settings } from './settings.ts';
import { Throttle } from './throttle.ts';

export { callOf } from './call.ts';

export interface CoreOptions {
	/** File path; by default ':memory:'. */
	database?: string;
	/** By default one: 'demo-key-0123456789'. */
	apiKeys?: readonly string[];
	settings?: Partial<Settings>;
	/** Returns milliseconds since 1970; by default of this process. */
	clock?: () => number;
	/** Returns numbers from 0 up to 1. */
	random?: () => number;
}

/**
 * The reference service without sockets: the whole of `service-interface.md`, and the assumptions where that is silent.
 * Faults and hooks are around it: see RunningService.
 */
export class ServiceCore {
	/** The address that short URLs and pages of lists begin with, without a slash at its end. */
	url = 'https://links.example';
	/** Live: a change counts from the next request on. */
	readonly settings: Settings;
	/** Live: a test can revoke a key. */
	readonly apiKeys: Set<string>;
	readonly database: Database;
	readonly links: Resource;
	readonly pixels: Resource;
	private readonly throttle: Throttle;
	private readonly endpoints: Record<string, Endpoint>;

	constructor(options: CoreOptions = {}) {
		const { database = ':memory:', apiKeys = ['demo-key-0123456789'], settings } = options;
		const { clock = () => Date.now(), random = Math.random } = options;
		const origin = () => this.url;
		this.settings = completeSettings(settings);
		this.apiKeys = new Set(apiKeys);
		this.database = new Database(database, clock);
		this.links = linkResource(this.database, origin);
		this.pixels = pixelResource(this.database);
		this.throttle = new Throttle(clock, random);
		this.endpoints = {
			links: endpointsOf(this.links, () => `${origin()}/api/v1/links`),
			pixels: endpointsOf(this.pixels, () => `${origin()}/api/v1/pixels`),
		};
	}

	/** Responds to a request: throttle, then headers (strict), then key, then endpoint. */
	respond(call: Call): Answer {
		const { settings, apiKeys } = this;
		const key = bearerOf(call) ?? '';
		// Clients without a valid key count by their address, which is the same for all here.
		const verdict = this.throttle.admit(apiKeys.has(key) ? key : '', settings.throttle);
		if ('refusal' in verdict) return verdict.refusal;
		const refused = settings.strict ? checkHeaders(call) : undefined;
		const unknown = apiKeys.has(key) ? undefined : json(401, { message: 'Unauthenticated.' });
		const answered = refused ?? unknown ?? this.carryOut(call);
		return { ...answered, headers: { ...answered.headers, ...verdict.headers } };
	}

	/** Passes a call to the endpoints of its resource (contract 4). */
	private carryOut(call: Call): Answer {
		const [, name = '', idText] = /^\/api\/v1\/(links|pixels)(?:\/([^/]+))?$/.exec(call.path) ?? [];
		const endpoint = this.endpoints[name] ?? notFound;
		const id = /^[1-9]\d{0,14}$/.test(idText ?? '') ? Number(idText) : 0;
		try {
			const form = nullEmpty(call.form);
			return endpoint({ ...call, form, id: idText === undefined ? undefined : id }, this.settings);
		} catch (error) {
			return broken(error);
		}
	}

	/** Changes some settings. New faults count from zero, and a new throttle opens new windows. */
	set(changes: Partial<Settings>): void {
		// Copies are strangers to the fault plan and to the throttle, which count by identity.
		Object.assign(this.settings, structuredClone(changes));
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
