import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { broken } from './answers.ts';
import { callOf, ServiceCore, type CoreOptions } from './core.ts';
import { deliver, disturb } from './delivery.ts';
import { FaultPlan } from './faults.ts';
import { deliverReaction, hookedRequest, type Hooks } from './hooks.ts';
import type { Settings } from './settings.ts';
import { websiteAnswer } from './website.ts';

export type { HookedAnswer, HookedRequest, Hooks, Reaction } from './hooks.ts';
export type { Effect, Fault, Settings } from './settings.ts';

export interface ServiceOptions extends Pick<CoreOptions, 'apiKeys' | 'database' | 'settings'> {
	/** Short for `settings.strict`. */
	strict?: boolean;
}

/** An API request as it came over the wire. */
export interface RecordedRequest {
	method: string;
	/** Without query. */
	path: string;
	/** As sent, without the question mark. */
	query: string;
	headers: Record<string, string>;
	/** As sent. */
	body: string;
	/** Of the answer; absent while there is none, and for good when there never was one. */
	status?: number;
}

/** As long as n8n and its nodes may keep a connection open between two requests, in milliseconds. */
const keepAliveTimeout = 72_000;

/** The core behind sockets, next to the web site, with a journal, faults and hooks. */
export class RunningService extends ServiceCore {
	/** Live: what changes the answers. A reset removes them. */
	hooks: Hooks = {};
	/** The API requests, in order of arrival. */
	readonly requests: RecordedRequest[] = [];
	/** Number of requests that have no answer yet, and whose connections are open. */
	openRequests = 0;
	private readonly atStart: Settings;
	private readonly faults = new FaultPlan();
	private readonly server = createServer({ keepAliveTimeout }, (request, response) => {
		this.serve(request, response).catch((error: unknown) =>
			deliver(response, { kind: 'answer', answer: broken(error) }),
		);
	});
	private ended?: Promise<void>;

	constructor({ strict = false, settings, ...options }: ServiceOptions) {
		super({ ...options, settings: { strict, ...settings } });
		this.atStart = structuredClone(this.settings);
	}

	/** Listens on a port of 127.0.0.1; 0 is any free port. */
	async listen(port: number): Promise<void> {
		this.server.listen({ host: '127.0.0.1', port });
		await once(this.server, 'listening').catch((error: unknown) => {
			this.database.close();
			throw error;
		});
		this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
	}

	/** Empties the journal and the throttle windows; settings are as at the start. Data and keys stay. */
	reset(): void {
		this.set(this.atStart);
		this.hooks = {};
		this.requests.length = 0;
	}

	/** A reset that deletes all links and pixels too. */
	override clear(): void {
		this.reset();
		super.clear();
	}

	/** Ends at once, with all open connections and the database. A function, because callers take it apart. */
	readonly stop = async (): Promise<void> => await (this.ended ??= this.end());

	private async end(): Promise<void> {
		const closed = once(this.server, 'close');
		this.server.close();
		this.server.closeAllConnections();
		await closed;
		this.database.close();
	}

	private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
		this.openRequests += 1;
		response.on('close', () => (this.openRequests -= 1));
		const { method = '', url = '' } = request;
		const body = await text(request);
		const reaction = await this.hooks.answer?.(hookedRequest(request, body));
		if (reaction !== undefined) deliverReaction(response, reaction);
		else if (url.startsWith('/api/')) await this.serveApi(request, body, response);
		else {
			const answer = websiteAnswer(this.database, method, url);
			deliver(response, { kind: 'answer', answer });
		}
	}

	private async serveApi(request: IncomingMessage, body: string, response: ServerResponse) {
		const { method = '', url = '', headers } = request;
		const call = callOf({ method, url, headers, body });
		const { path } = call;
		const texts = Object.entries(headers).map(([name, value]) => [name, String(value)]);
		const sent = { query: url.slice(path.length + 1), headers: Object.fromEntries(texts), body };
		const record: RecordedRequest = { method, path, ...sent };
		this.requests.push(record);
		const { milliseconds, disturbance } = this.faults.choose(this.settings.faults, method, path);
		// On the timers of the moment, so that virtual time shortens the wait.
		if (milliseconds > 0) await new Promise((end) => setTimeout(end, milliseconds).unref());
		const { before, query, form, change, after } = this.hooks;
		const hooked = hookedRequest(request, '');
		await before?.(hooked);
		call.query = query?.(call.query, hooked) ?? call.query;
		if (form && body) call.form = form(call.form, hooked);
		const outcome = disturb(disturbance, () => {
			const own = this.respond(call);
			if (!change || own.status > 201) return own;
			return { ...own, payload: JSON.stringify(change(JSON.parse(own.payload), hooked)) };
		});
		await after?.(hooked);
		if (outcome.answer) record.status = outcome.answer.status;
		deliver(response, outcome);
	}
}

/** Starts the reference service on 127.0.0.1, on any free port unless told. Rejects with EADDRINUSE if the port is taken. */
export async function startService({
	port = 0,
	...options
}: ServiceOptions & { port?: number } = {}): Promise<RunningService> {
	const service = new RunningService(options);
	await service.listen(port);
	return service;
}
