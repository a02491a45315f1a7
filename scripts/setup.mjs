// Installs what is missing. It runs before anything is installed, so it is plain JavaScript for Node 20 and uses only Node.
// `node scripts/setup.mjs` installs the project's packages and, if another Node runs it, Node 24. With `n8n` it also
// installs n8n, with `n8n-1` the last n8n 1, and with `registry` an npm registry for tests. With `chromium` it checks first
// that there is a browser.
// A script in package.json that continues after this one runs `env node`: its shell remembers where the old node was.
import { spawn } from 'node:child_process';
import { existsSync, lstatSync, readFileSync, realpathSync } from 'node:fs';
import { copyFile, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import n8n from '../testkit/n8n/location.cjs';
import registry from '../testkit/registry/location.cjs';
import chromium from './chromium.cjs';
import { exitOf, run, say, SetupError, tryAgain } from './commands.mjs';
import { nodePackage, nodeVersion, setUpNode } from './nodeBinary.mjs';

const projectRoot = dirname(dirname(fileURLToPath(import.meta.url)));

/** What each argument installs, about how much time and space it takes, and the database driver to compile. */
const programs = {
	n8n: { ...n8n.current, minutes: 4, gigabytes: 3, driver: 'sqlite3' },
	'n8n-1': { ...n8n.older, minutes: 4, gigabytes: 2, driver: 'sqlite3' },
	registry: { ...registry, minutes: 1, gigabytes: 0.1 },
};

const npmFlags = ['--no-audit', '--no-fund', '--ignore-scripts'];

/** Runs npm in a folder, and prints every few seconds how many packages of its lock file have arrived. */
async function installIn(folder, args, log) {
	const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
	// Packages for other platforms are optional, and never arrive.
	const expected = Object.entries(packages)
		.filter(([path, { optional }]) => path !== '' && !optional)
		.map(([path]) => join(folder, path, 'package.json'));
	const timer = setInterval(() => {
		const arrived = expected.filter((file) => existsSync(file)).length;
		say(`${arrived} of ${expected.length} packages`);
	}, 10_000);
	const options = { cwd: folder, log, remedy: tryAgain };
	await run('npm', [...args, ...npmFlags], options).finally(() => clearInterval(timer));
}

/** Checks that the tools are there that compile n8n's database driver. */
async function needCompiler() {
	const tools = ['make', 'c++', 'python3'];
	const exits = tools.map((tool) => exitOf(spawn(tool, ['--version'], { stdio: 'ignore' })));
	const codes = await Promise.all(exits);
	const missing = tools.filter((_, index) => codes[index] !== 0);
	if (missing.length === 0) return;
	throw new SetupError(
		`n8n's database driver has to be compiled, and these tools are missing: ${missing.join(', ')}. On Debian: apt-get install build-essential python3`,
	);
}

function needChromium() {
	if (existsSync(chromium)) return;
	throw new SetupError(
		`The browser tests drive Chromium, and there is no ${chromium}. On Debian: apt-get install chromium`,
	);
}

const packagesIn = (file) => Object.entries(JSON.parse(readFileSync(file, 'utf8')).packages);

/**
 * Returns the packages that are missing or have another version than package-lock.json names, as `jest 29.7.0 → 30.5.2`;
 * undefined if npm has installed nothing. npm lists what it has installed in node_modules/.package-lock.json.
 */
function outdatedPackages(root) {
	const installedFile = join(root, 'node_modules', '.package-lock.json');
	if (!existsSync(installedFile)) return undefined;
	const installed = new Map(packagesIn(installedFile));
	return packagesIn(join(root, 'package-lock.json'))
		.filter(([path, { optional, version }]) => {
			const found = installed.get(path);
			// Packages for other platforms are optional and stay away.
			const mayBeMissing = path === '' || optional === true;
			return found ? found.version !== version : !mayBeMissing;
		})
		.map(([path, { version }]) => {
			const name = path.replace(/^.*node_modules\//, '');
			return `${name} ${installed.get(path)?.version ?? '(missing)'} → ${version}`;
		});
}

/**
 * Installs the packages of the lock file. What `npm ci` or `npm install` has installed counts. If the lock file has changed
 * since, the packages that differ are updated in place: nothing deletes node_modules.
 */
async function setUpPackages() {
	const outdated = outdatedPackages(projectRoot);
	if (outdated?.length === 0) return;
	const folder = join(projectRoot, 'node_modules');
	if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) {
		throw new SetupError(
			`node_modules is a link to ${realpathSync(folder)}, whose packages are not those of package-lock.json. Run npm ci there, or remove the link.`,
		);
	}
	if (outdated) {
		const some = `${outdated.slice(0, 5).join(', ')}${outdated.length > 5 ? ', …' : ''}`;
		say(
			`package-lock.json has changed: ${outdated.length} packages in node_modules differ (${some}).`,
		);
		say('updating them in place (npm install --no-save) …');
	} else say('installing the packages of this project (about a minute, 1 GB) …');
	// Without npm's list of what is installed, an earlier installation was interrupted, or there was none.
	const log = join(projectRoot, 'setup.log');
	await installIn(projectRoot, ['install', '--no-save'], log);
	await rm(log, { force: true });
}

/** Installs Node, unless the Node that runs this has the same major version and compiles nothing. */
async function setUpProjectNode(needsHeaders) {
	const isSameMajor =
		process.versions.node.split('.')[0] === nodeVersion(projectRoot).split('.')[0];
	if (isSameMajor && !needsHeaders) return;
	const log = join(projectRoot, 'setup.log');
	await setUpNode(projectRoot, log);
	await rm(log, { force: true });
}

/** Removes what interrupted installations have left. An installation that still runs keeps its folder. */
async function removeLeftovers(folder) {
	for (const entry of await readdir(folder)) {
		const [, pid] = entry.match(/\.partial-(\d+)$/) ?? [];
		if (!pid || existsSync(`/proc/${pid}`)) continue;
		say(`removing an interrupted installation (${entry}) …`);
		await rm(join(folder, entry), { recursive: true, force: true, maxRetries: 5 });
	}
}

/** Checks what the installation of a program needs, before anything is downloaded. */
async function needForProgram({ root, driver }) {
	if (driver) await needCompiler();
	const folder = dirname(root);
	await mkdir(folder, { recursive: true });
	await removeLeftovers(folder);
}

/** Compiles the database driver of a program on the Node that runs the program. */
async function compileDriver(driver, { cwd, builtOn, log }) {
	say('compiling the database driver (about a minute) …');
	const bin = join(builtOn, 'node_modules', 'node', 'bin');
	const options = {
		cwd,
		env: {
			PATH: `${bin}${delimiter}${process.env.PATH}`,
			npm_config_nodedir: await nodePackage(builtOn),
		},
		log,
		remedy: 'A C++ compiler is needed; on Debian: apt-get install build-essential python3.',
	};
	await run('npm', ['rebuild', driver, '--ignore-scripts=false'], options);
	await run('node', ['-e', `require("${driver}")`], options);
}

/** Installs a program from its own lock file, next to its final place, and moves it there when it is complete. */
async function setUpProgram({ name, version, source, root, nodeRoot, minutes, gigabytes, driver }) {
	const folder = dirname(root);
	const partial = `${root}.partial-${process.pid}`;
	await mkdir(partial);
	for (const file of ['package.json', 'package-lock.json']) {
		await copyFile(join(source, file), join(partial, file));
	}
	const log = join(folder, `${basename(root)}.log`);
	const time = minutes === 1 ? 'a minute' : `${minutes} minutes`;
	say(`installing ${name} ${version} into ${root}`);
	say(`this takes about ${time} and ${gigabytes} GB, once for all clones …`);
	await installIn(partial, ['ci'], log);
	const hasOwnNode = nodeRoot === root;
	if (hasOwnNode) await setUpNode(partial, log);
	const builtOn = hasOwnNode ? partial : nodeRoot;
	if (driver) await compileDriver(driver, { cwd: partial, builtOn, log });
	// Another clone may have been faster.
	if (existsSync(root)) await rm(partial, { recursive: true, force: true });
	else await rename(partial, root);
	say(`${name} ${version} is installed`);
}

try {
	if (Number(process.versions.node.split('.')[0]) < 20) {
		throw new SetupError(`Node 20 or newer is needed, and this is ${process.version}.`);
	}
	const requested = process.argv.slice(2);
	const requestedPrograms = Object.entries(programs)
		.filter(([argument]) => requested.includes(argument))
		.map(([, program]) => program);
	const missing = requestedPrograms.filter(({ root }) => !existsSync(root));
	if (requested.includes('chromium')) needChromium();
	for (const program of missing) await needForProgram(program);
	await setUpPackages();
	await setUpProjectNode(requestedPrograms.some(({ driver }) => driver));
	for (const program of missing) await setUpProgram(program);
} catch (error) {
	if (error.code === 'ENOSPC') say('the disk is full. Free some space and try again.');
	else if (error instanceof SetupError) say(error.message);
	else throw error;
	process.exitCode = 1;
}
