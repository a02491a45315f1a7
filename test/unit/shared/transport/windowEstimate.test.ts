import { WindowEstimate } from '../../../../nodes/shared/transport/windowEstimate';

/** An estimate, and requests that are answered after a tenth of a second. */
function setUp() {
	const estimate = new WindowEstimate();
	let now = 0;
	const release = () => estimate.released(now);
	/** Answers a request. */
	const answer = (
		released: ReturnType<typeof release>,
		remaining?: number,
		{ limit = 60, resetAfter }: { limit?: number; resetAfter?: number } = {},
	) => {
		now += 100;
		estimate.answered(released, now, { limit, remaining, resetAfter });
	};
	/** Sends and answers a request. */
	const exchange = (remaining?: number, headers: Parameters<typeof answer>[2] = {}) => {
		answer(release(), remaining, headers);
	};
	return {
		estimate,
		capacity: (inFlight: number) => estimate.capacity(inFlight, now),
		release,
		answer,
		exchange,
		now: () => now,
		pass: (milliseconds: number) => {
			now += milliseconds;
		},
	};
}

describe('the capacity of a window', () => {
	it('is unknown before the service reports it', () => {
		const { estimate, capacity, exchange } = setUp();
		expect(capacity(0)).toBeUndefined();
		exchange(undefined);
		expect(capacity(0)).toBeUndefined();
		expect(estimate.hasOthers).toBe(false);
	});

	it('is the remaining number without the requests in flight', () => {
		const { capacity, exchange } = setUp();
		exchange(59);
		expect(capacity(0)).toBe(59);
		expect(capacity(9)).toBe(50);
		expect(capacity(59)).toBe(0);
	});

	it('does not mistake the count of another limit, such as that of a day, for other clients', () => {
		const { estimate, capacity, exchange } = setUp();
		for (let request = 1; request < 20; request += 1) {
			exchange(100_000 - request, { limit: 100_000 });
			exchange(1000 - request, { limit: 1000 });
		}
		expect(estimate.hasOthers).toBe(false);
		expect(capacity(0)).toBe(981);
	});

	it('is unknown after an answer without it, and after a refusal', () => {
		const { estimate, capacity, exchange, now } = setUp();
		exchange(59);
		exchange(undefined);
		expect(capacity(0)).toBeUndefined();
		exchange(58);
		expect(capacity(0)).toBe(58);
		estimate.refused(now(), 1000);
		expect(capacity(0)).toBeUndefined();
	});

	it('does not grow by an answer that was overtaken', () => {
		const { estimate, capacity, release, answer } = setUp();
		const [first, second, third] = [release(), release(), release()];
		answer(third, 57);
		answer(first, 59);
		answer(second, 58);
		expect(capacity(0)).toBe(57);
		expect(estimate.hasOthers).toBe(false);
	});

	it('shrinks by an answer that was overtaken if it reports less', () => {
		const { capacity, release, answer } = setUp();
		const [first, second] = [release(), release()];
		answer(second, 50);
		answer(first, 49);
		expect(capacity(0)).toBe(49);
	});

	it('grows when a new window opens', () => {
		const { capacity, exchange } = setUp();
		exchange(3);
		exchange(59);
		expect(capacity(0)).toBe(59);
	});

	it('is shared with other clients in proportion to their use', () => {
		const { estimate, capacity, exchange } = setUp();
		for (let left = 99; left >= 51; left -= 3) exchange(left, { limit: 100 });
		expect(estimate.hasOthers).toBe(true);
		// One of three is ours; the first answer could not show it. Half of that may be under way.
		const left = capacity(0) ?? 0;
		expect(left).toBeGreaterThanOrEqual(8);
		expect(left).toBeLessThanOrEqual(10);
	});

	it('is not shared any more some time after the other clients have stopped', () => {
		const { estimate, capacity, exchange } = setUp();
		for (let left = 999; left >= 951; left -= 3) exchange(left, { limit: 1000 });
		for (let left = 950; left > 920; left -= 1) exchange(left, { limit: 1000 });
		expect(estimate.hasOthers).toBe(false);
		expect(capacity(0)).toBe(921);
	});

	it('is shared by a whole round of answers, in any order', () => {
		const { estimate, release, answer } = setUp();
		const first = release();
		const round = Array.from({ length: 40 }, release);
		answer(first, 99, { limit: 100 });
		// Twice as many were counted as are ours; the one that was counted last is answered first.
		for (const released of round) answer(released, 19, { limit: 100 });
		expect(estimate.hasOthers).toBe(true);
	});

	it('is not shared because of one request of another client', () => {
		const { estimate, exchange } = setUp();
		for (let left = 99; left > 80; left -= 1) exchange(left, { limit: 100 });
		exchange(79, { limit: 100 });
		expect(estimate.hasOthers).toBe(false);
	});

	it('is at least 1 while requests remain and none is in flight', () => {
		const { estimate, capacity, exchange } = setUp();
		for (let left = 100; left > 1; left -= 9) exchange(left, { limit: 100 });
		exchange(1, { limit: 100 });
		expect(estimate.hasOthers).toBe(true);
		expect(capacity(0)).toBe(1);
		expect(capacity(1)).toBe(-1);
		exchange(0, { limit: 100 });
		expect(capacity(0)).toBe(0);
	});
});

