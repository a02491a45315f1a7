import type { HttpAnswer } from '../../../../nodes/shared/transport/http';
import { NotSentError, type QueueOptions } from '../../../../nodes/shared/transport/queueOptions';
import type { RunQueue } from '../../../../nodes/shared/transport/runQueue';
import { growingPause } from '../../../../nodes/shared/transport/clock';
import { RateLimiter } from '../../../../nodes/shared/transport/rateLimiter';
import { VirtualClock } from '../../../../testkit/clock/virtualClock.ts';

const answer = (status = 200, headers: Record<string, string> = {}): HttpAnswer => ({
	status,
	headers,
	body: '',
});

const refusal = (headers: Record<string, string> = {}) => answer(429, headers);

/** An answer with the remaining number of requests. */
const remaining = (left: number, of = 60) =>
	answer(200, { 'x-ratelimit-limit': String(of), 'x-ratelimit-remaining': String(left) });

/** What a test varies about a request. */
interface Asked {
	/** The answers to it, one after another and the last one again and again, or what makes them. */
	readonly answers?: readonly HttpAnswer[] | (() => HttpAnswer);
	/** Milliseconds until its answer; Infinity for never. */
	readonly takes?: number;
	readonly timeout?: number;
	readonly delay?: number;
	/** Number of its row. */
	readonly row?: number;
}

/** A rate limiter on a virtual clock, with the times at which requests were sent. */
function setUp(seed = 1) {
	const clock = new VirtualClock(seed);
	const limiter = new RateLimiter(clock);
	const sentRequests: { name: string; at: number }[] = [];
	const rows = new Map<number, { order: number }>();
	let inFlight = 0;

	const open = (options: Partial<QueueOptions> = {}) =>
		limiter.open({ concurrency: 1, requestsPerMinute: 0, maxWait: 60_000, ...options });

	const rowOf = (order: number) => {
		const row = rows.get(order) ?? { order };
		rows.set(order, row);
		return row;
	};

	/** A request that can be sent again and again; each time it resolves with the status of its answer. */
	const request = (
		run: RunQueue,
		name: string,
		{ answers = [answer()], takes = 100, timeout = 30_000, delay = 0, row = 0 }: Asked = {},
	) => {
		const left = typeof answers === 'function' ? [] : [...answers];
		const next = () => (left.length > 1 ? left.shift() : left[0]);
		const send = limiter.request(run, rowOf(row));
		const work = async () => {
			sentRequests.push({ name, at: clock.now() });
			inFlight += 1;
			most.inFlight = Math.max(most.inFlight, inFlight);
			if (takes === Infinity) await new Promise<never>(() => undefined);
			await clock.sleep(takes);
			inFlight -= 1;
			return { answer: typeof answers === 'function' ? answers() : next() };
		};
		return async () => {
			if (delay > 0) await limiter.backoff(run, rowOf(row), delay);
			const sent = await send(work, { timeout, isRead: false });
			return typeof sent === 'string' ? sent : sent.answer?.status;
		};
	};

	const most = { inFlight: 0 };

	/** Sends a request once. */
	const ask = async (run: RunQueue, name: string, asked?: Asked) =>
		await request(run, name, asked)();

	/** Sends a request again as long as it is refused. */
	const insist = async (run: RunQueue, name: string, asked?: Asked) => {
		const send = request(run, name, asked);
		let status = await send();
		while (status === 429) status = await send();
		return status;
	};

	const names = () => sentRequests.map(({ name }) => name).join(' ');
	const times = () => sentRequests.map(({ at }) => at);

	return { clock, limiter, open, request, ask, insist, sentRequests, names, times, most, rowOf };
}

/** Rejections as values, so that several requests can be awaited together. */
const settled = async (promises: readonly Promise<unknown>[]) =>
	(await Promise.allSettled(promises)).map((result) =>
		result.status === 'fulfilled' ? result.value : (result.reason as unknown),
	);

describe('requests are sent', () => {
	it('in the order in which they were queued, across all runs', async () => {
		const { clock, open, ask, names } = setUp();
		const runs = [open({ concurrency: 5 }), open({ concurrency: 5 }), open({ concurrency: 5 })];
		await clock.run(async () => {
			const asked: Promise<unknown>[] = [];
			for (const number of [1, 2, 3]) {
				for (const [index, run] of runs.entries()) {
					asked.push(ask(run, `${'abc'[index]}${number}`));
				}
			}
			await Promise.all(asked);
		});
		expect(names()).toBe('a1 b1 c1 a2 b2 c2 a3 b3 c3');
	});

	it('in the place of the first attempt if they are retried', async () => {
		const { clock, open, insist, ask, names } = setUp();
		await clock.run(async () => {
			const answers = [refusal({ 'retry-after': '1' }), answer()];
			const asked = [insist(open(), 'first', { answers })];
			await clock.sleep(50);
			asked.push(ask(open(), 'second'), ask(open(), 'third'));
			await Promise.all(asked);
		});
		expect(names()).toBe('first first second third');
	});

	it('after their delay, and other requests of the run before', async () => {
		const { clock, open, ask, sentRequests } = setUp();
		const run = open({ concurrency: 1 });
		await clock.run(async () => {
			await Promise.all([ask(run, 'late', { delay: 2500 }), ask(run, 'now')]);
		});
		expect(sentRequests).toEqual([
			{ name: 'now', at: 0 },
			{ name: 'late', at: 2500 },
		]);
	});

	it('first if a user waits for the answer', async () => {
		const { clock, open, ask, insist, names } = setUp();
		const run = open({ concurrency: 9 });
		await clock.run(async () => {
			const limited = insist(run, 'a', { answers: [refusal({ 'retry-after': '2' }), answer()] });
			await clock.sleep(500);
			const asked = [ask(run, 'b'), ask(run, 'c')];
			await clock.sleep(500);
			const editor = open({ isInteractive: true });
			asked.push(ask(editor, 'list'));
			const other = open({ isInteractive: true });
			asked.push(ask(other, 'other-list'));
			await Promise.all([limited, ...asked]);
		});
		expect(names()).toBe('a list other-list a b c');
	});

	it('in the order of the rows if a run has too few slots', async () => {
		const { clock, open, ask, names } = setUp();
		const run = open({ concurrency: 1 });
		await clock.run(async () => {
			await Promise.all([3, 2, 1, 2].map(async (row) => await ask(run, `row-${row}`, { row })));
		});
		expect(names()).toBe('row-3 row-1 row-2 row-2');
	});
});

