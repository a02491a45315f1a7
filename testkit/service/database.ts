import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { linkColumns, type Columns } from './linkFields.ts';

/** Contract 2.1 names domains and spaces but gives them no endpoint; two of each exist. */
const seed = `
INSERT INTO domains (id, name) VALUES (1, 'short.example'), (2, 'go.example');
INSERT INTO spaces (id, name) VALUES (1, 'Marketing'), (2, 'Support');
INSERT INTO pixels (name, type, value, created_at, updated_at)
SELECT column1, column2, column3, now(), now() FROM (VALUES
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

/** The tables of the service, and its clock. */
export class Database extends DatabaseSync {
	private readonly clock: () => number;

	private readonly statements = new Map<string, StatementSync>();

	/**
	 * Opens a file, or `:memory:`. A new database gets its tables and its domains, spaces and pixels.
	 *
	 * @param clock returns milliseconds since 1970
	 */
	constructor(file: string, clock: () => number = () => Date.now()) {
		super(file);
		this.clock = clock;
		this.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
		const version = this.prepare('PRAGMA user_version').get()?.user_version;
		if (version !== 0) return;
		const time = `'${this.now()}'`;
		this.exec(`BEGIN; ${schema} ${seed.replaceAll('now()', time)} PRAGMA user_version = 1; COMMIT`);
	}

	/** Returns the statement of this text, which is compiled only once. */
	override prepare(sql: string): StatementSync {
		const known = this.statements.get(sql) ?? super.prepare(sql);
		this.statements.set(sql, known);
		return known;
	}

	/** The present moment as the service writes moments: comparable as text. */
	now(): string {
		return new Date(this.clock()).toISOString().replace('Z', '000Z');
	}
}

/** Whether a row with this id exists in one of the tables above. */
export function exists(database: Database, table: string, id: unknown): boolean {
	if (typeof id !== 'string' || !/^\d{1,15}$/.test(id)) return false;
	return database.prepare(`SELECT 1 FROM ${table} WHERE id = ?`).get(Number(id)) !== undefined;
}

/** Inserts a row with both time stamps; returns its id. */
export function insert(database: Database, table: string, columns: Columns): number {
	const row = { ...columns, created_at: database.now(), updated_at: database.now() };
	const names = Object.keys(row);
	const { lastInsertRowid } = database
		.prepare(`INSERT INTO ${table} (${names.join()}) VALUES (${names.map(() => '?').join()})`)
		.run(...Object.values(row));
	return Number(lastInsertRowid);
}

/** Changes these columns of a row, and when it was changed. */
export function change(database: Database, table: string, id: number, columns: Columns): void {
	const row = { ...columns, updated_at: database.now() };
	const assignments = Object.keys(row).map((name) => `${name} = ?`);
	database
		.prepare(`UPDATE ${table} SET ${assignments.join()} WHERE id = ?`)
		.run(...Object.values(row), id);
}

/** Deletes a row if it is there. */
export function remove(database: Database, table: string, id: number): void {
	database.prepare(`DELETE FROM ${table} WHERE id = ?`).run(id);
}

/** Runs the work in one transaction: all of it happens, or nothing. */
export function together<T>(database: Database, work: () => T): T {
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
