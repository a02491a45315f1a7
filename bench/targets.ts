import { thisNode } from './contestants.ts';
import { rounded, type BurstResult, type Result } from './results.ts';

/** The results of one scenario, by contestant and, if there are several, by the number of rows. */
export interface Field {
	of(contestant: string, rows?: number): Result;
}

interface Bound {
	what: string;
	side: 'at least' | 'at most';
	bound: number;
}

export interface Target extends Bound {
	value(field: Field): number;
}

export const atMost = (what: string, bound: number, value: Target['value']): Target => ({
	...{ what, side: 'at most', bound, value },
});

export const atLeast = (what: string, bound: number, value: Target['value']): Target => ({
	...{ what, side: 'at least', bound, value },
});

/** Compares a figure of one contestant with that of another. */
export const ratio =
	(figure: (result: Result) => number, first: string, second: string, rows?: number) =>
	({ of }: Field): number =>
		figure(of(first, rows)) / figure(of(second, rows));

/** Returns a line on a target: the measured value, the bound, and whether it is met. */
function verdict(subject: string, { what, side, bound }: Bound, value: number): string {
	const isMet = side === 'at most' ? value <= bound : value >= bound;
	return `${subject}: ${what} ${rounded(value, 3)}, target ${side} ${bound}: ${isMet ? 'met' : 'MISSED'}`;
}

/** Returns one line per target of a scenario. */
export function verdicts(targets: readonly Target[], results: readonly Result[]): string[] {
	const of = (name: string, rows?: number): Result => {
		const result = results.find(
			(result) => result.contestant === name && (rows ?? result.rows) === result.rows,
		);
		if (!result) throw new Error(`No result of ${name}.`);
		return result;
	};
	return targets.map((target) => verdict(results[0]?.scenario ?? '', target, target.value({ of })));
}

/** The largest share of requests that the service may refuse, by mode. */
const mostRefused: Record<string, number> = {
	'one process': 0.03,
	'queue mode, 1 worker': 0.03,
	'queue mode, 2 workers': 0.06,
	'queue mode, 4 workers': 0.1,
};

/** Returns one line per target of a burst. */
export function burstVerdicts(results: readonly BurstResult[]): string[] {
	return results
		.filter(({ contestant }) => contestant === thisNode)
		.flatMap((result) => {
			const { scenario, mode, calls, limit, windowSeconds } = result;
			const load = `${scenario}: ${calls} calls behind ${limit} per ${windowSeconds} s, ${mode}`;
			const line = (what: string, bound: number, value: number) =>
				verdict(load, { what, side: 'at most', bound }, value);
			return [
				line('lost', 0, result.lost),
				line('share of 429', mostRefused[mode] ?? NaN, result.refusedShare),
				...(scenario === 'burst-60s'
					? [line('seconds / optimum', 1.05, result.seconds / result.optimumSeconds)]
					: []),
			];
		});
}
