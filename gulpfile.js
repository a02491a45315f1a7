const { mkdir, readdir, rm, writeFile } = require('node:fs/promises');
const { dirname, join, resolve } = require('node:path');
const { dest, src } = require('gulp');

/** Removes the last build, so that a file that was renamed cannot stay behind in the package. */
const clean = async () => await rm('dist', { recursive: true, force: true });

/** Copies what tsc leaves out: icons, and the codex files that n8n expects beside each built node. */
const assets = () =>
	src(['{nodes,credentials}/**/*.svg', 'nodes/**/*.node.json'], {
		base: '.',
		encoding: false,
	}).pipe(dest('dist'));

/** What a built module exports under a name that ends so. */
const exported = (file, end) =>
	Object.entries(require(resolve(file))).find(([name]) => name.endsWith(end))[1];

/** Writes beside each built node what n8n's editor shows of its output before the first run, out of its contract. */
const schemas = async () => {
	const { outputSchema } = require('./dist/nodes/shared/description/output.js');
	const files = await readdir('dist/nodes', { recursive: true });
	for (const file of files.filter((name) => name.endsWith('.contract.js'))) {
		const folder = dirname(join('dist/nodes', file));
		const contract = exported(join('dist/nodes', file), 'Contract');
		const Node = exported(join(folder, `${contract.name}.node.js`), contract.name);
		const { version } = new Node().description;
		for (const each of [version].flat()) {
			// n8n writes the node's version in full: 1 as 1.0.0.
			const full = [...String(each).split('.'), '0', '0'].slice(0, 3).join('.');
			const place = join(folder, '__schema__', `v${full}`, contract.value);
			await mkdir(place, { recursive: true });
			for (const { value } of contract.operations) {
				const schema = JSON.stringify(outputSchema(contract, value), null, '\t');
				await writeFile(join(place, `${value}.json`), `${schema}\n`);
			}
		}
	}
};

module.exports = { assets, clean, schemas };
