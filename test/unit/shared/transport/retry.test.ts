import type { Cause } from '../../../../nodes/shared/transport/failures';
import { RateLimiter, type ClientOptions } from '../../../../nodes/shared/transport/limiter';
import { maxRetriesOf, retryPlan } from '../../../../nodes/shared/transport/retry';
import { Health, WaitingTime } from '../../../../nodes/shared/transport/throttle';
import { clientOn, noMask } from '../../../support/client.ts';

it.each<[cause: Cause, others: number, creates: number]>([
	['rateLimited', Infinity, Infinity],
	['maintenance', Infinity, Infinity],
	['connectFailed', Infinity, Infinity],
	['ambiguous', 15, 0],
	['rejected', 0, 0],
	['ended', 0, 0],
	['unsupported', 0, 0],
])('after %s, requests are retried %d times, creates %d times', (cause, others, creates) => {
	const methods = ['GET', 'PUT', 'DELETE', 'POST'] as const;
	expect(methods.map((method) => maxRetriesOf(method, cause))).toEqual([
		...[others, others, others, creates],
	]);
});

it('requests that were in flight together count as one failure', () => {
	const health = new Health();
	const sentAt = [0, 50, 100];
	const failures = [100, 120, 200].map((now, index) => {
		health.failed(sentAt[index] ?? now, now);
		return health.failures;
	});
	expect(failures).toEqual([1, 1, 2]);
});

it('periods that overlap count once', () => {
	const waited = new WaitingTime();
	const totals = [
		[0, 100],
		[50, 150],
		[20, 120],
		[300, 200],
		[300, 400],
	].map(([from = 0, to = 0]) => {
		const total = waited.totalWith(from, to);
		waited.add(from, to);
		return [total, waited.total];
	});
	expect(totals).toEqual([100, 150, 150, 150, 250].map((total) => [total, total]));
});

/** What is special about a run. */
interface World extends Pick<ClientOptions, 'caller'> {
	readonly hasAnswered?: boolean;
	readonly waitedBefore?: number;
}

/** A run on a clock that a test sets; all pauses have their middle length. */
function setUp(maxWait = 300_000, { hasAnswered = true, waitedBefore = 0, caller }: World = {}) {
	const time = { now: 0 };
	const sleep = async () => await Promise.resolve();
	const limiter = new RateLimiter({ now: () => time.now, sleep, random: () => 0.5 });
	limiter.throttle.hasAnswered = hasAnswered;
	const send = async () => await Promise.reject(new Error('Nothing is sent'));
	const client = clientOn({ root: '', mask: noMask, send }, { maxWait, caller }, limiter);
	const waited = new WaitingTime();
	waited.add(-waitedBefore, 0);
	const newPlan = () => {
		const plan = retryPlan(client, waited, 'PUT');
		const fails = (cause: Cause, took = 0) =>
			plan.shouldRetry({ cause, message: '', advice: '' }, took);
		return { plan, fails };
	};
	return { time, limiter, client, waited, newPlan };
}

/** Retries a request until it may not be retried, and returns the delays. */
function delaysOf({ time, waited, newPlan }: ReturnType<typeof setUp>, cause: Cause) {
	const { plan, fails } = newPlan();
	const delays: number[] = [];
	while (delays.length < 40 && fails(cause)) {
		delays.push(plan.next.milliseconds);
		waited.add(time.now, time.now + plan.next.milliseconds);
		time.now += plan.next.milliseconds;
	}
	return { delays, summary: plan.summary() };
}

const triedOften =
	/^This item waited 1 second for the service to recover, in 4 tries \(Max Wait of 2\.624 seconds\)\.$/;
const waitedLong =
	/^This item waited 4 seconds for the service, over all its requests \(Max Wait of 4 seconds\)\.$/;

