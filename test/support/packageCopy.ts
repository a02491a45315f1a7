import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { cp, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from './process.ts';

const sources = [
	'package.json',
	'tsconfig.json',
	'gulpfile.js',
	'index.ts',
	'nodes',
	'credentials',
];

/** A folder for a copy of this package, in which a test changes the source. */
export const newCopy = (): string => mkdtempSync(join(tmpdir(), 'package-copy-'));

/** Copies the source of this package to a folder. */
export async function copyPackage(root: string): Promise<void> {
	for (const name of sources)
		await cp(join(projectRoot, name), join(root, name), { recursive: true });
	await symlink(join(projectRoot, 'node_modules'), join(root, 'node_modules'));
}

/** Builds a copy of this package. Throws an error with the output if that fails. */
export function buildCopy(root: string): void {
	const options = { cwd: root, encoding: 'utf8' } as const;
	const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', 'build'], options);
	if (status !== 0) throw new Error(`The copy cannot be built:\n${stdout}${stderr}`);
}
