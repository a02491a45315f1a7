import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { callOf, type ServiceCore } from './core.ts';
import { delay } from './delay.ts';
import { deliver, disturb } from './delivery.ts';
import type { FaultPlan } from './faults.ts';
import { hookedRequest, type Hooks } from './hooks.ts';
import { recordRequest, type RecordedRequest } from './journal.ts';

/** What the API shares with the one who started the service. */
export interface ApiContext {
	core: ServiceCore;
	requests: RecordedRequest[];
	faults: FaultPlan;
	hooks: () => Hooks;
	/** The bodies that a hook has read. */
	bodies: WeakMap<IncomingMessage, string>;
	/** Ends all waiting when the service stops. */
	stopping: AbortSignal;
}

/** Adds everything under `/api`: the core behind sockets, with a journal, faults and hooks. */
export async function addApi(app: FastifyInstance, context: ApiContext): Promise<void> {
	const { core, requests, faults, bodies, stopping } = context;
	const records = new WeakMap<object, RecordedRequest>();
	const record = (raw: IncomingMessage, change: Partial<RecordedRequest>) =>
		Object.assign(records.get(raw) ?? {}, change);

	app.removeAllContentTypeParsers();
	app.addContentTypeParser('*', async ({ raw }: FastifyRequest, payload: Readable) => {
		const body = bodies.get(raw) ?? (await text(payload));
		record(raw, { body });
		return body;
	});
	app.addHook('onRequest', async ({ method, raw }) => {
		const begun = recordRequest(method, raw.url ?? '', raw.headers);
		requests.push(begun);
		records.set(raw, begun);
	});
	app.route({
		method: app.supportedMethods,
		url: '/*',
		handler: async (request, reply) => {
			const { method, url, raw, headers, ip: address } = request;
			const body = typeof request.body === 'string' ? request.body : '';
			const call = callOf({ method, url, headers, body, address });
			const ordeal = faults.choose(core.settings.faults, method, call.path);
			if (ordeal.milliseconds > 0) await delay(ordeal.milliseconds, stopping);
			const hooks = context.hooks();
			const hooked = () => hookedRequest(raw, '');
			await hooks.before?.(hooked());
			call.query = hooks.query?.(call.query, hooked()) ?? call.query;
			const outcome = disturb(ordeal.disturbance, () => {
				const own = core.respond(call);
				if (!hooks.change || own.status !== 200) return own;
				const changed = hooks.change(JSON.parse(own.payload), hooked());
				return { ...own, payload: JSON.stringify(changed) };
			});
			await hooks.after?.(hooked());
			record(raw, { ...(outcome.answer ? { status: outcome.answer.status } : {}) });
			deliver(reply, outcome);
			return reply;
		},
	});
}
