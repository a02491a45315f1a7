import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { npm } from '../npm.ts';
import { DemoError } from '../ports.ts';

/** Copies a file or folder of the project. */
async function copy(from: string, to: string): Promise<void> {
	await cp(from, to, { recursive: true }).catch(({ code }: NodeJS.ErrnoException) => {
		throw new DemoError(
			code === 'ENOENT'
				? `${from} is missing. Run "npm run build" first.`
				: `${from} cannot be copied: ${code}`,
		);
	});
}

/** What the tarball contains, besides package.json. */
const packed = ['dist', 'LICENSE', 'README.md'];

/**
 * Packs the build as it is published. `package.json` of the project is private, so that npm refuses to publish anything
 * but this tarball.
 *
 * @param folder where the tarball is written; created if it is missing
 * @param version replaces the version of the package
 * @returns the path of the tarball
 * @throws DemoError if there is no build, or if npm fails
 */
export async function pack(projectRoot: string, folder: string, version?: string): Promise<string> {
	const destination = resolve(folder);
	const staging = await mkdtemp(join(tmpdir(), 'pack-'));
	try {
		await mkdir(destination, { recursive: true });
		for (const name of packed) await copy(join(projectRoot, name), join(staging, name));
		const source = await readFile(join(projectRoot, 'package.json'), 'utf8');
		const { private: _private, ...manifest } = JSON.parse(source) as { private?: boolean };
		const published = version === undefined ? manifest : { ...manifest, version };
		await writeFile(join(staging, 'package.json'), `${JSON.stringify(published, null, '\t')}\n`);
		const name = await npm(['pack', '--silent', '--pack-destination', destination], staging);
		return join(destination, name);
	} finally {
		await rm(staging, { recursive: true, force: true });
	}
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
