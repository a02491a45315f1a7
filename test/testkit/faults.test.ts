import { setTimeout as delay } from 'node:timers/promises';
import type { Effect } from '../../testkit/service/index.ts';
import { useReferenceService } from '../support/referenceService.ts';

const { call, current, send } = useReferenceService();

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

	test('hang, until the service stops', async () => {
		current().set({ faults: [{ on: { method: 'POST' }, effect: { kind: 'hang' } }] });
		const outcome = expect(create()).rejects.toThrow(/closed|reset/i);
		while (current().requests.length === 0) await delay(5);
		expect((await call('GET', '/api/v1/links')).status).toBe(200);
		expect(links()).toBe(0);
		await current().stop();
		await outcome;
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
});