describe('Concurrency', () => {
	it('limits the requests of a run in flight', async () => {
		const { clock, open, ask, most, sentRequests } = setUp();
		const run = open({ concurrency: 3 });
		await clock.run(async () => {
			await Promise.all(Array.from({ length: 10 }, async () => await ask(run, 'a')));
		});
		expect(most.inFlight).toBe(3);
		expect(sentRequests.map(({ at }) => at)).toEqual([0, 0, 0, 100, 100, 100, 200, 200, 200, 300]);
	});

	it('limits the requests of a run in the shared queue, so that they do not delay other runs', async () => {
		const { clock, open, ask, names } = setUp();
		open({ concurrency: 5 });
		const [wide, other] = [open({ concurrency: 2 }), open({ concurrency: 1 })];
		await clock.run(async () => {
			const asked = ['a1', 'a2', 'a3', 'a4'].map(async (name) => await ask(wide, name));
			await Promise.all([...asked, ask(other, 'b')]);
		});
		expect(names()).toBe('a1 a2 b a3 a4');
	});

	it('of the largest run limits all runs until a limit is known', async () => {
		const { clock, open, ask, most } = setUp();
		const runs = [open({ concurrency: 2 }), open({ concurrency: 4 }), open({ concurrency: 3 })];
		const ten = runs.flatMap((run) => Array.from({ length: 10 }, () => run));
		await clock.run(async () => {
			await Promise.all(ten.map(async (run) => await ask(run, 'a')));
		});
		expect(most.inFlight).toBe(4);
	});

	it('of all runs together is used if the known limit allows it', async () => {
		const { clock, open, ask, most } = setUp();
		const runs = [open({ concurrency: 2 }), open({ concurrency: 4 }), open({ concurrency: 3 })];
		const ten = runs.flatMap((run) => Array.from({ length: 10 }, () => run));
		await clock.run(async () => {
			await ask(open(), 'first', { answers: [remaining(1000)] });
			await Promise.all(ten.map(async (run) => await ask(run, 'a', { answers: [remaining(999)] })));
		});
		expect(most.inFlight).toBe(9);
	});

	it('of a run that is over does not count', async () => {
		const { clock, open, ask, most } = setUp();
		open({ concurrency: 9 }).close();
		const runs = [open({ concurrency: 2 }), open({ concurrency: 2 })];
		await clock.run(async () => {
			const asked = runs.flatMap((run) => [ask(run, 'a'), ask(run, 'b'), ask(run, 'c')]);
			await Promise.all(asked);
		});
		expect(most.inFlight).toBe(2);
	});
});

describe('Requests Per Minute', () => {
	it('spaces the requests of a run', async () => {
		const { clock, open, ask, times } = setUp();
		const run = open({ requestsPerMinute: 120, concurrency: 9 });
		await clock.run(async () => {
			await Promise.all([ask(run, 'a'), ask(run, 'b'), ask(run, 'c')]);
		});
		expect(times()).toEqual([0, 500, 1000]);
	});

	it('limits the runs that set it together, by the lowest value, and no other run or poll', async () => {
		const { clock, open, ask, sentRequests } = setUp();
		const [fast, slow, free, poll] = [
			open({ requestsPerMinute: 600, concurrency: 9 }),
			open({ requestsPerMinute: 120, concurrency: 9 }),
			open({ concurrency: 9 }),
			open({ isPoll: true }),
		];
		await clock.run(async () => {
			const runs = { fast, slow, free, poll };
			const asked = Object.entries(runs).flatMap(([name, run]) => [ask(run, name), ask(run, name)]);
			await Promise.all(asked);
		});
		const timesOf = (...names: string[]) =>
			sentRequests.filter(({ name }) => names.includes(name)).map(({ at }) => at);
		expect(timesOf('fast', 'slow')).toEqual([0, 500, 1000, 1500]);
		expect(timesOf('free')).toEqual([0, 0]);
		expect(timesOf('poll')).toEqual([0, 100]);
	});

	it('of one per minute does not delay other runs, even if many of its requests wait', async () => {
		const { clock, open, ask, sentRequests } = setUp();
		const paced = open({ requestsPerMinute: 1, concurrency: 50 });
		await clock.run(async () => {
			const asked = Array.from({ length: 20 }, async () => await ask(paced, 'paced'));
			const other = open({ concurrency: 2 });
			for (let sent = 0; sent < 100; sent += 1) await ask(other, 'other');
			expect(sentRequests.filter(({ name }) => name === 'paced')).toHaveLength(1);
			expect(clock.now()).toBeLessThan(60_000);
			await Promise.all(asked);
		});
	});

	it('sends paced requests at their time while others wait for a slot', async () => {
		const { clock, open, ask, sentRequests } = setUp();
		const paced = open({ requestsPerMinute: 60, concurrency: 9 });
		const other = open({ concurrency: 1 });
		await clock.run(async () => {
			const asked = [ask(paced, 'paced'), ask(paced, 'paced'), ask(paced, 'paced')];
			for (let sent = 0; sent < 30; sent += 1) asked.push(ask(other, 'other'));
			await Promise.all(asked);
		});
		const times = sentRequests.filter(({ name }) => name === 'paced').map(({ at }) => at);
		expect(times).toEqual([0, 1000, 2000]);
	});

	it('applies between runs', async () => {
		const { clock, open, ask, times } = setUp();
		await clock.run(async () => {
			for (let run = 0; run < 4; run += 1) {
				const run = open({ requestsPerMinute: 60 });
				await ask(run, 'a');
				run.close();
			}
		});
		expect(times()).toEqual([0, 1000, 2000, 3000]);
	});

	it('does not delay a user who opens a list', async () => {
		const { clock, open, ask, times, names } = setUp();
		const [run, list] = [
			open({ requestsPerMinute: 1, concurrency: 9 }),
			open({ isInteractive: true }),
		];
		await clock.run(async () => {
			const asked = [ask(run, 'row'), ask(run, 'row')];
			await clock.sleep(5_000);
			await Promise.all([...asked, ask(list, 'list')]);
		});
		expect(names()).toBe('row list row');
		expect(times()).toEqual([0, 5_000, 60_000]);
	});

	it('applies to retries', async () => {
		const { clock, open, request, times } = setUp();
		const run = open({ requestsPerMinute: 60 });
		await clock.run(async () => {
			const send = request(run, 'a', { answers: [answer(500)] });
			for (let tries = 0; tries < 3; tries += 1) await send();
		});
		expect(times()).toEqual([0, 1000, 2000]);
	});
});

