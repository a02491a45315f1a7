import { Throttle, type Traffic } from '../../../../nodes/shared/transport/throttle';

/** A gate on a clock that a test sets. */
function setUp() {
	const time = { now: 0 };
	const gate = new Throttle({
		now: () => time.now,
		sleep: async () => await Promise.resolve(),
		random: () => 0.5,
	});
	/** A request that leaves now and is answered at once. */
	const ask = (status: number, headers: Record<string, string> = {}) => {
		gate.learn(gate.depart(time.now), { status, headers, body: '' });
	};
	const opensAt = (traffic: Partial<Traffic> & { readonly underWay?: number } = {}) => {
		const { underWay = 0, ...more } = traffic;
		return gate.opensAt(time.now, {
			underWaySince: () => underWay,
			...{ widest: 5, hasPriority: false, keepsRoom: false, canWait: () => true },
			...more,
		});
	};
	return { time, gate, ask, opensAt };
}

const limit = (remaining: number, total = 100) => ({
	'x-ratelimit-limit': String(total),
	'x-ratelimit-remaining': String(remaining),
});

it('is open for as many requests as Concurrency allows, and one more with priority', () => {
	const { opensAt } = setUp();
	expect(opensAt({ underWay: 4 })).toBe(0);
	expect(opensAt({ underWay: 5 })).toBe(Infinity);
	expect(opensAt({ underWay: 5, hasPriority: true })).toBe(0);
	expect(opensAt({ underWay: 6, hasPriority: true })).toBe(Infinity);
});

it('is closed until the time that a refusal names, and then open for one request', () => {
	const { time, gate, ask, opensAt } = setUp();
	ask(429, { 'retry-after': '3' });
	expect(opensAt()).toBe(3_000);
	expect(gate).toMatchObject({ pauses: 1, pauseReason: 'rate limit', stalledSince: 0 });
	time.now = 4_500;
	expect(opensAt()).toBeLessThanOrEqual(4_500);
	expect(opensAt({ underWay: 1 })).toBe(Infinity);
});

it('allows one more at the same time for each request that it lets through', () => {
	const { time, ask, opensAt, gate } = setUp();
	ask(503, { 'retry-after': '1' });
	expect(gate.pauseReason).toBe('maintenance');
	time.now = 1_000;
	ask(200);
	expect(gate.stalledSince).toBeUndefined();
	expect(gate.stall(2_000)).toEqual({ from: 0, to: 1_000 });
	expect(opensAt({ underWay: 1 })).toBe(1_000);
	expect(opensAt({ underWay: 2 })).toBe(Infinity);
	ask(200);
	expect(opensAt({ underWay: 2 })).toBe(1_000);
});

it('pauses longer after each refusal that names no time', () => {
	const { time, gate, ask } = setUp();
	const pauses: number[] = [];
	for (let count = 0; count < 3; count += 1) {
		ask(429);
		pauses.push(gate.pausedUntil - time.now);
		time.now = gate.pausedUntil;
	}
	expect(pauses).toEqual([375, 750, 1500]);
	ask(200);
	ask(429);
	expect(gate.pausedUntil - time.now).toBe(375);
});

it('keeps a part of the limit for requests with priority', () => {
	const opens = (traffic: Partial<Traffic>) => {
		const { ask, opensAt } = setUp();
		ask(200, limit(4));
		ask(200, limit(3));
		return opensAt({ underWay: 1, ...traffic });
	};
	expect(opens({})).toBe(0);
	expect(opens({ keepsRoom: true })).toBe(Infinity);
	expect(opens({ keepsRoom: true, hasPriority: true })).toBe(0);
	expect(opens({ hasPriority: true })).toBe(0);
});

it('learns nothing about the limit from an error without its headers', () => {
	const { gate, ask } = setUp();
	expect(gate.hasAnswered).toBe(false);
	ask(500);
	expect(gate.hasAnswered).toBe(true);
	expect(gate.left).toBeUndefined();
	ask(404, limit(7));
	expect(gate.left).toBe(7);
});

it('does not pause again for a request that left before the pause', () => {
	const { gate, time } = setUp();
	const [first, second] = [gate.depart(0), gate.depart(0)];
	const refusal = { status: 429, headers: { 'retry-after': '3' }, body: '' };
	gate.learn(first, refusal);
	time.now = 1_000;
	gate.learn(second, refusal);
	expect([gate.pausedUntil, gate.pauses]).toEqual([3_000, 1]);
});
