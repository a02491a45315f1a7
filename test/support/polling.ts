import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import type { N8nProcess } from '../../testkit/n8n/instance.ts';
import { installPackage, pack } from '../../testkit/n8n/package.ts';
import type { RecordedRequest, RunningService } from '../../testkit/service/index.ts';
import { connected, nodeOf } from '../../testkit/n8n/bulk.ts';
import { everyFiveSeconds, until } from './desk.ts';
import { OwnN8n, useFolder } from './ownN8n.ts';
import { projectRoot } from './process.ts';

/** The settings of n8n's two engines of polling triggers. The durable one keeps its cursors in the database. */
const settingsOf = {
	classic: {},
	durable: {
		N8N_SCHEDULER_ENABLED: 'true',
		N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
		N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
		N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
		// By default it looks every 5 seconds whether a tick is due.
		N8N_SCHEDULER_EXECUTOR_INTERVAL: '1',
	},
};

type EngineName = keyof typeof settingsOf;

/** A workflow that starts with a Link Trigger, and a node that hands on what it gets. */
export const triggerWorkflow = (name: string, parameters: IDataObject) => ({
	name,
	nodes: [
		nodeOf('Trigger', 'n8n-nodes-link-management.linkTrigger', 1, {
			...{ pollTimes: everyFiveSeconds, ...parameters },
		}),
		nodeOf('Done', 'n8n-nodes-base.noOp', 1, {}),
	],
	connections: connected('Trigger', 'Done'),
	settings: { executionOrder: 'v1' },
});

/** A real n8n that polls with one of its engines. */
export class Engine extends OwnN8n {
	readonly name: EngineName;

	constructor(name: EngineName, ...own: [RunningService, N8nProcess]) {
		super(...own);
		this.name = name;
	}

	/** What n8n has written since it was started last. */
	get log(): string {
		return readFileSync(join(this.options.folder, 'n8n.log'), 'utf8');
	}

	/** Returns rows of n8n's own database. */
	rows(query: string): Record<string, unknown>[] {
		const path = join(this.options.folder, '.n8n', 'database.sqlite');
		const database = new DatabaseSync(path, { readOnly: true });
		try {
			return database.prepare(query).all();
		} finally {
			database.close();
		}
	}

	/** Returns the events that all executions of a workflow started with, in their order. */
	async seen(id: string): Promise<IDataObject[]> {
		return (await this.desk.runs(id)).flatMap(({ items }) => items('Done'));
	}

	/** Waits until executions of a workflow have started with a number of events. */
	async seenAtLeast(id: string, count: number): Promise<void> {
		await until(`${count} ${this.name} events`, async () =>
			(await this.seen(id)).length >= count ? true : undefined,
		);
	}

	/** Returns the errors that ended executions of a workflow. */
	async errors(id: string): Promise<string[]> {
		return (await this.desk.runs(id)).flatMap(({ error }) => error ?? []);
	}

	/** Waits until the service has received a number of further requests of a kind. */
	private async requests(count: number, isMeant: (request: RecordedRequest) => boolean) {
		const made = () => this.service.requests.filter(isMeant).length;
		const most = made() + count;
		await until(`${this.name} requests`, () => (made() >= most ? true : undefined));
	}

	/** Waits until a number of further polls have begun that look for expired links. */
	async polls(count: number): Promise<void> {
		await this.requests(count, ({ query }) => query.includes('status=2'));
	}

	/** Waits until a number of further requests have failed. */
	async refusals(count: number): Promise<void> {
		await this.requests(count, ({ status }) => status === 503);
	}

	/** Refuses all reads, while others can still change links. */
	breakDown(): void {
		const effect = { kind: 'status', status: 503 } as const;
		this.service.set({ faults: [{ on: { method: 'GET', path: '/api/' }, effect }] });
	}

	/** Ends what `breakDown` has begun. */
	recover(): void {
		this.service.set({ faults: [] });
	}

	/** Waits until a workflow has a number of further failed executions. */
	async failures(id: string, count: number): Promise<void> {
		const most = (await this.errors(id)).length + count;
		await until(`${this.name} failures`, async () =>
			(await this.errors(id)).length >= most ? true : undefined,
		);
	}
}

/** For the tests of one file: an n8n of each engine, both at work at the same time. */
export function useEngines(): (each: (engine: Engine) => Promise<void>) => Promise<void> {
	const { folder, ends, prepare } = useFolder('polling-');
	const engines: Engine[] = [];
	beforeAll(async () => {
		const tarball = await pack(projectRoot, folder);
		for (const name of ['classic', 'durable'] as const) {
			const { service, options } = await prepare(name, settingsOf[name]);
			await installPackage(options.folder, tarball);
			const engine = new Engine(name, service, options);
			ends.push(engine.stop.bind(engine));
			engines.push(engine);
		}
		await Promise.all(engines.map(async (engine) => await engine.start()));
	});
	return async (each) => {
		// What one of them does must not continue in the next test because the other one failed.
		const results = await Promise.allSettled(engines.map(async (engine) => await each(engine)));
		for (const result of results) if (result.status === 'rejected') throw result.reason;
	};
}
