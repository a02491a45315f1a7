const { createHash } = require('node:crypto');
const { readFileSync } = require('node:fs');
const { homedir } = require('node:os');
const { join } = require('node:path');

const lock = readFileSync(join(__dirname, 'package-lock.json'));

/** The version of n8n that the lock file beside this file names. */
const n8nVersion = JSON.parse(lock).packages['node_modules/n8n'].version;

/**
 * Where that n8n is installed: outside the checkout and named after the lock file, so that every clone of the same
 * commit shares one installation of almost 3 GB, and a changed lock file gets a new one.
 */
const n8nRoot = join(
	process.env.XDG_CACHE_HOME || join(homedir(), '.cache'),
	'n8n-nodes-link-management',
	`n8n-${n8nVersion}-${createHash('sha256').update(lock).digest('hex').slice(0, 8)}`,
);

module.exports = { n8nRoot, n8nVersion };
