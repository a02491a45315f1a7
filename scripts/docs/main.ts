// Writes the tables of the documentation from the contract, the simulation of limits and the benchmark's results.
// `--tables` skips the simulation, which takes minutes.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { measuredTables } from './measured.ts';
import { simulatedPage, simulatedTables, simulateLimits } from './simulation.ts';
import { filled, pages, tablesOf } from './tables.ts';

const projectRoot = dirname(dirname(import.meta.dirname));

function fill(page: string, tables: Readonly<Record<string, string>>): void {
	const path = join(projectRoot, page);
	writeFileSync(path, filled(readFileSync(path, 'utf8'), tables));
}

for (const page of pages) fill(page, tablesOf());
if (!process.argv.includes('--tables')) {
	fill(simulatedPage, {
		...measuredTables(projectRoot),
		...simulatedTables(await simulateLimits()),
	});
}
