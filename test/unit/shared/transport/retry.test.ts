import { Health, WaitingTime } from '../../../../nodes/shared/transport/backoff';
import { ApiClient, type ClientOptions } from '../../../../nodes/shared/transport/client';
import type { Cause } from '../../../../nodes/shared/transport/failures';
import { RateLimiter } from '../../../../nodes/shared/transport/limiter';
import { RetryPlan, retryLimitOf } from '../../../../nodes/shared/transport/retry';

it.each<[cause: Cause, reads: string, creates: string]>([
	['rateLimited', 'untilDeadline', 'untilDeadline'],
	['maintenance', 'untilDeadline', 'untilDeadline'],
	['connectFailed', 'untilDeadline', 'untilDeadline'],
	['ambiguous', 'limited', 'never'],
	['rejected', 'never', 'never'],
	['ended', 'never', 'never'],
	['unsupported', 'never', 'never'],
])('after %s, requests are retried %s, creates %s', (cause, others, creates) => {
	for (const method of ['GET', 'PUT', 'DELETE'] as const) {
		expect(retryLimitOf(method, cause)).toBe(others);
	}
	expect(retryLimitOf('POST', cause)).toBe(creates);
});

it('requests that were in flight together count as one failure', () => {
	const health = new Health();
	health.failed(0, 100);
	health.failed(50, 120);
	expect(health.failures).toBe(1);
	health.failed(100, 200);
	expect(health.failures).toBe(2);
	health.succeeded();
	expect(health.failures).toBe(0);
});

it('periods that overlap count once', () => {
	const waited = new WaitingTime();
	waited.add(0, 100);
	waited.add(50, 150);
	waited.add(20, 120);
	expect(waited.total).toBe(150);
	expect(waited.totalWith(140, 200)).toBe(200);
	expect(waited.totalWith(300, 200)).toBe(150);
	waited.add(300, 400);
	expect(waited.total).toBe(250);
});

/** A client on a clock that a test sets; all pauses have their middle length. */
function setUp(options: Partial<ClientOptions> = {}, hasAnswered = true) {
	const time = { now: 0 };
	const sleep = async () => await new Promise<void>(() => undefined);
	const limiter = new RateLimiter({ now: () => time.now, sleep, random: () => 0.5 });
	limiter.throttle.hasAnswered = hasAnswered;
	const service = { root: 'https://links.example/api/v1', send: jest.fn() };
	const client = new ApiClient(service, limiter, {
		...{ concurrency: 1, requestsPerMinute: 0, maxWait: 300_000, timeout: 30_000 },
		...options,
	});
	return { time, client, limiter, waited: new WaitingTime() };
}

const failure = (cause: Cause) => ({ cause, message: '', advice: '' });

const read = { method: 'GET', path: '/links', params: [] } as const;

/** Retries a request until it may not be retried, and returns the delays. */
function delaysOf(world: ReturnType<typeof setUp>, cause: Cause = 'ambiguous') {
	const { time, client, waited } = world;
	const plan = new RetryPlan(client, waited);
	const delays: number[] = [];
	while (delays.length < 40 && plan.shouldRetry(read, failure(cause), 0)) {
		delays.push(plan.delay);
		waited.add(time.now, time.now + plan.delay);
		time.now += plan.delay;
	}
	return { delays, plan };
}

it('a request is retried up to 15 times after an unknown outcome, and up to Max Wait if nothing was processed', () => {
	expect(delaysOf(setUp({ maxWait: 10_000_000 })).delays).toHaveLength(15);
	expect(delaysOf(setUp({ maxWait: 10_000_000 }), 'maintenance').delays).toHaveLength(40);
	expect(delaysOf(setUp({ maxWait: 2_625 }), 'maintenance').delays).toHaveLength(3);
	expect(delaysOf(setUp({ maxWait: 2_624 }), 'maintenance').delays).toHaveLength(2);
	expect(delaysOf(setUp({}, false), 'maintenance').delays).toHaveLength(3);
});

