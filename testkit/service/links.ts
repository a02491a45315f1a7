import { randomBytes } from 'node:crypto';
import type { SQLOutputValue } from 'node:sqlite';
import { change, insert, remove, together, type Database } from './database.ts';
import type { Form } from './form.ts';
import { checkLink, domainOf, idsOf, meantByCreate } from './linkCheck.ts';
import { columnsOf, linkFields, shownFields, type Columns } from './linkFields.ts';
import { addFilter, addSearch, orderOf, queryValue, readWindow, type Filters } from './listing.ts';
import { names, type Known, type Representation, type Resource } from './resource.ts';
import { targetLists, targetsOf } from './targets.ts';

const onUpdate: Known = new Map([
	...names(...Object.keys(linkFields), 'space_id', 'pixel_ids'),
	...Object.entries(targetLists).map(([list, parts]) => [list, Object.keys(parts)] as const),
]);

const onList = names(
	...['search', 'search_by', 'status', 'space_id', 'domain_id', 'pixel_id'],
	...['sort_by', 'sort', 'per_page', 'page'],
);

type Row = Record<string, SQLOutputValue>;

/** Reads links with the names of their domain and space, and their pixels as JSON. */
const selectLinks = `
SELECT links.*, domains.name AS domain, spaces.name AS space, (
	SELECT json_group_array(
		json_object('id', pixels.id, 'name', name, 'type', type, 'value', value) ORDER BY pixels.id)
	FROM link_pixels JOIN pixels ON pixels.id = pixel_id WHERE link_id = links.id) AS pixels
FROM links JOIN domains ON domains.id = domain_id LEFT JOIN spaces ON spaces.id = space_id`;

/** The links of a database (contract 2.1, 3, 4.1 to 4.3); `origin` is where short URLs are answered. */
export function linkResource(database: Database, origin: () => string): Resource {
	const find = (id: number): Representation | undefined => {
		const row = database.prepare(`${selectLinks} WHERE links.id = ?`).get(id);
		return row && representLink(row, origin());
	};

	return {
		name: 'link',
		knownFields: {
			create: new Map([...onUpdate, ...names('domain_id', 'domain')]),
			update: onUpdate,
			list: onList,
		},
		list(query, window) {
			const filters = linkFilters(database, query);
			const order = orderOf(query, ['id', 'clicks', 'title', 'alias', 'url'], 'links');
			const page = readWindow(database, selectLinks, 'links', filters, order, window);
			return { ...page, rows: page.rows.map((row) => representLink(row, origin())) };
		},
		find,
		check(form, id) {
			if (id === undefined) return checkLink(database, meantByCreate(form));
			const row = database.prepare('SELECT domain_id FROM links WHERE id = ?').get(id);
			return checkLink(database, form, { id, domainId: Number(row?.domain_id) });
		},
		create(sent) {
			const form = meantByCreate(sent);
			const domain_id = Number(domainOf(form).value);
			const alias = freeAlias(database, domain_id);
			const id = together(database, () => {
				const inserted = insert(database, 'links', { alias, ...sentColumns(form), domain_id });
				attachPixels(database, inserted, form);
				return inserted;
			});
			return echoLink({ ...find(id) }, form, true);
		},
		update(id, form) {
			together(database, () => {
				change(database, 'links', id, sentColumns(form));
				attachPixels(database, id, form);
			});
			return echoLink({ ...find(id) }, form, false);
		},
		remove: (id) => remove(database, 'links', id),
	};
}

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
function linkFilters(database: Database, query: Form): Filters {
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

/** The stored form of the fields that were sent; the domain is ignored here (assumption: partial update). */
function sentColumns(form: Form): Columns {
	const columns = columnsOf(form);
	if (typeof form.url === 'string') columns.title = titleOf(form.url);
	for (const list of Object.keys(targetLists)) {
		if (!(list in form)) continue;
		const targets = targetsOf(list, form[list]);
		columns[list] = targets && JSON.stringify(targets);
	}
	if ('space_id' in form) columns.space_id = form.space_id === null ? null : Number(form.space_id);
	// The account's time zone is UTC here.
	const { expiration_date: date, expiration_time: time } = form;
	if (date !== undefined) columns.ends_at = date === null ? null : `${date}T${time}:00.000000Z`;
	return columns;
}

/** Assumption: title. A service reads the page behind the address; this one stays off the network. */
function titleOf(url: string): string | null {
	return URL.canParse(url) ? new URL(url).hostname : null;
}

/** Replaces the attached pixels whole, when any were sent. */
function attachPixels(database: Database, id: number, form: Form): void {
	if (!('pixel_ids' in form)) return;
	database.prepare('DELETE FROM link_pixels WHERE link_id = ?').run(id);
	const attach = database.prepare('INSERT OR IGNORE INTO link_pixels VALUES (?, ?)');
	for (const pixelId of idsOf(form.pixel_ids, true)) attach.run(id, Number(pixelId));
}

/** Six characters that no link of the domain has (assumption: generated alias). */
function freeAlias(database: Database, domainId: number): string {
	const existing = database.prepare('SELECT 1 FROM links WHERE domain_id = ? AND alias = ?');
	let alias: string;
	do alias = randomBytes(5).toString('base64url').slice(0, 6);
	while (existing.get(domainId, alias));
	return alias;
}

/** A row of {@link selectLinks} as the service answers it (assumption: one resource). */
function representLink(row: Row, origin: string): Representation {
	const { id, title, clicks, ends_at, created_at, updated_at } = row;
	const path = row.domain_id === 1 ? row.alias : `${row.domain_id}/${row.alias}`;
	const targets = Object.keys(targetLists).map((list) => [`${list}_target`, fromJson(row[list])]);
	return {
		...{ id, ...shownFields(row), short_url: `${origin}/s/${path}`, title },
		...{ ...Object.fromEntries(targets), last_rotation: 0, clicks },
		space: row.space_id === null ? null : { id: row.space_id, name: row.space },
		domain: { id: row.domain_id, name: row.domain },
		pixels: fromJson(row.pixels),
		...{ ends_at, created_at, updated_at },
	};
}

/**
 * The answer to a write, which the framework makes of what was sent instead of reading the row again: sent numbers come
 * back as text, and what a create did not send is null, defaults included (assumption: sent numbers).
 */
function echoLink(link: Representation, form: Form, created: boolean): Representation {
	const unsent = created ? { clicks: null, last_rotation: null } : {};
	const echoed = Object.entries(linkFields)
		.filter(
			([name, field]) => field.type === 'number' && (created || typeof form[name] === 'string'),
		)
		.map(([name]) => [name, form[name] ?? null]);
	return { ...link, ...unsent, ...Object.fromEntries(echoed) };
}

function fromJson(text: SQLOutputValue | undefined): unknown {
	return typeof text === 'string' ? JSON.parse(text) : null;
}
