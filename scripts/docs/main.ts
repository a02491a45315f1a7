// Writes the tables of the documentation from the contract, the benchmark's results and the simulation of limits.
// `--tables` skips the simulation, which takes minutes.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { measuredTables } from './measured.ts';
import { simulatedTables, simulateLimits } from './simulation.ts';
import { filled, pages, tablesOf } from './tables.ts';

const projectRoot = dirname(dirname(import.meta.dirname));
const tables = {
	...tablesOf(),
	...measuredTables(projectRoot),
	...(process.argv.includes('--tables') ? {} : simulatedTables(await simulateLimits())),
};

for (const page of pages) {
	const path = join(projectRoot, page);
	writeFileSync(path, filled(readFileSync(path, 'utf8'), tables));
}