describe('a limit of the service', () => {
	it.each([
		['seconds', { 'retry-after': '7' }],
		[
			'a date',
			{
				'retry-after': 'Wed, 21 Oct 2026 07:28:07 GMT',
				date: 'Wed, 21 Oct 2026 07:28:00 GMT',
			},
		],
		['the seconds until the window ends', { 'x-ratelimit-reset': '7' }],
		[
			'the moment at which the window ends',
			{
				'x-ratelimit-reset': String(Date.parse('2026-10-21T07:28:07Z') / 1000),
				date: 'Wed, 21 Oct 2026 07:28:00 GMT',
			},
		],
		['the header of the draft', { 'ratelimit-reset': '7' }],
		['the header of the later draft', { ratelimit: '"default";r=0;t=7' }],
	])(
		'with its end as %s is waited for to the millisecond, once for all requests',
		async (_form, headers) => {
			const { clock, open, insist, times } = setUp();
			const run = open({ concurrency: 3 });
			const answers = [refusal(headers), answer()];
			await clock.run(async () => {
				await Promise.all(
					['a', 'b', 'c'].map(async (name) => await insist(run, name, { answers })),
				);
				await insist(run, 'd');
			});
			// The first one alone, and the others when its answer is there.
			expect(times()).toEqual([0, 0, 0, 7100, 7200, 7200, 7300]);
			expect(run.waits).toEqual({ count: 1, milliseconds: 7000 });
		},
	);

	it('is probed by one request alone', async () => {
		const { clock, open, insist, times, names } = setUp();
		const runs = [open({ concurrency: 2 }), open({ concurrency: 2 })];
		const after = { 'retry-after': '1' };
		await clock.run(async () => {
			const first = insist(open(), 'a', {
				answers: [refusal(after), refusal(after), refusal(after), answer()],
			});
			await clock.sleep(100);
			const others = runs.flatMap((run) => [insist(run, 'b'), insist(run, 'b')]);
			await Promise.all([first, ...others]);
		});
		expect(names()).toBe('a a a a b b b b');
		expect(times().slice(0, 5)).toEqual([0, 1100, 2200, 3300, 3400]);
	});

	it('is not extended by refusals of requests that were sent before it was known', async () => {
		const { clock, open, insist, times } = setUp();
		const run = open({ concurrency: 2 });
		await clock.run(async () => {
			const quick = { answers: [refusal({ 'retry-after': '2' }), answer()] };
			const slow = { answers: [refusal({ 'retry-after': '9' }), answer()], takes: 1500 };
			await Promise.all([insist(run, 'a', quick), insist(run, 'b', slow)]);
		});
		expect(times()).toEqual([0, 0, 2100, 2200]);
	});

	it('does not end by the success of a request that was sent before it was known', async () => {
		const { clock, open, ask, insist, names, times } = setUp();
		const run = open({ concurrency: 3 });
		await clock.run(async () => {
			const refused = insist(run, 'a', { answers: [refusal({ 'retry-after': '5' }), answer()] });
			const slow = ask(run, 'slow', { takes: 1000 });
			await clock.sleep(1500);
			await Promise.all([refused, slow, ask(run, 'b'), ask(run, 'c')]);
		});
		expect(names()).toBe('a slow a b c');
		expect(times()).toEqual([0, 0, 5100, 5200, 5200]);
	});

	it('limits the requests in flight to the remaining number', async () => {
		const { clock, open, ask, most, times } = setUp();
		const run = open({ concurrency: 9 });
		await clock.run(async () => {
			await ask(run, 'first', { answers: [remaining(3)] });
			most.inFlight = 0;
			const answers = [remaining(0)];
			await Promise.all(
				['a', 'b', 'c', 'd', 'e'].map(async (name) => await ask(run, name, { answers })),
			);
		});
		expect(most.inFlight).toBe(3);
		expect(times()).toEqual([0, 100, 100, 100, 200, 300]);
	});

	it('that is used up is waited for until the reported end of its window', async () => {
		const { clock, open, ask, times } = setUp();
		const run = open({ concurrency: 9 });
		const headers = {
			'ratelimit-limit': '60',
			'ratelimit-remaining': '0',
			'ratelimit-reset': '20',
		};
		await clock.run(async () => {
			await ask(run, 'first', { answers: [answer(200, headers)] });
			await Promise.all(
				[1, 2, 3].map(async () => await ask(run, 'a', { answers: [remaining(50)] })),
			);
		});
		expect(times()).toEqual([0, 20_100, 20_200, 20_200]);
	});

	it('that is used up is waited for as long as the last window, if no end is reported', async () => {
		const { clock, open, insist, times } = setUp();
		const run = open();
		const answers = (...left: number[]) => left.map((each) => remaining(each, 2));
		await clock.run(async () => {
			await insist(run, 'a', { answers: answers(1) });
			await insist(run, 'b', { answers: answers(0) });
			// What is not known has to be asked for, once.
			await insist(run, 'c', { answers: [refusal({ 'retry-after': '10' }), ...answers(1)] });
			await insist(run, 'd', { answers: answers(0) });
			await insist(run, 'e', { answers: answers(1) });
		});
		// A window lasts 10 seconds from the answer to its first request. Half of it is left to others for a second.
		expect(times()).toEqual([0, 100, 200, 10_300, 11_400, 20_400]);
	});

	it('leaves half of a window to other clients for a second, because their Retry-After is rounded up', async () => {
		const { clock, open, insist, ask, sentRequests } = setUp();
		const run = open({ concurrency: 9 });
		let left = 10;
		const answers = () => remaining((left -= 1), 10);
		await clock.run(async () => {
			await insist(run, 'a', { answers: [remaining(9, 10)] });
			await insist(run, 'b', { answers: [refusal({ 'retry-after': '60' }), answers()] });
			// Others use two of their half meanwhile.
			void clock.sleep(500).then(() => (left -= 2));
			await Promise.all(Array.from({ length: 7 }, async () => await ask(run, 'c', { answers })));
		});
		const opened = sentRequests.filter(({ name }) => name === 'b')[1]?.at ?? 0;
		const after = sentRequests.filter(({ name }) => name === 'c').map(({ at }) => at - opened);
		// Four more than the one that opened it; then one alone that sees what the others left, and the rest.
		expect(after).toEqual([100, 100, 100, 100, 1100, 1200, 1200]);
	});

	it('that is used up without a known end is probed by one request after the other', async () => {
		const { clock, open, ask, most } = setUp();
		const run = open({ concurrency: 9 });
		await clock.run(async () => {
			await ask(run, 'first', { answers: [remaining(0)] });
			most.inFlight = 0;
			await Promise.all(
				Array.from({ length: 5 }, async () => await ask(run, 'a', { answers: [remaining(0)] })),
			);
		});
		expect(most.inFlight).toBe(1);
	});

	it('is not waited for longer if other clients use it, too', async () => {
		const { clock, open, ask, insist, times } = setUp();
		const run = open();
		await clock.run(async () => {
			// Two of three requests are not ours.
			for (let left = 57; left > 0; left -= 3) await ask(run, 'a', { answers: [remaining(left)] });
			await insist(run, 'b', { answers: [refusal({ 'retry-after': '10' }), answer()] });
		});
		expect((times().at(-1) ?? 0) - (times().at(-2) ?? 0)).toBe(10_100);
	});

	it('leaves other clients the share that they use', async () => {
		const { clock, open, ask, most } = setUp();
		const run = open({ concurrency: 100 });
		await clock.run(async () => {
			for (let left = 90; left >= 60; left -= 3)
				await ask(run, 'a', { answers: [remaining(left, 99)] });
			most.inFlight = 0;
			await Promise.all(
				Array.from(
					{ length: 40 },
					async () => await ask(run, 'b', { answers: [remaining(1, 99)] }),
				),
			);
		});
		// Of the 60 that are left, one third is ours, and half of that may be under way; the first sixty show little of the others.
		expect(most.inFlight).toBeGreaterThanOrEqual(10);
		expect(most.inFlight).toBeLessThanOrEqual(15);
	});

	it('and maintenance pauses all requests for the reported time', async () => {
		const { clock, open, request, ask, times } = setUp();
		const run = open({ concurrency: 2 });
		await clock.run(async () => {
			const first = request(run, 'a', {
				answers: [answer(503, { 'retry-after': '4' }), answer()],
			});
			await first();
			await Promise.all([first(), ask(run, 'b'), ask(run, 'c')]);
		});
		expect(times()).toEqual([0, 4100, 4200, 4200]);
	});
});

