import { join } from 'node:path';
import { accountOfCreates, accountOfList } from './account.ts';
import { runBare } from './bare.ts';
import { barePool, type Contestant } from './contestants.ts';
import { linksOf } from './items.ts';
import type { Done, Job } from './job.ts';
import { BenchN8n } from './n8n.ts';
import { median, type Link, type Measure, type Result } from './results.ts';
import type { Scenario } from './scenarios.ts';
import { apiKey, type ServiceProcess } from './service.ts';

/** What all scenarios of a run share. */
export interface Track {
	service: ServiceProcess;
	/** The packed package. */
	tarball: string;
	/** For the folders of the n8n instances. */
	folder: string;
	show(line: string): void;
}

type Counts = Pick<Result, 'ok' | 'lost' | 'duplicated' | 'share429'>;
/** A measured run of one contestant, and what became of its rows. */
type Lap = Measure & Counts;

/** The service as the scenario wants it; a list stays as it was filled. */
const prepare = async ({ service }: Track, { operation, behaviour }: Scenario) =>
	await service.prepare(behaviour, operation === 'list' ? 'kept' : 'cleared');

async function count({ service }: Track, scenario: Scenario, returned: Link[]): Promise<Counts> {
	const { operation, rows, behaviour } = scenario;
	const share429 = behaviour.throttle ? { share429: await service.share429() } : {};
	const counts =
		operation === 'list'
			? accountOfList(rows, returned)
			: accountOfCreates(rows, await service.links(), returned);
	return { ...counts, ...share429 };
}

const job = ({ service }: Track, scenario: Scenario): Job => ({
	service: service.url,
	apiKey,
	operation: scenario.operation,
	rows: scenario.rows,
	concurrency: scenario.concurrency,
	throttle: scenario.behaviour.throttle ?? null,
});

/** Seconds that the scenario takes at best: those of the bare pool, or of the throttle and one burst without it. */
async function optimumOf(track: Track, scenario: Scenario, bare: Done): Promise<number> {
	const { throttle, faults } = scenario.behaviour;
	if (!throttle || faults) return bare.seconds;
	await track.service.prepare({}, 'cleared');
	const burst = await runBare({ ...job(track, scenario), rows: throttle.limit, throttle: null });
	const windows = Math.ceil(scenario.rows / throttle.limit);
	return (windows - 1) * throttle.windowSeconds + burst.seconds;
}

/** One n8n of its own for each contestant, all running; they take turns. */
async function raceTogether(
	track: Track,
	scenario: Scenario,
	contestants: readonly Contestant[],
): Promise<Map<string, Lap>> {
	const { rows, turns, operation } = scenario;
	const inputRows = operation === 'list' ? 0 : rows;
	const started = contestants.map(async ({ name, node }, index) => {
		const folder = join(track.folder, `${scenario.name}-${name.replaceAll(/\W+/g, '-')}-${index}`);
		const n8n = await BenchN8n.start(folder, track.tarball, track.service.url);
		return { name, n8n, node: node(n8n.access), laps: new Array<Lap>() };
	});
	const lanes = await Promise.all(started);
	const warmUps = turns > 1 ? 1 : 0;
	for (let turn = 0; turn < turns + warmUps; turn += 1) {
		for (const { name, n8n, node, laps } of lanes) {
			await prepare(track, scenario);
			const { items, ...measure } = await n8n.run(node, inputRows);
			if (turn < warmUps) continue;
			laps.push({ ...measure, ...(await count(track, scenario, linksOf(items))) });
			track.show(`  ${name}: ${measure.seconds.toFixed(1)} s (${measure.status})`);
		}
	}
	const found = new Map<string, Lap>();
	for (const { name, n8n, laps } of lanes) {
		const baseline = await n8n.baseline(inputRows);
		await n8n.stop();
		found.set(name, middle(laps, baseline));
	}
	return found;
}

/** The middle of several runs, less the CPU time that n8n itself takes; of the counts, the worst. */
function middle(laps: readonly Lap[], baseline: number): Lap {
	const most = (value: (lap: Lap) => number) => Math.max(...laps.map(value));
	const [{ share429 } = {}] = laps;
	return {
		seconds: median(laps.map(({ seconds }) => seconds)),
		peakRssMb: median(laps.map((lap) => lap.peakRssMb)),
		cpuSeconds: Math.max(0, median(laps.map((lap) => lap.cpuSeconds)) - baseline),
		ok: Math.min(...laps.map(({ ok }) => ok)),
		lost: most(({ lost }) => lost),
		duplicated: most(({ duplicated }) => duplicated),
		...(share429 === undefined ? {} : { share429: most((lap) => lap.share429 ?? 0) }),
	};
}

/** Lets all contestants run one scenario and returns their results, the bare pool's last. */
export async function race(track: Track, scenario: Scenario): Promise<Result[]> {
	const { name, rows, operation, turns, contestants } = scenario;
	track.show(`${name}: ${rows} rows`);
	if (operation === 'list') {
		await track.service.prepare({}, 'cleared');
		await runBare({ ...job(track, scenario), operation: 'create' });
	}
	await prepare(track, scenario);
	const bare = await runBare(job(track, scenario));
	const laps = new Map<string, Lap>([
		[barePool, { ...bare, ...(await count(track, scenario, bare.links)) }],
	]);
	track.show(`  ${barePool}: ${bare.seconds.toFixed(1)} s`);
	const optimumSeconds = await optimumOf(track, scenario, bare);
	const groups = turns > 1 ? [contestants] : contestants.map((each) => [each]);
	for (const group of groups)
		for (const [contestant, lap] of await raceTogether(track, scenario, group))
			laps.set(contestant, lap);
	return [...contestants.map((each) => each.name), barePool].map((contestant) => {
		const lap = laps.get(contestant);
		if (!lap) throw new Error(`${contestant} did not run.`);
		return resultOf(scenario, contestant, lap, optimumSeconds);
	});
}

const round = (value: number, digits: number) => Number(value.toFixed(digits));

const resultOf = (scenario: Scenario, contestant: string, lap: Lap, optimum: number): Result => ({
	scenario: scenario.name,
	contestant,
	rows: scenario.rows,
	ok: lap.ok,
	lost: lap.lost,
	duplicated: lap.duplicated,
	seconds: round(lap.seconds, 3),
	optimumSeconds: round(optimum, 3),
	peakRssMb: round(lap.peakRssMb, 1),
	cpuMsPerRow: round((lap.cpuSeconds * 1000) / scenario.rows, 3),
	...(lap.share429 === undefined ? {} : { share429: round(lap.share429, 4) }),
});