describe('a delay', () => {
	it('grows with the failures of the service since its last success', () => {
		const { client, limiter, waited } = setUp();
		const delay = () => {
			const plan = new RetryPlan(client, waited);
			plan.planRetry('limited');
			expect(plan.health).toBe(limiter.writes);
			return plan.delay;
		};
		for (const expected of [375, 750, 1500, 3000, 6000, 7500, 7500]) {
			limiter.writes.failures += 1;
			expect(delay()).toBe(expected);
		}
		limiter.writes.succeeded();
		expect(delay()).toBe(375);
		limiter.reads.failures = 5;
		expect(delay()).toBe(375);
	});

	it('grows by itself from the eighth retry of a request, and then does not end early', () => {
		const { client, limiter, waited } = setUp();
		const plan = new RetryPlan(client, waited);
		for (let retry = 1; retry <= 7; retry += 1) {
			limiter.writes.failures = 1;
			plan.planRetry('limited');
			expect(plan).toMatchObject({ delay: 375, health: limiter.writes });
		}
		plan.planRetry('limited');
		expect(plan).toMatchObject({ delay: 7500, health: undefined });
	});

	it('is as long as the row may wait', () => {
		const { client, limiter, waited } = setUp({ maxWait: 1_000 });
		limiter.writes.failures = 9;
		const plan = new RetryPlan(client, waited);
		expect(plan.planRetry('limited')).toBe(true);
		expect(plan).toMatchObject({ delay: 375, health: undefined });
	});

	it('has a minimum', () => {
		const { client, waited } = setUp();
		const plan = new RetryPlan(client, waited);
		expect(plan.planRetry('limited', 9_000)).toBe(true);
		expect(plan).toMatchObject({ delay: 9_000, health: undefined });
	});
});

it('a refused request is retried without a delay, 15 times and then within Max Wait', () => {
	const { client, waited, time } = setUp({ maxWait: 1_000 });
	const plan = new RetryPlan(client, waited);
	const retry = () => plan.shouldRetry(read, failure('rateLimited'), 0);
	for (let count = 0; count < 16; count += 1) expect(retry()).toBe(true);
	expect(plan.delay).toBe(0);
	time.now += 1_000;
	expect(retry()).toBe(true);
	time.now += 1;
	expect(retry()).toBe(false);
	expect([waited.total, plan.waitSummary]).toEqual([0, '']);
});

it('a failed request counts as waiting time, and a rejected one does not', () => {
	const { client, limiter, waited, time } = setUp({ maxWait: 2_624 });
	time.now = 5_000;
	for (const cause of ['rejected', 'ended', 'rateLimited'] as const) {
		new RetryPlan(client, waited).shouldRetry(read, failure(cause), 2_500);
	}
	expect([waited.total, limiter.writes.failures]).toEqual([0, 0]);
	const plan = new RetryPlan(client, waited);
	expect(plan.shouldRetry(read, failure('ambiguous'), 2_500)).toBe(false);
	expect([waited.total, limiter.writes.failures]).toEqual([2_500, 1]);
});

describe('the circuit', () => {
	it('opens after a row that was given up, and stops the retries of the others', () => {
		const world = setUp({ maxWait: 2_000 });
		delaysOf(world);
		expect(world.client.isCircuitOpen).toBe(true);
		expect(delaysOf(world).delays).toEqual([]);
	});

	it('does not open because of a row that had waited before', () => {
		const { client, waited } = setUp({ maxWait: 1_000 });
		waited.add(-900, 0);
		expect(new RetryPlan(client, waited).planRetry('limited')).toBe(false);
		expect(client.isCircuitOpen).toBe(false);
	});
});

describe('the summary of a wait', () => {
	it('contains the time and the number of tries', () => {
		expect(delaysOf(setUp({ maxWait: 2_624 }), 'maintenance').plan.waitSummary).toBe(
			'This item waited 1 second for the service to recover, in 3 tries (Max Wait of 2.624 seconds).',
		);
	});

	it('contains the time of all requests', () => {
		const { client, waited } = setUp({ maxWait: 4_000 });
		waited.add(-4_000, 0);
		const plan = new RetryPlan(client, waited);
		plan.planRetry('limited');
		expect(plan.waitSummary).toBe(
			'This item waited 4 seconds for the service, over all its requests (Max Wait of 4 seconds).',
		);
	});

	it('is empty if the row has not waited', () => {
		const { client, waited } = setUp({ maxWait: 0 });
		const plan = new RetryPlan(client, waited);
		plan.planRetry('limited');
		expect(plan.waitSummary).toBe('');
	});
});
