import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import Fastify from 'fastify';
import { addApi } from './api.ts';
import { addControl } from './control.ts';
import { openDatabase } from './database.ts';
import { FaultPlan } from './faults.ts';
import { decodeForm } from './form.ts';
import { hookedRequest, writeReaction, type Hooks } from './hooks.ts';
import type { RecordedRequest } from './journal.ts';
import { linkResource } from './links.ts';
import { pixelResource } from './pixels.ts';
import type { RunningService } from './running.ts';
import { completeSettings, type Settings } from './settings.ts';
import { Throttle } from './throttle.ts';
import { addWebsite } from './website.ts';

export type { HookedAnswer, HookedRequest, Hooks, Reaction } from './hooks.ts';
export type { RecordedRequest } from './journal.ts';
export type { RunningService } from './running.ts';
export type { Effect, Fault, Settings } from './settings.ts';

export interface ServiceOptions {
	/** File path; by default ':memory:'. */
	database?: string;
	/** By default one: 'demo-key-0123456789'. */
	apiKeys?: string[];
	/** Short for `settings.strict`. */
	strict?: boolean;
	settings?: Partial<Settings>;
}

/**
 * Starts the reference service on 127.0.0.1, on any free port unless told: the whole of `service-interface.md`, and
 * the assumptions where that is silent. Rejects with EADDRINUSE when the port is taken.
 */
export async function startService(
	options: ServiceOptions & { port?: number } = {},
): Promise<RunningService> {
	const { database: file = ':memory:', apiKeys = ['demo-key-0123456789'], port = 0 } = options;
	const settings = { strict: options.strict ?? false, ...options.settings };
	const atStart = completeSettings(settings);
	const database = openDatabase(file);
	const stopping = new AbortController();
	let url = '';
	let open = 0;
	const origin = () => url;
	const [faults, throttle] = [new FaultPlan(), new Throttle()];

	const steering = {
		settings: completeSettings(atStart),
		requests: new Array<RecordedRequest>(),
		hooks: {} as Hooks,
		apiKeys: new Set(apiKeys),
		openRequests: () => open,
		set(changes: Partial<Settings>) {
			// Copies are strangers to the fault plan, which counts by identity.
			Object.assign(steering.settings, structuredClone(changes));
			if (changes.throttle !== undefined) throttle.reset();
		},
		reset() {
			steering.set(atStart);
			steering.hooks = {};
			steering.requests.length = 0;
		},
		clear() {
			steering.reset();
			database.exec('DELETE FROM links; DELETE FROM pixels');
		},
		counts() {
			const row = database
				.prepare(
					'SELECT (SELECT count(*) FROM links) AS links, (SELECT count(*) FROM pixels) AS pixels',
				)
				.get();
			return { links: Number(row?.links), pixels: Number(row?.pixels) };
		},
	};

	const app = Fastify({
		forceCloseConnections: true,
		// PHP's own bound on a form; Fastify's of 1 MB is less than a link with all its targets may have.
		bodyLimit: 8 * 2 ** 20,
		routerOptions: { maxParamLength: 300, querystringParser: decodeForm },
	});
	const resources = [linkResource(database, origin), pixelResource(database)];
	const bodies = new WeakMap<IncomingMessage, string>();
	const context = {
		...steering,
		hooks: () => steering.hooks,
		bodies,
		resources,
		faults,
		throttle,
		origin,
		stopping: stopping.signal,
	};
	app.addHook('onRequest', (_request, reply, done) => {
		open += 1;
		reply.raw.on('close', () => (open -= 1));
		done();
	});
	app.addHook('onRequest', async ({ raw }, reply) => {
		if (!steering.hooks.answer) return;
		const body = await text(raw);
		bodies.set(raw, body);
		const reaction = await steering.hooks.answer(hookedRequest(raw, body));
		if (reaction === undefined) return;
		reply.hijack();
		await writeReaction(reply.raw, reaction);
	});
	addWebsite(app, database);
	app.register(async (control) => addControl(control, steering), { prefix: '/__control' });
	app.register((api) => addApi(api, context), { prefix: '/api' });
	try {
		url = await app.listen({ host: '127.0.0.1', port });
	} catch (error) {
		database.close();
		throw error;
	}

	const end = async () => {
		// Connections first: ended waits would otherwise still be answered.
		app.server.closeAllConnections();
		stopping.abort();
		await app.close();
		database.close();
	};
	let ended: Promise<void> | undefined;
	return Object.assign(steering, { url, stop: () => (ended ??= end()) });
}
