import { mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import type { Ended } from '../../testkit/n8n/burst.ts';
import { pack } from '../../testkit/n8n/package.ts';
import { QueueMode } from '../../testkit/n8n/queueMode.ts';
import { Rest, type Workflow } from '../../testkit/n8n/rest.ts';
import type { RunningN8n } from '../../testkit/n8n/instance.ts';
import { startService, type RunningService } from '../../testkit/service/index.ts';
import { finished } from '../../testkit/n8n/bulk.ts';
import { runOf } from './desk.ts';
import { projectRoot } from './process.ts';

/** The key that the services of these tests take. */
export const apiKey = 'scale-key-0123456789';
const login = { email: 'scale@example.com', password: 'Scale-password-1' };

/** For the tests of one file: user folders, the tarball, logs. */
const folder = mkdtempSync(join(tmpdir(), 'scale-'));

/** n8n in queue mode, and who uses it. */
export class Cluster {
	readonly queueMode: QueueMode;
	readonly rest: Rest;
	/** The package of this checkout. */
	readonly tarball: string;

	constructor(queueMode: QueueMode, rest: Rest, tarball: string) {
		[this.queueMode, this.rest, this.tarball] = [queueMode, rest, tarball];
	}

	/** Starts a service of a test's own, and stores a workflow whose nodes of the package use it. */
	async add(workflow: Workflow, service: RunningService): Promise<string> {
		const data = { baseUrl: service.url, apiKey };
		const credential = await this.rest.addCredential('linkManagementApi', 'Scale', data);
		return (await this.rest.addWorkflow(workflow, credential)).id;
	}

	/** The JSON of the items that a node gave in an execution. */
	async itemsOf(executionId: string, node: string): Promise<IDataObject[]> {
		const { status, data } = await finished(this.rest, executionId);
		return runOf(status, data).items(node);
	}

	/** Returns the executions that did not succeed, each with the message of its error. */
	async failuresOf(executions: readonly Ended[]) {
		const failed = executions.filter(({ status }) => status !== 'success');
		return await Promise.all(
			failed.map(async ({ id }) => {
				const { status, data } = await finished(this.rest, id);
				return { id, status, error: runOf(status, data).error };
			}),
		);
	}

	/**
	 * The worker that has begun an execution, among those that run and others that ran.
	 *
	 * @throws Error where none has
	 */
	workerOf(executionId: string, others: readonly RunningN8n[] = []): RunningN8n {
		const begun = new RegExp(`started execution ${executionId}\\b`, 'i');
		const all = [...this.queueMode.workers, ...others];
		const worker = all.find(({ log }) => begun.test(readFileSync(log, 'utf8')));
		if (!worker) throw new Error(`No worker has begun execution ${executionId}.`);
		return worker;
	}
}

/** How soon n8n notices that a worker is gone: 25 seconds, but long enough for a busy worker to renew its locks. */
const settings = {
	QUEUE_WORKER_LOCK_DURATION: '20000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '2000',
	QUEUE_WORKER_STALLED_INTERVAL: '5000',
};

/** For the tests of one file: n8n in queue mode with two workers and version 0.0.1 of the package, and services. */
export function useCluster(): { cluster: () => Cluster; serve: () => Promise<RunningService> } {
	const services: RunningService[] = [];
	let cluster: Cluster | undefined;

	beforeAll(async () => {
		const tarball = await pack(projectRoot, folder);
		const last = await pack(projectRoot, folder, '0.0.1');
		const options = { projectRoot, folder, tarball: last, workers: 2, settings };
		const queueMode = await QueueMode.start(options);
		const rest = new Rest(queueMode.url);
		cluster = new Cluster(queueMode, rest, tarball);
		await rest.setUpOwner(login);
	});
	afterAll(async () => {
		await cluster?.queueMode.stop();
		for (const service of services) await service.stop();
		await rm(folder, { recursive: true, force: true });
	});
	return {
		cluster: () => {
			if (!cluster) throw new Error('n8n did not start');
			return cluster;
		},
		serve: async () => {
			const service = await startService({ strict: true, apiKeys: [apiKey] });
			services.push(service);
			return service;
		},
	};
}
