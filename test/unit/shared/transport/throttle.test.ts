import { Throttle, type Demand, type Release } from '../../../../nodes/shared/transport/throttle';

/** A throttle, and a clock that a test sets. All pauses have their middle length. */
function setUp() {
	const time = { now: 0 };
	const throttle = new Throttle({ random: () => 0.5 });
	const send = () => throttle.released(time.now);
	const answer = (release: Release, status: number, headers: Record<string, string> = {}) =>
		throttle.answered(release, time.now, { status, headers, body: '' });
	/** Sends a request that is answered at once. */
	const ask = (status: number, headers: Record<string, string> = {}) =>
		answer(send(), status, headers);
	/** Sends as many requests as the throttle allows now, and returns their number. */
	const sendAll = (demand: Partial<Demand> = {}) => {
		let count = 0;
		for (; count < 100 && next(demand) <= time.now; count += 1) send();
		return count;
	};
	const next = (demand: Partial<Demand> = {}): number =>
		throttle.next(time.now, {
			...{ maxConcurrency: 5, hasPriority: false, isReserving: false },
			...demand,
		});
	return { time, throttle, send, answer, ask, sendAll, next };
}

const limit = (remaining: number, total = 100) => ({
	'x-ratelimit-limit': String(total),
	'x-ratelimit-remaining': String(remaining),
});

/** The headers of a window that accepts no more requests, and ends in a number of seconds. */
const exhausted = (seconds: number) => ({
	...{ 'ratelimit-limit': '60', 'ratelimit-remaining': '0' },
	'ratelimit-reset': String(seconds),
});

describe('the number of requests in flight', () => {
	it('is the largest Concurrency while no limit is known, and one more with priority', () => {
		const { sendAll } = setUp();
		expect(sendAll()).toBe(5);
		expect(sendAll({ hasPriority: true })).toBe(1);
	});

	it('grows with each response if a limit is known', () => {
		const { ask, sendAll } = setUp();
		ask(200, limit(99));
		ask(200, limit(98));
		expect(sendAll()).toBe(7);
	});

	it('is the number of remaining requests if no other client uses the window', () => {
		const { ask, sendAll } = setUp();
		ask(200, limit(9, 10));
		ask(200, limit(8, 10));
		expect(sendAll({ maxConcurrency: 50 })).toBe(8);
	});

	it.each([
		[50, 6],
		[15, 1],
		[1, 1],
	])('of %d requests that remain to several clients is %d', (remaining, most) => {
		const { ask, sendAll } = setUp();
		ask(200, limit(remaining));
		expect(sendAll({ maxConcurrency: 50 })).toBe(most);
	});

	it('counts a request until it is answered or given up, and ignores a late answer', () => {
		const { throttle, send, answer, next } = setUp();
		const release = send();
		expect(next({ maxConcurrency: 1 })).toBe(Infinity);
		throttle.answered(release, 0);
		expect(next({ maxConcurrency: 1 })).toBe(0);
		answer(release, 429, { 'retry-after': '3' });
		expect(throttle).toMatchObject({ hasAnswered: false, pauses: 0 });
	});

	it('follows the lowest number of requests that were in flight together', () => {
		const { throttle, send, answer, ask } = setUp();
		ask(200, limit(50));
		const [first, second] = [send(), send()];
		answer(second, 200, limit(48));
		answer(first, 200, limit(49));
		expect(throttle.remaining).toBe(48);
		ask(200, limit(99));
		expect(throttle.remaining).toBe(99);
	});

	it('does not follow an error without the headers of the limit', () => {
		const { throttle, ask } = setUp();
		ask(200, limit(7));
		ask(500);
		expect(throttle).toMatchObject({ hasAnswered: true, remaining: 7 });
		ask(404, limit(6));
		expect(throttle.remaining).toBe(6);
		ask(200);
		expect(throttle.remaining).toBeUndefined();
	});
});

