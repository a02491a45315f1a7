import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';
import {
	startService,
	type Effect,
	type RunningService,
	type ServiceOptions,
} from '../../testkit/service/index.ts';

const agent = new Agent();
let service: RunningService;

beforeEach(async () => {
	service = await startService();
});
afterEach(async () => await service.stop());
afterAll(async () => await agent.destroy());

/** Sends a request about links; with a body, it creates one. */
async function send(body?: string) {
	const headers = {
		...{ accept: 'application/json', authorization: 'Bearer demo-key-0123456789' },
		...(body ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
	};
	const method = body ? 'POST' : 'GET';
	const url = `${service.url}/api/v1/links`;
	return await request(url, { dispatcher: agent, method, headers, body });
}

const create = async () => await send('url=https://example.com&domain_id=1&alias=kept');

const read = async () => {
	const { statusCode, headers, body } = await send();
	await body.dump();
	return { statusCode, headers };
};

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
