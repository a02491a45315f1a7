import { isFailed } from '../../nodes/shared/execute/outcome';
import type { Row } from '../../nodes/shared/execute/outcome';
import { RateLimiter, type ClientOptions } from '../../nodes/shared/transport/limiter';
import { VirtualClock } from '../../testkit/clock/virtualClock.ts';
import { executeRun, readSheet } from './simulatedRun.ts';
import { SimulatedService, type SimulationOptions } from './simulatedService.ts';

/**
 * How rows come to the processes:
 * - `burst`: one execution for each row, all at once
 * - `bulk`: one execution in each process, with its part of the rows
 * - a number: one execution for each row, out of a queue from which each process has so many at a time
 */
export type Shape = 'bulk' | 'burst' | number;

/** Rows that processes are to write, and the service that they meet. */
export interface Load {
	/** Each has a rate limiter of its own. */
	readonly processes: number;
	readonly rows: number;
	readonly shape: Shape;
	readonly seed: number;
	readonly service: SimulationOptions;
	readonly options?: Partial<ClientOptions>;
}

/** What became of a load. */
export interface Outcome {
	/** Rows that failed, or that the service did not get. */
	readonly lost: number;
	/** Writes that the service carried out more than once. */
	readonly doubled: number;
	/** Requests in all. */
	readonly requests: number;
	/** Share of the requests that were refused for being too many. */
	readonly refused: number;
	/** Milliseconds until the last execution ended. */
	readonly time: number;
	/** What the process with the fewest requests got through for each one of the process with the most, while all had work. */
	readonly fairness: number;
}

/** Milliseconds from the end of an execution to the begin of the next one in its place: at least, and so many more by chance. */
const gap = { least: 10, chance: 50 };

/** The rows of one execution, which change a link each. */
const sheetOf = (first: number, count: number): Row[] =>
	readSheet(
		Array.from({ length: count }, (_, index) => ({
			operation: 'update',
			parameters: {
				linkId: String(first + index + 1),
				updateFields: { url: `https://example.com/${first + index}` },
			},
		})),
	);

/** Lets processes write rows, and tells what became of them. It comes out the same for the same seed. */
export async function simulate(load: Load): Promise<Outcome> {
	const { processes, rows, shape, seed } = load;
	const clock = new VirtualClock(seed);
	const service = new SimulatedService(clock, { ...load.service, seed });
	for (let row = 0; row < rows; row += 1) service.add({ alias: `a${row}`, url: '' });
	const limiters = Array.from({ length: processes }, () => new RateLimiter(clock));
	// As after the first response of an account, so that no write waits for the response to another one.
	for (const limiter of limiters) limiter.generation.isKnown = true;
	let done = 0;

	const execute = async (limiter: RateLimiter, process: number, first: number, count: number) => {
		const outcomes = await executeRun(service, limiter, {
			rows: sheetOf(first, count),
			options: load.options,
			name: String(process),
		});
		done += outcomes.rows.filter((outcome) => outcome && !isFailed(outcome)).length;
	};

	let next = 0;
	/** Takes one execution after the other from the queue. */
	const work = async (limiter: RateLimiter, process: number) => {
		while (next < rows) {
			const row = next;
			next += 1;
			await clock.sleep(gap.least + gap.chance * clock.random());
			await execute(limiter, process, row, 1);
		}
	};

	/** All that one process does. */
	const run = async (limiter: RateLimiter, process: number) => {
		const from = Math.floor((rows * process) / processes);
		const to = Math.floor((rows * (process + 1)) / processes);
		if (shape === 'bulk') return await execute(limiter, process, from, to - from);
		const slots = shape === 'burst' ? to - from : shape;
		const each = async (_: unknown, slot: number) =>
			shape === 'burst'
				? await execute(limiter, process, from + slot, 1)
				: await work(limiter, process);
		return await Promise.all(Array.from({ length: slots }, each));
	};
	await clock.run(async () => await Promise.all(limiters.map(run)));

	service.close();
	const through = service.journal.filter(({ effect }) => effect);
	const written = new Set(through.map(({ effect }) => effect?.url));
	return {
		lost: rows - Math.min(done, written.size),
		doubled: through.length - written.size,
		requests: service.journal.length,
		refused: service.refusedShare,
		time: clock.now(),
		fairness: fairnessOf(through.map(({ client }) => client)),
	};
}

/**
 * What the process with the fewest requests got through for each one of the process with the most, while all had work.
 *
 * @param through the process of each request that was let through, in their order
 */
function fairnessOf(through: readonly string[]): number {
	const all = [...new Set(through)];
	const together = Math.min(...all.map((process) => through.lastIndexOf(process))) + 1;
	const counts = all.map(
		(process) => through.slice(0, together).filter((one) => one === process).length,
	);
	return Math.min(...counts) / Math.max(...counts);
}