describe('a refusal', () => {
	it.each([
		[429, 'rate limit'],
		[503, 'maintenance'],
	])('%d starts a pause, after which a single request is sent', (status, reason) => {
		const { time, throttle, ask, sendAll, next } = setUp();
		ask(status, { 'retry-after': '3' });
		expect(next()).toBe(3_000);
		expect(throttle).toMatchObject({ pauses: 1, pauseReason: reason, blockedSince: 0 });
		time.now = 4_500;
		expect(sendAll()).toBe(1);
	});

	it('lets requests through one at a time for a second, and then one more for each response', () => {
		const { time, throttle, ask, sendAll } = setUp();
		ask(429, { 'retry-after': '10' });
		time.now = 10_000;
		ask(200, limit(90));
		expect(throttle.blockedSince).toBeUndefined();
		expect(throttle.blockedPeriod(12_000)).toEqual({ from: 0, to: 10_000 });
		ask(200, limit(89));
		expect(sendAll()).toBe(1);
		time.now = 11_250;
		expect(sendAll()).toBe(2);
	});

	it('without headers of a limit lets one more through for each response', () => {
		const { time, ask, sendAll } = setUp();
		ask(503, { 'retry-after': '1' });
		time.now = 1_000;
		ask(200);
		expect(sendAll()).toBe(2);
	});

	it('without a time is followed by growing pauses, until a request is accepted', () => {
		const { time, throttle, ask } = setUp();
		const pause = () => {
			ask(429);
			const milliseconds = throttle.pausedUntil - time.now;
			time.now = throttle.pausedUntil;
			return milliseconds;
		};
		expect([pause(), pause(), pause()]).toEqual([375, 750, 1500]);
		ask(200);
		expect(pause()).toBe(375);
	});

	it('of a request that was sent before the pause does not extend it, and its success does not end it', () => {
		const { time, throttle, send, answer, next } = setUp();
		const [first, second, third] = [send(), send(), send()];
		answer(first, 429, { 'retry-after': '3' });
		time.now = 1_000;
		answer(second, 429, { 'retry-after': '9' });
		answer(third, 200);
		expect([throttle.pausedUntil, throttle.pauses, next()]).toEqual([3_000, 1, 3_000]);
	});
});

describe('a window that accepts no more requests', () => {
	it('is waited for until its reported end', () => {
		const { time, throttle, ask, next, sendAll } = setUp();
		ask(200, exhausted(20));
		expect(next()).toBe(20_000);
		expect(throttle).toMatchObject({ pauses: 1, pauseReason: 'rate limit', blockedSince: 0 });
		time.now = 20_000;
		expect(sendAll()).toBe(1);
	});

	it('is waited for as long as the last one, which a refusal showed in whole seconds', () => {
		const { time, ask, next } = setUp();
		time.now = 500;
		ask(200, limit(9, 10));
		time.now = 1_000;
		// The service rounds 9.5 seconds up.
		ask(429, { 'retry-after': '10' });
		time.now = 11_000;
		ask(200, limit(9, 10));
		ask(200, limit(0, 10));
		expect(next()).toBe(21_000);
	});

	it('lets a single request ask if its end is unknown', () => {
		const { throttle, ask, sendAll, next } = setUp();
		ask(200, limit(0));
		expect(sendAll()).toBe(1);
		expect(next()).toBe(Infinity);
		expect(throttle).toMatchObject({ pauses: 0, blockedSince: undefined });
	});

	it('is not asked for by a request that hangs beyond its end', () => {
		const { time, ask, send, next } = setUp();
		ask(200, exhausted(2));
		send();
		expect(next()).toBe(2_000);
		time.now = 2_000;
		expect(next()).toBe(2_000);
	});
});

describe('requests with priority', () => {
	it('have a part of each window', () => {
		const nextAt = (demand: Partial<Demand>) => {
			const { ask, next } = setUp();
			ask(200, limit(3));
			ask(200, exhausted(30));
			ask(200, { ...limit(3), 'x-ratelimit-reset': '30' });
			return next(demand);
		};
		expect(nextAt({})).toBe(0);
		expect(nextAt({ isReserving: true })).toBe(30_000);
		expect(nextAt({ isReserving: true, hasPriority: true })).toBe(0);
	});

	it('are sent from it while the others wait for the next window', () => {
		const { ask, next, sendAll } = setUp();
		ask(200, { ...limit(2), 'x-ratelimit-reset': '30' });
		expect(next({ isReserving: true })).toBe(30_000);
		expect(sendAll({ hasPriority: true })).toBe(2);
	});

	it('wait for the end of a maintenance', () => {
		const { ask, next } = setUp();
		ask(200, limit(50));
		ask(503, { 'retry-after': '30' });
		expect(next({ hasPriority: true })).toBe(30_000);
	});
});
