import { join } from 'node:path';
import { storedLinks } from '../testkit/service/storedLinks.ts';
import { accountOf, type Rows } from './account.ts';
import { barePool, type Contestant } from './contestants.ts';
import { baselineOf, runOn, startOne, type Bench } from './n8n.ts';
import { runPool, type PoolJob, type PoolResult } from './pool.ts';
import { settled } from './proc.ts';
import { linksIn, median, rounded, type Link, type Measure, type Result } from './results.ts';
import type { Scenario } from './scenarios.ts';
import { prepareService, trafficOf } from './service.ts';

/** A scenario with one of its numbers of rows. */
type Sized = Omit<Scenario, 'sizes'> & Rows;

type Counts = Pick<Result, 'ok' | 'lost' | 'duplicated' | 'share429' | 'requests'>;

/** A measured run of one contestant, and the result of its rows. */
type Measured = Measure & Counts;

function poolJob({ service }: Bench, scenario: Sized): PoolJob {
	const { operation, first, rows, concurrency, behavior } = scenario;
	const { throttle = null } = behavior;
	return { service: service.url, operation, first, rows, concurrency, throttle };
}

/** Fills the service with the links of the rows, as they are or as they were before a resync. */
async function fill(bench: Bench, scenario: Sized): Promise<void> {
	prepareService(bench.service, {}, 'cleared');
	const old = scenario.operation === 'resync' ? ({ isOld: true } as const) : {};
	await runPool({ ...poolJob(bench, scenario), ...old, operation: 'create', throttle: null });
}

/** Prepares the service for a run. The links of a list stay. */
async function prepare(bench: Bench, scenario: Sized): Promise<void> {
	const { operation, behavior } = scenario;
	if (operation === 'resync') await fill(bench, scenario);
	prepareService(bench.service, behavior, operation === 'create' ? 'cleared' : 'kept');
}

/** Compares the rows with the links of the service and with the returned links. */
function count({ service }: Bench, scenario: Sized, returned: Link[]): Counts {
	const { operation, behavior } = scenario;
	const { requests, refused } = trafficOf(service);
	const links = operation === 'list' ? returned : storedLinks(service);
	const counts = accountOf(scenario, links, operation === 'create' ? returned : links);
	if (operation === 'resync') return { ...counts, requests };
	const share429 = rounded(refused / Math.max(1, requests), 4);
	return behavior.throttle ? { ...counts, share429 } : counts;
}

/** Returns the seconds that the scenario takes at best: those of the pool, or of the throttle and one burst without it. */
async function optimumOf(bench: Bench, scenario: Sized, pool: PoolResult): Promise<number> {
	const { throttle, faults } = scenario.behavior;
	if (!throttle || faults || scenario.operation !== 'create') return pool.seconds;
	prepareService(bench.service, {}, 'cleared');
	const job = { ...poolJob(bench, scenario), rows: throttle.limit, throttle: null };
	const windows = Math.ceil(scenario.rows / throttle.limit);
	return (windows - 1) * throttle.windowSeconds + (await runPool(job)).seconds;
}

/** Starts a fresh n8n for a contestant. */
async function start(bench: Bench, { name, rows }: Sized, contestant: Contestant) {
	const folder = join(bench.folder, `${name}-${rows}-${contestant.name.replaceAll(/\W+/g, '-')}`);
	const n8n = await startOne(bench, folder);
	await settled(n8n.pid);
	return { contestant, n8n, runs: new Array<Measured>() };
}

/** Runs contestants by turns, each in an n8n of its own. The first turn of several does not count. */
async function runContestants(
	bench: Bench,
	scenario: Sized,
	contestants: readonly Contestant[],
): Promise<[string, Measured][]> {
	const { turns, operation, first, rows } = scenario;
	const expected = { first, rows: operation === 'list' ? 0 : rows };
	const started = await Promise.all(
		contestants.map(async (contestant) => await start(bench, scenario, contestant)),
	);
	const warmUps = turns > 1 ? 1 : 0;
	for (let turn = 0; turn < turns + warmUps; turn += 1) {
		for (const { contestant, n8n, runs } of started) {
			await prepare(bench, scenario);
			const { items, status, ...measure } = await runOn(n8n, contestant.node(n8n.access), expected);
			if (turn < warmUps) continue;
			runs.push({ ...measure, ...count(bench, scenario, linksIn(items)) });
			bench.show(`  ${contestant.name}: ${measure.seconds.toFixed(1)} s (${status})`);
		}
	}
	const results: [string, Measured][] = [];
	for (const { contestant, n8n, runs } of started) {
		results.push([contestant.name, middle(runs, await baselineOf(n8n, expected))]);
		await n8n.stop();
	}
	return results;
}

/** Returns the median of several runs, less the CPU time that n8n itself takes. Of the counts, it returns the worst. */
function middle(runs: readonly Measured[], baseline: number): Measured {
	const medianOf = (value: (run: Measured) => number) => median(runs.map(value));
	return {
		// Runs of a scenario that counts requests have one turn.
		...(runs[0] as Measured),
		seconds: medianOf(({ seconds }) => seconds),
		baseRssMb: medianOf(({ baseRssMb }) => baseRssMb),
		peakRssMb: medianOf(({ peakRssMb }) => peakRssMb),
		cpuSeconds: Math.max(0, medianOf(({ cpuSeconds }) => cpuSeconds) - baseline),
		ok: Math.min(...runs.map(({ ok }) => ok)),
		lost: Math.max(...runs.map(({ lost }) => lost)),
		duplicated: Math.max(...runs.map(({ duplicated }) => duplicated)),
	};
}

/** Runs all contestants and the pool with one number of rows. */
async function runSize(bench: Bench, scenario: Sized): Promise<Result[]> {
	const { name, rows, operation, turns, contestants } = scenario;
	bench.show(`${name}: ${rows} rows`);
	if (operation === 'list') await fill(bench, scenario);
	await prepare(bench, scenario);
	const { links, ...pool } = await runPool(poolJob(bench, scenario));
	const counts = count(bench, scenario, links);
	bench.show(`  ${barePool}: ${pool.seconds.toFixed(1)} s`);
	const optimum = await optimumOf(bench, scenario, { ...pool, links });
	const measured: [string, Measured][] = [];
	// Several turns alternate between the contestants.
	for (const group of turns > 1 ? [contestants] : contestants.map((each) => [each]))
		measured.push(...(await runContestants(bench, scenario, group)));
	measured.push([barePool, { ...pool, ...counts }]);
	return measured.map(([contestant, run]) => resultOf(scenario, contestant, run, optimum));
}

/** Runs a scenario, once with each of its numbers of rows. */
export async function runScenario(bench: Bench, scenario: Scenario): Promise<Result[]> {
	const results: Result[] = [];
	for (const rows of scenario.sizes)
		results.push(...(await runSize(bench, { first: 0, ...scenario, rows })));
	return results;
}

/** Returns an entry of results.json. */
function resultOf(
	{ name, rows, isGrowth }: Sized,
	contestant: string,
	{ seconds, baseRssMb, peakRssMb, cpuSeconds, ...counts }: Measured,
	optimum: number,
): Result {
	return {
		...{ scenario: name, contestant, rows, ...counts },
		seconds: rounded(seconds, 3),
		optimumSeconds: rounded(optimum, 3),
		peakRssMb: rounded(peakRssMb, 1),
		cpuMsPerRow: rounded((cpuSeconds * 1000) / rows, 3),
		...(isGrowth ? { baseRssMb: rounded(baseRssMb, 1) } : {}),
	};
}
