import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DemoError } from '../ports.ts';

/** Runs npm quietly in a folder. */
async function npm(args: string[], cwd: string): Promise<string> {
	const child = spawn('npm', args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
	const texts = ['', ''];
	child.stdout.on('data', (chunk) => (texts[0] += String(chunk)));
	child.stderr.on('data', (chunk) => (texts[1] += String(chunk)));
	const [code] = await once(child, 'close');
	if (code !== 0) throw new DemoError(`npm ${args[0]} failed: ${texts[1]?.trim()}`);
	return texts[0]?.trim() ?? '';
}

/** Packs the built package into a folder and returns the tarball's path. */
export async function pack(projectRoot: string, folder: string): Promise<string> {
	await mkdir(folder, { recursive: true });
	return join(folder, await npm(['pack', '--silent', '--pack-destination', folder], projectRoot));
}

/**
 * Installs the package where n8n looks for community packages, without the peer that n8n itself provides.
 *
 * @param folder the user folder of n8n
 */
export async function installPackage(folder: string, tarball: string): Promise<void> {
	const packages = join(folder, '.n8n', 'nodes');
	await mkdir(packages, { recursive: true });
	await writeFile(join(packages, 'package.json'), '{ "private": true }');
	await npm(['install', tarball, '--legacy-peer-deps', '--no-audit', '--no-fund'], packages);
}
