// The benchmark: this package's node, the built-in HTTP Request node and a bare undici pool, side by side against the
// reference service. `npm run bench -- --only open,list` runs some scenarios, `-- --quick` small ones.
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import location from '../testkit/n8n/location.cjs';
import { pack } from '../testkit/n8n/package.ts';
import { startService } from '../testkit/service/index.ts';
import { loads, runBurst } from './burst.ts';
import { killAllStarted } from './proc.ts';
import { merged, readResults, type Origin, type Results } from './results.ts';
import { runScenario } from './runScenario.ts';
import { scenarios } from './scenarios.ts';
import { apiKey, projectRoot } from './service.ts';
import { burstVerdicts, verdicts } from './targets.ts';

const { values: options } = parseArgs({
	options: {
		only: { type: 'string' },
		quick: { type: 'boolean', default: false },
		save: { type: 'boolean', default: false },
	},
});
const show = (line: string) => console.log(line);

/** Scenarios about the rows of one execution, and about many executions at once. */
const all = { rows: scenarios(options.quick), bursts: loads(options.quick) };
const allNames = [...all.rows, ...all.bursts].map(({ name }) => name);
const names = options.only?.split(',') ?? allNames;
const unknown = names.find((name) => !allNames.includes(name));
if (unknown !== undefined)
	throw new Error(`There is no scenario "${unknown}". There are: ${allNames.join(', ')}.`);
const isSelected = ({ name }: { name: string }) => names.includes(name);

/** For the packed package and the user folders of the n8n instances. */
const folder = await mkdtemp(join(tmpdir(), 'link-bench-'));

/** Whether the results take the place of those in the repository: those of all scenarios, or with --save. */
const isSaved = !options.quick && (options.only === undefined || options.save);
const file = join(import.meta.dirname, isSaved ? '' : 'partial', 'results.json');

/** Writes the results of a scenario in the place of its earlier results. */
async function save(results: Partial<Results>): Promise<void> {
	await mkdir(dirname(file), { recursive: true });
	const saved = merged(readResults(file), results);
	await writeFile(file, `${JSON.stringify(saved, null, '\t')}\n`);
}

async function run(): Promise<void> {
	const startedAt = Date.now();
	const manifest = await readFile(join(projectRoot, 'package.json'), 'utf8');
	const { version } = JSON.parse(manifest) as Origin;
	const origin: Origin = { version, date: new Date(startedAt).toISOString().slice(0, 10) };
	show(`n8n ${location.current.version}, Node ${process.version}, ${cpus().length} processors`);
	const tarball = await pack(projectRoot, folder);
	const service = await startService({ apiKeys: [apiKey] });
	const bench = { service, tarball, folder, show };
	const targets: string[] = [];
	for (const scenario of all.rows.filter(isSelected)) {
		const rows = await runScenario(bench, scenario);
		await save({ rows: rows.map((row) => ({ ...row, ...origin })) });
		console.table(rows);
		targets.push(...verdicts(scenario.targets, rows));
	}
	for (const load of all.bursts.filter(isSelected)) {
		const results = await runBurst(bench, load, options.quick);
		await save({ bursts: results.map((result) => ({ ...result, ...origin })) });
		console.table(results);
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
