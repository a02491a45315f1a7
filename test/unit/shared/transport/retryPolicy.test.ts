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
	const plan = begin();
	const delays: number[] = [];
	while (delays.length < 40 && plan.shouldRetry(request(method), failure(cause), 0)) {
		delays.push(plan.delay);
		waited.add(time.now, time.now + plan.delay);
		time.now += plan.delay;
	}
	return { delays, plan };
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
	'retries a request after %s up to %d times, a create up to %d times',
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

it('retries three times if the service has never answered', () => {
	expect(delaysOf('GET', 'maintenance', setUp({}, false)).delays).toHaveLength(3);
});

it('retries within Max Wait, which includes the requests', () => {
	expect(delaysOf('GET', 'maintenance', setUp({ maxWait: 2_625 })).delays).toHaveLength(3);
	expect(delaysOf('GET', 'maintenance', setUp({ maxWait: 2_624 })).delays).toHaveLength(2);
	const slow = setUp({ maxWait: 2_624 });
	slow.time.now = 5_000;
	const plan = slow.begin();
	expect(plan.shouldRetry(request('GET'), failure('ambiguous'), 2_500)).toBe(false);
	expect(slow.waited.total).toBe(2_500);
});

it('does not count a rejected request as waiting time', () => {
	const { time, begin, waited } = setUp();
	time.now = 5_000;
	for (const cause of ['rejected', 'ended', 'rateLimited'] as const) {
		begin().shouldRetry(request('GET'), failure(cause), 2_500);
	}
	expect(waited.total).toBe(0);
});

it('waits for the minimum delay', () => {
	const { begin } = setUp();
	const plan = begin();
	expect(plan.planRetry('limited', 9_000)).toBe(true);
	expect(plan.delay).toBe(9_000);
	expect(plan.planRetry('never')).toBe(false);
});

it('retries a request that is refused for too many requests without a delay', () => {
	const { begin, waited, time } = setUp({ maxWait: 1_000 });
	const plan = begin();
	for (let count = 0; count < 15; count += 1) {
		expect(plan.shouldRetry(request('POST'), failure('rateLimited'), 0)).toBe(true);
		expect(plan.delay).toBe(0);
	}
	// Then within Max Wait.
	expect(plan.shouldRetry(request('POST'), failure('rateLimited'), 0)).toBe(true);
	time.now += 1_000;
	expect(plan.shouldRetry(request('POST'), failure('rateLimited'), 0)).toBe(true);
	time.now += 1;
	expect(plan.shouldRetry(request('POST'), failure('rateLimited'), 0)).toBe(false);
	expect(waited.total).toBe(0);
	expect(plan.waitSummary).toBe('');
});

describe('the circuit', () => {
	it('opens after a row that was given up, and stops the retries of the others', () => {
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

describe('the summary of a wait', () => {
	it('contains the time and the number of tries', () => {
		const world = setUp({ maxWait: 2_624 });
		const { plan } = delaysOf('GET', 'maintenance', world);
		expect(plan.waitSummary).toBe(
			'This item waited 1 second for the service to recover, in 3 tries (Max Wait of 2.624 seconds).',
		);
	});

	it('contains the time of all requests', () => {
		const { waited, begin } = setUp({ maxWait: 4_000 });
		waited.add(-4_000, 0);
		const plan = begin();
		plan.planRetry('limited');
		expect(plan.waitSummary).toBe(
			'This item waited 4 seconds for the service, over all its requests (Max Wait of 4 seconds).',
		);
	});

	it('is empty if the row has not waited, or was not given up', () => {
		const plan = setUp({ maxWait: 0 }).begin();
		plan.planRetry('limited');
		expect(plan.waitSummary).toBe('');
		const other = setUp().begin();
		other.planRetry('limited');
		expect(other.waitSummary).toBe('');
	});
});
