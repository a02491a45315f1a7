import { barePool, httpRequest, mappedNode, syncNode, upsertNode } from './contestants.ts';
import { httpCreate } from './httpNode.ts';
import { firstUpsert, mappedCreate, mappedSync, mappedUpsert } from './linkNode.ts';
import { httpMerge } from './mergeByKey.ts';
import { memoryPerRow, secondsPerRow, type Result } from './results.ts';
import type { Scenario } from './scenario.ts';
import type { Behaviour } from './service.ts';
import { atMost, type Target } from './targets.ts';

/**
 * The night after: an account, and a sheet of which 1 % differs. The numbers of its rows are all of the same length, so
 * that a look-up by alias finds one link and no more.
 */
export const resync = (window: Behaviour['throttle'], quick: boolean): Scenario => ({
	name: 'resync',
	sizes: [quick ? 500 : 5000],
	first: 10_000,
	operation: 'resync',
	behaviour: { throttle: window },
	concurrency: 5,
	turns: 1,
	contestants: [mappedUpsert(), mappedSync(), firstUpsert(quick ? 100 : 500), httpMerge()],
	targets: [upsertNode, syncNode].flatMap((name) => [
		atMost(
			`requests of ${name} / least`,
			1.2,
			({ of }) => (of(name).requests ?? NaN) / (of(barePool).requests ?? NaN),
		),
		atMost(`lost by ${name}`, 0, ({ of }) => of(name).lost),
	]),
});

/** The same with more rows: what a row takes must not grow. */
export function growth(quick: boolean): Scenario {
	const [few, many, most]: [number, number, number] = quick
		? [100, 500, 1000]
		: [1000, 10_000, 50_000];
	/** The larger one of the ratios to the fewest rows. */
	const growthOf = (measure: (result: Result) => number): Target['value'] => {
		return ({ of }) =>
			Math.max(...[many, most].map((rows) => measure(of(mappedNode, rows)))) /
			measure(of(mappedNode, few));
	};
	return {
		name: 'growth',
		sizes: [few, many, most],
		operation: 'create',
		behaviour: {},
		concurrency: 5,
		turns: 1,
		heapMb: 4096,
		contestants: [mappedCreate({}), httpCreate(httpRequest)],
		targets: [
			atMost('seconds per row, growth from the fewest', 1, growthOf(secondsPerRow)),
			atMost('memory per row, growth from the fewest', 1, growthOf(memoryPerRow)),
			atMost(
				`peak memory with ${most} rows / HTTP Request`,
				0.5,
				({ of }) => of(mappedNode, most).peakRssMb / of(httpRequest, most).peakRssMb,
			),
		],
	};
}
