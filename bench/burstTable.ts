import { thisNode } from './contestants.ts';
import { rounded, type BurstResult } from './results.ts';

/** The bounds of what the service may refuse, by mode. */
const mostRefused: Record<string, number> = {
	'one process': 0.03,
	'queue mode, 1 worker': 0.03,
	'queue mode, 2 workers': 0.06,
	'queue mode, 4 workers': 0.1,
};

/** One line for each target. */
export function burstVerdicts(results: readonly BurstResult[]): string[] {
	return results
		.filter(({ contestant }) => contestant === thisNode)
		.flatMap(({ scenario, mode, calls, limit, windowSeconds, lost, refusedShare, ...result }) => {
			const what = `${scenario}: ${calls} calls behind ${limit} per ${windowSeconds} s, ${mode}:`;
			const over = rounded(result.seconds / result.optimumSeconds, 3);
			const most = mostRefused[mode] ?? NaN;
			const line = (name: string, value: number, bound: number) =>
				`${what} ${name} ${value}, target at most ${bound}: ${value <= bound ? 'met' : 'MISSED'}`;
			return [
				line('lost', lost, 0),
				line('share of 429', refusedShare, most),
				...(scenario === 'burst-60s' ? [line('seconds / optimum', over, 1.05)] : []),
			];
		});
}

/** Prints the bursts as a table. */
export function printBursts(results: readonly BurstResult[]): void {
	console.table(
		results.map(({ contestant, mode, calls, limit, windowSeconds, rejected, lost, ...result }) => ({
			contestant,
			mode,
			calls,
			limit: `${limit} per ${windowSeconds} s`,
			rejected,
			lost,
			'% refused': rounded(result.refusedShare * 100, 1),
			'× optimum': rounded(result.seconds / result.optimumSeconds, 2),
			seconds: result.seconds,
			p50: result.p50,
			p95: result.p95,
		})),
	);
}
