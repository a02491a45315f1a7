// Makes the tables of the documentation anew, out of the built contract and the simulation of limits: `npm run docs`.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { built, projectRoot } from './built.ts';
import { simulatedPage, simulatedTables, simulateLimits } from './simulation.ts';
import { filled, pages, tablesOf } from './tables.ts';

function fill(page: string, tables: Readonly<Record<string, string>>): void {
	const path = join(projectRoot, page);
	writeFileSync(path, filled(readFileSync(path, 'utf8'), tables));
}

for (const page of pages) fill(page, tablesOf(built));
fill(simulatedPage, simulatedTables(await simulateLimits(built)));
