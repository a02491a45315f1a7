import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BurstResult, Results } from '../../bench/results.ts';
import { table } from './tables.ts';

/** Rows, and requests that a service takes per minute. */
const sizes = [100, 1_000, 10_000, 100_000];
const limits = [60, 120, 300, 1_000];

/** Returns minutes as text, rounded up to whole minutes: `2 h 47 min`. */
function durationOf(minutes: number): string {
	const whole = Math.ceil(minutes);
	const [hours, rest] = [Math.floor(whole / 60), whole % 60];
	return [hours > 0 ? `${hours} h` : '', rest > 0 ? `${rest} min` : '']
		.filter((text) => text !== '')
		.join(' ');
}

/** Returns the time that requests take under rate limits, by the formula on the page. */
const sizing = () =>
	table(
		['Requests', ...limits.map((limit) => `${limit.toLocaleString('en')} per minute`)],
		sizes.map((rows) => [
			rows.toLocaleString('en'),
			...limits.map((limit) => durationOf(rows / limit)),
		]),
	);

const burstRow = (result: BurstResult): string[] => {
	const { calls, limit, windowSeconds, mode, contestant, refusedShare, p50, p95 } = result;
	return [
		`${calls} behind ${limit} per ${windowSeconds} s`,
		mode,
		contestant,
		String(result.lost),
		`${(refusedShare * 100).toFixed(1)} %`,
		(result.seconds / result.optimumSeconds).toFixed(2),
		`${p50}, ${p95} s`,
	];
};

/** What the benchmark measured of webhook calls at once. */
const bursts = (results: readonly BurstResult[]) =>
	table(
		['Calls', 'n8n', 'Node', 'Lost', 'Refused', 'Time', 'p50, p95'],
		[...results]
			.sort((a, b) => a.windowSeconds - b.windowSeconds)
			.map((result) => burstRow(result)),
	);

/**
 * Returns the tables of docs/scaling.md that come from a formula and from the benchmark's results.
 *
 * @param projectRoot the checkout, whose bench/results.json has the results
 */
export function measuredTables(projectRoot: string): Record<string, string> {
	const results = JSON.parse(
		readFileSync(join(projectRoot, 'bench', 'results.json'), 'utf8'),
	) as Results;
	return { sizing: sizing(), bursts: bursts(results.bursts) };
}
