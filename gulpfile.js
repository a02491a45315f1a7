const { copyFile, mkdir, readdir, readFile, rm, writeFile } = require('node:fs/promises');
const { dirname, join, resolve } = require('node:path');
const { Transform } = require('node:stream');
const { build } = require('esbuild');
const { dest, src } = require('gulp');
const prettier = require('prettier');
const { homepage } = require('./package.json');

/** Removes the last build, so that a file that was renamed cannot stay behind in the package. */
const clean = async () => await rm('dist', { recursive: true, force: true });

/** The folder of the documentation at the repository, whose address only package.json has. */
const documentation = `${homepage.split('#')[0]}/blob/main/`;

/** Completes the links of a codex file, which are relative to the root of the repository. */
function withCompleteLinks(text) {
	const codex = JSON.parse(text);
	for (const link of Object.values(codex.resources).flat())
		link.url = new URL(link.url, documentation).href;
	return `${JSON.stringify(codex)}\n`;
}

/** A step of a stream that replaces the text of the files whose name ends so. */
const rewrite = (end, change) =>
	new Transform({
		objectMode: true,
		transform(file, _encoding, done) {
			if (file.path.endsWith(end)) file.contents = Buffer.from(change(file.contents.toString()));
			done(null, file);
		},
	});

/** Copies what tsc leaves out: icons, and the codex files that n8n expects beside each built node. */
const assets = () =>
	src(['{nodes,credentials}/**/*.svg', 'nodes/**/*.node.json'], {
		base: '.',
		encoding: false,
	})
		.pipe(rewrite('.node.json', withCompleteLinks))
		.pipe(dest('dist'));

/**
 * Replaces the module that imports the encoder of QR codes by one that contains the encoder, with the license beside it. All
 * other modules stay as they are: two bundles that contained the rate limiter would have two of it.
 */
const encoder = async () => {
	const file = 'nodes/shared/qrCode/encoder';
	await build({
		entryPoints: [`${file}.ts`],
		outfile: `dist/${file}.js`,
		bundle: true,
		format: 'cjs',
		platform: 'node',
		target: 'es2022',
		minifySyntax: true,
		minifyWhitespace: true,
	});
	await copyFile('node_modules/uqr/LICENSE', 'dist/nodes/shared/qrCode/uqr.LICENSE');
};

/** How the built modules look. */
const style = {
	parser: 'babel',
	useTabs: true,
	printWidth: 160,
	singleQuote: true,
	trailingComma: 'none',
	arrowParens: 'avoid',
	bracketSpacing: false,
	objectWrap: 'collapse',
};

/**
 * Returns a module as n8n loads it. Imported names stay as they are in the source: `isUnset(value)`. tsc would write
 * `(0, values_1.isUnset)(value)`.
 */
function asCommonJs(code) {
	const names = [];
	const named = (declaration, name) => {
		names.push(name);
		return declaration;
	};
	const required = (list, from) =>
		`const ${list.replace('* as ', '').replaceAll(' as ', ': ')} = require(${from});`;
	const body = code
		.replaceAll(/^import (\{.+\}|\* as \w+) from (.+);$/gm, (_, list, from) => required(list, from))
		.replaceAll(/^export (\{ (.+) \}) from (.+);$/gm, (_, list, name, from) =>
			named(required(list, from), name),
		)
		.replaceAll(
			/^export ((?:const|class|(?:async )?function\*?) (\w+))/gm,
			(_, declaration, name) => named(declaration, name),
		)
		.replace(/^export \{\};$/m, '');
	const [left] = body.match(/^(?:import|export)\b.*/m) ?? [];
	if (left) throw new Error(`The build cannot read this line of a module: ${left}`);
	return `'use strict';\n${body}\nmodule.exports = { ${names.join(', ')} };\n`;
}

/** Completes the modules that tsc wrote. They stay readable, with a statement on each line, because stack traces refer to them. */
const modules = async () => {
	const files = await readdir('dist', { recursive: true });
	for (const file of files.filter((name) => name.endsWith('.js'))) {
		const path = join('dist', file);
		const code = asCommonJs(await readFile(path, 'utf8'));
		await writeFile(path, await prettier.format(code, style));
	}
};

/** What a built module exports under a name that ends so. */
const exported = (file, end) =>
	Object.entries(require(resolve(file))).find(([name]) => name.endsWith(end))[1];

/** Folders of the schemas of a node, one for each of its versions; n8n writes a version in full: 1 as 1.0.0. */
const schemaFolders = (folder, name) => {
	const Node = exported(join(folder, `${name}.node.js`), name);
	const { version } = new Node().description;
	return [version].flat().map((each) => {
		const full = [...String(each).split('.'), '0', '0'].slice(0, 3).join('.');
		return join(folder, '__schema__', `v${full}`);
	});
};

const writeSchema = async (file, schema) => {
	await mkdir(dirname(file), { recursive: true });
	await writeFile(file, `${JSON.stringify(schema)}\n`);
};

/** Writes beside each built node what n8n's editor shows of its output before the first run, out of its contract. */
const schemas = async () => {
	const { outputSchema } = require('./dist/nodes/shared/description/output.js');
	const { events } = require('./dist/nodes/LinkTrigger/events.js');
	const { linkContract } = require('./dist/nodes/Link/link.contract.js');
	const files = await readdir('dist/nodes', { recursive: true });
	for (const file of files.map((name) => join('dist/nodes', name))) {
		const folder = dirname(file);
		if (file.endsWith('.contract.js')) {
			const contract = exported(file, 'Contract');
			for (const place of schemaFolders(folder, contract.name)) {
				for (const { value } of contract.operations) {
					const schema = outputSchema(contract, value);
					await writeSchema(join(place, contract.value, `${value}.json`), schema);
				}
			}
		}
	}
	for (const place of schemaFolders('dist/nodes/LinkTrigger', 'LinkTrigger')) {
		const fields = linkContract.output.filter(({ isSimple }) => isSimple);
		const properties = {
			event: { type: 'string', enum: events.map(({ value }) => value) },
			eventId: { type: 'string' },
			...Object.fromEntries(fields.map(({ name, from }) => [name, from.schema])),
		};
		await writeSchema(`${place}.json`, { type: 'object', properties, version: 1 });
	}
};

module.exports = { assets, clean, encoder, modules, schemas };
