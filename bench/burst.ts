import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { startN8n } from '../demo/n8n/instance.ts';
import { QueueMode } from '../demo/n8n/queueMode.ts';
import { Rest } from '../demo/n8n/rest.ts';
import { freePorts } from '../demo/ports.ts';
import {
	allEnded,
	burstWorkflow,
	callAll,
	urlAfter,
	urlBefore,
	type Ended,
	type Query,
} from '../test/support/burst.ts';
import { httpRequest, thisNode, type Access } from './contestants.ts';
import { http } from './httpNode.ts';
import { linkOf } from './linkNode.ts';
import { rounded, type BurstResult } from './results.ts';
import { apiKey, projectRoot, type ServiceProcess } from './service.ts';
import type { Node } from './workflow.ts';

/** How many calls, and the limit that they are made behind. */
interface Load {
	scenario: string;
	calls: number;
	limit: number;
	windowSeconds: number;
}

/** All of these scenarios; quick ones have so few calls that their figures mean nothing. */
export const loads = (quick: boolean): Load[] => [
	quick
		? { scenario: 'burst', calls: 90, limit: 30, windowSeconds: 3 }
		: { scenario: 'burst', calls: 300, limit: 60, windowSeconds: 6 },
	quick
		? { scenario: 'burst-60s', calls: 60, limit: 30, windowSeconds: 10 }
		: { scenario: 'burst-60s', calls: 420, limit: 60, windowSeconds: 60 },
];

/** Numbers of workers; 0 is n8n as one process. */
const modes = (quick: boolean): number[] => (quick ? [0, 2] : [0, 1, 2, 4]);

/** The same update by each contestant. HTTP Request tries as often and waits as long as n8n lets it. */
const targets: Record<string, (access: Access) => Node> = {
	[thisNode]: (access) =>
		linkOf(
			{
				operation: 'update',
				linkId: { __rl: true, mode: 'id', value: '={{ $json.body.id }}' },
				updateFields: { url: '={{ $json.body.url }}' },
				options: {},
			},
			access,
		),
	[`${httpRequest}, Retry On Fail`]: (access) =>
		http(
			{
				method: 'PUT',
				url: `=${access.service}/api/v1/links/{{ $json.body.id }}`,
				sendBody: true,
				contentType: 'form-urlencoded',
				bodyParameters: { parameters: [{ name: 'url', value: '={{ $json.body.url }}' }] },
				options: {},
			},
			access,
			{ retryOnFail: true, maxTries: 5, waitBetweenTries: 5000 },
		),
};

/** An n8n with all that a burst needs. */
interface Stage {
	mode: string;
	url: string;
	rest: Rest;
	query: Query;
	access: Access;
	stop(): Promise<void>;
}

async function accessOf(rest: Rest, service: string): Promise<Access> {
	await rest.setUpOwner({ email: 'bench@example.com', password: 'Bench-password-1' });
	const link = await rest.addCredential('linkManagementApi', 'Service', {
		baseUrl: service,
		apiKey,
	});
	const bearer = await rest.addCredential('httpBearerAuth', 'Bearer', { token: apiKey });
	return { service, link, bearer };
}

async function startAlone(folder: string, tarball: string, service: string): Promise<Stage> {
	const [port = 0] = await freePorts(2);
	const files = join(folder, 'files');
	await mkdir(files, { recursive: true });
	const n8n = await startN8n({ folder, tarball, port, files });
	const rest = new Rest(n8n.url);
	const access = await accessOf(rest, service);
	const database = new DatabaseSync(join(folder, '.n8n', 'database.sqlite'), { readOnly: true });
	return {
		mode: 'one process',
		url: n8n.url,
		rest,
		query: async (sql) => await Promise.resolve(database.prepare(sql).all()),
		access,
		stop: async () => {
			database.close();
			await n8n.stop();
		},
	};
}

async function startWithWorkers(
	folder: string,
	tarball: string,
	service: string,
	workers: number,
): Promise<Stage> {
	const queueMode = await QueueMode.start({ projectRoot, folder, tarball, workers });
	const rest = new Rest(queueMode.url);
	const access = await accessOf(rest, service);
	const stop = async () => await queueMode.stop();
	const mode = `queue mode, ${workers} worker${workers === 1 ? '' : 's'}`;
	return { mode, url: queueMode.url, rest, query: queueMode.query, access, stop };
}

/** The value that a share of the sorted values does not exceed. */
const quantile = (sorted: readonly number[], share: number): number =>
	sorted[Math.ceil(sorted.length * share) - 1] ?? NaN;

/** How long calls took, from n8n's taking each to the end of its execution. */
function durationsOf(ended: readonly Ended[]): Pick<BurstResult, 'p50' | 'p95'> {
	const seconds = ended.map(({ createdAt, stoppedAt }) => (stoppedAt - createdAt) / 1000);
	const sorted = seconds.toSorted((one, other) => one - other);
	return { p50: rounded(quantile(sorted, 0.5), 1), p95: rounded(quantile(sorted, 0.95), 1) };
}

/** One burst: links are made, and each call updates one of them. */
async function runOne(
	stage: Stage,
	service: ServiceProcess,
	contestant: string,
	target: Node,
	load: Load,
): Promise<BurstResult> {
	const { calls, limit, windowSeconds } = load;
	const ids = await service.fill(calls, urlBefore);
	await service.prepare({ throttle: { limit, windowSeconds } }, 'kept');
	const { rest, url, query, mode } = stage;
	const { id } = await rest.call<{ id: string }>('POST', '/workflows', burstWorkflow(target));
	await rest.activate(id);
	const startedAt = Date.now();
	const asked = ids.map((link, index) => ({ id: link, url: urlAfter(index) }));
	const rejected = new Set((await callAll(url, asked)).map(({ call }) => call));
	const ended = await allEnded(query, id, calls - rejected.size, 900);
	await rest.deactivate(id);
	const { requests, refused } = await service.traffic();
	const held = new Set((await service.links()).map((link) => link.url));
	return {
		contestant,
		mode,
		...load,
		rejected: rejected.size,
		lost: asked.filter((call) => !held.has(call.url) && !rejected.has(call)).length,
		requests,
		refusedShare: rounded(refused / requests, 4),
		seconds: rounded((Math.max(...ended.map(({ stoppedAt }) => stoppedAt)) - startedAt) / 1000, 1),
		optimumSeconds: (Math.ceil(calls / limit) - 1) * windowSeconds,
		...durationsOf(ended),
	};
}

/** Lets each contestant take bursts in one process, and in queue mode with several numbers of workers. */
export async function runBursts(
	service: ServiceProcess,
	{ folder, tarball }: { folder: string; tarball: string },
	{ quick, chosen }: { quick: boolean; chosen: readonly Load[] },
	show: (line: string) => void,
): Promise<BurstResult[]> {
	const results: BurstResult[] = [];
	for (const workers of modes(quick)) {
		const own = join(folder, `burst-${workers}`);
		const stage = await (workers === 0
			? startAlone(own, tarball, service.url)
			: startWithWorkers(own, tarball, service.url, workers));
		for (const load of chosen) {
			for (const [contestant, target] of Object.entries(targets)) {
				const result = await runOne(stage, service, contestant, target(stage.access), load);
				results.push(result);
				const { mode, calls, lost, seconds } = result;
				show(
					`${load.scenario}: ${calls} calls, ${mode}, ${contestant}: ${seconds} s, ${lost} lost`,
				);
			}
		}
		await stage.stop();
	}
	return results;
}
