import type { Database } from './database.ts';
import type { Form } from './form.ts';
import { addFilter, addSearch, queryValue, orderOf, type Filters } from './listing.ts';

/**
 * Expiry by time or by clicks, of which 0 means no limit. It looks at nothing else, so a disabled link may be expired
 * too.
 */
const expired = `(coalesce(ends_at < ?, 0) OR coalesce(clicks >= nullif(expiration_clicks, 0), 0))`;

/** The states of contract 3 by their filter values; any other value means all. */
const states = new Map([
	['1', `disabled = 0 AND NOT ${expired}`],
	['2', expired],
	['3', 'disabled = 1'],
]);

/** The filters of contract 4.1 that a query asks for. */
export function linkFilters(database: Database, query: Form): Filters {
	const filters: Filters = { conditions: [], values: [] };
	addSearch(filters, query, ['title', 'alias', 'url'], 'links');
	addFilter(filters, query, 'space_id', 'space_id = ?');
	addFilter(filters, query, 'domain_id', 'domain_id = ?');
	const attached = 'SELECT link_id FROM link_pixels WHERE pixel_id = ?';
	addFilter(filters, query, 'pixel_id', `links.id IN (${attached})`);
	const state = states.get(queryValue(query, 'status') ?? '');
	if (state) filters.conditions.push(state);
	if (state?.includes('?')) filters.values.push(database.now());
	return filters;
}

/** The order of contract 4.1 that a query asks for. */
export function linkOrder(query: Form): string {
	return orderOf(query, ['id', 'clicks', 'title', 'alias', 'url'], 'links');
}
