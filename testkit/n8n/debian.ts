import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { DemoError } from '../ports.ts';

/** Folders that Debian installs PostgreSQL's programs in, the newest version first; they are in no PATH. */
function postgresFolders(): string[] {
	const root = '/usr/lib/postgresql';
	if (!existsSync(root)) return [];
	const versions = readdirSync(root).sort((a, b) => Number(b) - Number(a));
	return versions.map((version) => join(root, version, 'bin'));
}

/**
 * The path of a program that queue mode needs.
 *
 * @throws DemoError that says what to install where it is missing
 */
export function programOf(name: string, debianPackage: string): string {
	const folders = [...(process.env.PATH ?? '').split(delimiter), ...postgresFolders()];
	const path = folders.map((folder) => join(folder, name)).find((file) => existsSync(file));
	if (path) return path;
	throw new DemoError(
		`n8n's queue mode needs ${name}, which is not installed. On Debian: apt-get install redis-server postgresql (${name} comes with ${debianPackage}).`,
	);
}
