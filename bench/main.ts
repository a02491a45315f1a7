// The benchmark: this package's node, the built-in HTTP Request node and a bare undici pool, side by side against the
// reference service. `npm run bench -- --only open,list` runs some scenarios, `-- --quick` small ones.
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import location from '../demo/n8n/location.cjs';
import { loads, runBursts } from './burst.ts';
import { burstVerdicts, printBursts } from './burstTable.ts';
import { packAll } from './packages.ts';
import { plot } from './plot.ts';
import { killAllStarted } from './proc.ts';
import { race } from './race.ts';
import { merged, readResults, type Results } from './results.ts';
import { scenarios } from './scenarios.ts';
import { ServiceProcess } from './service.ts';
import { printTable } from './table.ts';
import { verdicts } from './targets.ts';

const { values: options } = parseArgs({
	options: {
		only: { type: 'string' },
		quick: { type: 'boolean', default: false },
		save: { type: 'boolean', default: false },
	},
});
const show = (line: string) => console.log(line);
/** For the packed package and the user folders of the n8n instances. */
const folder = await mkdtemp(join(tmpdir(), 'link-bench-'));

/** What the command line asks for: scenarios about the rows of one execution, and about many executions at once. */
function chosen() {
	const [rows, bursts] = [scenarios(options.quick), loads(options.quick)];
	const known = [...rows.map(({ name }) => name), ...bursts.map(({ scenario }) => scenario)];
	const names = options.only?.split(',') ?? known;
	const unknown = names.find((name) => !known.includes(name));
	if (unknown !== undefined)
		throw new Error(`There is no scenario "${unknown}". There are: ${known.join(', ')}.`);
	return {
		selected: rows.filter(({ name }) => names.includes(name)),
		bursts: bursts.filter(({ scenario }) => names.includes(scenario)),
	};
}

/**
 * Writes the results of whole scenarios. Only with all of them, or when asked to, it puts them in the place of those that
 * belong to the repository.
 */
async function write(results: Results): Promise<string> {
	const isKept = !options.quick && (options.only === undefined || options.save);
	const to = isKept ? import.meta.dirname : join(import.meta.dirname, 'partial');
	await mkdir(to, { recursive: true });
	const file = join(to, 'results.json');
	const all = isKept ? merged(await readResults(file), results) : results;
	await writeFile(file, `${JSON.stringify(all, null, '\t')}\n`);
	await writeFile(join(to, 'results.svg'), await plot(all.rows));
	return to;
}

async function bench(): Promise<void> {
	const startedAt = Date.now();
	const { selected, bursts } = chosen();
	const processors = cpus();
	show(`n8n ${location.current.version}, Node ${process.version}, ${processors.length} processors`);
	const contestants = selected.flatMap((scenario) => scenario.contestants);
	const commits = [undefined, ...contestants.map(({ commit }) => commit)];
	const tarballs = await packAll(commits, folder);
	const service = await ServiceProcess.start();
	const results: Results = { rows: [], bursts: [] };
	const told: string[] = [];
	for (const scenario of selected) {
		const found = await race({ service, tarballs, folder, show }, scenario);
		results.rows.push(...found);
		told.push(...verdicts(scenario.targets, found));
	}
	const tarball = tarballs.get(undefined);
	if (bursts.length > 0 && tarball !== undefined) {
		const { quick } = options;
		results.bursts = await runBursts(service, { folder, tarball }, { quick, chosen: bursts }, show);
		told.push(...burstVerdicts(results.bursts));
	}
	await service.stop();
	printTable(results.rows);
	if (results.bursts.length > 0) printBursts(results.bursts);
	for (const line of told) show(line);
	const minutes = ((Date.now() - startedAt) / 60_000).toFixed(1);
	show(`Written to ${await write(results)}, after ${minutes} minutes`);
}

/** Leaves nothing behind, neither processes nor files. */
function cleanUp(): void {
	killAllStarted();
	rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

for (const signal of ['SIGINT', 'SIGTERM'] as const)
	process.once(signal, () => {
		cleanUp();
		process.exit(130);
	});
try {
	await bench();
} finally {
	cleanUp();
}
