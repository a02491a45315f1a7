// Installs what a fresh machine lacks. Runs before anything is installed, so it is plain JavaScript for Node 20 and
// uses nothing but Node. `node demo/setup.mjs` brings the project's packages and Node 24; with `n8n`, n8n as well; with
// `n8n-1`, the generation of n8n before it; with `chromium`, it first makes sure that there is a browser.
// A script in package.json that goes on after this one says `env node`: its shell remembers where the old node was.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, readdir, rename, rm, statfs, writeFile } from 'node:fs/promises';
import { basename, delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import chromium from './chromium.cjs';
import { exitOf, run, say, SetupError, tryAgain } from './commands.mjs';
import location from './n8n/location.cjs';
import { nodePackage, setUpNode } from './nodeBinary.mjs';

const projectRoot = dirname(dirname(fileURLToPath(import.meta.url)));

/** What is installed for an argument, and what that takes about. */
const n8ns = {
	n8n: { ...location.current, minutes: 4, gigabytes: 3 },
	'n8n-1': { ...location.older, minutes: 4, gigabytes: 2 },
};

/** Says every few seconds how many of a lock file's packages have arrived, until the returned function is called. */
function showProgress(folder, lockFile) {
	const { packages } = JSON.parse(readFileSync(lockFile, 'utf8'));
	// Packages for other platforms are optional, and never arrive.
	const expected = Object.entries(packages)
		.filter(([path, { optional }]) => path !== '' && !optional)
		.map(([path]) => join(folder, path, 'package.json'));
	const timer = setInterval(() => {
		const arrived = expected.filter((file) => existsSync(file)).length;
		say(`${arrived} of ${expected.length} packages`);
	}, 10_000);
	return () => clearInterval(timer);
}

async function needSpace(folder, gigabytes) {
	const { bavail, bsize } = await statfs(folder);
	const free = (bavail * bsize) / 1e9;
	if (free < gigabytes) {
		throw new SetupError(
			`${folder} has ${free.toFixed(1)} GB left, and ${gigabytes} GB are needed. Free some space and try again.`,
		);
	}
}

/** Whether a command exists. */
const has = async (command) =>
	(await exitOf(spawn(command, ['--version'], { stdio: 'ignore' }))) === 0;

async function needCompiler() {
	const tools = ['make', 'c++', 'python3'];
	const found = await Promise.all(tools.map(has));
	const missing = tools.filter((_, index) => !found[index]);
	if (missing.length > 0) {
		throw new SetupError(
			`n8n's database driver has to be compiled, and these tools are missing: ${missing.join(', ')}. On Debian: apt-get install build-essential python3`,
		);
	}
}

function needChromium() {
	if (existsSync(chromium)) return;
	throw new SetupError(
		`The browser tests drive Chromium, and there is no ${chromium}. On Debian: apt-get install chromium`,
	);
}

const npmFlags = ['--no-audit', '--no-fund', '--ignore-scripts'];

/** The project's own packages from its lock file. */
async function setUpPackages() {
	const lock = join(projectRoot, 'package-lock.json');
	const hash = createHash('sha256').update(readFileSync(lock)).digest('hex').slice(0, 8);
	const stamp = join(projectRoot, 'node_modules', `.setup-${hash}`);
	if (existsSync(stamp)) return;
	await needSpace(projectRoot, 1.5);
	say('installing the packages of this project (about a minute, 1 GB) …');
	const log = join(projectRoot, 'setup.log');
	const stop = showProgress(projectRoot, lock);
	const options = { cwd: projectRoot, log, remedy: tryAgain };
	await run('npm', ['ci', ...npmFlags], options).finally(stop);
	await writeFile(stamp, '');
	await rm(log, { force: true });
}

/** Leftovers of installations that were interrupted. One that is still running keeps its folder. */
async function removeLeftovers(folder) {
	for (const entry of await readdir(folder)) {
		const [, pid] = entry.match(/\.partial-(\d+)$/) ?? [];
		if (!pid || existsSync(`/proc/${pid}`)) continue;
		say(`removing an interrupted installation (${entry}) …`);
		await rm(join(folder, entry), { recursive: true, force: true, maxRetries: 5 });
	}
}

/** n8n from its own lock file, built beside its final place and moved there when it is whole. */
async function setUpN8n({ version, source, root, nodeRoot, minutes, gigabytes }) {
	if (existsSync(root)) return;
	const folder = dirname(root);
	await mkdir(folder, { recursive: true });
	await removeLeftovers(folder);
	await needSpace(folder, gigabytes + 1);
	await needCompiler();
	const partial = `${root}.partial-${process.pid}`;
	await mkdir(partial);
	for (const file of ['package.json', 'package-lock.json']) {
		await copyFile(join(source, file), join(partial, file));
	}
	const log = join(folder, `${basename(root)}.log`);
	say(`installing n8n ${version} into ${root}`);
	say(`this takes about ${minutes} minutes and ${gigabytes} GB, once for all clones …`);
	const stop = showProgress(partial, join(partial, 'package-lock.json'));
	await run('npm', ['ci', ...npmFlags], { cwd: partial, log, remedy: tryAgain }).finally(stop);
	const hasOwnNode = nodeRoot === root;
	if (hasOwnNode) await setUpNode(partial, log);
	say('compiling the database driver (about a minute) …');
	const builtOn = hasOwnNode ? partial : nodeRoot;
	const bin = join(builtOn, 'node_modules', 'node', 'bin');
	const options = {
		cwd: partial,
		env: {
			PATH: `${bin}${delimiter}${process.env.PATH}`,
			npm_config_nodedir: await nodePackage(builtOn),
		},
		log,
		remedy: 'A C++ compiler is needed; on Debian: apt-get install build-essential python3.',
	};
	await run('npm', ['rebuild', 'sqlite3', '--ignore-scripts=false'], options);
	await run('node', ['-e', 'require("sqlite3")'], options);
	// Another clone may have been faster.
	if (existsSync(root)) await rm(partial, { recursive: true, force: true });
	else await rename(partial, root);
	say(`n8n ${version} is installed`);
}

try {
	if (Number(process.versions.node.split('.')[0]) < 20) {
		throw new SetupError(`Node 20 or newer is needed, and this is ${process.version}.`);
	}
	const wanted = process.argv.slice(2);
	if (wanted.includes('chromium')) needChromium();
	await setUpPackages();
	const log = join(projectRoot, 'setup.log');
	await setUpNode(projectRoot, log);
	await rm(log, { force: true });
	for (const [name, n8n] of Object.entries(n8ns)) if (wanted.includes(name)) await setUpN8n(n8n);
} catch (error) {
	if (error.code === 'ENOSPC') say('the disk is full. Free some space and try again.');
	else if (error instanceof SetupError) say(error.message);
	else throw error;
	process.exitCode = 1;
}