describe('a refusal without a time for the retry', () => {
	const date = 'Wed, 21 Oct 2026 07:28:00 GMT';
	const unreadable: [string, Record<string, string>][] = [
		['nothing', {}],
		['an empty one', { 'retry-after': '' }],
		['zero', { 'retry-after': '0' }],
		['a negative one', { 'retry-after': '-5' }],
		['a broken one', { 'retry-after': '1.5' }],
		['a word', { 'retry-after': 'soon' }],
		['two numbers', { 'retry-after': '5, 5' }],
		['more than a day', { 'retry-after': '86401' }],
		['more than any number', { 'retry-after': '9'.repeat(400) }],
		['a date that is over', { 'retry-after': 'Wed, 21 Oct 2026 07:27:30 GMT', date }],
		['a date that is no HTTP date', { 'retry-after': '2026-10-21T07:29:00Z', date }],
		['a reset that is over', { 'x-ratelimit-reset': '1700000000', date }],
	];

	it.each(unreadable)(
		'(%s) is followed by growing pauses, half of them chance',
		async (_name, headers) => {
			const { clock, open, insist, times } = setUp();
			const run = open({ maxWait: 3_600_000 });
			const answers = [...Array.from({ length: 8 }, () => refusal(headers)), answer()];
			await clock.run(async () => await insist(run, 'a', { answers, takes: 0 }));
			const pauses = times()
				.slice(1)
				.map((at, index) => at - (times()[index] ?? 0));
			const full = [500, 1000, 2000, 4000, 8000, 10_000, 10_000, 10_000];
			expect(pauses).toHaveLength(full.length);
			for (const [index, pause] of pauses.entries()) {
				expect(pause).toBeGreaterThanOrEqual((full[index] ?? 0) / 2);
				expect(pause).toBeLessThanOrEqual(full[index] ?? 0);
			}
		},
	);

	it.each(unreadable)('(%s) never lets many runs send without a pause', async (_name, headers) => {
		const { clock, open, insist, times } = setUp();
		const runs = Array.from({ length: 20 }, () => open({ concurrency: 5, maxWait: 3_600_000 }));
		await clock.run(async () => {
			const asked = runs.flatMap((run) =>
				Array.from(
					{ length: 5 },
					async () => await insist(run, 'a', { answers: [refusal(headers)], takes: 0 }),
				),
			);
			await clock.sleep(120_000);
			for (const run of runs) run.close();
			await Promise.allSettled(asked);
		});
		const left = times();
		const within = (length: number, from: number) =>
			left.filter((at) => at >= from && at < from + length).length;
		// Five leave together before the first answer; then one at a time, and soon one in five to ten seconds.
		expect(within(200, 0)).toBe(5);
		const probes = left.filter((at) => at > 0);
		expect(Math.max(...probes.map((at) => within(1000, at)))).toBeLessThanOrEqual(3);
		expect(within(100_000, 20_000)).toBeLessThanOrEqual(20);
		expect(within(100_000, 20_000)).toBeGreaterThanOrEqual(10);
	});

	it('differs from process to process', () => {
		const pauses = [1, 2, 3, 4, 5].map((seed) => growingPause(0, new VirtualClock(seed)));
		expect(new Set(pauses).size).toBe(5);
	});

	it('is forgotten when a request is let through', async () => {
		const { clock, open, insist, times } = setUp();
		const run = open({ maxWait: 3_600_000 });
		await clock.run(async () => {
			await insist(run, 'a', { answers: [refusal(), refusal(), refusal(), answer()], takes: 0 });
			await insist(run, 'b', { answers: [refusal(), answer()], takes: 0 });
		});
		const [before = 0, after = 0] = times().slice(-2);
		expect(after - before).toBeGreaterThanOrEqual(250);
		expect(after - before).toBeLessThanOrEqual(500);
	});
});

