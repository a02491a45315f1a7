import { inspect } from 'node:util';
import { Throttle, type Decision, type Demand } from '../../../../nodes/shared/transport/throttle';

/** A throttle, and a clock that a test sets. All pauses have their middle length. */
function setUp() {
	const time = { now: 0 };
	const throttle = new Throttle({ random: () => 0.5 });
	const send = () => throttle.released(time.now);
	const answer = (
		release: ReturnType<typeof send>,
		status: number,
		headers: Record<string, string> = {},
	) => throttle.answered(release, time.now, { status, headers, body: '' });
	/** Sends a request that is answered at once. */
	const ask = (status: number, headers: Record<string, string> = {}) =>
		answer(send(), status, headers);
	/** Sends requests that are not answered. */
	const sendMany = (count: number) => Array.from({ length: count }, send);
	const next = (demand: Partial<Demand> = {}): Decision =>
		throttle.next(time.now, {
			...{ maxConcurrency: 5, hasPriority: false, isReserving: false, canWait: () => true },
			...demand,
		});
	return { time, throttle, send, answer, ask, sendMany, next };
}

/** The whole state of a throttle, to compare. */
const stateOf = (throttle: Throttle) => inspect(throttle, { depth: 5 });

const limit = (remaining: number, total = 100) => ({
	'x-ratelimit-limit': String(total),
	'x-ratelimit-remaining': String(remaining),
});

/** The headers of a window that takes no more requests, and ends in a number of seconds. */
const exhausted = (seconds: number) => ({
	...{ 'ratelimit-limit': '60', 'ratelimit-remaining': '0' },
	'ratelimit-reset': String(seconds),
});

it('sends as many requests as Concurrency allows, and one more with priority', () => {
	const { next, sendMany } = setUp();
	sendMany(4);
	expect(next()).toEqual({ at: 0 });
	sendMany(1);
	expect(next()).toEqual({ at: Infinity });
	expect(next({ hasPriority: true })).toEqual({ at: 0 });
	sendMany(1);
	expect(next({ hasPriority: true })).toEqual({ at: Infinity });
});

it('waits until the time of a refusal, and then sends one request', () => {
	const { time, throttle, ask, send, next } = setUp();
	ask(429, { 'retry-after': '3' });
	expect(next()).toEqual({ at: 3_000 });
	expect(throttle).toMatchObject({ pauses: 1, pauseReason: 'rate limit', blockedSince: 0 });
	time.now = 4_500;
	expect(next()).toEqual({ at: 4_500 });
	send();
	expect(next()).toEqual({ at: Infinity });
});

it('allows one more in flight for each request that is let through after a pause', () => {
	const { time, throttle, ask, sendMany, next } = setUp();
	ask(503, { 'retry-after': '1' });
	expect(throttle.pauseReason).toBe('maintenance');
	time.now = 1_000;
	ask(200);
	expect(throttle.blockedSince).toBeUndefined();
	expect(throttle.blockedPeriod(2_000)).toEqual({ from: 0, to: 1_000 });
	sendMany(1);
	expect(next()).toEqual({ at: 1_000 });
	sendMany(1);
	expect(next()).toEqual({ at: Infinity });
	ask(200);
	expect(next()).toEqual({ at: 1_000 });
});

it('pauses longer after each refusal without a time', () => {
	const { time, throttle, ask } = setUp();
	const pauses: number[] = [];
	for (let count = 0; count < 3; count += 1) {
		ask(429);
		pauses.push(throttle.pausedUntil - time.now);
		time.now = throttle.pausedUntil;
	}
	expect(pauses).toEqual([375, 750, 1500]);
	ask(200);
	ask(429);
	expect(throttle.pausedUntil - time.now).toBe(375);
});

it('reserves a part of the limit for requests with priority', () => {
	const nextAt = (demand: Partial<Demand>) => {
		const { ask, send, next } = setUp();
		ask(200, limit(4));
		ask(200, limit(3));
		send();
		return next(demand).at;
	};
	expect(nextAt({})).toBe(0);
	expect(nextAt({ isReserving: true })).toBe(Infinity);
	expect(nextAt({ isReserving: true, hasPriority: true })).toBe(0);
	expect(nextAt({ hasPriority: true })).toBe(0);
});

it('learns nothing about the limit from an error without its headers', () => {
	const { throttle, ask } = setUp();
	expect(throttle.hasAnswered).toBe(false);
	ask(500);
	expect(throttle.hasAnswered).toBe(true);
	expect(throttle.remaining(0)).toBeUndefined();
	ask(404, limit(7));
	expect(throttle.remaining(0)).toBe(7);
});

it('does not pause again for a request that was sent before the pause', () => {
	const { throttle, time, send, answer } = setUp();
	const [first, second] = [send(), send()];
	answer(first, 429, { 'retry-after': '3' });
	time.now = 1_000;
	answer(second, 429, { 'retry-after': '3' });
	expect([throttle.pausedUntil, throttle.pauses]).toEqual([3_000, 1]);
});

