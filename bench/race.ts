import { join } from 'node:path';
import { runBare } from './bare.ts';
import { barePool, type Contestant } from './contestants.ts';
import {
	count,
	fill,
	job,
	optimumOf,
	prepare,
	rowsOf,
	type Counts,
	type Heat,
	type Track,
} from './heat.ts';
import { linksOf } from './items.ts';
import { BenchN8n } from './n8n.ts';
import { median, rounded, type Measure, type Result } from './results.ts';
import type { Scenario } from './scenario.ts';

/** A measured run of one contestant, and what became of its rows. */
type Lap = Measure & Counts & Pick<Result, 'isOutOfMemory'>;

/** A fresh n8n for a contestant. */
async function startFor(track: Track, heat: Heat, { name, commit }: Contestant): Promise<BenchN8n> {
	const tarball = track.tarballs.get(commit);
	if (tarball === undefined) throw new Error(`${name} has no package.`);
	const folder = join(track.folder, `${heat.name}-${heat.rows}-${name.replaceAll(/\W+/g, '-')}`);
	return await BenchN8n.start({ folder, tarball, service: track.service.url });
}

/** One n8n of its own for each contestant, all running; they take turns. */
async function raceTogether(
	track: Track,
	heat: Heat,
	contestants: readonly Contestant[],
): Promise<Map<string, Lap>> {
	const { turns } = heat;
	const started = contestants.map(async (contestant) => {
		const n8n = await startFor(track, heat, contestant);
		const rows = rowsOf(heat, contestant);
		const steps = contestant.steps(n8n.access);
		return { name: contestant.name, n8n, rows, steps, laps: new Array<Lap>() };
	});
	const lanes = await Promise.all(started);
	const warmUps = turns > 1 ? 1 : 0;
	for (let turn = 0; turn < turns + warmUps; turn += 1) {
		for (const { name, n8n, rows, steps, laps } of lanes) {
			await prepare(track, heat);
			const { items, ...measure } = await n8n.run(steps, rows);
			if (turn < warmUps) continue;
			const isOutOfMemory = n8n.isAlive ? undefined : true;
			const counts = await count(track, heat, rows, linksOf(items));
			laps.push({ ...measure, ...counts, isOutOfMemory });
			track.show(`  ${name}: ${measure.seconds.toFixed(1)} s (${measure.status})`);
		}
	}
	const found = new Map<string, Lap>();
	for (const { name, n8n, rows, laps } of lanes) {
		const baseline = n8n.isAlive ? await n8n.baseline(rows) : 0;
		await n8n.stop();
		found.set(name, middle(laps, baseline));
	}
	return found;
}

/** The middle of several runs, less the CPU time that n8n itself takes; of the counts, the worst. */
function middle(laps: readonly Lap[], baseline: number): Lap {
	const most = (value: (lap: Lap) => number) => Math.max(...laps.map(value));
	const known = (value: (lap: Lap) => number | undefined) =>
		laps.some((lap) => value(lap) !== undefined) ? most((lap) => value(lap) ?? 0) : undefined;
	return {
		seconds: median(laps.map(({ seconds }) => seconds)),
		baseRssMb: median(laps.map((lap) => lap.baseRssMb)),
		peakRssMb: median(laps.map((lap) => lap.peakRssMb)),
		cpuSeconds: Math.max(0, median(laps.map((lap) => lap.cpuSeconds)) - baseline),
		ok: Math.min(...laps.map(({ ok }) => ok)),
		lost: most(({ lost }) => lost),
		duplicated: most(({ duplicated }) => duplicated),
		share429: known((lap) => lap.share429),
		requests: known((lap) => lap.requests),
		refused: known((lap) => lap.refused),
		asSheet: laps.some((lap) => lap.asSheet !== undefined)
			? laps.every((lap) => lap.asSheet)
			: undefined,
		isOutOfMemory: laps.some((lap) => lap.isOutOfMemory) ? true : undefined,
	};
}

/** Lets all contestants run one scenario with so many rows and returns their results, the bare pool's last. */
async function runHeat(track: Track, heat: Heat): Promise<Result[]> {
	const { name, rows, operation, turns, contestants } = heat;
	track.show(`${name}: ${rows} rows`);
	if (operation === 'list') await fill(track, heat);
	await prepare(track, heat);
	const bare = await runBare(job(track, heat));
	const counts = await count(track, heat, rowsOf(heat, {}), bare.links);
	const laps = new Map<string, Lap>([[barePool, { ...bare, ...counts }]]);
	track.show(`  ${barePool}: ${bare.seconds.toFixed(1)} s`);
	const optimumSeconds = await optimumOf(track, heat, bare);
	const groups = turns > 1 ? [contestants] : contestants.map((each) => [each]);
	for (const group of groups)
		for (const [contestant, lap] of await raceTogether(track, heat, group))
			laps.set(contestant, lap);
	return [...contestants, { name: barePool, share: rows }].map((contestant) => {
		const lap = laps.get(contestant.name);
		if (!lap) throw new Error(`${contestant.name} did not run.`);
		return resultOf(heat, contestant, lap, optimumSeconds);
	});
}

/** Lets all contestants run one scenario, once with each of its sizes. */
export async function race(track: Track, scenario: Scenario): Promise<Result[]> {
	const results: Result[] = [];
	for (const rows of scenario.sizes) {
		results.push(...(await runHeat(track, { first: 0, ...scenario, rows })));
	}
	return results;
}

/** What all rows would take, where a contestant had a share of them. */
function extrapolated({ rows }: Heat, share: number, lap: Lap): Pick<Result, 'extrapolated'> {
	if (share === rows || lap.requests === undefined) return {};
	const times = rows / share;
	const seconds = rounded(lap.seconds * times, 0);
	return { extrapolated: { rows, requests: lap.requests * times, seconds } };
}

/** A result without what its scenario does not measure. */
function resultOf(
	heat: Heat,
	{ name, share = heat.rows }: Pick<Contestant, 'name' | 'share'>,
	lap: Lap,
	optimum: number,
): Result {
	const { requests, refused, asSheet } = lap;
	return {
		scenario: heat.name,
		contestant: name,
		rows: share,
		ok: lap.ok,
		lost: lap.lost,
		duplicated: lap.duplicated,
		seconds: rounded(lap.seconds, 3),
		optimumSeconds: rounded(optimum, 3),
		peakRssMb: rounded(lap.peakRssMb, 1),
		cpuMsPerRow: rounded((lap.cpuSeconds * 1000) / share, 3),
		...(lap.share429 === undefined ? {} : { share429: rounded(lap.share429, 4) }),
		...(asSheet === undefined ? {} : { requests, refused, asSheet }),
		...extrapolated(heat, share, lap),
		...(heat.isGrowth ? { baseRssMb: rounded(lap.baseRssMb, 1) } : {}),
		...(lap.isOutOfMemory ? { isOutOfMemory: true } : {}),
	};
}
