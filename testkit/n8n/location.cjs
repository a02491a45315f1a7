const { createHash } = require('node:crypto');
const { readFileSync } = require('node:fs');
const { homedir } = require('node:os');
const { dirname, join } = require('node:path');

const projectRoot = dirname(dirname(__dirname));

/**
 * Where n8n is installed that a folder beside this file holds the lock file of, and the Node that it runs on: one of its
 * own if the lock file names one, else the project's.
 * It lies outside the checkout and is named after the lock file, so that every clone of the same commit shares one
 * installation of 2 or 3 GB, and a changed lock file gets a new one.
 */
function installationOf(folder) {
	const source = join(__dirname, folder);
	const lock = readFileSync(join(source, 'package-lock.json'));
	const { packages } = JSON.parse(lock);
	/** @type {string} */
	const version = packages['node_modules/n8n'].version;
	const root = join(
		process.env.XDG_CACHE_HOME || join(homedir(), '.cache'),
		'n8n-nodes-link-management',
		`n8n-${version}-${createHash('sha256').update(lock).digest('hex').slice(0, 8)}`,
	);
	const nodeRoot = 'node_modules/node' in packages ? root : projectRoot;
	const node = join(nodeRoot, 'node_modules', 'node', 'bin', 'node');
	return { version, source, root, nodeRoot, node };
}

/** The n8n that the demo, the benchmark and the tests run, and the last one of the generation before it. */
module.exports = { current: installationOf('2'), older: installationOf('1') };
