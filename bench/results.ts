/** What one contestant did in one scenario: an entry of results.json. */
export interface Result {
	scenario: string;
	contestant: string;
	rows: number;
	/** Rows whose own link the service holds and the run returned. */
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
}

/** The measured part of a result: what one run took. */
export interface Measure {
	seconds: number;
	peakRssMb: number;
	cpuSeconds: number;
}

/** A link as the service describes it, as far as the benchmark looks. */
export interface Link {
	alias: string;
	url: string;
}

/** The middle one, or the mean of the two in the middle; NaN of none. */
export function median(values: readonly number[]): number {
	const sorted = values.toSorted((a, b) => a - b);
	const half = sorted.length / 2;
	const [low = NaN, high = low] = sorted.slice(Math.ceil(half) - 1, Math.floor(half) + 1);
	return (low + high) / 2;
}
