import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';
import {
	startService,
	type Effect,
	type RunningService,
	type ServiceOptions,
} from '../../testkit/service/index.ts';

const key = 'demo-key-0123456789';
const agent = new Agent();
let service: RunningService;

beforeEach(async () => {
	service = await startService();
});
afterEach(async () => await service.stop());
afterAll(async () => await agent.destroy());

/** Sends a request with the headers of a client, unless others are given. */
async function send(method: 'DELETE' | 'GET' | 'POST' | 'PUT', path: string, options = {}) {
	const headers = { accept: 'application/json', authorization: `Bearer ${key}` };
	return await request(service.url + path, { dispatcher: agent, method, headers, ...options });
}

const read = async (path = '/api/v1/links') => {
	const { statusCode, headers, body } = await send('GET', path);
	await body.dump();
	return { statusCode, headers };
};

const form = {
	headers: {
		...{ accept: 'application/json', authorization: `Bearer ${key}` },
		'content-type': 'application/x-www-form-urlencoded',
	},
	body: 'url=https://example.com&domain_id=1&alias=kept',
};
const create = async () => await send('POST', '/api/v1/links', form);

describe('faults', () => {
	const arrange = (effect: Effect) => service.set({ faults: [{ effect }] });

	test.each([
		['before', 0],
		['after', 1],
	] as const)('drop %s the write', async (when, written) => {
		arrange({ kind: 'drop', when });
		await expect(create()).rejects.toThrow(/closed|reset/i);
		expect(service.counts().links).toBe(written);
		expect(service.requests).toMatchObject([{ method: 'POST', path: '/api/v1/links' }]);
		expect(service.requests[0]?.status).toBeUndefined();
	});

	test('cut: half of the announced body', async () => {
		arrange({ kind: 'cut' });
		const { statusCode, headers, body } = await create();
		let received = '';
		const reading = (async () => {
			for await (const chunk of body) received += String(chunk);
		})();
		await expect(reading).rejects.toThrow();
		expect(statusCode).toBe(201);
		expect(received).toHaveLength(Math.floor(Number(headers['content-length']) / 2));
		expect(service.counts().links).toBe(1);
	});

	test('hang, until the service stops', async () => {
		service.set({ faults: [{ on: { method: 'POST' }, effect: { kind: 'hang' } }] });
		const outcome = expect(create()).rejects.toThrow(/closed|reset/i);
		while (service.requests.length === 0) await delay(5);
		expect((await read()).statusCode).toBe(200);
		await service.stop();
		await outcome;
	});

	const statuses = async (count: number) => {
		const all: number[] = [];
		while (all.length < count) all.push((await read()).statusCode);
		return all;
	};
	const failing = (status: number): Effect => ({ kind: 'status', status });

	test('apply in order: the first match counts, and a later fault sees the request', async () => {
		service.set({
			faults: [
				{ times: 1, effect: failing(500) },
				{ times: 1, effect: failing(502) },
				{ skip: 2, times: 1, effect: failing(504) },
			],
		});
		expect(await statuses(4)).toEqual([500, 502, 504, 200]);
	});

	test('share hits the same requests on every run', async () => {
		const fault = { share: 0.3, effect: failing(500) };
		service.set({ faults: [fault] });
		const first = await statuses(100);
		service.set({ faults: [fault] });
		expect(await statuses(100)).toEqual(first);
		const hits = first.filter((status) => status === 500).length;
		expect(Math.abs(hits - 30)).toBeLessThan(12);
		// Spread out, not one block.
		expect(new Set(first.slice(0, 20))).toEqual(new Set([200, 500]));
	});
});

