import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DemoError } from '../ports.ts';

const run = promisify(execFile);

/** Runs npm in a folder and returns what it prints. */
async function npm(args: string[], cwd: string): Promise<string> {
	const done = run('npm', args, { cwd }).catch(({ stderr }: { stderr: string }) => {
		throw new DemoError(`npm ${args[0]} failed: ${stderr.trim()}`);
	});
	return (await done).stdout.trim();
}

/** Packs the built package into a folder and returns the tarball's path. */
export async function pack(projectRoot: string, folder: string): Promise<string> {
	await mkdir(folder, { recursive: true });
	return join(folder, await npm(['pack', '--silent', '--pack-destination', folder], projectRoot));
}

/** The folder in a user folder of n8n that contains the community packages. */
export const packagesIn = (folder: string): string => join(folder, '.n8n', 'nodes');

/**
 * Installs the package where n8n looks for community packages, without the peer that n8n itself provides.
 *
 * @param folder the user folder of n8n
 */
export async function installPackage(folder: string, tarball: string): Promise<void> {
	const packages = packagesIn(folder);
	await mkdir(packages, { recursive: true });
	await writeFile(join(packages, 'package.json'), '{ "private": true }');
	await npm(['install', tarball, '--legacy-peer-deps', '--no-audit', '--no-fund'], packages);
}
