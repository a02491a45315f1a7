// Installs the Node that a lock file names. Plain JavaScript for Node 20, as setup.mjs.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { link, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run, say, SetupError, tryAgain } from './commands.mjs';

/** The checksums of the packages that have a Node, as the registry and lock files write them. */
const checksumFile = join(dirname(fileURLToPath(import.meta.url)), 'nodeChecksums.json');

const readJson = (...path) => JSON.parse(readFileSync(join(...path), 'utf8'));

/** The version of Node that the lock file in a folder names. */
export const nodeVersion = (root) =>
	readJson(root, 'package-lock.json').packages['node_modules/node'].version;

/** The package of Node for this machine in a folder, with its headers; undefined until that version is set up. */
export async function nodePackage(root) {
	const folder = join(root, 'node_modules', 'node', 'node_modules');
	const names = await readdir(folder).catch(() => []);
	const name = names.find((each) => existsSync(join(folder, each, 'include', 'node', 'node.h')));
	const binary = join(root, 'node_modules', '.bin', 'node');
	if (!name || !existsSync(binary)) return undefined;
	const { version } = readJson(folder, name, 'package.json');
	return version === nodeVersion(root) ? join(folder, name) : undefined;
}

/**
 * Node where a lock file asks for it. The lock file has the checksum of the package `node`, but not of the package for this
 * machine, which its install script would fetch. So that one is fetched here and compared with its own checksum.
 */
export async function setUpNode(root, log) {
	if (await nodePackage(root)) return;
	const name = `node-${process.platform}-${process.arch}`;
	const wanted = `${name}@${nodeVersion(root)}`;
	const checksum = readJson(checksumFile)[wanted];
	if (!checksum) {
		throw new SetupError(
			`This kind of machine cannot be set up: ${checksumFile} has no checksum of ${wanted}.`,
		);
	}
	say('installing the Node that it runs on …');
	const options = { cwd: root, log, remedy: tryAgain };
	const folder = await mkdtemp(join(tmpdir(), 'node-'));
	try {
		await run('npm', ['pack', wanted, '--pack-destination', folder], options);
		const [tarball] = (await readdir(folder)).map((file) => join(folder, file));
		const found = createHash('sha512').update(readFileSync(tarball)).digest('base64');
		if (`sha512-${found}` !== checksum) {
			throw new SetupError(
				`The Node that was downloaded (${wanted}) is not the expected one, and was not installed. Its checksum is sha512-${found}, and ${checksumFile} has ${checksum}.`,
			);
		}
		const home = join(root, 'node_modules', 'node');
		const target = join(home, 'node_modules', name);
		for (const made of [target, join(home, 'bin')]) await mkdir(made, { recursive: true });
		await run('tar', ['-xzf', tarball, '-C', target, '--strip-components=1'], options);
		const binary = join(home, 'bin', 'node');
		await rm(binary, { force: true });
		await link(join(target, 'bin', 'node'), binary);
	} finally {
		await rm(folder, { recursive: true });
	}
	// npm links to a command only once its file is there.
	await run('npm', ['rebuild', 'node', '--ignore-scripts'], options);
}
