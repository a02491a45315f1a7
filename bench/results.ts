import { existsSync, readFileSync } from 'node:fs';

/** With what a result was measured. */
export interface Origin {
	/** The version in package.json. */
	version: string;
	/** `YYYY-MM-DD`. */
	date: string;
}

/** What one contestant did in one scenario: an entry of results.json. */
export interface Result {
	scenario: string;
	contestant: string;
	rows: number;
	/** Number of rows whose link is in the service and in the result of the run. */
	ok: number;
	/** Rows without a link of their own: not in the service or, for a list, not in the output. */
	lost: number;
	/** Links beyond one per row. */
	duplicated: number;
	seconds: number;
	/** The shortest time that the scenario allows. */
	optimumSeconds: number;
	peakRssMb: number;
	cpuMsPerRow: number;
	/** Share of the requests that the service refused with 429, from 0 to 1; only where it throttles. */
	share429?: number;
	/** API requests that the service received, those that it refused too; only in `resync`. */
	requests?: number;
	/** Resident memory of the process when the run began; only in `growth` and `growth-list`. */
	baseRssMb?: number;
}

/** Seconds per row. */
export const secondsPerRow = ({ seconds, rows }: Result): number => seconds / rows;

/** MB per row, without the memory of the process itself. */
export const memoryPerRow = ({ peakRssMb, baseRssMb = 0, rows }: Result): number =>
	(peakRssMb - baseRssMb) / rows;

/** The measured part of a result: what one run took. */
export interface Measure {
	seconds: number;
	/** Of the process when the run began. */
	baseRssMb: number;
	peakRssMb: number;
	cpuSeconds: number;
}

/** A link as the service describes it, as far as the benchmark looks. */
export interface Link {
	alias: string;
	url: string;
}

const isLink = (value: unknown): value is Link =>
	typeof value === 'object' && value !== null && 'alias' in value && 'url' in value;

/** Returns the links in output items: the item itself, the `data` of a response, or a list of such `data`. */
export const linksIn = (items: readonly unknown[]): Link[] =>
	items
		.flatMap((item) => (item as { data?: unknown } | null)?.data ?? item)
		.filter((data) => isLink(data));

/** The middle one, or the mean of the two in the middle; NaN of none. */
export function median(values: readonly number[]): number {
	const sorted = values.toSorted((a, b) => a - b);
	const middle = sorted.length / 2;
	const [low = NaN, high = low] = sorted.slice(Math.ceil(middle) - 1, Math.floor(middle) + 1);
	return (low + high) / 2;
}

/** The result of many concurrent webhook calls under one rate limit: an entry of results.json. */
export interface BurstResult {
	scenario: string;
	contestant: string;
	/** How n8n runs: `one process`, or queue mode with a number of workers. */
	mode: string;
	limit: number;
	windowSeconds: number;
	calls: number;
	/** Calls that n8n itself turned away, as it does when its SQLite database does not keep up. */
	rejected: number;
	/** Calls that n8n took, and whose links were not updated. */
	lost: number;
	requests: number;
	/** Share of the requests that the service refused with 429, from 0 to 1. */
	refusedShare: number;
	/** From the first call to the end of the last execution. */
	seconds: number;
	/** The windows that must pass. */
	optimumSeconds: number;
	/** Seconds from n8n's taking a call to the end of its execution: half of them took at most p50, 95 % at most p95. */
	p50: number;
	p95: number;
}

/** The contents of results.json. Scenarios can be measured again on their own, so each result has its origin. */
export interface Results {
	/** Of the scenarios that are about the rows of one execution. */
	rows: (Result & Origin)[];
	/** Of many executions at once. */
	bursts: (BurstResult & Origin)[];
}

/** Reads earlier results; without a file, there are none. */
export const readResults = (file: string): Results =>
	existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Results) : { rows: [], bursts: [] };

/** Earlier results of one kind, with those of the scenarios that ran again in their place. */
function mergedOf<T extends { scenario: string }>(earlier: readonly T[], later: readonly T[]): T[] {
	const isAgain = ({ scenario }: T) => later.some((result) => result.scenario === scenario);
	const at = earlier.findIndex(isAgain);
	const rest = earlier.filter((result) => !isAgain(result));
	return rest.toSpliced(at === -1 ? rest.length : at, 0, ...later);
}

/** Earlier results, with those of the scenarios that ran again in their place. */
export const merged = (earlier: Results, later: Partial<Results>): Results => ({
	rows: mergedOf(earlier.rows, later.rows ?? []),
	bursts: mergedOf(earlier.bursts, later.bursts ?? []),
});

/** Returns a value rounded to a number of decimal places. */
export const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));
