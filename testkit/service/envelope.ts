import type { Settings } from './settings.ts';

/** A page of a list, and its position in the list. */
export interface Page {
	rows: unknown[];
	total: number;
	/** From 1. */
	number: number;
	size: number;
	/** Address of the list, without query. */
	path: string;
}

/** Wraps a page in one of the envelopes of the assumption "list envelopes". */
export function wrap(page: Page, envelope: Settings['envelope']): unknown {
	const place = placeOf(page);
	const { first, last, prev, next } = linksOf(page);
	const { last_page, total, ...untold } = place;
	switch (envelope) {
		case 'bare':
			return page.rows;
		case 'simple':
			return {
				...untold,
				data: page.rows,
				first_page_url: first,
				next_page_url: next,
				prev_page_url: prev,
			};
		case 'flat':
			return {
				...untold,
				data: page.rows,
				first_page_url: first,
				last_page,
				last_page_url: last,
				next_page_url: next,
				prev_page_url: prev,
				total,
			};
		case 'collection':
			return { data: page.rows, links: { first, last, prev, next }, meta: place, status: 200 };
	}
}

function placeOf({ rows, total, number, size, path }: Page) {
	const before = (number - 1) * size;
	return {
		current_page: number,
		from: rows.length > 0 ? before + 1 : null,
		last_page: lastPage(total, size),
		path,
		per_page: size,
		to: rows.length > 0 ? before + rows.length : null,
		total,
	};
}

/** They carry the page and its size and lose every filter (assumption: next link loses filters). */
function linksOf({ total, number, size, path }: Page) {
	const last = lastPage(total, size);
	const to = (page: number) => `${path}?per_page=${size}&page=${page}`;
	return {
		first: to(1),
		last: to(last),
		prev: number > 1 ? to(number - 1) : null,
		next: number < last ? to(number + 1) : null,
	};
}

/** An empty list has one page, an empty one. */
function lastPage(total: number, size: number): number {
	return Math.max(1, Math.ceil(total / size));
}
