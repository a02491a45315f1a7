import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import location from '../../testkit/n8n/location.cjs';

import { projectRoot } from '../support/process.ts';

const read = (...path: string[]) => readFileSync(join(...path), 'utf8');
const { current, older } = location;
const versions = [current.version, older.version];

/** The files of a folder, or of the root alone, that end so. */
const filesIn = (folder: string, ending: RegExp) =>
	readdirSync(join(projectRoot, folder), { recursive: folder !== '.', encoding: 'utf8' })
		.filter((file) => ending.test(file) && !file.includes('node_modules'))
		.map((file) => join(folder, file));

it('is written once in code which n8n is tested with', () => {
	const folders = [
		'.ci',
		'.github',
		'bench',
		'credentials',
		'demo',
		'docs',
		'nodes',
		'scripts',
		'test',
		'testkit',
	];
	const files = folders.flatMap((folder) => filesIn(folder, /\.(cjs|mjs|ts|yml)$|run$/));
	expect(files).toContain('.ci/run');
	const naming = files.filter((file) =>
		versions.some((version) => read(projectRoot, file).includes(version)),
	);
	expect(naming).toEqual([]);
});

it('tests with n8n-core and n8n-workflow as the current n8n has them', () => {
	const { packages } = JSON.parse(read(current.source, 'package-lock.json'));
	const { devDependencies } = JSON.parse(read(projectRoot, 'package.json'));
	for (const name of ['n8n-core', 'n8n-workflow'])
		expect({ name, version: devDependencies[name] }).toEqual({
			name,
			version: packages[`node_modules/${name}`].version,
		});
});

it('names no other n8n in the documentation', () => {
	const pages = ['.', 'bench', 'docs'].flatMap((folder) => filesIn(folder, /\.md$/));
	const named = pages
		.filter((page) => page !== 'CHANGELOG.md')
		.flatMap((page) => read(projectRoot, page).match(/\b[12]\.\d{2,}\.\d+\b/g) ?? []);
	expect(new Set(named)).toEqual(new Set(versions));
});
