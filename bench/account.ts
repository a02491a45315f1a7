import type { Link, Result } from './results.ts';

/** The rows of a run. Row 7 is to become the link `bench-7`; its destination, too, is no other row's. */
export const aliasOf = (index: number) => `bench-${index}`;
export const urlOf = (index: number) => `https://example.com/bench/${index}`;

/** How often each text comes. */
function countsOf(texts: readonly string[]): Map<string, number> {
	const counts = new Map<string, number>();
	for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
	return counts;
}

/** Copies beyond the first of each. */
const repeatsIn = (counts: ReadonlyMap<string, number>) =>
	[...counts.values()].reduce((sum, count) => sum + count - 1, 0);

/**
 * Compares what the service holds after a run of creates with the rows and with what the run returned. A row is known
 * by its destination URL, so that a second link under another alias counts as what it is.
 */
export function accountOfCreates(
	rows: number,
	held: readonly Link[],
	returned: readonly Link[],
): Pick<Result, 'ok' | 'lost' | 'duplicated'> {
	const counts = countsOf(held.map(({ url }) => url));
	const reported = new Set(returned.map(({ url }) => url));
	const urls = Array.from({ length: rows }, (_, index) => urlOf(index));
	const own = urls.filter((url) => counts.has(url));
	return {
		ok: own.filter((url) => reported.has(url)).length,
		lost: rows - own.length,
		duplicated: repeatsIn(counts),
	};
}

/** Compares what a list returned with the links that the service holds, one for each row. */
export function accountOfList(
	rows: number,
	returned: readonly Link[],
): Pick<Result, 'ok' | 'lost' | 'duplicated'> {
	const counts = countsOf(returned.map(({ alias }) => alias));
	return { ok: counts.size, lost: rows - counts.size, duplicated: repeatsIn(counts) };
}