describe('the end of the window', () => {
	it('is unknown at first', () => {
		const { estimate, exchange, now } = setUp();
		exchange(59);
		expect(estimate.resetAt(now())).toBeUndefined();
	});

	it('is the reported time until it has passed', () => {
		const { estimate, exchange, now } = setUp();
		exchange(59, { resetAfter: 20_000 });
		expect(estimate.resetAt(now())).toBe(20_100);
		expect(estimate.resetAt(20_100)).toBeUndefined();
	});

	it('is not the time of an older answer', () => {
		const { estimate, exchange, now } = setUp();
		exchange(59, { resetAfter: 20_000 });
		exchange(58);
		expect(estimate.resetAt(now())).toBeUndefined();
	});

	it('is learned from a refusal for windows that our own requests open', () => {
		const { estimate, exchange, pass, now } = setUp();
		exchange(59);
		pass(9_900);
		// 60 seconds after the answer of the request that opened it, and rounded up.
		estimate.refused(now(), 51_000);
		pass(51_000);
		exchange(59);
		expect(estimate.resetAt(now())).toBe(now() + 60_000);
		exchange(58);
		expect(estimate.resetAt(now())).toBe(now() - 100 + 60_000);
	});

	it('is earlier if a later refusal shows it', () => {
		const { estimate, exchange, pass, now } = setUp();
		exchange(59);
		estimate.refused(now(), 61_000);
		pass(60_900);
		exchange(59);
		estimate.refused(now(), 60_000);
		pass(60_000);
		exchange(59);
		expect((estimate.resetAt(now()) ?? 0) - (now() - 100)).toBe(60_100);
	});

	it('is not later because a later refusal was rounded up more', () => {
		const { estimate, exchange, pass, now } = setUp();
		exchange(59);
		estimate.refused(now(), 60_000);
		pass(500);
		estimate.refused(now(), 60_000);
		pass(60_000);
		exchange(59);
		expect((estimate.resetAt(now()) ?? 0) - (now() - 100)).toBe(60_100);
	});

	it('is unknown for a window that another client opened', () => {
		const { estimate, exchange, pass, now } = setUp();
		exchange(59);
		estimate.refused(now(), 59_900);
		pass(60_000);
		exchange(40);
		expect(estimate.resetAt(now())).toBeUndefined();
	});

	it('is forgotten when a window turns out to be longer', () => {
		const { estimate, exchange, pass, now } = setUp();
		exchange(59);
		estimate.refused(now(), 10_000);
		pass(10_000);
		exchange(59);
		pass(10_100);
		estimate.refused(now(), 30_000);
		pass(30_000);
		exchange(59);
		expect(estimate.resetAt(now())).toBeUndefined();
	});

	it('is a second later if a request at that time is refused for another second', () => {
		const { estimate, exchange, pass, now } = setUp();
		exchange(59);
		// Windows of 10.5 seconds.
		estimate.refused(now(), 10_500);
		pass(10_500);
		exchange(59);
		pass(10_000);
		estimate.refused(now(), 1_000);
		pass(1_000);
		exchange(59);
		expect(estimate.resetAt(now())).toBe(now() + 11_000);
	});

	it('is not learned from a refusal without a time', () => {
		const { estimate, exchange, now } = setUp();
		exchange(59);
		estimate.refused(now(), undefined);
		exchange(59);
		expect(estimate.resetAt(now())).toBeUndefined();
	});
});
