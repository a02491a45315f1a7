import { randomInt } from 'node:crypto';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { RunningN8n } from '../../testkit/n8n/instance.ts';
import type { RunningService } from '../../testkit/service/index.ts';
import {
	bulkWorkflow,
	connected,
	finished,
	hintIn,
	linkNodeOf,
	nodeOf,
} from '../../testkit/n8n/bulk.ts';
import { pack } from '../../testkit/n8n/package.ts';
import { allEnded, burstWorkflow, callAll, urlAfter, urlBefore } from '../../testkit/n8n/burst.ts';
import { everyFiveSeconds } from '../support/polling.ts';
import { projectRoot } from '../support/process.ts';
import { fill, linksOf, useCluster } from '../support/scale.ts';

const { cluster, serve } = useCluster();

/** The version of the build that a rolling update starts from. */
const lastVersion = '0.0.1';

const update = linkNodeOf('Target', {
	operation: 'update',
	linkId: { __rl: true, mode: 'id', value: '={{ $json.body.id }}' },
	updateFields: { url: '={{ $json.body.url }}' },
	options: {},
});

/** The alias of a row of a bulk run. */
const alias = '={{ $json.alias }}';

/** The requests of a kind that a service has carried out. */
const carriedOut = ({ requests }: RunningService, verb: string) =>
	requests.filter(({ method, status = 0 }) => method === verb && status < 300);

/**
 * Makes so many webhook calls at once, each of which updates a link, and expects that each link was updated once.
 *
 * @param whileQueued runs once n8n has accepted all calls
 * @returns the IDs of the executions
 */
async function burst(
	service: RunningService,
	count: number,
	whileQueued: (workflow: string) => Promise<void> = async () => await Promise.resolve(),
): Promise<string[]> {
	const { queueMode, rest } = cluster();
	const ids = await fill(service, count, urlBefore);
	service.set({ throttle: { limit: 60, windowSeconds: 6 } });
	const workflow = await cluster().add(burstWorkflow(update), service);
	await rest.activate(workflow);
	const calls = ids.map((id, index) => ({ id, url: urlAfter(index) }));
	expect(await callAll(queueMode.url, calls)).toEqual([]);
	await whileQueued(workflow);
	const ended = await allEnded(queueMode.query, workflow, count, 120);
	await rest.deactivate(workflow);
	expect(await cluster().failuresOf(ended)).toEqual([]);
	expect(carriedOut(service, 'PUT')).toHaveLength(count);
	const links = await linksOf(service);
	expect(links.map(({ url }) => url)).toEqual(ids.map((_, index) => urlAfter(index)));
	return ended.map(({ id }) => id);
}

it('loses nothing of 300 webhook calls at once behind 60 requests per 6 seconds', async () => {
	const service = await serve();
	const executions = await burst(service, 300);
	const workers = executions.map((execution) => cluster().workerOf(execution));
	expect(new Set(workers)).toEqual(new Set(cluster().queueMode.workers));
	const refused = service.requests.filter(({ status }) => status === 429);
	// The benchmark has the target; by the rules of 0.1.0 it were 80.
	expect(refused.length).toBeLessThan(40);
});

it('loses nothing of 300 webhook calls when Redis is restarted in the middle, and then the main process crashes', async () => {
	const service = await serve();
	await burst(service, 300, async (workflow) => {
		const { queueMode } = cluster();
		await allEnded(queueMode.query, workflow, randomInt(60, 150), 120);
		await queueMode.restartRedis();
		await allEnded(queueMode.query, workflow, randomInt(180, 240), 120);
		await queueMode.crashMain();
	});
});

it('stops a bulk run in a worker when a person stops it, and the next run writes only what is missing', async () => {
	const { rest } = cluster();
	const service = await serve();
	service.set({ throttle: { limit: 100, windowSeconds: 10 } });
	const id = await cluster().add(bulkWorkflow('upsert', 500, { alias }), service);
	const first = await rest.start(id, 'Start');
	while (service.counts().links < 90) await wait(50);
	await rest.call('POST', `/executions/${first}/stop`);
	expect(await finished(rest, first)).toMatchObject({ status: 'canceled' });
	const created = service.counts().links;
	expect(created).toBeLessThan(200);
	service.set({ throttle: null });

	const second = await finished(rest, await rest.start(id, 'Start'));
	expect(hintIn(second)).toContain(`500 items: ${500 - created} created, ${created} unchanged`);
	expect(carriedOut(service, 'POST')).toHaveLength(500);
	expect(service.counts().links).toBe(500);
});

