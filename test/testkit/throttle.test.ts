import { setTimeout as delay } from 'node:timers/promises';
import { key, useReferenceService, type Options } from '../support/referenceService.ts';

const { ask, call, current } = useReferenceService();

describe('throttle', () => {
	const limits = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'retry-after'];
	const get = async (headers?: Options['headers']) => {
		const answer = await call('GET', '/api/v1/links', { headers });
		return { ...answer, limits: limits.map((name) => answer.headers[name]) };
	};

	test('there is none at first', async () => {
		expect((await get()).limits).toEqual(Array(4).fill(undefined));
	});

	test('counts down, refuses, and opens a new window after Retry-After', async () => {
		current().set({ throttle: { limit: 2, windowSeconds: 1 } });
		const first = Math.floor(Date.now() / 1000);
		expect((await get()).limits).toEqual(['2', '1', undefined, undefined]);
		expect((await get()).limits).toEqual(['2', '0', undefined, undefined]);
		const refused = await get();
		expect([refused.status, JSON.parse(refused.text)]).toEqual([
			429,
			{ message: 'Too Many Attempts.' },
		]);
		expect(refused.limits).toEqual(['2', '0', expect.stringMatching(/^\d{10}$/), '1']);
		expect(Number(refused.headers['x-ratelimit-reset'])).toBeGreaterThan(first);
		await delay(Number(refused.headers['retry-after']) * 1000);
		expect(await get()).toMatchObject({ status: 200, limits: ['2', '1', undefined, undefined] });
	});

	test('a refused request does not move the window', async () => {
		current().set({ throttle: { limit: 0, windowSeconds: 3600 } });
		const { limits: first } = await get();
		await delay(1100);
		const { limits: second } = await get();
		expect(second[2]).toBe(first[2]);
		expect(Number(second[3])).toBeLessThan(Number(first[3]));
	});

	test('counts a key, or the client without a good one, before it asks for the key', async () => {
		current().apiKeys.add('second');
		current().set({ throttle: { limit: 1, windowSeconds: 3600 } });
		const statuses = [];
		for (const token of [key, key, 'second', 'wrong', 'other']) {
			const { status } = await get({ authorization: `Bearer ${token}` });
			statuses.push(status);
		}
		expect(statuses).toEqual([200, 429, 200, 401, 429]);
	});

	test('a refused write is not carried out; reset and set open new windows', async () => {
		current().set({ throttle: { limit: 0, windowSeconds: 3600 } });
		const form = { url: 'https://example.com', domain_id: '1' };
		expect((await ask('POST', '/api/v1/links', form)).status).toBe(429);
		expect(current().counts().links).toBe(0);
		current().set({ throttle: { limit: 1, windowSeconds: 3600 } });
		expect((await get()).status).toBe(200);
		expect((await get()).status).toBe(429);
		current().reset();
		current().settings.throttle = { limit: 1, windowSeconds: 3600 };
		expect((await get()).status).toBe(200);
	});
});
