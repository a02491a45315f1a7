import { join } from 'node:path';
import { QueueMode } from '../testkit/n8n/queueMode.ts';
import { Rest } from '../testkit/n8n/rest.ts';
import {
	allEnded,
	burstWorkflow,
	callAll,
	urlAfter,
	urlBefore,
	type Ended,
} from '../testkit/n8n/burst.ts';
import { createLinks, storedLinks } from '../testkit/service/storedLinks.ts';
import { httpUpdate, linkUpdate, type Contestant } from './contestants.ts';
import { accessOf, startOne, type Bench, type OneN8n } from './n8n.ts';
import { rounded, type BurstResult } from './results.ts';
import { prepareService, projectRoot, trafficOf } from './service.ts';

/** The number of calls, and the rate limit of the service. */
interface Load {
	name: string;
	calls: number;
	limit: number;
	windowSeconds: number;
}

/** All of these scenarios; quick ones have so few calls that their figures mean nothing. */
export const loads = (quick: boolean): Load[] => [
	quick
		? { name: 'burst', calls: 90, limit: 30, windowSeconds: 3 }
		: { name: 'burst', calls: 300, limit: 60, windowSeconds: 6 },
	quick
		? { name: 'burst-60s', calls: 60, limit: 30, windowSeconds: 10 }
		: { name: 'burst-60s', calls: 420, limit: 60, windowSeconds: 60 },
];

/** Numbers of workers; 0 is n8n as one process. */
const modes = (quick: boolean): number[] => (quick ? [0, 2] : [0, 1, 2, 4]);

const contestants = [linkUpdate, httpUpdate];

/** An n8n with all that a burst needs. */
type Stage = Pick<OneN8n, 'access' | 'query' | 'rest' | 'stop' | 'url'> & { mode: string };

/** Starts n8n as one process with SQLite, or in queue mode. */
async function startStage(bench: Bench, folder: string, workers: number): Promise<Stage> {
	if (workers === 0) return { ...(await startOne(bench, folder)), mode: 'one process' };
	const { tarball, service } = bench;
	const queueMode = await QueueMode.start({ projectRoot, folder, tarball, workers });
	const { url, query } = queueMode;
	const rest = new Rest(url);
	const access = await accessOf(rest, service.url);
	const stop = async () => await queueMode.stop();
	const mode = `queue mode, ${workers} worker${workers === 1 ? '' : 's'}`;
	return { mode, url, rest, query, access, stop };
}

/** How long calls took, from n8n's taking each to the end of its execution. */
function durationsOf(ended: readonly Ended[]): Pick<BurstResult, 'p50' | 'p95'> {
	const seconds = ended.map(({ createdAt, stoppedAt }) => (stoppedAt - createdAt) / 1000);
	const sorted = seconds.toSorted((a, b) => a - b);
	const quantile = (share: number) =>
		rounded(sorted[Math.ceil(sorted.length * share) - 1] ?? NaN, 1);
	return { p50: quantile(0.5), p95: quantile(0.95) };
}

/** One burst: links are made, and each call updates one of them. */
async function runOne(
	{ service }: Bench,
	setup: Stage,
	load: Load,
	{ name: contestant, node }: Contestant,
): Promise<BurstResult> {
	const { name: scenario, calls, limit, windowSeconds } = load;
	prepareService(service, {}, 'cleared');
	const ids = createLinks(service, calls, urlBefore);
	prepareService(service, { throttle: { limit, windowSeconds } }, 'kept');
	const { rest, url, query, mode } = setup;
	const { id } = await rest.call<{ id: string }>(
		'POST',
		'/workflows',
		burstWorkflow(node(setup.access)),
	);
	await rest.activate(id);
	const startedAt = Date.now();
	const updates = ids.map((link, index) => ({ id: link, url: urlAfter(index) }));
	const rejected = new Set((await callAll(url, updates)).map(({ call }) => call));
	const ended = await allEnded(query, id, calls - rejected.size, 900);
	await rest.deactivate(id);
	const { requests, refused } = trafficOf(service);
	const stored = new Set(storedLinks(service).map((link) => link.url));
	return {
		...{ scenario, contestant, mode, calls, limit, windowSeconds },
		rejected: rejected.size,
		lost: updates.filter((call) => !stored.has(call.url) && !rejected.has(call)).length,
		requests,
		refusedShare: rounded(refused / requests, 4),
		seconds: rounded((Math.max(...ended.map(({ stoppedAt }) => stoppedAt)) - startedAt) / 1000, 1),
		optimumSeconds: (Math.ceil(calls / limit) - 1) * windowSeconds,
		...durationsOf(ended),
	};
}

/** Runs a burst for each contestant, in one process and in queue mode with several numbers of workers. */
export async function runBurst(bench: Bench, load: Load, quick: boolean): Promise<BurstResult[]> {
	const results: BurstResult[] = [];
	for (const workers of modes(quick)) {
		const folder = join(bench.folder, `${load.name}-${workers}`);
		const setup = await startStage(bench, folder, workers);
		for (const contestant of contestants) {
			const result = await runOne(bench, setup, load, contestant);
			results.push(result);
			const { mode, lost, seconds } = result;
			bench.show(`${load.name}: ${mode}, ${contestant.name}: ${seconds} s, ${lost} lost`);
		}
		await setup.stop();
	}
	return results;
}
