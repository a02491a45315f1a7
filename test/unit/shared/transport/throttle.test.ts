import { Throttle } from '../../../../nodes/shared/transport/throttle';

/** The queue in front of a throttle. */
type Demand = Readonly<{ maxConcurrency?: number; hasPriority?: boolean }>;

/** A throttle, and a clock that a test sets. All pauses have their middle length. */
function setUp() {
	const time = { now: 0 };
	const clock = { now: () => time.now, random: () => 0.5 };
	const throttle = new Throttle();
	const next = ({ maxConcurrency = 50, hasPriority = false }: Demand = {}) =>
		throttle.next(time.now, maxConcurrency, hasPriority);
	const send = () => throttle.released(time.now);
	const answer = (release: number, status: number, headers: Record<string, string> = {}) =>
		throttle.answered(release, clock, { status, headers, body: '' });
	/** Sends a request that is answered at once. */
	const ask = (status: number, headers: Record<string, string> = {}) =>
		answer(send(), status, headers);
	/** Sends as many requests as the throttle allows now, and returns their number. */
	const sendAll = (demand: Demand = {}) => {
		let count = 0;
		for (; count < 100 && next(demand) <= time.now; count += 1) send();
		return count;
	};
	return { time, clock, throttle, next, send, answer, ask, sendAll };
}

type Headers = Record<string, string>;

const left = (remaining: number, limit = 100): Headers => ({
	...{ 'x-ratelimit-limit': String(limit), 'x-ratelimit-remaining': String(remaining) },
});

const date = 'Wed, 21 Oct 2026 07:28:00 GMT';

/** The headers of a window that ends in a number of seconds. */
const until = (seconds: number, remaining = 0): Headers => ({
	...{ ...left(remaining), date, 'x-ratelimit-reset': String(Date.parse(date) / 1000 + seconds) },
});

const after = (seconds: number): Headers => ({ 'retry-after': String(seconds) });

type Step = [at: number, status: number, headers?: Headers];

/** Responses at some times, and then a time, the demand, and the number of requests in flight. */
it.each<[name: string, steps: Step[], at: number, demand: Demand, sent: number]>([
	['Concurrency without a limit', [], 0, { maxConcurrency: 5 }, 5],
	['Concurrency with a limit', [[0, 200, left(99)]], 0, { maxConcurrency: 5 }, 5],
	['the rest of a window without other clients', [[0, 200, left(9, 10)]], 0, {}, 9],
	['an eighth of the rest with other clients', [[0, 200, left(50)]], 0, {}, 6],
	['at least one with other clients', [[0, 200, left(7)]], 0, {}, 1],
	['nothing before Retry-After', [[0, 429, after(3)]], 2_999, {}, 0],
	['one after Retry-After', [[0, 429, after(3)]], 3_000, {}, 1],
	['one after a maintenance', [[0, 503, after(3)]], 3_000, {}, 1],
	['all after a failure without Retry-After', [[0, 503]], 0, { maxConcurrency: 5 }, 5],
	['nothing in a window that is used up', [[0, 200, until(20)]], 19_999, {}, 0],
	['one after a window that is used up', [[0, 200, until(20)]], 20_000, {}, 1],
	['one if the end of the window is unknown', [[0, 200, left(0)]], 0, {}, 1],
	[
		'all after the test of a rate limit',
		[
			[0, 429, after(10)],
			[10_000, 200, left(99)],
		],
		...([10_000, { maxConcurrency: 5 }, 5] as const),
	],
	[
		'all after the test of a maintenance',
		[
			[0, 503, after(10)],
			[10_000, 200],
		],
		...([10_000, { maxConcurrency: 5 }, 5] as const),
	],
])('allows %s', (_name, steps, at, demand, sent) => {
	const { time, ask, next, sendAll } = setUp();
	for (const [now, status, headers] of steps) {
		next(demand);
		time.now = now;
		ask(status, headers);
	}
	next(demand);
	time.now = at;
	expect(sendAll(demand)).toBe(sent);
});

it('counts a request until it is answered or given up, and learns nothing from one that was given up', () => {
	const { clock, throttle, send, next } = setUp();
	const release = send();
	expect(next({ maxConcurrency: 1 })).toBe(Infinity);
	throttle.answered(release, clock);
	expect(next({ maxConcurrency: 1 })).toBe(0);
	expect(throttle.hasAnswered).toBe(false);
});

