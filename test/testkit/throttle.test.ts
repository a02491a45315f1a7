import { useReferenceService } from '../support/referenceService.ts';

const { call, current } = useReferenceService();

describe('throttle', () => {
	const limits = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'retry-after'];
	const get = async () => {
		const answer = await call('GET', '/api/v1/links');
		return { ...answer, limits: limits.map((name) => answer.headers[name]) };
	};

	test('counts down, refuses, and opens a new window when it is set', async () => {
		current().set({ throttle: { limit: 2, windowSeconds: 3600 } });
		const now = Math.floor(Date.now() / 1000);
		expect((await get()).limits).toEqual(['2', '1', undefined, undefined]);
		expect((await get()).limits).toEqual(['2', '0', undefined, undefined]);
		const refused = await get();
		expect([refused.status, JSON.parse(refused.text)]).toEqual([
			429,
			{ message: 'Too Many Attempts.' },
		]);
		const [limit, remaining, resetAt, retryAfter] = refused.limits.map(Number);
		expect([limit, remaining]).toEqual([2, 0]);
		expect(resetAt).toBeGreaterThan(now);
		expect(retryAfter).toBeGreaterThan(3500);
		current().set({ throttle: { limit: 2, windowSeconds: 1 } });
		expect((await get()).status).toBe(200);
	});
});