describe('Max Wait', () => {
	const hour = { 'retry-after': '3600' };

	it('rejects a request at once that would wait longer, and reports how long the pause lasts', async () => {
		const { clock, open, ask, names } = setUp();
		const run = open({ maxWait: 6999, concurrency: 2 });
		await clock.run(async () => {
			await ask(run, 'a', { answers: [refusal({ 'retry-after': '7' })] });
			const at = clock.now();
			const [refused] = await settled([ask(run, 'b')]);
			expect(refused).toBeInstanceOf(NotSentError);
			expect(refused).toMatchObject({
				pause: { reason: 'rate limit', waited: 0, remaining: 7000 },
			});
			expect(clock.now()).toBe(at);
		});
		expect(names()).toBe('a');
	});

	it('lets a request wait for exactly that time', async () => {
		const { clock, open, ask, times } = setUp();
		const run = open({ maxWait: 7000 });
		await clock.run(async () => {
			await ask(run, 'a', { answers: [refusal({ 'retry-after': '7' })] });
			await ask(run, 'b');
		});
		expect(times()).toEqual([0, 7100]);
	});

	it('applies to each run separately', async () => {
		const { clock, open, ask, names } = setUp();
		const [patient, impatient] = [open({ maxWait: 10_000 }), open({ maxWait: 1_000 })];
		await clock.run(async () => {
			await ask(patient, 'a', { answers: [refusal({ 'retry-after': '7' })] });
			const [late, refused] = await settled([ask(patient, 'b'), ask(impatient, 'c')]);
			expect(late).toBe(200);
			expect(refused).toBeInstanceOf(NotSentError);
		});
		expect(names()).toBe('a b');
	});

	it('does not count the time in the queue while others get through', async () => {
		const { clock, open, ask, sentRequests } = setUp();
		const run = open({ maxWait: 100 });
		await clock.run(async () => {
			const asked = Array.from({ length: 60 }, async () => await ask(run, 'a', { takes: 1000 }));
			expect(new Set(await settled(asked))).toEqual(new Set([200]));
		});
		expect(sentRequests).toHaveLength(60);
	});

	it('does not count the time in the queue before a limit was met', async () => {
		const { clock, open, ask, insist, names } = setUp();
		const runs = [open({ maxWait: 5000 }), open({ maxWait: 5000 }), open({ maxWait: 5000 })];
		const [first = open(), second = open(), third = open()] = runs;
		await clock.run(async () => {
			const answers = [refusal({ 'retry-after': '4' }), answer()];
			const asked = [
				ask(first, 'a', { takes: 20_000 }),
				insist(second, 'b', { answers }),
				ask(third, 'c'),
			];
			expect(await settled(asked)).toEqual([200, 200, 200]);
		});
		expect(names()).toBe('a b b c');
	});

	it('does not count the pace', async () => {
		const { clock, open, ask, times } = setUp();
		const run = open({ maxWait: 0, requestsPerMinute: 6, concurrency: 9 });
		await clock.run(async () => {
			expect(await settled([1, 2, 3].map(async () => await ask(run, 'a')))).toEqual([
				200, 200, 200,
			]);
		});
		expect(times()).toEqual([0, 10_000, 20_000]);
	});

	it('does not count the time before the row sent its request', async () => {
		const { clock, open, insist, ask, times } = setUp();
		const answers = [refusal({ 'retry-after': '20' }), answer()];
		await clock.run(async () => {
			const first = insist(open(), 'a', { answers });
			await clock.sleep(17_000);
			expect(await ask(open({ maxWait: 5_000 }), 'b')).toBe(200);
			await first;
		});
		expect(times()).toEqual([0, 20_100, 20_200]);
	});

	it('counts all pauses while the service lets nothing through', async () => {
		const { clock, open, insist, times } = setUp();
		const run = open({ maxWait: 10_000, concurrency: 2 });
		await clock.run(async () => {
			const answers = [refusal({ 'retry-after': '3' })];
			const asked = [insist(run, 'a', { answers }), insist(run, 'b')];
			const refused = await settled(asked.slice(0, 1));
			expect(refused).toMatchObject([{ pause: { waited: 9300, remaining: 3000 } }]);
			run.close();
			await settled(asked);
		});
		expect(times()).toEqual([0, 0, 3100, 6200, 9300]);
	});

	it('starts again when a request was let through', async () => {
		const { clock, open, insist, sentRequests } = setUp();
		const run = open({ maxWait: 5000 });
		await clock.run(async () => {
			// The limit takes one request every 4 seconds, so that the last one waits for 40 in all.
			let count = 0;
			const answers = () => ((count += 1) % 2 ? refusal({ 'retry-after': '4' }) : answer());
			const asked = Array.from({ length: 10 }, async () => await insist(run, 'a', { answers }));
			expect(await settled(asked)).toEqual(new Array(10).fill(200));
			expect(clock.now()).toBeGreaterThan(40_000);
		});
		expect(sentRequests).toHaveLength(20);
	});

	it('also limits a request that waits for its delay', async () => {
		const { clock, open, ask } = setUp();
		const run = open({ maxWait: 5000, concurrency: 2 });
		await clock.run(async () => {
			const delayed = settled([ask(run, 'b', { delay: 1000 })]);
			await ask(run, 'a', { answers: [refusal(hour)] });
			const [other] = await settled([ask(run, 'c')]);
			expect(other).toBeInstanceOf(NotSentError);
			expect(await delayed).toMatchObject([{ pause: { remaining: expect.any(Number) } }]);
			expect(clock.now()).toBeLessThanOrEqual(1000);
		});
	});
});