it.each<[name: string, responses: [status: number, headers?: Headers][], remaining: number]>([
	['an error without the headers of the limit', [[200, left(7)], [500]], 7],
	['an error with them', [[200, left(7)], [404, left(6)]], 6], // prettier-ignore
	['a response without them', [[200, left(7)], [200]], Infinity],
	['a new window', [[200, left(7)], [200, left(99)]], 99], // prettier-ignore
])('after %s, the number of remaining requests is right', (_name, responses, remaining) => {
	const { throttle, ask } = setUp();
	for (const [status, headers] of responses) ask(status, headers);
	expect(throttle.remaining).toBe(remaining);
});

it.each([
	[[1, 0], 48],
	[[0, 1], 48],
	[[0, 2, 1], 47],
])(
	'of requests in flight together (%j), counts the one that was counted last',
	(order, remaining) => {
		const { throttle, send, answer, ask } = setUp();
		ask(200, left(50));
		const releases = order.map(() => send());
		for (const [position, index] of order.entries()) {
			const release = releases[index];
			// The service counted the first response last.
			if (release) answer(release, 200, left(remaining + position));
		}
		expect(throttle.remaining).toBe(remaining);
	},
);

describe('a pause', () => {
	it('is blocked until a request is accepted', () => {
		const { time, throttle, ask } = setUp();
		expect(throttle.isPaused).toBe(false);
		ask(429, after(10));
		expect(throttle).toMatchObject({ isPaused: true, pause: { reason: 'rate limit' } });
		time.now = 10_000;
		ask(503, after(2));
		expect(throttle.pause).toMatchObject({ reason: 'maintenance', until: 12_000 });
		time.now = 12_500;
		ask(200);
		expect(throttle).toMatchObject({ isPaused: false, pause: { from: 0, to: 12_500 } });
	});

	it('without a time grows, until a request is accepted', () => {
		const { time, throttle, ask } = setUp();
		const pause = () => {
			ask(429);
			const milliseconds = throttle.pause.until - time.now;
			time.now = throttle.pause.until;
			return milliseconds;
		};
		expect([pause(), pause(), pause()]).toEqual([375, 750, 1500]);
		ask(200);
		expect(pause()).toBe(375);
	});

	it('is neither extended nor ended by requests that were sent before', () => {
		const { time, throttle, send, answer, next } = setUp();
		const [first, second, third] = [send(), send(), send()];
		answer(first, 429, after(3));
		time.now = 1_000;
		answer(second, 429, after(9));
		answer(third, 200);
		expect([throttle.pause.until, throttle.isPaused, next()]).toEqual([3_000, true, 3_000]);
	});

	it('is as long as the last window, which a refusal showed in whole seconds', () => {
		const { time, ask, next } = setUp();
		time.now = 500;
		ask(200, left(9, 10));
		time.now = 1_000;
		// The service rounds 9.5 seconds up.
		ask(429, after(10));
		time.now = 11_000;
		ask(200, left(9, 10));
		ask(200, left(0, 10));
		expect(next()).toBe(21_000);
		// A refusal in a later window does not show how long it lasts.
		time.now = 21_500;
		ask(429, after(3));
		time.now = 24_500;
		ask(200, left(9, 10));
		ask(200, left(0, 10));
		expect(next()).toBe(34_500);
	});

	it('ends although a request hangs', () => {
		const { time, ask, send, next } = setUp();
		ask(200, until(2));
		send();
		expect(next()).toBe(2_000);
		time.now = 2_000;
		expect(next()).toBe(2_000);
	});
});

it.each<[headers: Headers, hasPriority: boolean, hadPriority: boolean, sent: number]>([
	[until(30, 3), false, false, 3],
	[until(30, 3), false, true, 0],
	[until(30, 3), true, true, 3],
	[{ ...until(30, 3), 'x-ratelimit-limit': '10' }, false, true, 2],
])('of %j, requests with priority (%s) have a part', (headers, hasPriority, hadPriority, sent) => {
	const { ask, next, sendAll } = setUp();
	// The requests of this process have used the window.
	for (let used = 1; used <= 97; used += 1) ask(200, left(100 - used));
	ask(200, headers);
	if (hadPriority) next({ hasPriority: true });
	next();
	expect(sendAll({ hasPriority })).toBe(sent);
});

it('nothing is reserved ten minutes after the last request with priority, or in a maintenance', () => {
	const { time, ask, next } = setUp();
	next({ hasPriority: true });
	time.now = 600_000;
	ask(200, until(30, 1));
	expect(next()).toBe(600_000);
	ask(503, after(30));
	expect(next({ hasPriority: true })).toBe(630_000);
});
