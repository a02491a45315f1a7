// Makes the tables of the documentation anew, out of the built contract and the simulation of limits: `npm run docs`.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { simulatedPage, simulatedTables, simulateLimits, type Simulated } from './simulation.ts';
import { filled, pages, tablesOf, type Sources } from './tables.ts';

const projectRoot = dirname(import.meta.dirname);
const require = createRequire(join(projectRoot, 'dist', 'index.js'));

const modules = [
	'./nodes/Link/link.contract.js',
	'./nodes/LinkTrigger/linkTrigger.events.js',
	'./nodes/Pixel/pixel.contract.js',
	'./nodes/shared/contract/encodeRow.js',
	'./nodes/shared/contract/endpoints.js',
	'./nodes/shared/description/nodeOptions.js',
	'./nodes/shared/description/properties.js',
	'./nodes/shared/execute/rowExecutor.js',
	'./nodes/shared/operations/operations.js',
	'./nodes/shared/transport/client.js',
	'./nodes/shared/transport/rateLimiter.js',
];
const built = Object.assign({}, ...modules.map((path) => require(path))) as Simulated & Sources;

function fill(page: string, tables: Readonly<Record<string, string>>): void {
	const path = join(projectRoot, page);
	writeFileSync(path, filled(readFileSync(path, 'utf8'), tables));
}

for (const page of pages) fill(page, tablesOf(built));
fill(simulatedPage, simulatedTables(await simulateLimits(built)));
