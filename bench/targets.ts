import { thisNode } from './contestants.ts';
import type { Result } from './results.ts';

/** The results of one scenario: this package's node's, and any contestant's by name and, where there are several, rows. */
export interface Field {
	readonly own: Result;
	of(contestant: string, rows?: number): Result;
}

export interface Target {
	what: string;
	bound: string;
	value(field: Field): number;
	isMet(value: number): boolean;
}

export const atMost = (what: string, bound: number, value: Target['value']): Target => ({
	what,
	bound: `at most ${bound}`,
	value,
	isMet: (measured) => measured <= bound,
});

export const atLeast = (what: string, bound: number, value: Target['value']): Target => ({
	what,
	bound: `at least ${bound}`,
	value,
	isMet: (measured) => measured >= bound,
});

export const none = (what: 'lost' | 'duplicated'): Target =>
	atMost(what, 0, ({ own }) => own[what]);

/** One line for each target: what was measured, what was aimed at, and whether it is met. */
export function verdicts(targets: readonly Target[], results: readonly Result[]): string[] {
	const of = (name: string, rows?: number): Result => {
		const found = results.find(
			(result) => result.contestant === name && (rows ?? result.rows) === result.rows,
		);
		if (!found) throw new Error(`No result of ${name}.`);
		return found;
	};
	const field: Field = {
		get own() {
			return of(thisNode);
		},
		of,
	};
	return targets.map(({ what, bound, value, isMet }) => {
		const measured = value(field);
		const verdict = isMet(measured) ? 'met' : 'MISSED';
		return `${results[0]?.scenario}: ${what} ${Number(measured.toFixed(3))}, target ${bound}: ${verdict}`;
	});
}
