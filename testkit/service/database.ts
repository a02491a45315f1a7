import { DatabaseSync } from 'node:sqlite';
import type { Columns } from './columns.ts';
import { linkColumns } from './linkFields.ts';

/** Contract 2.1 names domains and spaces but gives them no endpoint; two of each exist. */
const seed = `
INSERT INTO domains (id, name) VALUES (1, 'short.example'), (2, 'go.example');
INSERT INTO spaces (id, name) VALUES (1, 'Marketing'), (2, 'Support');
INSERT INTO pixels (name, type, value, created_at, updated_at)
SELECT column1, column2, column3, strftime('%FT%T.000000Z'), strftime('%FT%T.000000Z') FROM (VALUES
	('Facebook visitors', 'facebook', '1234567890'),
	('Analytics', 'google-analytics', 'G-ABC123DEF4'),
	('LinkedIn insight', 'linkedin', '7654321'));
`;

const schema = `
CREATE TABLE domains (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE spaces (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE pixels (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	name TEXT NOT NULL UNIQUE, type TEXT NOT NULL, value TEXT NOT NULL,
	created_at TEXT NOT NULL, updated_at TEXT NOT NULL);
CREATE TABLE links (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	domain_id INTEGER NOT NULL REFERENCES domains, space_id INTEGER REFERENCES spaces,
	${linkColumns()}
	title TEXT, ends_at TEXT,
	country TEXT, platform TEXT, language TEXT, rotation TEXT,
	clicks INTEGER NOT NULL DEFAULT 0,
	created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
	UNIQUE (domain_id, alias));
CREATE TABLE link_pixels (
	link_id INTEGER NOT NULL REFERENCES links ON DELETE CASCADE,
	pixel_id INTEGER NOT NULL REFERENCES pixels ON DELETE CASCADE,
	PRIMARY KEY (link_id, pixel_id)) WITHOUT ROWID;
CREATE INDEX link_pixels_by_pixel ON link_pixels (pixel_id);
`;

/** Opens a database file, or `:memory:`; a new one gets its tables and its domains, spaces and pixels. */
export function openDatabase(file: string): DatabaseSync {
	const database = new DatabaseSync(file);
	database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
	const version = database.prepare('PRAGMA user_version').get()?.user_version;
	if (version === 0) database.exec(`BEGIN; ${schema} ${seed} PRAGMA user_version = 1; COMMIT`);
	return database;
}

/** Whether a row with this id exists in one of the tables above. */
export function exists(database: DatabaseSync, table: string, id: unknown): boolean {
	if (typeof id !== 'string' || !/^\d{1,15}$/.test(id)) return false;
	return database.prepare(`SELECT 1 FROM ${table} WHERE id = ?`).get(Number(id)) !== undefined;
}

/** Inserts a row with both time stamps; returns its id. */
export function insert(database: DatabaseSync, table: string, columns: Columns): number {
	const row = { ...columns, created_at: now(), updated_at: now() };
	const names = Object.keys(row);
	const { lastInsertRowid } = database
		.prepare(`INSERT INTO ${table} (${names.join()}) VALUES (${names.map(() => '?').join()})`)
		.run(...Object.values(row));
	return Number(lastInsertRowid);
}

/** Changes these columns of a row, and when it was changed. */
export function change(database: DatabaseSync, table: string, id: number, columns: Columns): void {
	const row = { ...columns, updated_at: now() };
	const assignments = Object.keys(row).map((name) => `${name} = ?`);
	database
		.prepare(`UPDATE ${table} SET ${assignments.join()} WHERE id = ?`)
		.run(...Object.values(row), id);
}

/** Deletes a row if it is there. */
export function remove(database: DatabaseSync, table: string, id: number): void {
	database.prepare(`DELETE FROM ${table} WHERE id = ?`).run(id);
}

/** Runs the work in one transaction: all of it happens, or nothing. */
export function together<T>(database: DatabaseSync, work: () => T): T {
	database.exec('BEGIN');
	try {
		const result = work();
		database.exec('COMMIT');
		return result;
	} catch (error) {
		database.exec('ROLLBACK');
		throw error;
	}
}

/** The present moment as the service writes moments: comparable as text. */
export function now(): string {
	return new Date().toISOString().replace('Z', '000Z');
}