describe('a run that is over', () => {
	it('leaves the queue at once if it is canceled', async () => {
		const { clock, open, ask, insist, names } = setUp();
		const cancel = new AbortController();
		const run = open({ concurrency: 3, signal: cancel.signal });
		await clock.run(async () => {
			const asked = [
				insist(run, 'a', { answers: [refusal({ 'retry-after': '30' })] }),
				ask(run, 'b', { delay: 5000 }),
			];
			await clock.sleep(1000);
			asked.push(ask(run, 'c'), ask(run, 'd'), ask(run, 'e'));
			await clock.sleep(500);
			cancel.abort();
			expect(await settled(asked)).toEqual(asked.map(() => expect.any(NotSentError)));
			expect(clock.now()).toBe(1500);
		});
		await clock.pass(600_000);
		expect(names()).toBe('a');
	});

	it('sends nothing if it was canceled before it began', async () => {
		const { clock, open, ask, names } = setUp();
		const run = open({ signal: AbortSignal.abort() });
		await clock.run(async () => {
			const refused = await settled([ask(run, 'a'), ask(run, 'b', { delay: 100 })]);
			expect(refused).toEqual([expect.any(NotSentError), expect.any(NotSentError)]);
			expect(await run.beginRow()).toBe(false);
		});
		expect(names()).toBe('');
	});

	it('sends nothing after it was closed, and other runs continue', async () => {
		const { clock, open, ask, names } = setUp();
		const [run, other] = [open({ concurrency: 1 }), open({ concurrency: 1 })];
		await clock.run(async () => {
			const asked = [ask(run, 'a'), ask(run, 'b'), ask(run, 'c', { delay: 50 })];
			const others = ask(other, 'd');
			run.close();
			expect(await settled(asked)).toEqual([
				'canceled',
				expect.any(NotSentError),
				expect.any(NotSentError),
			]);
			expect(await settled([ask(run, 'e')])).toEqual([expect.any(NotSentError)]);
			expect(await others).toBe(200);
		});
		await clock.pass(600_000);
		expect(names()).toBe('a d');
	});

	it('does not delay other runs by its pace', async () => {
		const { clock, open, ask, times } = setUp();
		const [slow, other] = [open({ requestsPerMinute: 1 }), open({ concurrency: 2 })];
		await clock.run(async () => {
			await ask(slow, 'a');
			const asked = [ask(other, 'b'), ask(other, 'c')];
			await clock.sleep(5000);
			slow.close();
			await Promise.all(asked);
		});
		// Within a second, in which a sleep of another reason ends.
		for (const at of times().slice(1)) expect(at).toBeLessThanOrEqual(6100);
	});
});

describe('a row that has ended', () => {
	it('sends no request that is queued or waits for a slot or a delay; other rows continue', async () => {
		const { clock, open, ask, names, rowOf } = setUp();
		const run = open({ concurrency: 2 });
		await clock.run(async () => {
			await ask(run, 'limit', { answers: [refusal({ 'retry-after': '1' })] });
			const own = [
				ask(run, 'a', { row: 1 }),
				ask(run, 'b', { row: 1 }),
				ask(run, 'c', { row: 1 }),
				ask(run, 'd', { row: 1, delay: 100 }),
			];
			const others = ask(run, 'other', { row: 2 });
			run.endRow(rowOf(1));
			expect(await settled(own)).toEqual(own.map(() => expect.any(NotSentError)));
			expect(clock.now()).toBe(100);
			expect(await others).toBe(200);
		});
		await clock.pass(600_000);
		expect(names()).toBe('limit other');
	});
});

