import { faultMix } from '../testkit/service/faultMix.ts';
import {
	barePool,
	batching,
	continuesOnError,
	httpCreate,
	httpList,
	httpRequest,
	linkCreate,
	linkList,
	mappedCreate,
	mappedNode,
	mappedSync,
	mappedUpsert,
	retriesOnFail,
	syncNode,
	thisNode,
	upsertNode,
	type Contestant,
} from './contestants.ts';
import type { PoolJob } from './pool.ts';
import { memoryPerRow, secondsPerRow, type Result } from './results.ts';
import type { Behavior } from './service.ts';
import { atLeast, atMost, ratio, type Target } from './targets.ts';

/** What all contestants do, and what is aimed at. */
export interface Scenario {
	name: string;
	/** How many rows it has; with several numbers it runs once with each. */
	sizes: number[];
	/** Number of the first row; 0 by default. */
	first?: number;
	operation: PoolJob['operation'];
	behavior: Behavior;
	/** Connections of the bare pool: as many as this package's node has. */
	concurrency: number;
	/** Number of measured runs of each contestant, after one run that does not count. With 1, there is no such run. */
	turns: number;
	/** Whether it measures how time and memory per row grow with the number of rows. */
	isGrowth?: boolean;
	contestants: Contestant[];
	targets: Target[];
}

/** What most scenarios have in common. */
const usual = {
	operation: 'create',
	behavior: {},
	concurrency: 5,
	turns: 1,
} as const satisfies Partial<Scenario>;

const slow: Behavior = { faults: [{ effect: { kind: 'latency', milliseconds: 50 } }] };
const batched = `${httpRequest}, batched`;

const seconds = (result: Result) => result.seconds;
const peak = ({ peakRssMb }: Result) => peakRssMb;
const cpu = ({ cpuMsPerRow }: Result) => cpuMsPerRow;
const requests = (result: Result) => result.requests ?? NaN;

/** Reads all links. Without latency, the time is that of the service itself for all contestants. */
const list = (name: string, behavior: Behavior, quick: boolean): Scenario => ({
	...usual,
	name,
	sizes: [quick ? 1000 : 10_000],
	operation: 'list',
	behavior,
	turns: quick ? 1 : 3,
	contestants: [linkList, httpList],
	targets: [atLeast('speed / HTTP Request', 4, ratio(seconds, httpRequest, thisNode))],
});

/**
 * An account, and a sheet of which 1 % differs. The numbers of its rows have the same length, so that a look-up by alias
 * finds one link and no more.
 */
const resync = (throttle: Behavior['throttle'], quick: boolean): Scenario => ({
	...usual,
	name: 'resync',
	sizes: [quick ? 500 : 5000],
	first: 10_000,
	operation: 'resync',
	behavior: { throttle },
	contestants: [mappedUpsert, mappedSync],
	targets: [upsertNode, syncNode].flatMap((name) => [
		atMost(`requests of ${name} / least`, 1.2, ratio(requests, name, barePool)),
		atMost(`lost by ${name}`, 0, ({ of }) => of(name).lost),
	]),
});

/** The largest ratio between what a row takes in longer runs and in the shortest run. */
const noGrowth = (contestant: string, [fewest = NaN, ...more]: readonly number[]): Target[] =>
	Object.entries({ seconds: secondsPerRow, memory: memoryPerRow }).map(([what, measure]) =>
		atMost(`${what} per row, growth from the fewest`, 1, ({ of }) => {
			const most = Math.max(...more.map((rows) => measure(of(contestant, rows))));
			return most / measure(of(contestant, fewest));
		}),
	);

/** The same with more rows, with the heap that Node has by default: what a row takes must not grow. */
function growth(quick: boolean): Scenario {
	const sizes = quick ? [100, 500, 1000, 2000] : [1000, 10_000, 50_000, 100_000];
	const [, , many, most] = sizes;
	return {
		...{ ...usual, name: 'growth', sizes, isGrowth: true },
		contestants: [mappedCreate({}), httpCreate(httpRequest)],
		targets: [
			...noGrowth(mappedNode, sizes),
			atMost(`lost with ${most} rows`, 0, ({ of }) => of(mappedNode, most).lost),
			atMost(
				`peak memory with ${many} rows / HTTP Request`,
				0.5,
				ratio(peak, mappedNode, httpRequest, many),
			),
		],
	};
}

