import { memoryPerRow, rounded, secondsPerRow, type BurstResult, type Result } from './results.ts';

/** The columns of the printed table. Columns that a scenario does not measure stay empty. */
const columnsOf = (result: Result) => ({
	scenario: result.scenario,
	contestant: result.contestant,
	rows: result.rows,
	ok: result.ok,
	lost: result.lost,
	duplicated: result.duplicated,
	seconds: rounded(result.seconds, 2),
	'× optimum': rounded(result.seconds / result.optimumSeconds, 2),
	'rows/s': Math.round(result.rows / result.seconds),
	'peak MB': Math.round(result.peakRssMb),
	'CPU ms/row': rounded(result.cpuMsPerRow, 2),
	...(result.share429 === undefined ? {} : { '% 429': rounded(result.share429 * 100, 1) }),
	...(result.requests === undefined ? {} : { requests: result.requests }),
	...(result.baseRssMb === undefined
		? {}
		: {
				'ms/row': rounded(secondsPerRow(result) * 1000, 2),
				'kB/row': rounded(memoryPerRow(result) * 1000, 1),
			}),
});

/** Prints the results of a scenario as a table. */
export const printRows = (results: readonly Result[]): void =>
	console.table(results.map(columnsOf));

/** Prints bursts as a table. */
export const printBursts = (results: readonly BurstResult[]): void =>
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
