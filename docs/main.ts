// Makes the tables of the documentation anew, out of the built contract: `npm run docs`.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { filled, pages, tablesOf, type Sources } from './tables.ts';

const projectRoot = dirname(import.meta.dirname);
const require = createRequire(join(projectRoot, 'dist', 'index.js'));

const modules = [
	'./nodes/Link/link.contract.js',
	'./nodes/LinkTrigger/linkTrigger.events.js',
	'./nodes/Pixel/pixel.contract.js',
	'./nodes/shared/contract/endpoints.js',
	'./nodes/shared/description/nodeOptions.js',
	'./nodes/shared/description/properties.js',
];
const tables = tablesOf(Object.assign({}, ...modules.map((path) => require(path))) as Sources);

for (const page of pages) {
	const path = join(projectRoot, page);
	writeFileSync(path, filled(readFileSync(path, 'utf8'), tables));
}
