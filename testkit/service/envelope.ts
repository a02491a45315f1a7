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
	const { rows: data, total, number, size, path } = page;
	// An empty list has one page, an empty one.
	const lastPage = Math.max(1, Math.ceil(total / size));
	const before = (number - 1) * size;
	const meta = {
		current_page: number,
		from: data.length > 0 ? before + 1 : null,
		last_page: lastPage,
		path,
		per_page: size,
		to: data.length > 0 ? before + data.length : null,
		total,
	};
	// They carry the page and its size and lose every filter (assumption: next link loses filters).
	const to = (other: number) => `${path}?per_page=${size}&page=${other}`;
	const links = {
		first: to(1),
		last: to(lastPage),
		prev: number > 1 ? to(number - 1) : null,
		next: number < lastPage ? to(number + 1) : null,
	};
	if (envelope === 'bare') return data;
	if (envelope === 'collection') return { data, links, meta, status: 200 };
	const simple = {
		data,
		first_page_url: links.first,
		next_page_url: links.next,
		prev_page_url: links.prev,
	};
	if (envelope === 'flat') return { ...meta, ...simple, last_page_url: links.last };
	const { last_page: _lastPage, total: _total, ...place } = meta;
	return { ...place, ...simple };
}
