import type { Result } from './results.ts';

/** The columns of the printed table, as a person reads them. */
const columnsOf = (result: Result) => ({
	scenario: result.scenario,
	contestant: result.contestant,
	rows: result.rows,
	ok: result.ok,
	lost: result.lost,
	duplicated: result.duplicated,
	seconds: Number(result.seconds.toFixed(2)),
	'× optimum': Number((result.seconds / result.optimumSeconds).toFixed(2)),
	'rows/s': Math.round(result.rows / result.seconds),
	'peak MB': Math.round(result.peakRssMb),
	'CPU ms/row': Number(result.cpuMsPerRow.toFixed(2)),
	'% 429': result.share429 === undefined ? '' : Number((result.share429 * 100).toFixed(1)),
});

export function printTable(results: readonly Result[]): void {
	console.table(results.map(columnsOf));
}