it.each<[cause: Cause, world: Parameters<typeof setUp>, retries: number, summary: RegExp]>([
	['ambiguous', [10_000_000], 15, /in 16 tries/],
	['maintenance', [10_000_000], 40, /^$/],
	['maintenance', [2_625], 4, /in 5 tries/],
	['maintenance', [2_624], 3, triedOften],
	['maintenance', [300_000, { hasAnswered: false }], 3, /in 4 tries/],
	['maintenance', [4_000, { waitedBefore: 4_000 }], 0, waitedLong],
	['maintenance', [0], 0, /^$/],
	['maintenance', [2_624, { caller: 'poll' }], 3, /^The node waited 1 second for .* in 4 tries\.$/],
	['maintenance', [4_000, { caller: 'editor', waitedBefore: 4_000 }], 0, /^[^(]*requests\.$/],
	['rejected', [10_000], 0, /^$/],
])('after %s with %j, a request is retried %d times', (cause, world, retries, summary) => {
	const result = delaysOf(setUp(...world), cause);
	expect(result.delays).toHaveLength(retries);
	expect(result.summary).toMatch(summary);
});

describe('a delay', () => {
	it.each([
		[0, 375],
		[3, 375],
		[4, 1500],
		[5, 6000],
		[6, 7500],
		[9, 7500],
	])('after %d failures of the service is %d ms, and ends when it recovers', (failures, delay) => {
		const { limiter, newPlan } = setUp();
		limiter.writes.failures = failures;
		const { plan } = newPlan();
		expect(plan.planRetry()).toBe(true);
		expect(plan.next).toMatchObject({ milliseconds: delay, health: limiter.writes });
	});

	it('grows by itself from the eighth retry of a request, and then does not end early', () => {
		const { limiter, newPlan } = setUp();
		const { plan } = newPlan();
		const delays = Array.from({ length: 15 }, (_, retry) => {
			// In an outage, it is not shorter than that of other requests.
			limiter.writes.failures = retry === 8 ? 9 : 1;
			plan.planRetry();
			return [plan.next.milliseconds, plan.next.health === limiter.writes];
		});
		const own = [375, 7500, 1500, 3000, 6000, 7500, 7500, 7500];
		expect(delays).toEqual([
			...new Array<unknown>(7).fill([375, true]),
			...own.map((delay) => [delay, false]),
		]);
	});

	it('is as long as the row may wait, and has a minimum', () => {
		const { limiter, newPlan } = setUp(1_000);
		limiter.writes.failures = 9;
		const { plan } = newPlan();
		expect(plan.planRetry()).toBe(true);
		expect(plan.next).toMatchObject({ milliseconds: 375, health: undefined });
		expect(plan.planRetry(900)).toBe(true);
		expect(plan.next).toMatchObject({ milliseconds: 900, health: undefined });
		expect(plan.planRetry(1_001)).toBe(false);
	});
});

it.each<[refusals: number, after: number, isRetried: boolean]>([
	[15, 1_001, true],
	[16, 1_000, true],
	[16, 1_001, false],
])('the refusal %d, after %d ms, is retried: %s', (refusals, after, isRetried) => {
	const { waited, time, newPlan } = setUp(1_000);
	const { plan, fails } = newPlan();
	for (let count = 1; count < refusals; count += 1) expect(fails('rateLimited')).toBe(true);
	time.now += after;
	expect(fails('rateLimited')).toBe(isRetried);
	expect([plan.next.milliseconds, waited.total, plan.summary()]).toEqual([0, 0, '']);
});

it.each<[cause: Cause, waited: number, failures: number]>([
	['rejected', 0, 0],
	['ended', 0, 0],
	['rateLimited', 0, 0],
	['ambiguous', 2_500, 1],
])('a failure (%s) after 2.5 seconds counts %d ms, and %d failures', (cause, total, failures) => {
	const { limiter, waited, time, newPlan } = setUp(2_624);
	time.now = 5_000;
	newPlan().fails(cause, 2_500);
	expect([waited.total, limiter.writes.failures]).toEqual([total, failures]);
});

it('after a row was given up, the others are not retried, unless it had waited before', () => {
	const world = setUp(2_000);
	delaysOf(world, 'ambiguous');
	expect(world.client.isCircuitOpen).toBe(true);
	expect(delaysOf(world, 'ambiguous').delays).toEqual([]);
	const { client, newPlan } = setUp(1_000, { waitedBefore: 900 });
	expect(newPlan().plan.planRetry()).toBe(false);
	expect(client.isCircuitOpen).toBe(false);
});
