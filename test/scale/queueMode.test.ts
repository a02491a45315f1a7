import { randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { RunningService } from '../../testkit/service/index.ts';
import { bulkWorkflow, finished, hintIn, linkNodeOf } from '../../testkit/n8n/bulk.ts';
import { allEnded, burstWorkflow, callAll, urlAfter, urlBefore } from '../../testkit/n8n/burst.ts';
import { createLinks, storedLinks } from '../../testkit/service/storedLinks.ts';
import { triggerWorkflow } from '../support/polling.ts';
import { useCluster } from '../support/scale.ts';

const { cluster, serve } = useCluster();

const update = linkNodeOf('Target', {
	operation: 'update',
	linkId: { __rl: true, mode: 'id', value: '={{ $json.body.id }}' },
	updateFields: { url: '={{ $json.body.url }}' },
	options: {},
});

/** The alias of a row of a bulk run. */
const alias = '={{ $json.alias }}';

/** The writes that a service has carried out, and how many links it has. */
const tally = (service: RunningService) => {
	const done = service.requests.filter(({ status = 0 }) => status < 300);
	const writes = done.map(({ method }) => method).filter((method) => method !== 'GET');
	return { kinds: [...new Set(writes)], writes: writes.length, links: service.counts().links };
};
const created500 = { kinds: ['POST'], writes: 500, links: 500 };

/**
 * Makes webhook calls at once. Each call updates a link. Expects that each execution that n8n began
 * updated its link once, and that the others sent nothing.
 *
 * n8n never begins an execution whose job a worker takes just when the worker or Redis ends: it drops the job as stalled,
 * and its main process notes that. If that process ends too, it says that the execution crashed, and not why.
 *
 * @param whileQueued runs once n8n has accepted all calls
 * @param later how many more calls it makes after that
 * @returns the IDs of the executions that n8n began
 */
async function burst(first: number, whileQueued: (workflow: string) => Promise<void>, later = 0) {
	const service = await serve();
	const { queueMode, rest } = cluster();
	const count = first + later;
	const ids = createLinks(service, count, urlBefore);
	service.set({ throttle: { limit: 60, windowSeconds: 6 } });
	const workflow = await cluster().add(burstWorkflow(update), service);
	await rest.activate(workflow);
	const calls = ids.map((id, index) => ({ id, url: urlAfter(index) }));
	expect(await callAll(queueMode.url, calls.slice(0, first))).toEqual([]);
	await whileQueued(workflow);
	expect(await callAll(queueMode.url, calls.slice(first))).toEqual([]);
	await queueMode.untilIdle();
	await rest.deactivate(workflow);
	const ended = await allEnded(queueMode.query, workflow, count - 3, 120);
	const begun = ended.filter(({ hasStarted }) => hasStarted);
	expect(begun.length).toBeGreaterThanOrEqual(count - 3);
	expect(await cluster().failuresOf(begun)).toEqual([]);
	expect(tally(service)).toEqual({ kinds: ['PUT'], writes: begun.length, links: count });
	const changed = storedLinks(service).filter(({ url }, index) => url === urlAfter(index));
	expect(changed).toHaveLength(begun.length);
	const dropped = await cluster().failuresOf(ended.filter(({ hasStarted }) => !hasStarted));
	for (const { status, error } of dropped) {
		expect(`${status}: ${error}`).toMatch(/^crashed|failed to be processed too many times/);
	}
	return begun.map(({ id }) => id);
}

it('polls for the Link Trigger once, and not once for each process', async () => {
	const { queueMode, rest } = cluster();
	const service = await serve();
	const workflow = await cluster().add(
		triggerWorkflow('Polling', { events: ['created'] }),
		service,
	);
	await rest.activate(workflow);
	const [startedAt, before] = [Date.now(), service.requests.length];
	while (service.requests.length < before + 2) await wait(50);
	// Each quiet poll makes one request, and n8n polls every five seconds.
	const polls = 1 + Math.ceil((Date.now() - startedAt) / 5_000);
	expect(service.requests.length - before).toBeLessThanOrEqual(polls);

	createLinks(service, 7, urlBefore);
	const ended = await allEnded(queueMode.query, workflow, 1, 60);
	const polled = service.requests.length;
	while (service.requests.length < polled + 2) await wait(50);
	await rest.deactivate(workflow);
	const all = await allEnded(queueMode.query, workflow, ended.length, 60);
	const seen = all.map(async ({ id }) => await cluster().itemsOf(id, 'Done'));
	const aliases = (await Promise.all(seen)).flat().map(({ alias }) => alias);
	expect(aliases.sort()).toEqual(Array.from({ length: 7 }, (_, index) => `link-${index}`));
});

it('stops a bulk run in a worker when a person stops it, and the next run writes only what is missing', async () => {
	const { queueMode, rest } = cluster();
	const service = await serve();
	service.set({ throttle: { limit: 100, windowSeconds: 10 } });
	const id = await cluster().add(bulkWorkflow('upsert', 500, { alias }), service);
	const first = await rest.start(id, 'Start');
	while (service.counts().links < 90) await wait(50);
	await rest.call('POST', `/executions/${first}/stop`);
	expect(await finished(rest, first)).toMatchObject({ status: 'canceled' });
	// The worker learns of it later, and a create in flight may be carried out after that.
	await queueMode.untilIdle();
	while (service.openRequests > 0) await wait(50);
	const created = service.counts().links;
	expect(created).toBeLessThan(200);
	service.set({ throttle: null });

	const second = await finished(rest, await rest.start(id, 'Start'));
	expect(hintIn(second)).toContain(`500 items: ${500 - created} created, ${created} unchanged`);
	expect(tally(service)).toEqual(created500);
});

it('loses nothing of 150 webhook calls that n8n begins when Redis is restarted in the middle, and then the main process crashes', async () => {
	await burst(150, async (workflow) => {
		const { queueMode } = cluster();
		await allEnded(queueMode.query, workflow, randomInt(30, 60), 120);
		await queueMode.restartRedis();
		await allEnded(queueMode.query, workflow, randomInt(90, 120), 120);
		await queueMode.crashMain();
	});
});

describe('a rolling update, one worker with the last version and one with this', () => {
	beforeAll(async () => {
		const { queueMode, tarball } = cluster();
		await queueMode.install(tarball);
		const [first] = queueMode.workers;
		if (first) await queueMode.replaceWorker(first);
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
		expect(tally(service)).toEqual(created500);
	});

	it('loses nothing of 300 webhook calls that n8n begins, while the worker with the last version gives way to this one', async () => {
		const { queueMode } = cluster();
		const before = [...queueMode.workers];
		const replace = async (workflow: string) => {
			await allEnded(queueMode.query, workflow, 100, 120);
			const [old] = before;
			if (old) await queueMode.replaceWorker(old);
		};
		// The new worker may be ready only when the queue is empty, so it gets calls of its own.
		const begun = await burst(200, replace, 100);
		const workers = begun.map((execution) => cluster().workerOf(execution, before));
		expect(new Set(workers)).toEqual(new Set([...before, ...queueMode.workers]));
	});
});

it('makes exactly 500 links when a bulk create whose worker was killed is run again', async () => {
	const { rest } = cluster();
	const service = await serve();
	service.set({ faults: [{ effect: { kind: 'latency', milliseconds: 20 } }] });
	const onError = { onError: 'continueRegularOutput' };
	const workflow = bulkWorkflow('create', 500, { alias }, onError);
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
	const aliases = storedLinks(service)
		.map(({ alias }) => alias)
		.sort();
	const rows = Array.from({ length: 500 }, (_, index) => `bulk-${index}`).sort();
	expect(aliases).toEqual(rows);
	expect(tally(service)).toEqual(created500);

	// n8n finds that no worker executes the first one, and does not start it again.
	expect(await finished(rest, first)).toMatchObject({ status: 'error' });
	expect(tally(service)).toEqual(created500);
});
