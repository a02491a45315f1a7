// The benchmark: this package's node, the built-in HTTP Request node and a bare undici pool, side by side against the
// reference service. `npm run bench -- --only open,list` runs some scenarios, `-- --quick` small ones.
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { packAll } from '../demo/n8n/commits.ts';
import location from '../demo/n8n/location.cjs';
import { plot } from './plot.ts';
import { killAllStarted } from './proc.ts';
import { race } from './race.ts';
import type { Result } from './results.ts';
import type { Scenario } from './scenario.ts';
import { scenarios } from './scenarios.ts';
import { projectRoot, ServiceProcess } from './service.ts';
import { printTable } from './table.ts';
import { verdicts } from './targets.ts';

const { values: options } = parseArgs({
	options: { only: { type: 'string' }, quick: { type: 'boolean', default: false } },
});
const show = (line: string) => console.log(line);
/** For the packed package and the user folders of the n8n instances. */
const folder = await mkdtemp(join(tmpdir(), 'link-bench-'));

/** The scenarios that the command line asks for. */
function chosen(): Scenario[] {
	const all = scenarios(options.quick);
	const names = options.only?.split(',') ?? all.map(({ name }) => name);
	const unknown = names.find((name) => !all.some((each) => each.name === name));
	if (unknown === undefined) return all.filter(({ name }) => names.includes(name));
	const known = all.map(({ name }) => name).join(', ');
	throw new Error(`There is no scenario "${unknown}". There are: ${known}.`);
}

/** Only a whole run replaces the results that belong to the repository. */
async function write(results: readonly Result[]): Promise<string> {
	const isWhole = options.only === undefined && !options.quick;
	const folder = isWhole ? import.meta.dirname : join(import.meta.dirname, 'partial');
	await mkdir(folder, { recursive: true });
	await writeFile(join(folder, 'results.json'), `${JSON.stringify(results, null, '\t')}\n`);
	await writeFile(join(folder, 'results.svg'), await plot(results));
	return folder;
}

async function bench(): Promise<void> {
	const startedAt = Date.now();
	const selected = chosen();
	const processors = cpus();
	show(`n8n ${location.n8nVersion}, Node ${process.version}, ${processors.length} processors`);
	const contestants = selected.flatMap((scenario) => scenario.contestants);
	const tarballs = await packAll(
		projectRoot,
		contestants.map(({ commit }) => commit),
		folder,
	);
	const service = await ServiceProcess.start();
	const results: Result[] = [];
	const told: string[] = [];
	for (const scenario of selected) {
		const found = await race({ service, tarballs, folder, show }, scenario);
		results.push(...found);
		told.push(...verdicts(scenario.targets, found));
	}
	await service.stop();
	printTable(results);
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
