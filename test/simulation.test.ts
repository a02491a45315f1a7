import { isFailed, type RowOutcome } from '../nodes/shared/execute/outcome';
import type { Row } from '../nodes/shared/execute/readRows';
import type { ClientOptions } from '../nodes/shared/transport/client';
import { RateLimiter } from '../nodes/shared/transport/rateLimiter';
import { executeRun, readSheet } from './support/modelRun.ts';
import { ModelService } from './support/modelService.ts';
import type { ThrottleOptions } from './support/modelThrottle.ts';
import { VirtualClock } from './support/virtualClock.ts';

jest.setTimeout(120_000);

/** An execution of some rows, each of which creates one link with an alias of its own. */
interface Execution {
	readonly rows: number;
	readonly options?: Partial<ClientOptions>;
	/** Number of the process that it runs in; each has a rate limiter of its own. */
	readonly process?: number;
}

/** Answers take between 30 and 130 milliseconds, so that they come in another order than the requests left. */
const latency = (random: () => number) => 30 + 100 * random();

const sheetOf = (execution: number, rows: number): Row[] =>
	readSheet(
		Array.from({ length: rows }, (_, index) => {
			const alias = `e${execution}-r${index}`;
			const url = `https://example.com/${alias}`;
			return { operation: 'create', parameters: { url, domainId: 1, additionalFields: { alias } } };
		}),
	);

/** Starts executions at the same time, and tells what became of them. */
async function simulate(
	executions: readonly Execution[],
	{ seed, throttle }: { seed: number; throttle?: ThrottleOptions },
) {
	const clock = new VirtualClock(seed);
	const service = new ModelService(clock, { seed, latency, throttle });
	const limiters = new Map<number, RateLimiter>();
	const execute = async ({ rows, options, process = 0 }: Execution, execution: number) => {
		const limiter = limiters.get(process) ?? new RateLimiter(clock);
		limiters.set(process, limiter);
		const run = { rows: sheetOf(execution, rows), options, name: `execution ${execution}` };
		return await executeRun(service, limiter, run);
	};
	const outcomes: readonly (RowOutcome | undefined)[] = (
		await clock.run(async () => await Promise.all(executions.map(execute)))
	).flat();
	return {
		done: outcomes.filter((outcome) => outcome && !isFailed(outcome)).length,
		failures: outcomes.flatMap((outcome) =>
			outcome && isFailed(outcome) ? [outcome.failure.message] : [],
		),
		links: service.links.size,
		refusedShare: service.refusedShare,
		seconds: clock.now() / 1000,
		journal: service.journal,
	};
}

const seeds = Array.from({ length: 10 }, (_, index) => index + 1);

const mean = (numbers: readonly number[]) =>
	numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

/** The figures of a simulation over all seeds: means and the worst. */
async function figuresOf(
	executions: readonly Execution[],
	throttle: ThrottleOptions,
	/** Seconds that the service needs at least to let all requests through. */
	optimum: number,
) {
	const results = await Promise.all(
		seeds.map(async (seed) => await simulate(executions, { seed, throttle })),
	);
	const rows = executions.reduce((sum, execution) => sum + execution.rows, 0);
	const refused = results.map(({ refusedShare }) => refusedShare);
	const times = results.map(({ seconds }) => seconds / optimum);
	return {
		lost: results.map(({ done }) => rows - done),
		doubled: results.map(({ links }) => links - rows),
		refused: mean(refused),
		mostRefused: Math.max(...refused),
		time: mean(times),
		longest: Math.max(...times),
	};
}

/** 300 requests behind 60 per 6 seconds take five windows, of which the last one opens after 24 seconds. */
const limit: ThrottleOptions = { limit: 60, window: 6_000 };
const optimum = 24;

const none = seeds.map(() => 0);

const inProcesses = (processes: number): Execution[] =>
	Array.from({ length: 300 }, (_, index) => ({ rows: 1, process: index % processes }));

/** Prints the figures, so that a change of the rules shows what it does. */
function report(name: string, { refused, mostRefused, time, longest }: Figures): void {
	const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
	process.stdout.write(
		`${name}: refused ${percent(refused)} (at most ${percent(mostRefused)}), time over optimum ${time.toFixed(3)} (at most ${longest.toFixed(3)})\n`,
	);
}

type Figures = Awaited<ReturnType<typeof figuresOf>>;

