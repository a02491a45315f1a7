import { NotSentError, type QueueOptions } from '../../../../nodes/shared/transport/queueOptions';
import type { RunQueue } from '../../../../nodes/shared/transport/runQueue';
import { RateLimiter } from '../../../../nodes/shared/transport/rateLimiter';
import { VirtualClock } from '../../../../testkit/clock/virtualClock.ts';

/** The queue of a run, on a virtual clock. */
function setUp(options: Partial<QueueOptions> = {}) {
	const clock = new VirtualClock();
	const limiter = new RateLimiter(clock);
	const run = limiter.open({ concurrency: 2, requestsPerMinute: 0, maxWait: 60_000, ...options });
	const left: string[] = [];
	/** A request of a row that takes a second. */
	const ask = async (name: string, order: number, delay = 0) => {
		if (delay > 0) await limiter.backoff(run, { order }, delay);
		return await limiter.request(run, { order })(
			async () => {
				left.push(`${name} at ${clock.now()}`);
				await clock.sleep(1000);
				return {};
			},
			{ timeout: 30_000, isRead: false },
		);
	};
	return { clock, limiter, run, left, ask };
}

/** Begins rows as long as the run lets it, and returns how many have begun. */
function beginRows(clock: VirtualClock, run: RunQueue, onBegin: () => void = () => undefined) {
	let began = 0;
	void (async () => {
		while (await run.beginRow()) {
			began += 1;
			onBegin();
		}
	})();
	return async () => {
		await clock.pass(0);
		return began;
	};
}

it('begins as many rows as Concurrency allows, and another row for each that ends', async () => {
	const { clock, run } = setUp({ concurrency: 3 });
	const began = beginRows(clock, run);
	expect(await began()).toBe(3);
	run.endRow({ order: 0 });
	expect(await began()).toBe(4);
	run.endRow({ order: 1 });
	run.endRow({ order: 2 });
	expect(await began()).toBe(6);
});

it('begins other rows while rows are suspended', async () => {
	const { clock, run } = setUp({ concurrency: 2 });
	const began = beginRows(clock, run);
	expect(await began()).toBe(2);
	let resume: () => void = () => undefined;
	const wait = new Promise<void>((resolve) => {
		resume = resolve;
	});
	const suspended = [run.suspend(wait), run.suspend(wait)];
	expect(await began()).toBe(4);
	resume();
	await Promise.all(suspended);
	// Now four go on, and two have to end before another one begins.
	for (const order of [0, 1]) run.endRow({ order });
	expect(await began()).toBe(4);
	run.endRow({ order: 2 });
	expect(await began()).toBe(5);
});

it('resumes a suspended row whose wait fails', async () => {
	const { clock, run } = setUp({ concurrency: 1 });
	const began = beginRows(clock, run);
	expect(await began()).toBe(1);
	await expect(run.suspend(Promise.reject(new Error('no')))).rejects.toThrow('no');
	expect(await began()).toBe(2);
	run.endRow({ order: 0 });
	expect(await began()).toBe(2);
	run.endRow({ order: 1 });
	expect(await began()).toBe(3);
});

it('suspends at most 50 rows', async () => {
	const { clock, run } = setUp({ concurrency: 1 });
	const never = new Promise<void>(() => undefined);
	const began = beginRows(clock, run, () => void run.suspend(never));
	expect(await began()).toBe(50);
	run.close();
});

it('suspends a row that waits for its own retry', async () => {
	const { clock, run, ask, left } = setUp({ concurrency: 1 });
	await clock.run(async () => {
		expect(await run.beginRow()).toBe(true);
		const delayed = ask('first', 0, 5000);
		expect(await run.beginRow()).toBe(true);
		await Promise.all([delayed, ask('second', 1)]);
	});
	expect(left).toEqual(['second at 0', 'first at 5000']);
});

it('sends an earlier row first when it is resumed', async () => {
	const { clock, ask, left } = setUp({ concurrency: 1 });
	await clock.run(async () => {
		await Promise.all([ask('row-5', 5), ask('row-6', 6), ask('row-1', 1, 500), ask('row-7', 7)]);
	});
	expect(left).toEqual(['row-5 at 0', 'row-1 at 1000', 'row-6 at 2000', 'row-7 at 3000']);
});

it('begins no row after the end of the run, and resolves the wait for it', async () => {
	const { clock, run } = setUp({ concurrency: 1 });
	await clock.run(async () => {
		expect(await run.beginRow()).toBe(true);
		const waiting = run.beginRow();
		run.stop();
		expect(await waiting).toBe(false);
		expect(await run.beginRow()).toBe(false);
	});
});

it('does not abort requests in flight when the run is stopped', async () => {
	const { clock, run, ask, left } = setUp({ concurrency: 1 });
	await clock.run(async () => {
		const asked = [ask('a', 0), ask('b', 1)];
		await clock.sleep(500);
		run.stop();
		expect(await asked[0]).toEqual({});
		await expect(asked[1]).rejects.toBeInstanceOf(NotSentError);
		expect(clock.now()).toBe(1000);
	});
	expect(left).toEqual(['a at 0']);
});

it('removes its listener from the cancel signal when the run is closed', () => {
	const cancel = new AbortController();
	const added = jest.spyOn(cancel.signal, 'addEventListener');
	const removed = jest.spyOn(cancel.signal, 'removeEventListener');
	const { run } = setUp({ signal: cancel.signal });
	run.close();
	expect(added.mock.calls).toHaveLength(1);
	expect(removed.mock.calls.map(([name, listener]) => [name, listener])).toEqual(
		added.mock.calls.map(([name, listener]) => [name, listener]),
	);
});

it('counts a pause once for all its requests, and each pause', async () => {
	const { clock, limiter, run } = setUp({ concurrency: 5 });
	const statuses = [429, 200, 429, 200];
	await clock.run(async () => {
		for (let number = 0; number < 4; number += 1) {
			const [status = 200] = statuses.splice(0, 1);
			const headers: Record<string, string> = status === 429 ? { 'retry-after': '3' } : {};
			const answer = { status, headers, body: '' };
			const work = async () => await Promise.resolve({ answer });
			await Promise.all([
				limiter.request(run, { order: number })(work, { timeout: 1000, isRead: false }),
				number % 2
					? limiter.request(run, { order: number })(work, { timeout: 1000, isRead: false })
					: undefined,
			]);
		}
	});
	expect(run.waits).toEqual({ count: 2, milliseconds: 6000 });
});
