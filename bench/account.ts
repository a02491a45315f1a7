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

export const indexesOf = ({ first, rows }: Rows) =>
	Array.from({ length: rows }, (_, at) => first + at);

/**
 * Compares links with the rows that they are to come from.
 *
 * @param links what the service stores or, for a list, what the run returned
 * @param returned what the run returned, if a row counts as ok only if its link is there, too
 */
export function accountOf(
	rows: Rows,
	links: readonly Link[],
	returned = links,
): Pick<Result, 'ok' | 'lost' | 'duplicated'> {
	const urls = new Map(links.map(({ alias, url }) => [alias, url]));
	const reported = new Set(returned.map(({ alias }) => alias));
	const indexes = indexesOf(rows);
	const right = indexes.filter((index) => urls.get(aliasOf(index)) === urlOf(index));
	return {
		ok: right.filter((index) => reported.has(aliasOf(index))).length,
		lost: rows.rows - right.length,
		duplicated: links.length - indexes.filter((index) => urls.has(aliasOf(index))).length,
	};
}