describe('Timeout', () => {
	it('limits the whole answer, also if it arrives in parts', async () => {
		const { clock, open, ask } = setUp();
		const run = open();
		await clock.run(async () => {
			expect(await ask(run, 'a', { takes: 10_000, timeout: 3_000 })).toBe('timedOut');
			expect(clock.now()).toBe(3_000);
		});
	});

	it('frees the slot for the next request', async () => {
		const { clock, open, ask, times } = setUp();
		const run = open();
		await clock.run(async () => {
			const asked = [ask(run, 'a', { takes: Infinity, timeout: 1234 }), ask(run, 'b')];
			expect(await settled(asked)).toEqual(['timedOut', 200]);
		});
		expect(times()).toEqual([0, 1234]);
	});

	it('does not affect an answer in time', async () => {
		const { clock, open, ask } = setUp();
		const run = open();
		await clock.run(async () => {
			expect(await ask(run, 'a', { takes: 2_999, timeout: 3_000 })).toBe(200);
			expect(clock.now()).toBe(2_999);
		});
	});

	it('of one request does not make rows of other runs wait too long', async () => {
		const { clock, open, ask, insist } = setUp();
		const patient = open({ concurrency: 2, maxWait: 300_000 });
		const other = open({ maxWait: 5_000 });
		await clock.run(async () => {
			// A limit of a second is met while another request hangs.
			const hanging = ask(patient, 'hanging', { takes: Infinity, timeout: 30_000 });
			const refused = insist(patient, 'refused', {
				answers: [refusal({ 'retry-after': '1' }), answer()],
			});
			await clock.sleep(200);
			expect(await settled([ask(other, 'other')])).toEqual([200]);
			expect(clock.now()).toBeLessThanOrEqual(2_000);
			patient.close();
			await settled([refused, hanging]);
		});
	});

	it('of one request does not delay the next window', async () => {
		const { clock, open, ask } = setUp();
		const patient = open({ concurrency: 2, maxWait: 300_000 });
		const other = open({ maxWait: 5_000 });
		const headers = { 'ratelimit-remaining': '0', 'ratelimit-reset': '2' };
		await clock.run(async () => {
			const hanging = ask(patient, 'hanging', { takes: Infinity, timeout: 30_000 });
			await ask(patient, 'last', { answers: [answer(200, headers)] });
			expect(await ask(other, 'other')).toBe(200);
			expect(clock.now()).toBeLessThanOrEqual(5_000);
			await hanging;
		});
	});

	it('of one request does not delay the others if the first request of a window is lost', async () => {
		const { clock, open, ask } = setUp();
		const patient = open({ concurrency: 2, maxWait: 300_000 });
		const headers = { 'ratelimit-remaining': '0', 'ratelimit-reset': '2' };
		await clock.run(async () => {
			const hanging = ask(patient, 'hanging', { takes: Infinity, timeout: 30_000 });
			await ask(patient, 'last', { answers: [answer(200, headers)] });
			const asked = [ask(open(), 'lost', { answers: [] }), ask(open(), 'next')];
			expect(await settled(asked)).toEqual([undefined, 200]);
			expect(clock.now()).toBeLessThanOrEqual(5_000);
			await hanging;
		});
	});
});

describe('a limiter without a run', () => {
	it('is idle a minute after the last request', async () => {
		const { clock, limiter, open, ask } = setUp();
		const run = open();
		await clock.run(async () => await ask(run, 'a'));
		await clock.pass(120_000);
		expect(limiter.isIdle()).toBe(false);
		run.close();
		expect(limiter.isIdle()).toBe(true);
		const next = open();
		await clock.run(async () => await ask(next, 'b'));
		next.close();
		expect(limiter.isIdle()).toBe(false);
		await clock.pass(59_000);
		expect(limiter.isIdle()).toBe(false);
		await clock.pass(2_000);
		expect(limiter.isIdle()).toBe(true);
	});

	it('lets the next run ask again, while a pause applies to all open runs', async () => {
		const { clock, open, ask } = setUp();
		const run = open();
		const other = open({ maxWait: 1_000 });
		const limited = { answers: [refusal({ 'retry-after': '600' })] };
		await clock.run(async () => {
			await ask(run, 'a', limited);
			run.close();
			expect(await settled([ask(other, 'b')])).toEqual([expect.any(NotSentError)]);
			other.close();
			expect(await ask(open({ maxWait: 1_000 }), 'c')).toBe(200);
		});
	});

	it.each([
		['remembered if a run begins within 10 seconds', 9_900, 60_000],
		['dropped if a run begins later', 10_100, 11_200],
	])('has a limit that is %s', async (_name, gap, leavesAfter) => {
		const { clock, open, ask, insist, times } = setUp();
		const run = open();
		await clock.run(async () => {
			await ask(run, 'a', { answers: [remaining(1, 2)] });
			await insist(run, 'b', { answers: [refusal({ 'retry-after': '60' }), remaining(1, 2)] });
			const openedAt = clock.now();
			await ask(run, 'c', { delay: 1_000, answers: [remaining(0, 2)] });
			run.close();
			await clock.sleep(gap);
			await ask(open(), 'd');
			expect((times().at(-1) ?? 0) - openedAt).toBe(leavesAfter);
		});
	});

	it('ignores an answer that arrives after the end of its run', async () => {
		const { clock, open, ask } = setUp();
		const run = open();
		await clock.run(async () => {
			const late = ask(run, 'late', { takes: 500, answers: [refusal({ 'retry-after': '600' })] });
			run.close();
			const next = open({ maxWait: 1_000 });
			await late;
			expect(await ask(next, 'b')).toBe(200);
		});
	});
});

