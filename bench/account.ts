import type { Link, Result } from './results.ts';

/** The rows of a run. Row 7 is to become the link `bench-7`; its destination, too, is no other row's. */
export const aliasOf = (index: number) => `bench-${index}`;
export const urlOf = (index: number) => `https://example.com/bench/${index}`;

/** Where a link points before a resync: each hundredth elsewhere than its row says. */
export const oldUrlOf = (index: number) => `${urlOf(index)}${index % 100 === 0 ? '/old' : ''}`;

/** The rows of a run: the number of the first row, and the number of rows. */
export interface Rows {
	first: number;
	rows: number;
}

const indexesOf = ({ first, rows }: Rows) => Array.from({ length: rows }, (_, at) => first + at);

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
	rows: Rows,
	stored: readonly Link[],
	returned: readonly Link[],
): Pick<Result, 'ok' | 'lost' | 'duplicated'> {
	const counts = countsOf(stored.map(({ url }) => url));
	const reported = new Set(returned.map(({ url }) => url));
	const urls = indexesOf(rows).map(urlOf);
	const own = urls.filter((url) => counts.has(url));
	return {
		ok: own.filter((url) => reported.has(url)).length,
		lost: urls.length - own.length,
		duplicated: repeatsIn(counts),
	};
}

/** Compares the links of the service after a resync with the rows. Before, it had one link for each row. */
export function accountOfResync(
	rows: Rows,
	stored: readonly Link[],
): Pick<Result, 'ok' | 'lost' | 'duplicated'> {
	const urls = new Map(stored.map(({ alias, url }) => [alias, url]));
	const ok = indexesOf(rows).filter((index) => urls.get(aliasOf(index)) === urlOf(index)).length;
	return { ok, lost: rows.rows - ok, duplicated: Math.max(0, stored.length - rows.rows) };
}

/** Compares the result of a list with the links in the service, one for each row. */
export function accountOfList(
	rows: number,
	returned: readonly Link[],
): Pick<Result, 'ok' | 'lost' | 'duplicated'> {
	const counts = countsOf(returned.map(({ alias }) => alias));
	return { ok: counts.size, lost: rows - counts.size, duplicated: repeatsIn(counts) };
}
