import {
	barePool,
	httpRequest,
	mappedNode,
	syncNode,
	thisNode,
	upsertNode,
} from './contestants.ts';
import { httpCreate, httpList } from './httpNode.ts';
import { firstUpsert, linkList, mappedCreate, mappedSync, mappedUpsert } from './linkNode.ts';
import { httpMerge } from './mergeByKey.ts';
import { memoryPerRow, secondsPerRow } from './results.ts';
import type { Scenario } from './scenario.ts';
import type { Behaviour } from './service.ts';
import { atLeast, atMost, type Target } from './targets.ts';

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

/** The larger ones of the ratios between what the rows of a run take and what those of the shortest run took. */
const noGrowth = (contestant: string, [fewest = NaN, ...more]: readonly number[]): Target[] =>
	(
		[
			['seconds', secondsPerRow],
			['memory', memoryPerRow],
		] as const
	).map(([what, measure]) =>
		atMost(
			`${what} per row, growth from the fewest`,
			1,
			({ of }) =>
				Math.max(...more.map((rows) => measure(of(contestant, rows)))) /
				measure(of(contestant, fewest)),
		),
	);

/** The same with more rows, within the heap that Node has by default: what a row takes must not grow. */
export function growth(quick: boolean): Scenario {
	const sizes = quick ? [100, 500, 1000, 2000] : [1000, 10_000, 50_000, 100_000];
	const [, , many, most] = sizes;
	return {
		name: 'growth',
		sizes,
		operation: 'create',
		behaviour: {},
		concurrency: 5,
		turns: 1,
		isGrowth: true,
		contestants: [mappedCreate({}), httpCreate(httpRequest)],
		targets: [
			...noGrowth(mappedNode, sizes),
			atMost(`lost with ${most} rows`, 0, ({ of }) => of(mappedNode, most).lost),
			atMost(
				`peak memory with ${many} rows / HTTP Request`,
				0.5,
				({ of }) => of(mappedNode, many).peakRssMb / of(httpRequest, many).peakRssMb,
			),
		],
	};
}

/** Reads all links of accounts that have more and more of them. */
export function growthOfLists(quick: boolean): Scenario {
	const sizes = quick ? [500, 1000] : [10_000, 100_000];
	const most = sizes.at(-1);
	return {
		name: 'growth-list',
		sizes,
		operation: 'list',
		behaviour: {},
		concurrency: 5,
		turns: 1,
		isGrowth: true,
		contestants: [linkList(), httpList()],
		targets: [
			...noGrowth(thisNode, sizes),
			atMost(
				`lost or doubled of ${most} links`,
				0,
				({ of }) => of(thisNode, most).lost + of(thisNode, most).duplicated,
			),
			atLeast(
				`speed with ${most} links / HTTP Request`,
				4,
				({ of }) => of(httpRequest, most).seconds / of(thisNode, most).seconds,
			),
		],
	};
}
