import { memoryPerRow, rounded, secondsPerRow, type Result } from './results.ts';

/** The columns that only some scenarios have; the others leave them empty. */
function ownColumnsOf(result: Result): Record<string, unknown> {
	const { share429, requests, refused, asSheet, baseRssMb, isOutOfMemory } = result;
	return {
		...(share429 === undefined ? {} : { '% 429': rounded(share429 * 100, 1) }),
		...(asSheet === undefined ? {} : { requests, refused, 'as the sheet': asSheet ? 'yes' : 'no' }),
		...(baseRssMb === undefined
			? {}
			: {
					'ms/row': rounded(secondsPerRow(result) * 1000, 2),
					'kB/row': rounded(memoryPerRow(result) * 1000, 1),
				}),
		...(isOutOfMemory ? { ended: 'out of memory' } : {}),
	};
}

/** The columns of the printed table, as a person reads them. */
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
	...ownColumnsOf(result),
});

/** A share of the rows, taken for all of them: only what follows from it. */
function extrapolatedFrom({ scenario, contestant, rows, extrapolated }: Result): object[] {
	if (!extrapolated) return [];
	const { seconds, requests } = extrapolated;
	const name = `${contestant}, extrapolated from ${rows}`;
	return [{ scenario, contestant: name, rows: extrapolated.rows, seconds, requests }];
}

/** Prints a table for each scenario. */
export function printTable(results: readonly Result[]): void {
	for (const scenario of new Set(results.map((result) => result.scenario))) {
		const shown = results.filter((result) => result.scenario === scenario);
		console.table(shown.flatMap((result) => [columnsOf(result), ...extrapolatedFrom(result)]));
	}
}
