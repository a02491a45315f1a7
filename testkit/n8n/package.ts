import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { npm } from '../npm.ts';

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
