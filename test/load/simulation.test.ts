import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { linkContract } from '../../nodes/Link/link.contract';
import { list } from '../../nodes/shared/operations/list';
import { ApiClient } from '../../nodes/shared/transport/client';
import { RateLimiter } from '../../nodes/shared/transport/limiter';
import { fetchPage } from '../../nodes/shared/transport/pages';
import { RowRequests } from '../../nodes/shared/transport/rowRequests';
import {
	type Figures,
	figuresOf,
	latency,
	simulatedPage,
	simulatedTables,
} from '../../scripts/docs/simulation.ts';
import { filled } from '../../scripts/docs/tables.ts';
import { VirtualClock } from '../../testkit/clock/virtualClock.ts';
import type { ThrottleSettings } from '../../testkit/service/settings.ts';
import { simulate, type Load, type Shape } from '../support/simulatedLoad.ts';
import { defaultOptions, executeRun, readSheet } from '../support/simulatedRun.ts';
import { SimulatedService } from '../support/simulatedService.ts';
import { projectRoot } from '../support/process.ts';

jest.setTimeout(600_000);

const seeds = [1, 2, 3, 4, 5];

const sixSeconds: ThrottleSettings = { limit: 60, windowSeconds: 6 };
const minute: ThrottleSettings = { limit: 60, windowSeconds: 60 };
const noLoss = { lost: 0, doubled: 0 };

/** Returns the figures of a load behind a limit, of all seeds together. */
async function figures({
	throttle,
	...load
}: Omit<Load, 'seed' | 'service'> & { readonly throttle: ThrottleSettings }) {
	const outcomes = await Promise.all(
		seeds.map(async (seed) => await simulate({ ...load, seed, service: { latency, throttle } })),
	);
	// The last window opens when all others are over.
	const optimum = (Math.ceil(load.rows / throttle.limit) - 1) * throttle.windowSeconds * 1000;
	return figuresOf(outcomes, optimum);
}

describe('several processes', () => {
	let all: readonly Figures[] = [];

	beforeAll(async () => {
		const args = ['--import', 'tsx', 'scripts/docs/limits.ts'];
		const run = await promisify(execFile)(process.execPath, args, { cwd: projectRoot });
		all = JSON.parse(run.stdout) as Figures[];
	});

	it('have the figures of the documentation', () => {
		const page = readFileSync(join(projectRoot, simulatedPage), 'utf8');
		expect(page).toBe(filled(page, simulatedTables(all)));
	});

	it('lose nothing, are refused about once in each window, and use the limit alike', () => {
		const problems = all.filter((each) => {
			const { limit, processes, hasHeaders, mostRefused, longest, fairness } = each;
			// Of a window of 6 seconds, the second by which Retry-After is rounded is a large part.
			const most = (limit.window < 60_000 ? 1.35 : 1.06) + (hasHeaders ? 0 : 0.3);
			const refused = processes / (limit.requests + processes) + 0.04;
			const isUnfair = mostRefused > refused || fairness < 0.3;
			// Below 60 requests per window, one refusal of each process is a large part of all.
			const isUsual = hasHeaders && limit.requests >= 60;
			return each.lost + each.doubled > 0 || longest > most || (isUsual && isUnfair);
		});
		expect(problems).toEqual([]);
	});
});

/** One execution for each row, as in webhook calls and in queue mode. */
it.each<[shape: Shape, processes: number, refused: number]>([
	...(['burst', 10, 1] as const).flatMap((shape): [Shape, number, number][] => [
		[shape, 1, 0.02],
		[shape, 2, 0.06],
		[shape, 4, 0.12],
	]),
])('calls (%s) in %d processes lose nothing behind 60 requests per window', async (...load) => {
	const [shape, processes, refused] = load;
	const short = await figures({ shape, processes, rows: 300, throttle: sixSeconds });
	// With the default Max Wait of five minutes, although they take seven.
	const long = await figures({ shape, processes, rows: 420, throttle: minute });
	expect([short, long]).toMatchObject([noLoss, noLoss]);
	expect(Math.max(short.mostRefused, long.mostRefused)).toBeLessThanOrEqual(refused);
	expect(long.longest).toBeLessThanOrEqual(1.05);
	// The responses to one request after another take longer than the limit.
	expect(short.longest).toBeLessThanOrEqual(shape === 1 && processes === 1 ? 1.5 : 1.35);
});

it.each([2, 4, 8])('%d processes lose nothing that takes 15 minutes', async (processes) => {
	const result = await figures({ shape: 'burst', processes, rows: 900, throttle: minute });
	expect(result).toMatchObject(noLoss);
	expect(result.longest).toBeLessThanOrEqual(1.05);
});

it.each<[name: string, rows: number, throttle: ThrottleSettings, refused: number, longest: number]>(
	[
		// Concurrency lets five leave before the first response.
		['of one request', 20, { limit: 1, windowSeconds: 60 }, 4 / 24, 1.05],
		['with Retry-After only', 300, { ...sixSeconds, headers: 'retryAfter' }, 0.1, 1.35],
		// Others use 30 requests of each window.
		['that others use, too', 300, { ...sixSeconds, foreignPerSecond: 5 }, 0.05, 2.2],
	],
)('a process loses nothing behind a limit %s', async (_name, rows, throttle, refused, longest) => {
	const result = await figures({ shape: 'burst', processes: 1, rows, throttle });
	expect(result).toMatchObject(noLoss);
	expect(result.mostRefused).toBeLessThanOrEqual(refused);
	expect(result.longest).toBeLessThanOrEqual(longest);
});

