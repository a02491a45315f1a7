import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
	type Figures,
	figuresOf,
	latency,
	simulatedPage,
	simulatedTables,
} from '../../scripts/docs/simulation.ts';
import { filled } from '../../scripts/docs/tables.ts';
import { ApiClient } from '../../nodes/shared/transport/client';
import { fetchPage } from '../../nodes/shared/transport/pages';
import { RateLimiter } from '../../nodes/shared/transport/limiter';
import { RowRequests } from '../../nodes/shared/transport/rowRequests';
import { simulate, type Load } from '../support/modelLoad.ts';
import { executeRun, readSheet } from '../support/modelRun.ts';
import { ModelService } from '../support/modelService.ts';
import { projectRoot } from '../support/process.ts';
import type { ThrottleOptions } from '../support/modelThrottle.ts';
import { VirtualClock } from '../../testkit/clock/virtualClock.ts';

jest.setTimeout(600_000);

const seeds = Array.from({ length: 5 }, (_, index) => index + 1);

/** A load behind a limit. */
type Behind = Omit<Load, 'seed' | 'service'> & { readonly throttle: ThrottleOptions };

/** The figures of a load with each seed. */
async function figures({ throttle, ...load }: Behind) {
	const outcomes = await Promise.all(
		seeds.map(async (seed) => await simulate({ ...load, seed, service: { latency, throttle } })),
	);
	// The last window opens when all others are over.
	const optimum = (Math.ceil(load.rows / throttle.limit) - 1) * throttle.window;
	return figuresOf(outcomes, optimum);
}

const sixSeconds: ThrottleOptions = { limit: 60, window: 6_000 };
const minute: ThrottleOptions = { limit: 60, window: 60_000 };

describe('processes that know of each other only by what the service tells', () => {
	let all: readonly Figures[] = [];

	beforeAll(async () => {
		const run = promisify(execFile);
		all = JSON.parse(
			(
				await run(process.execPath, ['--import', 'tsx', 'scripts/docs/limits.ts'], {
					cwd: projectRoot,
				})
			).stdout,
		) as Figures[];
	});

	it('come to the figures that the documentation tells', () => {
		const page = readFileSync(join(projectRoot, simulatedPage), 'utf8');
		expect(page).toBe(filled(page, simulatedTables(all)));
	});

	it('lose no row, and write none twice', () => {
		for (const { lost, doubled } of all) expect({ lost, doubled }).toEqual({ lost: 0, doubled: 0 });
	});

	// Below 60 requests a window, one refusal of each process is a large part of all.
	const isUsual = ({ limit }: Figures) => limit.requests >= 60;

	it('are refused about once in each window where headers tell of the limit', () => {
		for (const figures of all.filter((figures) => figures.hasHeaders && isUsual(figures))) {
			const { limit, processes, mostRefused } = figures;
			const once = processes / (limit.requests + processes);
			expect({
				limit,
				processes,
				isMore: mostRefused > once + 0.04,
				mostRefused,
			}).toMatchObject({
				isMore: false,
			});
		}
	});

	it('need hardly longer than the limit', () => {
		for (const { limit, processes, hasHeaders, time } of all) {
			// Of a window of 6 seconds, the second by which a Retry-After is rounded is a large part.
			const most = (limit.window < 60_000 ? 1.35 : 1.06) + (hasHeaders ? 0 : 0.3);
			expect({ limit, processes, isLonger: time > most, time }).toMatchObject({ isLonger: false });
		}
	});

	it('get on alike', () => {
		for (const { limit, processes, fairness } of all.filter(
			(figures) => figures.hasHeaders && isUsual(figures),
		)) {
			expect({ limit, processes, isStarved: fairness < 0.3, fairness }).toMatchObject({
				isStarved: false,
			});
		}
	});
});