describe('an exception in a function that a run passes in', () => {
	/** A function that throws instead of returning a promise. */
	const throwing = (): never => {
		throw new Error('broken');
	};

	it('fails its own request, and all others continue', async () => {
		const { clock, limiter, open, ask, rowOf } = setUp();
		const [run, other] = [open(), open()];
		await clock.run(async () => {
			const failing = limiter.request(run, rowOf(0))(throwing, { timeout: 1000, isRead: false });
			await expect(failing).rejects.toThrow('broken');
			expect(await settled([ask(run, 'a'), ask(other, 'b')])).toEqual([200, 200]);
		});
	});

	it('fails its own request also if it was queued after others', async () => {
		const { clock, limiter, open, ask, rowOf } = setUp();
		const [run, other] = [open(), open()];
		await clock.run(async () => {
			const first = ask(run, 'a');
			const failing = limiter.request(run, rowOf(0))(throwing, { timeout: 1000, isRead: false });
			const asked = [first, failing, ask(run, 'b'), ask(other, 'c')];
			expect(await settled(asked)).toEqual([200, new Error('broken'), 200, 200]);
		});
	});

	it('fails its own request if the answer cannot be read', async () => {
		const { clock, limiter, open, ask, rowOf } = setUp();
		const run = open();
		await clock.run(async () => {
			const headers = new Proxy({}, { get: throwing });
			const unreadable = { answer: { status: 200, headers, body: '' } };
			const failing = limiter.request(run, rowOf(0))(
				async () => await Promise.resolve(unreadable),
				{ timeout: 1000, isRead: false },
			);
			await expect(failing).rejects.toThrow('broken');
			expect(await ask(run, 'a')).toBe(200);
			expect(clock.now()).toBeLessThan(1000);
		});
	});

	it('fails the waiting requests of its run if it is `onPause`, and all others continue', async () => {
		const { clock, open, ask, insist } = setUp();
		const [run, other] = [open({ onPause: throwing }), open()];
		await clock.run(async () => {
			const answers = [refusal({ 'retry-after': '2' }), answer()];
			const limited = insist(other, 'limited', { answers });
			await clock.sleep(200);
			// The pause is shown when the first request meets it.
			await expect(ask(run, 'a')).rejects.toThrow('broken');
			expect(clock.now()).toBe(200);
			const asked = [limited, ask(run, 'b'), ask(other, 'c')];
			expect(await settled(asked)).toEqual([200, 200, 200]);
		});
	});
});

it('sleeps no longer than a second at a time, and not at all when nothing waits', async () => {
	const { clock, open, ask, insist } = setUp();
	const sleeps: number[] = [];
	const { sleep } = clock;
	Object.assign(clock, {
		sleep: async (milliseconds: number) => {
			sleeps.push(milliseconds);
			await sleep(milliseconds);
		},
	});
	const run = open();
	await clock.run(async () => {
		await insist(run, 'a', { answers: [refusal({ 'retry-after': '30' }), answer()] });
		await ask(run, 'b', { delay: 20_000 });
	});
	expect(Math.max(...sleeps)).toBeLessThanOrEqual(1000);
	// What is left is a sleep that was begun before; none follows it.
	await clock.pass(5_000);
	const count = sleeps.length;
	await clock.pass(60_000);
	expect(sleeps).toHaveLength(count + 1);
});

describe('a request that is given up', () => {
	/** Sends a request that takes a minute, and notes when it was aborted. */
	function sendSlowly(isRead: boolean) {
		const controller = new AbortController();
		const { clock, limiter, open, rowOf } = setUp();
		const run = open({ signal: controller.signal });
		const aborted: number[] = [];
		const row = { ...rowOf(1), isOver: false };
		const send = async () =>
			await limiter.request(run, row)(
				async (signal) => {
					signal.addEventListener('abort', () => aborted.push(clock.now()));
					await clock.sleep(60_000);
					return { answer: answer() };
				},
				{ timeout: 30_000, isRead },
			);
		return { clock, run, row, send, aborted, cancel: () => controller.abort() };
	}

	it.each([true, false])('is aborted at its deadline (read: %s)', async (isRead) => {
		const { clock, send, aborted } = sendSlowly(isRead);
		await clock.run(async () => {
			expect(await send()).toBe('timedOut');
			expect(aborted).toEqual([30_000]);
		});
	});

	it('is aborted on cancel if it is a read', async () => {
		const { clock, send, aborted, cancel } = sendSlowly(true);
		await clock.run(async () => {
			const sent = send();
			await clock.sleep(1000);
			cancel();
			expect(aborted).toEqual([1000]);
			expect(await sent).toBe('canceled');
		});
	});

	it('may finish until its deadline on cancel if it is a write, but its row does not wait for it', async () => {
		const { clock, send, aborted, cancel } = sendSlowly(false);
		await clock.run(async () => {
			const sent = send();
			await clock.sleep(1000);
			cancel();
			expect(await sent).toBe('canceled');
			expect(clock.now()).toBe(1000);
			expect(aborted).toEqual([]);
			await clock.sleep(60_000);
			expect(aborted).toEqual([30_000]);
		});
	});

	it('is aborted when its row ends if it is a read', async () => {
		const { clock, run, row, send, aborted } = sendSlowly(true);
		await clock.run(async () => {
			expect(await run.beginRow()).toBe(true);
			const sent = send();
			await clock.sleep(1000);
			row.isOver = true;
			run.endRow(row);
			expect(await sent).toBe('canceled');
			expect(aborted).toEqual([1000]);
		});
	});
});