it('counts a request as in flight until it is answered or given up', () => {
	const { throttle, send, next } = setUp();
	const release = send();
	expect(throttle.hasInFlight).toBe(true);
	expect(next({ maxConcurrency: 1 })).toEqual({ at: Infinity });
	throttle.answered(release, 0);
	expect(throttle.hasInFlight).toBe(false);
	expect(next({ maxConcurrency: 1 })).toEqual({ at: 0 });
});

it('ignores the answer to a request that was given up', () => {
	const { throttle, send, answer } = setUp();
	const release = send();
	throttle.answered(release, 0);
	answer(release, 429, { 'retry-after': '3' });
	expect(throttle).toMatchObject({ hasAnswered: false, pauses: 0 });
});

describe('a window that takes no more requests', () => {
	it('is waited for until its end, if all requests may wait', () => {
		const { throttle, ask, next } = setUp();
		ask(200, exhausted(20));
		const pause = { until: 20_000, reason: 'rate limit' } as const;
		expect(next()).toEqual({ at: 20_000, pause });
		throttle.paused(0, pause);
		expect(next()).toEqual({ at: 20_000 });
		expect(throttle).toMatchObject({ pauses: 1, pausedUntil: 20_000, blockedSince: 0 });
	});

	it('lets one request ask, if another request may not wait', () => {
		const { throttle, ask, send, next } = setUp();
		ask(200, exhausted(20));
		const waits: number[] = [];
		const canWait = (milliseconds: number) => {
			waits.push(milliseconds);
			return false;
		};
		expect(next({ canWait })).toEqual({ at: 0, pause: { until: 0 } });
		expect(waits).toEqual([20_000]);
		throttle.paused(0, { until: 0 });
		expect(next()).toEqual({ at: 0 });
		send();
		expect(next()).toEqual({ at: Infinity });
		expect(throttle).toMatchObject({ pauses: 0, blockedSince: undefined });
	});

	it('lets one request ask, if its end is unknown', () => {
		const { ask, send, next, sendMany } = setUp();
		ask(200, limit(0));
		expect(next()).toEqual({ at: 0, pause: { until: 0 } });
		// The answer to a request in flight may report more.
		send();
		expect(next()).toEqual({ at: Infinity });
		sendMany(1);
		expect(next()).toEqual({ at: Infinity });
	});

	it('does not wait for a request in flight after its end', () => {
		const { time, ask, send, next } = setUp();
		ask(200, exhausted(2));
		send();
		expect(next()).toEqual({ at: 2_000 });
		time.now = 2_000;
		expect(next()).toEqual({ at: 2_000, pause: { until: 2_000 } });
	});
});

it('leaves half of a window that it opened to other clients for a second', () => {
	const { time, throttle, ask, next } = setUp();
	// The refusal shows that windows last 10 seconds.
	ask(200, limit(9, 10));
	ask(429, { 'retry-after': '10' });
	time.now = 10_000;
	for (const remaining of [9, 8, 7, 6]) ask(200, limit(remaining, 10));
	expect(next()).toEqual({ at: 10_000 });
	ask(200, limit(5, 10));
	expect(next()).toEqual({ at: 11_000, pause: { until: 11_000 } });
	throttle.paused(time.now, { until: 11_000 });
	expect(next()).toEqual({ at: 11_000 });
	// The service lets requests through, so no pause counts.
	expect(throttle).toMatchObject({ pauses: 1, blockedSince: undefined });
});

it('sends requests with priority from the reserved part while it waits for the end of a window', () => {
	const { throttle, ask, next } = setUp();
	ask(200, limit(30));
	ask(200, limit(3));
	throttle.paused(0, { until: 20_000, reason: 'rate limit' });
	expect(next()).toEqual({ at: 20_000 });
	expect(next({ hasPriority: true })).toEqual({ at: 0 });
	throttle.paused(0, { until: 20_000, reason: 'maintenance' });
	expect(next({ hasPriority: true })).toEqual({ at: 20_000 });
});

it('decides the same if it is asked again, because a query changes nothing', () => {
	const states: (() => ReturnType<typeof setUp>)[] = [
		setUp,
		() => {
			const world = setUp();
			world.ask(200, exhausted(20));
			return world;
		},
		() => {
			const world = setUp();
			world.ask(200, limit(0));
			return world;
		},
		() => {
			const world = setUp();
			world.ask(429, { 'retry-after': '3' });
			world.time.now = 3_000;
			return world;
		},
	];
	for (const state of states) {
		const { throttle, next, time } = state();
		const before = stateOf(throttle);
		const decision = next();
		throttle.remaining(time.now);
		throttle.blockedPeriod(time.now);
		expect(next()).toEqual(decision);
		expect(next({ canWait: () => false })).toEqual(next({ canWait: () => false }));
		expect(stateOf(throttle)).toEqual(before);
	}
});
