// Makes the tables of the documentation anew, out of the built contract, the simulation of limits and
// the benchmark's results: `npm run docs`.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Results } from '../bench/results.ts';
import { built, projectRoot } from './built.ts';
import { measuredTables } from './measured.ts';
import { simulatedPage, simulatedTables, simulateLimits } from './simulation.ts';
import { filled, pages, tablesOf } from './tables.ts';

function fill(page: string, tables: Readonly<Record<string, string>>): void {
	const path = join(projectRoot, page);
	writeFileSync(path, filled(readFileSync(path, 'utf8'), tables));
}

for (const page of pages) fill(page, tablesOf(built));
const results = JSON.parse(
	readFileSync(join(projectRoot, 'bench', 'results.json'), 'utf8'),
) as Results;
fill(simulatedPage, {
	...measuredTables(results),
	...simulatedTables(await simulateLimits(built)),
});