describe('one call for each row, as queue mode hands them out', () => {
	it.each<[string, Behind['shape'], number, number]>([
		['at once in one process', 'burst', 1, 0.03],
		['at once in 2 processes', 'burst', 2, 0.06],
		['at once in 4 processes', 'burst', 4, 0.1],
		['ten at a time in one worker', 10, 1, 0.03],
		['ten at a time in each of 2 workers', 10, 2, 0.06],
		['ten at a time in each of 4 workers', 10, 4, 0.1],
		['one at a time in one worker', 1, 1, 0.03],
		['one at a time in each of 2 workers', 1, 2, 0.06],
		['one at a time in each of 4 workers', 1, 4, 0.1],
	])('loses nothing %s', async (_name, shape, processes, most) => {
		const short = await figures({ shape, processes, rows: 300, throttle: sixSeconds });
		expect(short).toMatchObject({ lost: 0, doubled: 0 });
		expect(short.mostRefused).toBeLessThanOrEqual(most);
		const long = await figures({ shape, processes, rows: 420, throttle: minute });
		expect(long).toMatchObject({ lost: 0, doubled: 0 });
		expect(long.mostRefused).toBeLessThanOrEqual(most);
		expect(long.longest).toBeLessThanOrEqual(1.05);
	});

	// Before, the one that opened a window used all of it, and rows of the others failed by Max Wait.
	it.each([2, 4, 8])(
		'loses nothing in %d processes that take longer than Max Wait',
		async (processes) => {
			const { lost, doubled, longest } = await figures({
				...{ shape: 'burst', processes, rows: 900, throttle: minute },
			});
			expect({ lost, doubled }).toEqual({ lost: 0, doubled: 0 });
			expect(longest).toBeLessThanOrEqual(1.05);
		},
	);
});

describe('one process', () => {
	it('asks no more where the service told that nothing is left, though it is one request per window', async () => {
		const alone = await figures({
			...{ shape: 'burst', processes: 1, rows: 20, throttle: { limit: 1, window: 60_000 } },
		});
		expect(alone).toMatchObject({ lost: 0, doubled: 0 });
		// Concurrency lets five leave before the first answer.
		expect(alone.mostRefused).toBeLessThanOrEqual(4 / 24);
	});

	it.each<[string, ThrottleOptions, number, number]>([
		['the headers of the draft', { ...sixSeconds, headers: 'draft' }, 0.03, 1.25],
		['the one header of the later draft', { ...sixSeconds, headers: 'structured' }, 0.03, 1.25],
		['no header but Retry-After', { ...sixSeconds, headers: 'retryAfter' }, 0.1, 1.25],
		// They want 30 requests of each window.
		['others who use the limit, too', { ...sixSeconds, foreignPerSecond: 5 }, 0.05, 2.2],
	])('loses nothing behind a limit with %s', async (_name, throttle, refused, longest) => {
		const result = await figures({ shape: 'burst', processes: 1, rows: 300, throttle });
		expect(result).toMatchObject({ lost: 0, doubled: 0 });
		expect(result.mostRefused).toBeLessThanOrEqual(refused);
		expect(result.longest).toBeLessThanOrEqual(longest);
	});
});

describe('rows that bear a short wait only', () => {
	it.each<[string, ThrottleOptions]>([
		['with headers', { limit: 10, window: 1_000 }],
		['without headers', { limit: 10, window: 1_000, headers: 'retryAfter' }],
		['in a window that slides', { limit: 10, window: 1_000, slides: true }],
	])('are not lost behind 10 requests per second, %s', async (_name, throttle) => {
		const options = { concurrency: 50, maxWait: 4_000 };
		const result = await figures({ shape: 'bulk', processes: 1, rows: 200, options, throttle });
		expect(result).toMatchObject({ lost: 0, doubled: 0 });
	});

	it('are not lost by the pace that Requests Per Minute sets', async () => {
		const options = { concurrency: 50, maxWait: 2_000, requestsPerMinute: 600 };
		const load = { processes: 1, rows: 80, shape: 'bulk', options, seed: 1 } as const;
		const { lost, time } = await simulate({ ...load, service: { latency } });
		expect(lost).toBe(0);
		expect(time).toBeGreaterThan(7_900);
		expect(time).toBeLessThan(8_100);
	});
});

