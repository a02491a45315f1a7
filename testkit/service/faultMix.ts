import type { Effect, Fault } from './settings.ts';

/** The share of the requests that each effect hits. */
const shares: [number, Effect][] = [
	[0.1, { kind: 'drop', when: 'after' }],
	[0.1, { kind: 'drop', when: 'before' }],
	[0.05, { kind: 'status', status: 500 }],
	[0.05, { kind: 'status', status: 502 }],
	[0.05, { kind: 'status', status: 503 }],
];

/** Faults count requests alike, so each begins at another request: none hits just what an earlier one has hit. */
const distance = 13;

/** What share of all requests is hit by the effects before this one. */
const hitBefore = (index: number) =>
	shares.slice(0, index).reduce((sum, [share]) => sum + share, 0);

/** Faults that hit requests of any kind, lookups too, in the shares above: 35 % of them in all. */
export const faultMix: Fault[] = shares.map(([share, effect], index) => ({
	effect,
	skip: index * distance,
	// A fault chooses among the requests that the faults before it left over.
	share: share / (1 - hitBefore(index)),
}));