describe('300 executions of one row at once, behind 60 requests per 6 seconds', () => {
	it.each<[string, ThrottleOptions]>([
		['with the headers of the framework', limit],
		['with the headers of the draft', { ...limit, headers: 'draft' }],
		['with the one header of the later draft', { ...limit, headers: 'structured' }],
	])('lose nothing, and hardly one is refused, %s', async (name, throttle) => {
		const figures = await figuresOf(inProcesses(1), throttle, optimum);
		report(name, figures);
		expect(figures).toMatchObject({ lost: none, doubled: none });
		expect(figures.mostRefused).toBeLessThanOrEqual(0.03);
		expect(figures.longest).toBeLessThanOrEqual(1.25);
	});

	it('lose nothing where answers tell nothing of the limit', async () => {
		const figures = await figuresOf(inProcesses(1), { ...limit, headers: 'none' }, optimum);
		report('without headers', figures);
		expect(figures).toMatchObject({ lost: none, doubled: none });
		expect(figures.mostRefused).toBeLessThanOrEqual(0.1);
		expect(figures.longest).toBeLessThanOrEqual(1.25);
	});

	it('lose nothing beside others who use the same limit', async () => {
		// The others want 30 requests of each window.
		const figures = await figuresOf(inProcesses(1), { ...limit, foreignPerSecond: 5 }, optimum);
		report('beside others', figures);
		expect(figures).toMatchObject({ lost: none, doubled: none });
		expect(figures.mostRefused).toBeLessThanOrEqual(0.05);
	});

	// By the rules of 0.1.0, where each execution waits for itself, 66.7 % are refused; by the same rules with one pacer for
	// each process, 56.5 % in two processes and 66.2 % in four.
	it.each([
		[2, 0.1],
		[4, 0.15],
	])('lose nothing in %d processes, which know nothing of each other', async (processes, most) => {
		const figures = await figuresOf(inProcesses(processes), limit, optimum);
		report(`${processes} processes`, figures);
		expect(figures).toMatchObject({ lost: none, doubled: none });
		expect(figures.mostRefused).toBeLessThanOrEqual(most);
		expect(figures.longest).toBeLessThanOrEqual(1.25);
	});
});

describe('one execution in each process, 300 rows in all', () => {
	// By the rules of 0.1.0, 1.8 % are refused in one process, 7.6 % in two and 17.2 % in four.
	it.each([
		[1, 0.01],
		[2, 0.05],
		[4, 0.1],
	])(
		'loses nothing in %d process(es) behind 60 requests per 6 seconds',
		async (processes, most) => {
			const executions = Array.from({ length: processes }, (_, process) => ({
				rows: 300 / processes,
				process,
			}));
			const figures = await figuresOf(executions, limit, optimum);
			report(`${processes} processes with one execution each`, figures);
			expect(figures).toMatchObject({ lost: none, doubled: none });
			expect(figures.mostRefused).toBeLessThanOrEqual(most);
			expect(figures.longest).toBeLessThanOrEqual(1.25);
		},
	);
});

it('loses nothing in a window that slides', async () => {
	const figures = await figuresOf([{ rows: 300 }], { ...limit, slides: true }, optimum);
	report('a window that slides', figures);
	expect(figures).toMatchObject({ lost: none, doubled: none });
	expect(figures.mostRefused).toBeLessThanOrEqual(0.05);
	expect(figures.longest).toBeLessThanOrEqual(1.25);
});

describe('rows that bear a short wait only', () => {
	it.each<[string, ThrottleOptions]>([
		['with headers', { limit: 10, window: 1_000 }],
		['without headers', { limit: 10, window: 1_000, headers: 'none' }],
		['in a window that slides', { limit: 10, window: 1_000, slides: true }],
	])('are not lost behind 10 requests per second, %s', async (name, throttle) => {
		const options = { concurrency: 50, maxWait: 4_000 };
		const figures = await figuresOf([{ rows: 200, options }], throttle, 19);
		report(`10 per second, ${name}`, figures);
		expect(figures).toMatchObject({ lost: none, doubled: none });
	});

	it('are not lost by the pace that Requests Per Minute sets', async () => {
		const options = { concurrency: 50, maxWait: 2_000, requestsPerMinute: 600 };
		const { done, failures, seconds, journal } = await simulate([{ rows: 80, options }], {
			seed: 1,
		});
		expect({ done, failures }).toEqual({ done: 80, failures: [] });
		expect(seconds).toBeGreaterThan(7.9);
		expect(seconds).toBeLessThan(8.1);
		expect(journal).toHaveLength(80);
	});
});

describe('executions that share a limit', () => {
	/** How many requests of each execution were let through while all of them had some left. */
	async function sharesOf(concurrencies: readonly number[], seed: number): Promise<number[]> {
		const rows = 150;
		const executions = concurrencies.map((concurrency) => ({ rows, options: { concurrency } }));
		const { journal, done } = await simulate(executions, { seed, throttle: limit });
		expect(done).toBe(rows * concurrencies.length);
		const through = journal.filter(({ effect }) => effect);
		const names = executions.map((_, index) => `execution ${index}`);
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
