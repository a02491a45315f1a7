import { accountOfCreates, accountOfList, accountOfResync, type Rows } from './account.ts';
import { runBare } from './bare.ts';
import type { Contestant } from './contestants.ts';
import type { Done, Job } from './job.ts';
import type { Link, Result } from './results.ts';
import type { Scenario } from './scenario.ts';
import { apiKey, type ServiceProcess } from './service.ts';

/** What all scenarios of a run share. */
export interface Track {
	service: ServiceProcess;
	/** The packed package, as it was at the commits that contestants name; undefined stands for this checkout. */
	tarballs: ReadonlyMap<string | undefined, string>;
	/** For the folders of the n8n instances. */
	folder: string;
	show(line: string): void;
}

export type Counts = Pick<
	Result,
	'ok' | 'lost' | 'duplicated' | 'share429' | 'requests' | 'refused' | 'asSheet'
>;
/** A scenario with so many rows. */
export type Heat = Omit<Scenario, 'sizes'> & Rows;

export const job = ({ service }: Track, heat: Heat): Job => ({
	service: service.url,
	apiKey,
	operation: heat.operation,
	first: heat.first,
	rows: heat.rows,
	concurrency: heat.concurrency,
	throttle: heat.behaviour.throttle ?? null,
});

/** Fills the service with the links of the rows, as they are or as they were before a resync. */
export async function fill(track: Track, heat: Heat): Promise<void> {
	await track.service.prepare({}, 'cleared');
	const old = heat.operation === 'resync' ? ({ isOld: true } as const) : {};
	await runBare({ ...job(track, heat), ...old, operation: 'create', throttle: null });
}

/** The service as the scenario wants it; a list stays as it was filled. */
export async function prepare(track: Track, heat: Heat): Promise<void> {
	const { operation, behaviour } = heat;
	if (operation === 'resync') await fill(track, heat);
	await track.service.prepare(behaviour, operation === 'create' ? 'cleared' : 'kept');
}

/** The rows that a contestant gets. */
export const rowsOf = (
	{ operation, first, rows }: Heat,
	{ share = rows }: Partial<Contestant>,
): Rows => ({
	first,
	rows: operation === 'list' ? 0 : share,
});

/** What became of the rows that a contestant had. */
export async function count(
	{ service }: Track,
	{ operation, behaviour, rows }: Heat,
	given: Rows,
	returned: Link[],
): Promise<Counts> {
	const traffic = behaviour.throttle ? await service.traffic() : undefined;
	if (operation === 'resync') {
		return { ...accountOfResync(given, await service.links(), rows), ...traffic };
	}
	const counts =
		operation === 'list'
			? accountOfList(rows, returned)
			: accountOfCreates(given, await service.links(), returned);
	if (!traffic) return counts;
	return { ...counts, share429: traffic.refused / Math.max(1, traffic.requests) };
}

/** Seconds that the scenario takes at best: those of the bare pool, or of the throttle and one burst without it. */
export async function optimumOf(track: Track, heat: Heat, bare: Done): Promise<number> {
	const { throttle, faults } = heat.behaviour;
	if (!throttle || faults || heat.operation !== 'create') return bare.seconds;
	await track.service.prepare({}, 'cleared');
	const burst = await runBare({ ...job(track, heat), rows: throttle.limit, throttle: null });
	const windows = Math.ceil(heat.rows / throttle.limit);
	return (windows - 1) * throttle.windowSeconds + burst.seconds;
}
