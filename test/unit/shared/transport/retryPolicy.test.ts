import { ApiClient, type ClientOptions } from '../../../../nodes/shared/transport/client';
import { RetryPlan, inSeconds } from '../../../../nodes/shared/transport/retryPolicy';
import type { Method } from '../../../../nodes/shared/contract/endpoints';
import { RateLimiter } from '../../../../nodes/shared/transport/rateLimiter';
import type { Cause } from '../../../../nodes/shared/transport/serviceError';
import { WaitingTime } from '../../../../nodes/shared/transport/waitingTime';

/** A client on a clock that a test sets; all pauses have their middle length. */
function setUp(options: Partial<ClientOptions> = {}, hasAnswered = true) {
	const time = { now: 0 };
	const clock = {
		now: () => time.now,
		sleep: async () => await new Promise<void>(() => undefined),
		random: () => 0.5,
	};
	const limiter = new RateLimiter(clock);
	const service = { root: 'https://links.example/api/v1', send: jest.fn() };
	const client = new ApiClient(service, limiter, {
		...{ concurrency: 1, requestsPerMinute: 0, maxWait: 300_000, timeout: 30_000 },
		...options,
	});
	limiter.throttle.hasAnswered = hasAnswered;
	const waited = new WaitingTime();
	return { time, client, waited, begin: () => new RetryPlan(client, waited) };
}

const failure = (cause: Cause) => ({ cause, message: '', advice: '' });

const request = (method: Method) => ({ method, path: '/links', params: [] });

/** Repeats a request until it may not be repeated, and returns the delays. */
function delaysOf(method: Method, cause: Cause, world: ReturnType<typeof setUp>) {
	const { time, begin, waited } = world;
	const effort = begin();
	const delays: number[] = [];
	while (delays.length < 40 && effort.shouldRetry(request(method), failure(cause), 0)) {
		delays.push(effort.delay);
		waited.add(time.now, time.now + effort.delay);
		time.now += effort.delay;
	}
	return { delays, effort };
}

it.each([
	[0, '0 seconds'],
	[499, '0 seconds'],
	[500, '1 second'],
	[1_499, '1 second'],
	[12_000, '12 seconds'],
])('shows %d ms as %s', (milliseconds, text) => {
	expect(inSeconds(milliseconds)).toBe(text);
});

it.each<[cause: Cause, reads: number, creates: number]>([
	['maintenance', 40, 40],
	['connectFailed', 40, 40],
	['ambiguous', 15, 0],
	['rejected', 0, 0],
	['ended', 0, 0],
])(
	'repeats a request after %s up to %d times, a create up to %d times',
	(cause, reads, creates) => {
		const options = { maxWait: 10_000_000 };
		expect(delaysOf('GET', cause, setUp(options)).delays).toHaveLength(reads);
		expect(delaysOf('PUT', cause, setUp(options)).delays).toHaveLength(reads);
		expect(delaysOf('DELETE', cause, setUp(options)).delays).toHaveLength(reads);
		expect(delaysOf('POST', cause, setUp(options)).delays).toHaveLength(creates);
	},
);

it('pauses longer each time', () => {
	const { delays } = delaysOf('GET', 'ambiguous', setUp());
	expect(delays.slice(0, 7)).toEqual([375, 750, 1500, 3000, 6000, 7500, 7500]);
});

it('repeats three times if the service never answered', () => {
	expect(delaysOf('GET', 'maintenance', setUp({}, false)).delays).toHaveLength(3);
});

it('repeats within Max Wait, which counts the requests too', () => {
	expect(delaysOf('GET', 'maintenance', setUp({ maxWait: 2_625 })).delays).toHaveLength(3);
	expect(delaysOf('GET', 'maintenance', setUp({ maxWait: 2_624 })).delays).toHaveLength(2);
	const slow = setUp({ maxWait: 2_624 });
	slow.time.now = 5_000;
	const effort = slow.begin();
	expect(effort.shouldRetry(request('GET'), failure('ambiguous'), 2_500)).toBe(false);
	expect(slow.waited.total).toBe(2_500);
});

it('does not count a request that was refused for good as time waited', () => {
	const { time, begin, waited } = setUp();
	time.now = 5_000;
	for (const cause of ['rejected', 'ended', 'rateLimited'] as const) {
		begin().shouldRetry(request('GET'), failure(cause), 2_500);
	}
	expect(waited.total).toBe(0);
});

it('waits at least as long as it must', () => {
	const { begin } = setUp();
	const effort = begin();
	expect(effort.planRetry('limited', 9_000)).toBe(true);
	expect(effort.delay).toBe(9_000);
	expect(effort.planRetry('never')).toBe(false);
});

it('repeats a request that is refused for too many requests, without a delay', () => {
	const { begin, waited, time } = setUp({ maxWait: 1_000 });
	const effort = begin();
	for (let count = 0; count < 15; count += 1) {
		expect(effort.shouldRetry(request('POST'), failure('rateLimited'), 0)).toBe(true);
		expect(effort.delay).toBe(0);
	}
	// Then within Max Wait.
	expect(effort.shouldRetry(request('POST'), failure('rateLimited'), 0)).toBe(true);
	time.now += 1_000;
	expect(effort.shouldRetry(request('POST'), failure('rateLimited'), 0)).toBe(true);
	time.now += 1;
	expect(effort.shouldRetry(request('POST'), failure('rateLimited'), 0)).toBe(false);
	expect(waited.total).toBe(0);
	expect(effort.waitSummary).toBe('');
});

describe('the circuit', () => {
	it('opens after a row that was given up, and lets the others try once', () => {
		const world = setUp({ maxWait: 2_000 });
		delaysOf('GET', 'maintenance', world);
		expect(world.client.isCircuitOpen).toBe(true);
		expect(delaysOf('GET', 'maintenance', world).delays).toEqual([]);
	});

	it('does not open because of a row that had waited before', () => {
		const { client, waited, begin } = setUp({ maxWait: 1_000 });
		waited.add(-900, 0);
		expect(begin().planRetry('limited')).toBe(false);
		expect(client.isCircuitOpen).toBe(false);
		const other = setUp({ maxWait: 0 });
		expect(other.begin().planRetry('limited')).toBe(false);
		expect(other.client.isCircuitOpen).toBe(true);
	});
});

describe('what a row reports', () => {
	it('is how long it waited, in how many tries', () => {
		const world = setUp({ maxWait: 2_624 });
		const { effort } = delaysOf('GET', 'maintenance', world);
		expect(effort.waitSummary).toBe(
			'This row waited 1 second for the service to recover, in 3 tries (Max Wait of 2.624 seconds).',
		);
	});

	it('is how long it waited for all its requests', () => {
		const { waited, begin } = setUp({ maxWait: 4_000 });
		waited.add(-4_000, 0);
		const effort = begin();
		effort.planRetry('limited');
		expect(effort.waitSummary).toBe(
			'This row waited 4 seconds for the service, over all its requests (Max Wait of 4 seconds).',
		);
	});

	it('is nothing if it has not waited, or is not given up', () => {
		const effort = setUp({ maxWait: 0 }).begin();
		effort.planRetry('limited');
		expect(effort.waitSummary).toBe('');
		const other = setUp().begin();
		other.planRetry('limited');
		expect(other.waitSummary).toBe('');
	});
});