it.each<Partial<ThrottleSettings>>([{}, { headers: 'retryAfter' }, { slides: true }])(
	'rows with a short Max Wait are not lost behind 10 requests per second: %j',
	async (more) => {
		const options = { concurrency: 50, maxWait: 4_000 };
		const throttle = { limit: 10, windowSeconds: 1, ...more };
		const result = await figures({ shape: 'bulk', processes: 1, rows: 200, options, throttle });
		expect(result).toMatchObject(noLoss);
	},
);

it('rows with a short Max Wait are not lost by the pace of Requests Per Minute', async () => {
	const options = { concurrency: 50, maxWait: 2_000, pace: 100 };
	const load = { processes: 1, rows: 80, shape: 'bulk', options, seed: 1 } as const;
	const { lost, time } = await simulate({ ...load, service: { latency } });
	expect([lost, Math.round(time / 1000)]).toEqual([0, 8]);
});

/** A service behind a limit, and a process that uses it. */
function world(throttle: ThrottleSettings, seed = 1) {
	const clock = new VirtualClock(seed);
	return {
		...{ clock, limiter: new RateLimiter(clock) },
		service: new SimulatedService(clock, { seed, latency, throttle }),
	};
}

/** Rows that create a link each. */
const creates = (count: number, prefix: string) =>
	readSheet(
		Array.from({ length: count }, (_, row) => ({
			operation: 'create' as const,
			parameters: { url: 'https://example.com/', domainId: 1, alias: `${prefix}${row}` },
		})),
	);

it('a list of 50,000 links is read whole behind 60 requests per minute', async () => {
	const { clock, limiter, service } = world(minute);
	for (let link = 0; link < 50_000; link += 1) service.add({ alias: `a${link}`, url: '' });
	const client = new ApiClient(service.as('list'), limiter, defaultOptions);
	const requests = new RowRequests(client);
	const { path } = linkContract;
	const links = await clock.run(
		async () => await list(requests, { path, params: [], limit: Infinity }),
	);
	expect(new Set(links.map(({ id }) => id)).size).toBe(50_000);
	// Each page may wait for the full Max Wait, so the list may take longer.
	expect(clock.now()).toBeGreaterThan(defaultOptions.maxWait);
});

// The first poll comes when the run has used up the window.
it.each([5_000, 15_000, 30_000, 50_000])(
	'all polls but the first come through, begun %d milliseconds after a run',
	async (begins) => {
		const { clock, limiter, service } = world(minute);
		const options = { concurrency: 1, pace: 0, maxWait: 5_000, timeout: 8_000 };
		const polls: boolean[] = [];
		let isOver = false;
		const poll = async () => {
			const client = new ApiClient(service.as('poll'), limiter, { ...options, caller: 'poll' });
			const page = fetchPage(new RowRequests(client), { path: '/links', params: [] }, 25, 1);
			polls.push(
				await page.then(
					() => true,
					() => false,
				),
			);
			client.close();
		};
		const pollEachMinute = async () => {
			await clock.sleep(begins);
			while (!isOver) {
				const next = clock.sleep(60_000);
				await poll();
				await next;
			}
		};
		await clock.run(async () => {
			const rows = creates(600, 'r');
			const bulk = executeRun(service, limiter, { rows }).finally(() => (isOver = true));
			await Promise.all([bulk, pollEachMinute()]);
		});
		expect(service.links.size).toBe(600);
		expect(polls.length).toBeGreaterThan(9);
		expect(polls.slice(1)).not.toContain(false);
		expect(service.refusedShare).toBeLessThan(0.05);
	},
);

it.each([
	{ concurrencies: [5, 5, 5], least: 0.86, most: 1.16 },
	{ concurrencies: [2, 4, 8], least: 1.5, most: 2.7 },
])('executions that share a limit get shares like their Concurrency: %j', async (shared) => {
	for (const seed of seeds) {
		const { clock, limiter, service } = world(sixSeconds, seed);
		const execute = async (concurrency: number, index: number) => {
			const run = { rows: creates(150, `e${index}-`), options: { concurrency } };
			await executeRun(service, limiter, { ...run, name: String(index) });
		};
		await clock.run(async () => await Promise.all(shared.concurrencies.map(execute)));
		expect(service.links.size).toBe(450);
		const through = service.journal.filter(({ effect }) => effect).map(({ client }) => client);
		// While all of them have rows left.
		const together = through.slice(
			0,
			Math.min(...['0', '1', '2'].map((n) => through.lastIndexOf(n))),
		);
		const [a = 0, b = 0, c = 0] = ['0', '1', '2'].map(
			(name) => together.filter((client) => client === name).length,
		);
		for (const ratio of [b / a, c / b]) {
			expect(ratio).toBeGreaterThan(shared.least);
			expect(ratio).toBeLessThan(shared.most);
		}
	}
});