describe('control routes', () => {
	const control = async (
		method: 'GET' | 'POST' | 'PUT',
		path: string,
		body?: object,
		more = {},
	) => {
		const type = body === undefined ? {} : { 'content-type': 'application/json' };
		const answer = await send(method, `/__control/${path}`, {
			headers: { 'x-demo-control': '1', ...type, ...more },
			body: body && JSON.stringify(body),
		});
		const text = await answer.body.text();
		return { status: answer.statusCode, body: text === '' ? undefined : JSON.parse(text) };
	};

	test('change settings, and return requests and counts', async () => {
		const settings = { throttle: { limit: 9, windowSeconds: 0.5 }, strict: true };
		expect((await control('PUT', 'settings', settings)).status).toBe(204);
		expect(service.settings).toMatchObject(settings);
		await create();
		expect((await control('GET', 'requests')).body).toMatchObject([{ status: 201 }]);
		expect((await control('GET', 'counts')).body).toEqual({ links: 1, pixels: 3 });
		expect((await control('POST', 'clear')).status).toBe(204);
		expect([service.counts(), service.settings.strict, service.requests]).toEqual([
			...[{ links: 0, pixels: 0 }, false, []],
		]);
	});

	test.each<[string, Record<string, string | undefined>]>([
		['has no header of its own', { 'x-demo-control': undefined }],
		['comes from a page of another site', { origin: 'https://evil.example' }],
		['comes from a page without a site', { origin: 'null' }],
		['comes from another port', { origin: 'http://localhost:1' }],
		['has a host that was made to lead here', { host: 'evil.example:*' }],
		['has the host of another port', { host: 'localhost:1' }],
	])('refuse what %s', async (_name, { host, ...headers }) => {
		await create();
		const { port } = new URL(service.url);
		const more = { ...headers, ...(host ? { host: host.replace('*', port) } : {}) };
		expect(await control('POST', 'clear', undefined, more)).toEqual({
			status: 403,
			body: { status: 403, message: expect.stringMatching(/^Control requests /) },
		});
		expect(service.counts()).toEqual({ links: 1, pixels: 3 });
	});
});

/** Stops the service, and starts another one with these options. */
async function restart(options: ServiceOptions): Promise<void> {
	await service.stop();
	service = await startService(options);
}

test('reset keeps the data, clear does not, and both restore the settings of the start', async () => {
	await restart({ strict: true, settings: { envelope: 'flat' } });
	await create();
	for (const [action, links] of [
		['reset', 1],
		['clear', 0],
	] as const) {
		service.settings.faults.push({ effect: { kind: 'empty' } });
		service.set({ envelope: 'bare', strict: false, ignorePage: true });
		service[action]();
		expect(service.settings).toMatchObject({
			...{ throttle: null, faults: [], envelope: 'flat', ignorePage: false, strict: true },
		});
		expect([service.requests, service.counts().links]).toEqual([[], links]);
	}
});

test('links survive a restart, in a file', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'reference-service-'));
	await restart({ database: join(folder, 'links.sqlite') });
	await create();
	await restart({ database: join(folder, 'links.sqlite') });
	expect(service.counts()).toEqual({ links: 1, pixels: 3 });
	await service.stop();
	rmSync(folder, { recursive: true });
});

test('a throttle counts down, refuses, and opens a new window when it is set', async () => {
	service.set({ throttle: { limit: 1, windowSeconds: 3600 } });
	const limits = ({ headers }: Awaited<ReturnType<typeof read>>) =>
		['x-ratelimit-limit', 'x-ratelimit-remaining', 'retry-after'].map((name) => headers[name]);
	expect(limits(await read())).toEqual(['1', '0', undefined]);
	const refused = await read();
	expect([refused.statusCode, ...limits(refused)]).toEqual([429, '1', '0', expect.any(String)]);
	expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3500);
	service.set({ throttle: { limit: 2, windowSeconds: 1 } });
	expect((await read()).statusCode).toBe(200);
});

test.each(['SIGINT', 'SIGTERM'] as const)('the command serves until %s', async (signal) => {
	await service.stop();
	const { port } = new URL(service.url);
	const args = ['--port', port, '--key', 'first', '--key', key, '--strict', '--throttle', '5/20'];
	const child: ChildProcess = spawn(process.execPath, ['testkit/service/main.ts', ...args], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	if (!child.stdout) throw new Error('the command has no output');
	const [line] = (await once(createInterface(child.stdout), 'line')) as unknown[];
	expect(line).toBe(`Reference service at ${service.url}`);
	const { statusCode, headers } = await read('/api/v1/links?nonsense=1');
	expect([statusCode, headers['x-ratelimit-limit']]).toEqual([422, '5']);
	const exit = once(child, 'exit');
	child.kill(signal);
	expect(((await exit) as unknown[])[0]).toBe(0);
});
