import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { broken, notFound, type Answer } from './answers.ts';
import { authenticate, bearerOf, checkHeaders, type Call } from './call.ts';
import { deliver, disturb } from './delivery.ts';
import { endpointsOf, type Endpoint } from './endpoints.ts';
import type { FaultPlan } from './faults.ts';
import { decodeForm, isRecord, type Form } from './form.ts';
import { hookedRequest, type Hooks } from './hooks.ts';
import { recordRequest, type RecordedRequest } from './journal.ts';
import type { Resource } from './resource.ts';
import type { Settings } from './settings.ts';
import type { Throttle } from './throttle.ts';
import { delay } from './delay.ts';

/** What the API shares with the one who started the service. */
export interface ApiContext {
	resources: Resource[];
	settings: Settings;
	apiKeys: Set<string>;
	requests: RecordedRequest[];
	faults: FaultPlan;
	throttle: Throttle;
	origin: () => string;
	hooks: () => Hooks;
	/** The bodies that a hook has read. */
	bodies: WeakMap<IncomingMessage, string>;
	/** Ends all waiting when the service stops. */
	stopping: AbortSignal;
}

/** Adds everything under `/api`: the ten endpoints of contract 4, and a 404 in JSON for the rest. */
export async function addApi(app: FastifyInstance, context: ApiContext): Promise<void> {
	const records = new WeakMap<object, RecordedRequest>();

	app.removeAllContentTypeParsers();
	app.addContentTypeParser(
		'application/x-www-form-urlencoded',
		{ parseAs: 'string' },
		(_request, body, done) => done(null, decodeForm(String(body))),
	);
	// Any other body is read and left alone, as PHP does with a PUT.
	app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, done) => done(null));

	app.addHook('onRequest', async ({ method, raw }) => {
		const record = recordRequest(method, raw.url ?? '', raw.headers);
		context.requests.push(record);
		records.set(raw, record);
	});
	app.addHook('preParsing', async ({ raw }, _reply, payload) => {
		const read = context.bodies.get(raw);
		const body = read === undefined ? await buffer(payload) : Buffer.from(read);
		const record = records.get(raw);
		if (record) record.body = body.toString();
		return Readable.from([body]);
	});

	const route = (method: string | string[], url: string, endpoint: Endpoint) =>
		app.route({
			method,
			url,
			handler: async (request, reply) => {
				const { method, raw } = request;
				const call = callOf(request);
				const { faults, settings, stopping } = context;
				const ordeal = faults.choose(settings.faults, method, call.path);
				if (ordeal.milliseconds > 0) await delay(ordeal.milliseconds, stopping);
				const hooks = context.hooks();
				const hooked = () => hookedRequest(raw, '');
				await hooks.before?.(hooked());
				call.query = hooks.query?.(call.query, hooked()) ?? call.query;
				const outcome = disturb(ordeal.disturbance, () => {
					const own = answer(call, endpoint, context);
					if (!hooks.change || own.status !== 200) return own;
					const changed = hooks.change(JSON.parse(own.payload), hooked());
					return { ...own, payload: JSON.stringify(changed) };
				});
				await hooks.after?.(hooked());
				const record = records.get(raw);
				if (record && outcome.answer) record.status = outcome.answer.status;
				deliver(reply, outcome);
				return reply;
			},
		});

	for (const resource of context.resources) {
		const path = `/v1/${resource.name}s`;
		const endpoints = endpointsOf(resource, () => `${context.origin()}/api${path}`);
		route('GET', path, endpoints.list);
		route('POST', path, endpoints.create);
		route('GET', `${path}/:id`, endpoints.read);
		route('PUT', `${path}/:id`, endpoints.update);
		route('DELETE', `${path}/:id`, endpoints.remove);
	}
	route(app.supportedMethods, '/*', notFound);
}

/** The way of every call: throttle, then headers (strict), then key, then endpoint. */
function answer(call: Call, endpoint: Endpoint, context: ApiContext): Answer {
	const { settings, apiKeys } = context;
	const key = bearerOf(call);
	const sender = key !== undefined && apiKeys.has(key) ? `key ${key}` : `client ${call.address}`;
	const verdict = context.throttle.admit(sender, settings.throttle);
	if ('refusal' in verdict) return verdict.refusal;
	const refused = (settings.strict && checkHeaders(call)) || authenticate(call, apiKeys);
	const answered = refused || attempt(() => endpoint(call, settings));
	return { ...answered, headers: { ...answered.headers, ...verdict.headers } };
}

function attempt(work: () => Answer): Answer {
	try {
		return work();
	} catch (error) {
		return broken(error);
	}
}

function callOf(request: FastifyRequest): Call {
	const form = (value: unknown): Form => (isRecord(value) ? value : {});
	const { id } = form(request.params);
	return {
		method: request.method,
		path: request.url.split('?')[0] ?? '',
		id: typeof id === 'string' ? id : undefined,
		headers: request.headers,
		address: request.ip,
		query: form(request.query),
		form: form(request.body),
	};
}
