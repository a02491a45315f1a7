import { simulate, type Load, type Outcome } from '../../test/support/simulatedLoad.ts';
import type { ThrottleSettings } from '../../testkit/service/settings.ts';
import { table } from './tables.ts';

/** The page that has the table of the simulation, relative to the root of the project. */
export const simulatedPage = 'docs/installation.md';

/** A limit, and rows that take five of its windows. */
interface Limit {
	readonly name: string;
	readonly requests: number;
	/** Milliseconds. */
	readonly window: number;
	/** Number of simulations of each load, each with its own random numbers. */
	readonly seeds: number;
}

const minute = 60_000;

const limits: readonly Limit[] = [
	{ name: '10 per minute', requests: 10, window: minute, seeds: 4 },
	{ name: '60 per 6 seconds', requests: 60, window: 6_000, seeds: 2 },
	{ name: '60 per minute', requests: 60, window: minute, seeds: 2 },
	{ name: '300 per minute', requests: 300, window: minute, seeds: 1 },
];

const windows = 5;

/** Responses take 30 to 130 milliseconds, so that their order differs from the order of the requests. */
export const latency = (random: () => number) => 30 + 100 * random();

const sum = (numbers: readonly number[]) => numbers.reduce((all, number) => all + number, 0);

const mean = (numbers: readonly number[]) => sum(numbers) / numbers.length;

/**
 * What several outcomes come to together: shares of the requests that were refused, and times over the optimum.
 *
 * @param optimum milliseconds after which the service could have let all requests through
 */
export const figuresOf = (outcomes: readonly Outcome[], optimum: number) => ({
	lost: sum(outcomes.map(({ lost }) => lost)),
	doubled: sum(outcomes.map(({ doubled }) => doubled)),
	refused: mean(outcomes.map(({ refused }) => refused)),
	mostRefused: Math.max(...outcomes.map(({ refused }) => refused)),
	time: mean(outcomes.map(({ time }) => time / optimum)),
	longest: Math.max(...outcomes.map(({ time }) => time / optimum)),
	fairness: mean(outcomes.map(({ fairness }) => fairness)),
});

/** What the loads of one row of the table come to, with or without headers. */
export type Figures = ReturnType<typeof figuresOf> & {
	readonly limit: Limit;
	readonly processes: number;
	readonly hasHeaders: boolean;
};

/** How rows come, and whether windows slide. */
const kinds = [
	{ shape: 'burst', slides: false },
	{ shape: 'bulk', slides: true },
	{ shape: 'burst', slides: true },
	{ shape: 'bulk', slides: false },
	{ shape: 10, slides: false },
	{ shape: 10, slides: true },
] as const;

/** All loads of one row of the table, with or without headers. */
function loadsOf(
	{ requests: limit, window, seeds }: Limit,
	processes: number,
	headers: ThrottleSettings['headers'],
): Load[] {
	return kinds.flatMap(({ shape, slides }) =>
		Array.from({ length: seeds }, (_, index) => ({
			...{ processes, shape, rows: limit * windows, seed: index + 1 },
			service: { latency, throttle: { limit, windowSeconds: window / 1000, slides, headers } },
		})),
	);
}

/** Simulates all loads. It comes out the same each time. */
export async function simulateLimits(): Promise<Figures[]> {
	const all: Figures[] = [];
	const cases = limits.flatMap((limit) =>
		[1, 2, 4, 8].flatMap((processes) =>
			[true, false].map((hasHeaders) => ({ limit, processes, hasHeaders })),
		),
	);
	for (const { limit, processes, hasHeaders } of cases) {
		const outcomes: Outcome[] = [];
		for (const load of loadsOf(limit, processes, hasHeaders ? 'x' : 'none'))
			outcomes.push(await simulate(load));
		const figures = figuresOf(outcomes, (windows - 1) * limit.window);
		all.push({ limit, processes, hasHeaders, ...figures });
	}
	return all;
}

const percent = (share: number) => `${(share * 100).toFixed(1)}%`;

/** Returns the cells of some figures. Parentheses contain the worst simulation. */
const cellsOf = ({ refused, mostRefused, time, longest }: Figures) => [
	`${percent(refused)} (${percent(mostRefused)})`,
	`${time.toFixed(2)} (${longest.toFixed(2)})`,
];

/** The rows of the table. The others only need to stay within the bounds of the test. */
const isShown = ({ limit, processes }: Figures) =>
	['10 per minute', '60 per minute'].includes(limit.name) && processes !== 2;

/** Returns the table by the name that the page calls it by. */
export function simulatedTables(all: readonly Figures[]): Record<string, string> {
	const rows = Map.groupBy(
		all.filter(isShown),
		({ limit, processes }) => `${limit.name}, ${processes}`,
	);
	// With headers, then without.
	const cells = [...rows].map(([name, figures]) => [name, ...figures.flatMap(cellsOf)]);
	const columns = ['Refused', 'Time', 'Refused, no headers', 'Time, no headers'];
	return { limits: table(['Limit, processes', ...columns], cells) };
}
