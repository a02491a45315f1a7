const { createHash } = require('node:crypto');
const { readFileSync } = require('node:fs');
const { homedir } = require('node:os');
const { dirname, join } = require('node:path');

const projectRoot = dirname(__dirname);

/**
 * Returns where setup installs a program from the lock file in a folder, and the Node that runs it: its own Node if the
 * lock file names one, otherwise the project's.
 * The installation is outside the checkout and is named after the lock file. All clones of a commit share it, and a changed
 * lock file gets a new installation.
 *
 * @param {string} source the folder with the lock file
 * @param {string} name the name of the program's package
 */
function installationOf(source, name) {
	const lock = readFileSync(join(source, 'package-lock.json'));
	const { packages } = JSON.parse(lock.toString());
	/** @type {string} */
	const version = packages[`node_modules/${name}`].version;
	const root = join(
		process.env.XDG_CACHE_HOME || join(homedir(), '.cache'),
		'n8n-nodes-link-management',
		`${name}-${version}-${createHash('sha256').update(lock).digest('hex').slice(0, 8)}`,
	);
	const nodeRoot = 'node_modules/node' in packages ? root : projectRoot;
	const node = join(nodeRoot, 'node_modules', 'node', 'bin', 'node');
	return { name, version, source, root, nodeRoot, node };
}

module.exports = { installationOf };
