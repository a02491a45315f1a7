import { setTimeout as delay } from 'node:timers/promises';
import { FaultPlan } from '../../testkit/service/faults.ts';
import type { Effect } from '../../testkit/service/index.ts';
import { useReferenceService } from '../support/referenceService.ts';

const { ask, call, createLink, current, readLink, send } = useReferenceService();

describe('faults', () => {
	const form = { url: 'https://example.com', domain_id: '1' };
	const create = () => call('POST', '/api/v1/links', { form });
	const arrange = (effect: Effect) => current().set({ faults: [{ effect }] });
	const links = () => current().counts().links;

	test.each([
		['before', 0],
		['after', 1],
	] as const)('drop %s the write', async (when, written) => {
		arrange({ kind: 'drop', when });
		await expect(create()).rejects.toThrow(/closed|reset/i);
		expect(links()).toBe(written);
		expect(current().requests).toMatchObject([{ method: 'POST', path: '/api/v1/links' }]);
		expect(current().requests[0]?.status).toBeUndefined();
	});

	test('status, by default with a message', async () => {
		arrange({ kind: 'status', status: 503, retryAfter: '7' });
		const answer = await create();
		expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '7' } });
		expect(JSON.parse(answer.text)).toEqual({ message: 'Service Unavailable', status: 503 });
		expect(links()).toBe(0);
		expect(current().requests[0]?.status).toBe(503);
	});

	test('status with a body', async () => {
		arrange({ kind: 'status', status: 403, body: { message: 'No API access.' } });
		const answer = await create();
		expect([answer.status, answer.text]).toEqual([403, '{"message":"No API access."}']);
		expect(answer.headers['retry-after']).toBeUndefined();
	});

	test.each([
		[undefined, 200],
		[419, 419],
	])('html with status %s', async (status, answered) => {
		arrange({ kind: 'html', status });
		const answer = await create();
		expect(answer.status).toBe(answered);
		expect(answer.headers['content-type']).toContain('text/html');
		expect(answer.text).toContain('<h1>');
		expect(links()).toBe(0);
	});

	test('cut: half of the announced body', async () => {
		arrange({ kind: 'cut' });
		const { statusCode, headers, body } = await send('POST', '/api/v1/links', { form });
		let received = '';
		const reading = (async () => {
			for await (const chunk of body) received += String(chunk);
		})();
		await expect(reading).rejects.toThrow();
		expect(statusCode).toBe(201);
		expect(received).toMatch(/^\{"data":\{"id":1,/);
		expect(received).toHaveLength(Math.floor(Number(headers['content-length']) / 2));
		expect(links()).toBe(1);
	});

	test('truncatedJson: a complete answer with half the JSON', async () => {
		arrange({ kind: 'truncatedJson' });
		const { status, headers, text } = await create();
		expect(status).toBe(201);
		expect(headers['content-type']).toContain('application/json');
		expect(text).toMatch(/^\{"data":\{"id":1,/);
		expect(() => JSON.parse(text)).toThrow(SyntaxError);
		expect(links()).toBe(1);
	});

	test.each([
		[undefined, 201],
		[207, 207],
	])('body with status %s', async (status, answered) => {
		arrange({ kind: 'body', status, body: ['something', 'else'] });
		const answer = await create();
		expect([answer.status, answer.text]).toEqual([answered, '["something","else"]']);
		expect(links()).toBe(1);
	});

	test('redirect', async () => {
		arrange({ kind: 'redirect', location: 'https://elsewhere.example/' });
		const { status, headers } = await create();
		expect([status, headers.location]).toEqual([302, 'https://elsewhere.example/']);
		expect(links()).toBe(0);
	});

	test('empty', async () => {
		arrange({ kind: 'empty' });
		const { status, text } = await create();
		expect([status, text]).toEqual([200, '']);
		expect(links()).toBe(1);
	});

	test('hang, until the service stops', async () => {
		current().set({ faults: [{ on: { method: 'POST' }, effect: { kind: 'hang' } }] });
		const outcome = expect(create()).rejects.toThrow(/closed|reset/i);
		while (current().requests.length === 0) await delay(5);
		expect((await call('GET', '/api/v1/links')).status).toBe(200);
		expect(links()).toBe(0);
		await current().stop();
		await outcome;
	});

	test('latency delays the write; stopping ends the wait', async () => {
		current().set({
			faults: [
				{ on: { method: 'PUT' }, effect: { kind: 'latency', milliseconds: 600_000 } },
				{ on: { method: 'POST' }, effect: { kind: 'latency', milliseconds: 20 } },
			],
		});
		const { status } = await create();
		expect([status, links()]).toEqual([201, 1]);
		const waiting = ask('PUT', '/api/v1/links/1', { alias: 'late' });
		const outcome = expect(waiting).rejects.toThrow(/closed|reset/i);
		while (current().requests.length === 1) await delay(5);
		expect((await readLink(1)).alias).not.toBe('late');
		await current().stop();
		await outcome;
	});

	test('latencies add up, one other fault applies', () => {
		const latency = { effect: { kind: 'latency', milliseconds: 30 } } as const;
		const faults = [
			latency,
			{ effect: { kind: 'empty' } } as const,
			{ ...latency },
			{ effect: { kind: 'hang' } } as const,
		];
		expect(new FaultPlan().choose(faults, 'GET', '/')).toEqual({
			milliseconds: 60,
			disturbance: { kind: 'empty' },
		});
	});

	/** The statuses of so many reads in a row. */
	const read = async (count: number, path = '/api/v1/links') => {
		const statuses: number[] = [];
		for (let index = 0; index < count; index += 1) {
			const { status } = await call('GET', path);
			statuses.push(status);
		}
		return statuses;
	};
	const failing = (status: number): Effect => ({ kind: 'status', status });

	test('skip and times', async () => {
		current().set({ faults: [{ skip: 1, times: 2, effect: failing(500) }] });
		expect(await read(5)).toEqual([200, 500, 500, 200, 200]);
	});

	test('the first match applies, and a later fault keeps its times but sees the request', async () => {
		current().set({
			faults: [
				{ times: 1, effect: failing(500) },
				{ times: 1, effect: failing(502) },
				{ skip: 2, times: 1, effect: failing(504) },
			],
		});
		expect(await read(4)).toEqual([500, 502, 504, 200]);
	});

	test('on: method and path', async () => {
		await createLink();
		current().set({
			faults: [
				{ on: { method: 'delete' }, effect: failing(500) },
				{ on: { path: /links$/g }, effect: failing(502) },
				{ on: { method: 'GET', path: '/links/' }, effect: failing(504) },
			],
		});
		expect(await read(2, '/api/v1/links?page=1')).toEqual([502, 502]);
		expect(await read(1, '/api/v1/links/1')).toEqual([504]);
		expect(await read(1, '/api/v1/pixels')).toEqual([200]);
		expect((await call('DELETE', '/api/v1/pixels/1')).status).toBe(500);
	});

	test('share hits the same requests on every run', async () => {
		const fault = { share: 0.3, effect: failing(500) };
		current().set({ faults: [fault] });
		const first = await read(200);
		current().set({ faults: [fault] });
		expect(await read(200)).toEqual(first);
		const hits = first.filter((status) => status === 500).length;
		expect(hits).toBeGreaterThan(45);
		expect(hits).toBeLessThan(75);
		// Spread out, not one block.
		expect(new Set(first.slice(0, 20))).toEqual(new Set([200, 500]));
	});

	test('faults also hit unknown paths; reset ends them', async () => {
		arrange(failing(500));
		expect(await read(1, '/api/v9')).toEqual([500]);
		current().reset();
		expect(await read(1)).toEqual([200]);
	});
});
