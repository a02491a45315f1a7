import type { SQLInputValue, SQLOutputValue } from 'node:sqlite';
import type { Database } from './database.ts';
import type { Form } from './form.ts';

/** Which page of a list to read. */
export interface Window {
	limit: number;
	offset: number;
}

/** Conditions of a list, in SQL with `?`, and the values for them in the same order. */
export interface Filters {
	conditions: string[];
	values: SQLInputValue[];
}

/** A list parameter, when it is one text and not empty. */
export function queryValue(query: Form, name: string): string | undefined {
	const value = query[name];
	return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A list parameter out of allowed values; any other value silently means the first (assumption: per_page). */
export function choice(query: Form, name: string, allowed: readonly [string, ...string[]]): string {
	return allowed.find((value) => value === queryValue(query, name)) ?? allowed[0];
}

/** Adds the search of contract 4.1 and 4.4: the text anywhere in one of the columns, in upper or lower case. */
export function addSearch(
	filters: Filters,
	query: Form,
	columns: readonly [string, ...string[]],
	table: string,
): void {
	const column = `${table}.${choice(query, 'search_by', columns)}`;
	addFilter(filters, query, 'search', `instr(lower(${column}), lower(?)) > 0`);
}

/** Adds a condition with one `?` for a parameter that is given. */
export function addFilter(filters: Filters, query: Form, name: string, condition: string): void {
	const value = queryValue(query, name);
	if (value === undefined) return;
	filters.conditions.push(condition);
	filters.values.push(value);
}

/** The order of contract 4.1 and 4.4. Equal keys get no tie-breaker (assumption: sort order). */
export function orderOf(
	query: Form,
	columns: readonly [string, ...string[]],
	table: string,
): string {
	const direction = choice(query, 'sort', ['desc', 'asc']);
	const column = choice(query, 'sort_by', columns);
	// With a collation, SQLite would sort all IDs instead of reading its index.
	return `${table}.${column}${column === 'id' ? '' : ' COLLATE NOCASE'} ${direction}`;
}

/** Reads one window of a selection, and counts the whole of it. What the window skips is not joined with anything. */
export function readWindow(
	database: Database,
	select: string,
	table: string,
	{ conditions, values }: Filters,
	order: string,
	{ limit, offset }: Window,
): { total: number; rows: Record<string, SQLOutputValue>[] } {
	const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';
	const count = database.prepare(`SELECT count(*) AS total FROM ${table} ${where}`).get(...values);
	const ids = `SELECT ${table}.id FROM ${table} ${where} ORDER BY ${order} LIMIT ? OFFSET ?`;
	const rows = database
		.prepare(`${select} WHERE ${table}.id IN (${ids}) ORDER BY ${order}`)
		.all(...values, limit, offset);
	return { total: Number(count?.total), rows };
}
