const { rm } = require('node:fs/promises');
const { dest, src } = require('gulp');

/** Removes the last build, so that a file that was renamed cannot stay behind in the package. */
const clean = async () => await rm('dist', { recursive: true, force: true });

/** Copies what tsc leaves out: icons, and the codex files that n8n expects beside each built node. */
const assets = () =>
	src(['{nodes,credentials}/**/*.svg', 'nodes/**/*.node.json'], {
		base: '.',
		encoding: false,
	}).pipe(dest('dist'));

module.exports = { assets, clean };