describe('a poll each minute beside a run that uses the whole limit', () => {
	// Before, none of them came through as long as the run lasted.
	it.each([5_000, 15_000, 30_000, 50_000])(
		'comes through, begun %d milliseconds after the run',
		async (begins) => {
			const clock = new VirtualClock(1);
			const service = new ModelService(clock, { seed: 1, latency, throttle: minute });
			const limiter = new RateLimiter(clock);
			const polling = { concurrency: 1, requestsPerMinute: 0, maxWait: 5_000, timeout: 8_000 };
			const polls: ('refused' | 'through')[] = [];
			let isOver = false;
			const poll = async () => {
				const options = { ...polling, isPoll: true };
				const client = new ApiClient(service.as('poll'), limiter, options);
				const page = fetchPage(new RowRequests(client), { path: '/links', params: [] }, 25, 1);
				const end = await page.then(
					() => 'through' as const,
					() => 'refused' as const,
				);
				client.close();
				polls.push(end);
			};
			const pollOnAndOn = async () => {
				await clock.sleep(begins);
				while (!isOver) {
					const next = clock.sleep(60_000);
					await poll();
					await next;
				}
			};
			const sheet = Array.from({ length: 600 }, (_, row) => ({
				operation: 'create' as const,
				parameters: {
					...{ url: 'https://example.com/', domainId: 1 },
					alias: `r${row}`,
				},
			}));
			await clock.run(async () => {
				const rows = readSheet(sheet);
				const bulk = executeRun(service, limiter, { rows }).finally(() => (isOver = true));
				await Promise.all([bulk, pollOnAndOn()]);
			});
			expect(service.links.size).toBe(600);
			expect(polls.length).toBeGreaterThan(9);
			// The first one comes when the run has used up the window, and nobody knew of polls.
			expect(polls.slice(1)).not.toContain('refused');
			expect(service.refusedShare).toBeLessThan(0.05);
		},
	);
});

describe('executions that share a limit', () => {
	/** How many requests of each execution were let through while all of them had some left. */
	async function sharesOf(concurrencies: readonly number[], seed: number): Promise<number[]> {
		const clock = new VirtualClock(seed);
		const service = new ModelService(clock, { seed, latency, throttle: sixSeconds });
		const limiter = new RateLimiter(clock);
		const names = concurrencies.map((_, index) => `execution ${index}`);
		const execute = async (concurrency: number, index: number) => {
			const sheet = Array.from({ length: 150 }, (_, row) => {
				const alias = `e${index}-r${row}`;
				const url = `https://example.com/${alias}`;
				const parameters = { url, domainId: 1, alias };
				return { operation: 'create' as const, parameters };
			});
			const rows = readSheet(sheet);
			await executeRun(service, limiter, { rows, options: { concurrency }, name: names[index] });
		};
		await clock.run(async () => await Promise.all(concurrencies.map(execute)));
		expect(service.links.size).toBe(150 * names.length);
		const through = service.journal.filter(({ effect }) => effect);
		const lasts = names.map((name) => through.findLastIndex(({ client }) => client === name));
		const together = through.slice(0, Math.min(...lasts));
		return names.map((name) => together.filter(({ client }) => client === name).length);
	}

	it('get on alike with the same Concurrency', async () => {
		for (const seed of seeds) {
			const shares = await sharesOf([5, 5, 5], seed);
			expect(Math.max(...shares)).toBeLessThanOrEqual(1.15 * Math.min(...shares));
		}
	});

	it('get on by their Concurrency, and none has to stand back', async () => {
		for (const seed of seeds) {
			const [small = 0, middle = 0, large = 0] = await sharesOf([2, 4, 8], seed);
			for (const ratio of [middle / small, large / middle]) {
				expect(ratio).toBeGreaterThan(1.5);
				expect(ratio).toBeLessThan(2.7);
			}
		}
	});
});