/** Reads all links of larger and larger accounts. */
function growthOfLists(quick: boolean): Scenario {
	const sizes = quick ? [500, 1000] : [10_000, 100_000];
	const most = sizes.at(-1);
	const speed = `speed with ${most} links / HTTP Request`;
	return {
		...{ ...usual, name: 'growth-list', sizes, isGrowth: true, operation: 'list' },
		contestants: [linkList, httpList],
		targets: [
			...noGrowth(thisNode, sizes),
			atMost(`lost of ${most} links`, 0, ({ of }) => of(thisNode, most).lost),
			atMost(`doubled of ${most} links`, 0, ({ of }) => of(thisNode, most).duplicated),
			atLeast(speed, 4, ratio(seconds, httpRequest, thisNode, most)),
		],
	};
}

/** All scenarios; quick ones have so few rows that their figures mean nothing. */
export function scenarios(quick: boolean): Scenario[] {
	const window = quick ? { limit: 60, windowSeconds: 4 } : { limit: 120, windowSeconds: 20 };
	const shortWindow = quick ? { limit: 100, windowSeconds: 2 } : { limit: 400, windowSeconds: 5 };
	const batches = batching(window.limit, window.windowSeconds);
	const shortBatches = batching(shortWindow.limit, shortWindow.windowSeconds);
	const complete = (['lost', 'duplicated'] as const).map((what) =>
		atMost(what, 0, ({ of }) => of(thisNode)[what]),
	);
	return [
		{
			...usual,
			name: 'throttled',
			sizes: [4 * window.limit],
			behavior: { throttle: window },
			contestants: [
				linkCreate({}, continuesOnError),
				httpCreate(httpRequest, {}, continuesOnError),
				httpCreate(batched, batches, continuesOnError),
			],
			targets: [
				...complete,
				atMost('seconds / optimum', 1.05, ({ of }) => {
					const own = of(thisNode);
					return own.seconds / own.optimumSeconds;
				}),
				atMost('share of 429', 0.02, ({ of }) => of(thisNode).share429 ?? NaN),
			],
		},
		{
			...usual,
			name: 'open',
			sizes: [quick ? 200 : 2000],
			behavior: slow,
			concurrency: 50,
			turns: quick ? 1 : 3,
			contestants: [
				linkCreate({ requests: { settings: { concurrency: 50 } } }),
				mappedCreate({ requests: { settings: { concurrency: 50 } } }),
				httpCreate(httpRequest),
			],
			targets: [
				atLeast('rows/s / HTTP Request', 1.5, ratio(seconds, httpRequest, thisNode)),
				atLeast('rows/s, mapped / HTTP Request', 2, ratio(seconds, httpRequest, mappedNode)),
				atMost('CPU per row / HTTP Request', 0.65, ratio(cpu, thisNode, httpRequest)),
			],
		},
		{
			...usual,
			name: 'memory',
			sizes: [quick ? 500 : 10_000],
			contestants: [linkCreate({}), mappedCreate({}), httpCreate(httpRequest)],
			targets: [
				...[thisNode, mappedNode].map((name) =>
					atMost(`peak memory of ${name} / HTTP Request`, 0.7, ratio(peak, name, httpRequest)),
				),
				atMost('CPU per row, mapped / HTTP Request', 0.18, ratio(cpu, mappedNode, httpRequest)),
			],
		},
		list('list', {}, quick),
		list('list-50ms', slow, quick),
		{
			...usual,
			name: 'faulty',
			sizes: [quick ? 200 : 1000],
			behavior: { throttle: shortWindow, faults: faultMix },
			turns: quick ? 1 : 3,
			contestants: [
				linkCreate({}, continuesOnError),
				httpCreate(`${batched}, Retry On Fail`, shortBatches, retriesOnFail),
			],
			targets: [
				...complete,
				atMost('seconds / undici pool', 1.6, ratio(seconds, thisNode, barePool)),
			],
		},
		resync(window, quick),
		growth(quick),
		growthOfLists(quick),
	];
}
