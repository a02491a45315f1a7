import { barePool, goesOn, httpRequest, mappedNode, triesAgain } from './contestants.ts';
import { faultMix } from '../demo/service/faultMix.ts';
import { batching, httpCreate, httpList } from './httpNode.ts';
import { linkCreate, linkList, mappedCreate } from './linkNode.ts';
import type { Scenario } from './scenario.ts';
import type { Behaviour } from './service.ts';
import { growth, growthOfLists, resync } from './sheets.ts';
import { atLeast, atMost, none } from './targets.ts';

const slow: Behaviour = { faults: [{ effect: { kind: 'latency', milliseconds: 50 } }] };
const batched = `${httpRequest}, batched`;

/**
 * Reads all links. Without any latency it is the service's own work that takes the time, whoever asks; a service that is
 * not on the same machine also lets its clients wait.
 */
const list = (name: string, behaviour: Behaviour, quick: boolean): Scenario => ({
	name,
	sizes: [quick ? 1000 : 10_000],
	operation: 'list',
	behaviour,
	concurrency: 5,
	turns: quick ? 1 : 3,
	contestants: [linkList(), httpList()],
	targets: [
		atLeast('speed / HTTP Request', 4, ({ own, of }) => of(httpRequest).seconds / own.seconds),
	],
});

/** All scenarios; quick ones have so few rows that their figures mean nothing. */
export function scenarios(quick: boolean): Scenario[] {
	const window = quick ? { limit: 60, windowSeconds: 4 } : { limit: 120, windowSeconds: 20 };
	const shortWindow = quick ? { limit: 100, windowSeconds: 2 } : { limit: 400, windowSeconds: 5 };
	return [
		{
			name: 'throttled',
			sizes: [4 * window.limit],
			operation: 'create',
			behaviour: { throttle: window },
			concurrency: 5,
			turns: 1,
			contestants: [
				linkCreate({}, goesOn),
				httpCreate(httpRequest, {}, goesOn),
				httpCreate(batched, batching(window.limit, window.windowSeconds), goesOn),
			],
			targets: [
				none('lost'),
				none('duplicated'),
				atMost('seconds / optimum', 1.1, ({ own }) => own.seconds / own.optimumSeconds),
				atMost('share of 429', 0.02, ({ own }) => own.share429 ?? NaN),
			],
		},
		{
			name: 'open',
			sizes: [quick ? 200 : 2000],
			operation: 'create',
			behaviour: slow,
			concurrency: 50,
			turns: quick ? 1 : 3,
			contestants: [
				linkCreate({ concurrency: 50 }),
				mappedCreate({ concurrency: 50 }),
				httpCreate(httpRequest),
			],
			targets: [
				atLeast(
					'rows/s / HTTP Request',
					1.5,
					({ own, of }) => of(httpRequest).seconds / own.seconds,
				),
				atLeast(
					'rows/s, columns mapped / HTTP Request',
					2,
					({ of }) => of(httpRequest).seconds / of(mappedNode).seconds,
				),
				atMost(
					'CPU per row / HTTP Request',
					0.65,
					({ own, of }) => own.cpuMsPerRow / of(httpRequest).cpuMsPerRow,
				),
			],
		},
		{
			name: 'memory',
			sizes: [quick ? 500 : 10_000],
			operation: 'create',
			behaviour: {},
			concurrency: 5,
			turns: 1,
			contestants: [linkCreate({}), mappedCreate({}), httpCreate(httpRequest)],
			targets: [
				atMost(
					'peak memory / HTTP Request',
					0.7,
					({ own, of }) => own.peakRssMb / of(httpRequest).peakRssMb,
				),
				atMost(
					'peak memory, columns mapped / HTTP Request',
					0.7,
					({ of }) => of(mappedNode).peakRssMb / of(httpRequest).peakRssMb,
				),
			],
		},
		list('list', {}, quick),
		list('list-50ms', slow, quick),
		{
			name: 'faulty',
			sizes: [quick ? 200 : 1000],
			operation: 'create',
			behaviour: { throttle: shortWindow, faults: faultMix },
			concurrency: 5,
			turns: 1,
			contestants: [
				linkCreate({}, goesOn),
				httpCreate(
					`${batched}, Retry On Fail`,
					batching(shortWindow.limit, shortWindow.windowSeconds),
					triesAgain,
				),
			],
			targets: [
				none('lost'),
				none('duplicated'),
				atMost('seconds / undici pool', 2.5, ({ own, of }) => own.seconds / of(barePool).seconds),
			],
		},
		resync(window, quick),
		growth(quick),
		growthOfLists(quick),
	];
}
