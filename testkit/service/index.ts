import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import Fastify from 'fastify';
import { addApi } from './api.ts';
import { addControl } from './control.ts';
import { ServiceCore, type CoreOptions } from './core.ts';
import { FaultPlan } from './faults.ts';
import { hookedRequest, writeReaction, type Hooks } from './hooks.ts';
import type { RecordedRequest } from './journal.ts';
import type { RunningService } from './running.ts';
import { completeSettings, type Settings } from './settings.ts';
import { addWebsite } from './website.ts';

export type { HookedAnswer, HookedRequest, Hooks, Reaction } from './hooks.ts';
export type { RecordedRequest } from './journal.ts';
export type { RunningService } from './running.ts';
export type { Effect, Fault, Settings } from './settings.ts';

export interface ServiceOptions extends Pick<CoreOptions, 'apiKeys' | 'database' | 'settings'> {
	/** Short for `settings.strict`. */
	strict?: boolean;
}

/**
 * Starts the reference service on 127.0.0.1, on any free port unless told: the whole of `service-interface.md`, and
 * the assumptions where that is silent. Rejects with EADDRINUSE when the port is taken.
 */
export async function startService(
	options: ServiceOptions & { port?: number } = {},
): Promise<RunningService> {
	const atStart = completeSettings({ strict: options.strict ?? false, ...options.settings });
	let url = '';
	const core = new ServiceCore({ ...options, settings: atStart, origin: () => url });
	const stopping = new AbortController();
	let open = 0;

	const steering = {
		settings: core.settings,
		requests: new Array<RecordedRequest>(),
		hooks: {} as Hooks,
		apiKeys: core.apiKeys,
		openRequests: () => open,
		set: (changes: Partial<Settings>) => core.set(changes),
		reset() {
			core.set(atStart);
			steering.hooks = {};
			steering.requests.length = 0;
		},
		clear() {
			steering.reset();
			core.clear();
		},
		counts: () => core.counts(),
	};

	const app = Fastify({
		forceCloseConnections: true,
		routerOptions: { maxParamLength: 300 },
	});
	const bodies = new WeakMap<IncomingMessage, string>();
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
	addWebsite(app, core.database);
	app.register(async (control) => addControl(control, steering), { prefix: '/__control' });
	const context = {
		...{ core, bodies, faults: new FaultPlan(), requests: steering.requests },
		hooks: () => steering.hooks,
		stopping: stopping.signal,
	};
	app.register((api) => addApi(api, context), { prefix: '/api' });
	try {
		url = await app.listen({ host: '127.0.0.1', port: options.port ?? 0 });
	} catch (error) {
		core.database.close();
		throw error;
	}

	const end = async () => {
		// Connections first: ended waits would otherwise still be answered.
		app.server.closeAllConnections();
		stopping.abort();
		await app.close();
		core.database.close();
	};
	let ended: Promise<void> | undefined;
	return Object.assign(steering, { url, stop: () => (ended ??= end()) });
}
