// The benchmark: this package's node, the built-in HTTP Request node and a bare undici pool, side by side against the
// reference service. `npm run bench -- --only open,list` runs some scenarios, `-- --quick` small ones.
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import location from '../testkit/n8n/location.cjs';
import { pack } from '../testkit/n8n/package.ts';
import { loads, runBurst } from './burst.ts';
import { killAllStarted } from './proc.ts';
import { burstVerdicts, printBursts, printRows } from './report.ts';
import { merged, readResults, type Origin, type Results } from './results.ts';
import { runScenario } from './runScenario.ts';
import { scenarios } from './scenarios.ts';
import { projectRoot, ServiceProcess } from './service.ts';
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
	const scenarioNames = [
		...rows.map(({ name }) => name),
		...bursts.map(({ scenario }) => scenario),
	];
	const names = options.only?.split(',') ?? scenarioNames;
	const unknown = names.find((name) => !scenarioNames.includes(name));
	if (unknown !== undefined)
		throw new Error(`There is no scenario "${unknown}". There are: ${scenarioNames.join(', ')}.`);
	return {
		selected: rows.filter(({ name }) => names.includes(name)),
		bursts: bursts.filter(({ scenario }) => names.includes(scenario)),
	};
}

/** Whether the results take the place of those in the repository: those of all scenarios, or with --save. */
const isSaved = !options.quick && (options.only === undefined || options.save);
const file = join(import.meta.dirname, isSaved ? '' : 'partial', 'results.json');

/** Writes the results of a scenario in the place of its earlier results. */
async function save(results: Partial<Results>): Promise<void> {
	await mkdir(dirname(file), { recursive: true });
	const all = merged(await readResults(file), { rows: [], bursts: [], ...results });
	await writeFile(file, `${JSON.stringify(all, null, '\t')}\n`);
}

/** Returns the version of the package and the day of this run. */
async function originOf(startedAt: number): Promise<Origin> {
	const { version } = JSON.parse(
		await readFile(join(projectRoot, 'package.json'), 'utf8'),
	) as Origin;
	return { version, date: new Date(startedAt).toISOString().slice(0, 10) };
}

async function run(): Promise<void> {
	const startedAt = Date.now();
	const origin = await originOf(startedAt);
	const { selected, bursts } = chosen();
	show(`n8n ${location.current.version}, Node ${process.version}, ${cpus().length} processors`);
	const tarball = await pack(projectRoot, folder);
	const service = await ServiceProcess.start();
	const bench = { service, tarball, folder, show };
	const targets: string[] = [];
	for (const scenario of selected) {
		const rows = await runScenario(bench, scenario);
		await save({ rows: rows.map((row) => ({ ...row, ...origin })) });
		printRows(rows);
		targets.push(...verdicts(scenario.targets, rows));
	}
	for (const load of bursts) {
		const results = await runBurst(bench, load, options.quick);
		await save({ bursts: results.map((result) => ({ ...result, ...origin })) });
		printBursts(results);
		targets.push(...burstVerdicts(results));
	}
	await service.stop();
	for (const line of targets) show(line);
	const minutes = ((Date.now() - startedAt) / 60_000).toFixed(1);
	show(`Written to ${file}, after ${minutes} minutes`);
}

/** Ends all processes and deletes all files of the benchmark. */
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
	await run();
} finally {
	cleanUp();
}
