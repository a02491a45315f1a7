import { setTimeout as delay } from 'node:timers/promises';
import { useReferenceService, type Options } from '../support/referenceService.ts';

const { call, current } = useReferenceService();

describe('throttle', () => {
	const limits = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'retry-after'];
	const get = async (headers?: Options['headers']) => {
		const answer = await call('GET', '/api/v1/links', { headers });
		return { ...answer, limits: limits.map((name) => answer.headers[name]) };
	};

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
});