describe.each(['create', 'upsert'])('a bulk %s of 500 rows whose worker is killed', (operation) => {
	it('makes exactly 500 links when it is run again, and writes only what is missing', async () => {
		const { queueMode, rest } = cluster();
		const service = await serve();
		service.set({ faults: [{ effect: { kind: 'latency', milliseconds: 20 } }] });
		const fields = operation === 'create' ? { alias } : { alias };
		const onError = { onError: 'continueRegularOutput' };
		const workflow = bulkWorkflow(operation, 500, fields, onError);
		const id = await cluster().add(workflow, service);
		const killedAt = randomInt(1, 490);
		const first = await rest.start(id, 'Start');
		while (service.counts().links < killedAt) await wait(5);
		const worker = cluster().workerOf(first);
		await worker.kill();
		const created = service.counts().links;
		expect(created).toBeLessThan(500);

		const second = await finished(rest, await rest.start(id, 'Start'));
		expect({ killedAt, status: second.status }).toEqual({ killedAt, status: 'success' });
		const aliases = (await linksOf(service)).map(({ alias }) => alias).sort();
		const rows = Array.from({ length: 500 }, (_, index) => `bulk-${index}`).sort();
		expect(aliases).toEqual(rows);
		expect(carriedOut(service, 'POST')).toHaveLength(500);
		expect(carriedOut(service, 'PUT')).toEqual([]);
		expect(carriedOut(service, 'DELETE')).toEqual([]);

		// n8n finds out that nobody executes the first one any more, and does not hand it to another worker.
		expect(await finished(rest, first)).toMatchObject({ status: 'error' });
		expect(carriedOut(service, 'POST')).toHaveLength(500);
		await queueMode.replaceWorker(worker);
	});
});

it('polls for the Link Trigger once, and not once for each process', async () => {
	const { queueMode, rest } = cluster();
	const service = await serve();
	const trigger = nodeOf('Trigger', 'n8n-nodes-link-management.linkTrigger', 1, {
		events: ['created'],
		pollTimes: everyFiveSeconds,
	});
	const workflow = await cluster().add(
		{
			name: 'Polling',
			nodes: [trigger, nodeOf('Seen', 'n8n-nodes-base.noOp', 1, {})],
			connections: connected('Trigger', 'Seen'),
			settings: { executionOrder: 'v1' },
		},
		service,
	);
	await rest.activate(workflow);
	const [startedAt, before] = [Date.now(), service.requests.length];
	while (service.requests.length < before + 4) await wait(50);
	// Each quiet poll makes one request, and n8n polls every five seconds.
	const polls = 1 + Math.ceil((Date.now() - startedAt) / 5_000);
	expect(service.requests.length - before).toBeLessThanOrEqual(polls);

	await fill(service, 7, urlBefore);
	const ended = await allEnded(queueMode.query, workflow, 1, 60);
	const polled = service.requests.length;
	while (service.requests.length < polled + 2) await wait(50);
	await rest.deactivate(workflow);
	const all = await allEnded(queueMode.query, workflow, ended.length, 60);
	const seen = all.map(async ({ id }) => await cluster().itemsOf(id, 'Seen'));
	const aliases = (await Promise.all(seen)).flat().map(({ alias }) => alias);
	expect(aliases.sort()).toEqual(Array.from({ length: 7 }, (_, index) => `link-${index}`));
});

describe('a rolling update, one worker with the last version and one with this', () => {
	/** Those with the last version, of which the files are replaced while they run. */
	let old: RunningN8n[] = [];

	beforeAll(async () => {
		const { queueMode, tarball } = cluster();
		await queueMode.install(await pack(projectRoot, dirname(tarball), lastVersion));
		for (const worker of [...queueMode.workers]) await queueMode.replaceWorker(worker);
		await queueMode.install(tarball);
		const [first, ...others] = queueMode.workers;
		if (first) await queueMode.replaceWorker(first);
		old = others;
	});

	it('makes exactly 500 links of a sheet that four executions upsert at the same time', async () => {
		const { rest } = cluster();
		const service = await serve();
		service.set({ faults: [{ effect: { kind: 'latency', milliseconds: 20 } }] });
		const workflow = bulkWorkflow('upsert', 500, { alias });
		const id = await cluster().add(workflow, service);
		const started = await Promise.all(
			Array.from({ length: 4 }, async () => await rest.start(id, 'Start')),
		);
		for (const execution of started) {
			expect(await finished(rest, execution)).toMatchObject({ status: 'success' });
		}
		expect(service.counts().links).toBe(500);
		expect(carriedOut(service, 'POST')).toHaveLength(500);
		expect(carriedOut(service, 'PUT')).toEqual([]);
	});

	it('loses nothing of 300 webhook calls, while the worker with the last version gives way to this one', async () => {
		const { queueMode } = cluster();
		const before = [...queueMode.workers];
		const executions = await burst(await serve(), 300, async (workflow) => {
			await allEnded(queueMode.query, workflow, 100, 120);
			for (const worker of old) await queueMode.replaceWorker(worker);
		});
		const workers = executions.map((execution) => cluster().workerOf(execution, before));
		expect(new Set(workers)).toEqual(new Set([...before, ...queueMode.workers]));
	});
});
