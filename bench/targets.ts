import { thisNode } from './contestants.ts';
import type { Result } from './results.ts';

/** The results of one scenario, by contestant and, if there are several, by the number of rows. */
export interface Field {
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
	atMost(what, 0, ({ of }) => of(thisNode)[what]);

/** Compares a figure of one contestant with that of another. */
export const ratio =
	(figure: (result: Result) => number, first: string, second: string, rows?: number) =>
	({ of }: Field): number =>
		figure(of(first, rows)) / figure(of(second, rows));

/** Returns one line per target: the measured value, the bound, and whether it is met. */
export function verdicts(targets: readonly Target[], results: readonly Result[]): string[] {
	const of = (name: string, rows?: number): Result => {
		const result = results.find(
			(result) => result.contestant === name && (rows ?? result.rows) === result.rows,
		);
		if (!result) throw new Error(`No result of ${name}.`);
		return result;
	};
	return targets.map(({ what, bound, value, isMet }) => {
		const measured = value({ of });
		const verdict = isMet(measured) ? 'met' : 'MISSED';
		return `${results[0]?.scenario}: ${what} ${Number(measured.toFixed(3))}, target ${bound}: ${verdict}`;
	});
}
