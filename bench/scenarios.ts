import {
	barePool,
	batching,
	httpCreate,
	httpList,
	httpRequest,
	linkCreate,
	linkList,
	type Contestant,
} from './contestants.ts';
import { faultMix } from '../demo/service/faultMix.ts';
import type { Job } from './job.ts';
import type { Behaviour } from './service.ts';
import { atLeast, atMost, none, type Target } from './targets.ts';

export interface Scenario {
	name: string;
	rows: number;
	operation: Job['operation'];
	behaviour: Behaviour;
	/** Connections of the bare pool: as many as this package's node has. */
	concurrency: number;
	/** Measured runs of each contestant, taken in turns after one that does not count; one run means no such turn. */
	turns: number;
	contestants: Contestant[];
	targets: Target[];
}

const goesOn = { onError: 'continueRegularOutput' } as const;
const slow: Behaviour = { faults: [{ effect: { kind: 'latency', milliseconds: 50 } }] };
const batched = `${httpRequest}, batched`;

/**
 * Reads all links. Without any latency it is the service's own work that takes the time, whoever asks; a service that is
 * not on the same machine also lets its clients wait.
 */
const list = (name: string, behaviour: Behaviour, quick: boolean): Scenario => ({
	name,
	rows: quick ? 1000 : 10_000,
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
			rows: 4 * window.limit,
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
			rows: quick ? 200 : 2000,
			operation: 'create',
			behaviour: slow,
			concurrency: 50,
			turns: quick ? 1 : 3,
			contestants: [linkCreate({ concurrency: 50 }), httpCreate(httpRequest)],
			targets: [
				atLeast(
					'rows/s / HTTP Request',
					1.5,
					({ own, of }) => of(httpRequest).seconds / own.seconds,
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
			rows: quick ? 500 : 10_000,
			operation: 'create',
			behaviour: {},
			concurrency: 5,
			turns: 1,
			contestants: [linkCreate({}), httpCreate(httpRequest)],
			targets: [
				atMost(
					'peak memory / HTTP Request',
					0.7,
					({ own, of }) => own.peakRssMb / of(httpRequest).peakRssMb,
				),
			],
		},
		list('list', {}, quick),
		list('list-50ms', slow, quick),
		{
			name: 'faulty',
			rows: quick ? 200 : 1000,
			operation: 'create',
			behaviour: { throttle: shortWindow, faults: faultMix },
			concurrency: 5,
			turns: 1,
			contestants: [
				linkCreate({}, goesOn),
				httpCreate(
					`${batched}, Retry On Fail`,
					batching(shortWindow.limit, shortWindow.windowSeconds),
					{
						...goesOn,
						retryOnFail: true,
						maxTries: 5,
					},
				),
			],
			targets: [
				none('lost'),
				none('duplicated'),
				atMost('seconds / undici pool', 2.5, ({ own, of }) => own.seconds / of(barePool).seconds),
			],
		},
	];
}
