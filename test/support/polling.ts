import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { request } from 'undici';
import { startN8n, type N8nOptions, type RunningN8n } from '../../testkit/n8n/instance.ts';
import { pack } from '../../testkit/n8n/package.ts';
import {
	readExecutionData,
	Rest,
	type Execution,
	type Publication,
} from '../../testkit/n8n/rest.ts';
import {
	startService,
	type RecordedRequest,
	type RunningService,
} from '../../testkit/service/index.ts';
import { freePorts } from '../../testkit/ports.ts';
import { projectRoot } from './process.ts';

const apiKey = 'polling-key-0123456789';
const login = { email: 'polling@example.com', password: 'Polling-password-1' };

/** What n8n's engine of polling triggers that keeps its cursors in the database is switched on by. */
const durable = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
	N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
	// By default it looks every 5 seconds whether a tick is due.
	N8N_SCHEDULER_EXECUTOR_INTERVAL: '1',
};

/** The two engines by which n8n polls, as it is told by its environment. */
const settingsOf = { classic: {}, durable };

export type EngineName = keyof typeof settingsOf;

/**
 * n8n refuses to poll by a rule that is due more often than once a minute, but a node may have as many rules as one wants:
 * here one for each of these seconds.
 */
export const everyFiveSeconds = {
	item: [0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55].map((second) => ({
		mode: 'custom',
		cronExpression: `${second} * * * * *`,
	})),
};

/** What n8n stores of an execution, as far as tests look at it. */
interface Stored {
	resultData: {
		runData: Record<string, { data?: { main: (INodeExecutionData[] | null)[] } }[]>;
		error?: { message: string; description?: string };
	};
}

/** Far longer than anything here takes that n8n does once a minute. */
const patience = 150_000;

/**
 * Waits until something is there, and returns it.
 *
 * @throws Error that says what did not come
 */
async function until<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
	const deadline = Date.now() + patience;
	while (Date.now() < deadline) {
		const found = await look();
		if (found !== undefined) return found;
		await wait(200);
	}
	throw new Error(`waited in vain for ${what}`);
}

/** Waits until there are so many of something. */
const untilThere = async (what: string, count: number, made: () => Promise<number> | number) =>
	await until(`${count} ${what}`, async () => ((await made()) >= count ? true : undefined));

/** A real n8n that polls by one of its engines, beside a service of its own. */
export class Engine {
	readonly name: EngineName;
	readonly service: RunningService;
	private readonly options: N8nOptions;
	private readonly credentials = new Map<string, { id: string; name: string }>();
	private n8n?: RunningN8n;
	private rest?: Rest;

	constructor(name: EngineName, service: RunningService, options: N8nOptions) {
		this.name = name;
		this.service = service;
		this.options = { ...options, settings: settingsOf[name] };
	}

	/** Starts n8n for the first time, with a credential of the service, and one whose key is wrong. */
	async setUp(): Promise<void> {
		this.n8n = await startN8n(this.options);
		this.rest = new Rest(this.n8n.url);
		await this.rest.setUpOwner(login);
		const { url: baseUrl } = this.service;
		for (const [name, key] of [
			['right', apiKey],
			['wrong', 'wrong-key-0123456789'],
		] as const) {
			const data = { baseUrl, apiKey: key };
			this.credentials.set(name, await this.api.addCredential('linkManagementApi', name, data));
		}
	}

	/** Starts n8n again after it was stopped or killed. */
	async start(): Promise<void> {
		this.n8n = await startN8n(this.options);
		this.rest = new Rest(this.n8n.url);
		await this.rest.logIn(login);
	}

	/** Stops n8n as a person does. */
	async stop(): Promise<void> {
		await this.n8n?.stop();
	}

	/** Ends n8n as a crash does. */
	async kill(): Promise<void> {
		await this.n8n?.kill();
	}

	private get api(): Rest {
		if (!this.rest) throw new Error('n8n does not run');
		return this.rest;
	}

	/** What n8n has written since it was started last. */
	get log(): string {
		return readFileSync(join(this.options.folder, 'n8n.log'), 'utf8');
	}

	/** Rows of n8n's own database. */
	rows(query: string): Record<string, unknown>[] {
		const path = join(this.options.folder, '.n8n', 'database.sqlite');
		const database = new DatabaseSync(path, { readOnly: true });
		try {
			return database.prepare(query).all();
		} finally {
			database.close();
		}
	}

	/** Stores a workflow of the trigger and a node that hands on what it gets; returns its ID. */
	async addWorkflow(name: string, parameters: IDataObject, credential = 'right'): Promise<string> {
		const node = (nodeName: string, type: string, typeVersion: number, given: object) => ({
			id: `${nodeName} of ${name}`,
			name: nodeName,
			type,
			typeVersion,
			position: [0, 0],
			parameters: given,
		});
		const trigger = node('Trigger', 'n8n-nodes-link-management.linkTrigger', 1, parameters);
		const seen = node('Seen', 'n8n-nodes-base.noOp', 1, {});
		const stored = {
			name,
			nodes: [trigger, seen],
			connections: { Trigger: { main: [[{ node: 'Seen', type: 'main', index: 0 }]] } },
			settings: { executionOrder: 'v1' },
		};
		const known = this.credentials.get(credential) ?? { id: '', name: '' };
		return (await this.api.addWorkflow(stored, known)).id;
	}

	/** Publishes a workflow, and returns how that ended. */
	async activate(id: string): Promise<Publication> {
		return await this.api.activate(id);
	}

	/** Switches a workflow off, and waits until it is. */
	async deactivate(id: string): Promise<void> {
		await this.api.deactivate(id);
	}

	/** How the publication of a workflow that is under way ends. */
	async published(id: string): Promise<Publication> {
		return await this.api.published(id);
	}

	/** The executions of a workflow that have ended, the oldest first, with all that n8n stores of them. */
	async executions(id: string): Promise<(Execution & { stored: Stored })[]> {
		const filter = encodeURIComponent(JSON.stringify({ workflowId: id }));
		const { results } = await this.api.call<{ results: { id: string }[] }>(
			'GET',
			`/executions?limit=100&filter=${filter}`,
		);
		const all = await Promise.all(
			results.map(async (execution) => await this.api.ended(execution.id)),
		);
		return all
			.filter((execution) => execution !== undefined)
			.map((execution) => ({ ...execution, stored: readExecutionData(execution.data) as Stored }))
			.sort((one, other) => Number(one.id) - Number(other.id));
	}

	/** What the node after the trigger was given by all executions of a workflow, in their order. */
	async seen(id: string): Promise<IDataObject[]> {
		return (await this.executions(id)).flatMap(({ stored }) =>
			(stored.resultData.runData.Seen ?? []).flatMap(({ data }) =>
				(data?.main[0] ?? []).map(({ json }) => json),
			),
		);
	}

	/** Waits until the node after the trigger was given so many items. */
	async seenAtLeast(id: string, count: number): Promise<void> {
		await untilThere(`${this.name} events`, count, async () => (await this.seen(id)).length);
	}

	/** The errors that ended executions of a workflow. */
	async errors(id: string): Promise<string[]> {
		return (await this.executions(id)).flatMap(
			({ stored }) => stored.resultData.error?.message ?? [],
		);
	}

	/** Waits until the service has got so many more requests of a kind. */
	private async requests(count: number, isMeant: (request: RecordedRequest) => boolean) {
		const made = () => this.service.requests.filter(isMeant).length;
		await untilThere(`${this.name} requests`, made() + count, made);
	}

	/** Waits until so many more polls have begun that look for expired links. */
	async polls(count: number): Promise<void> {
		await this.requests(count, ({ query }) => query.includes('status=2'));
	}

	/** Waits until so many more requests have failed. */
	async refusals(count: number): Promise<void> {
		await this.requests(count, ({ status }) => status === 503);
	}

	/** Takes the service down for those that read, while others go on to change what it holds. */
	breakDown(): void {
		const effect = { kind: 'status', status: 503 } as const;
		this.service.set({ faults: [{ on: { method: 'GET', path: '/api/' }, effect }] });
	}

	/** Ends what `breakDown` has begun. */
	recover(): void {
		this.service.set({ faults: [] });
	}

	/** Waits until a workflow has so many more failed executions. */
	async failures(id: string, count: number): Promise<void> {
		const made = async () => (await this.errors(id)).length;
		await untilThere(`${this.name} failures`, (await made()) + count, made);
	}

	/** Sends the service a request of another program, and returns the ID that it answers with. */
	async change(method: 'DELETE' | 'POST' | 'PUT', path: string, fields: IDataObject = {}) {
		const form = Object.fromEntries(
			Object.entries(fields).map(([name, value]) => [name, String(value)]),
		);
		const { statusCode, body } = await request(`${this.service.url}/api/v1/links${path}`, {
			method,
			headers: {
				accept: 'application/json',
				authorization: `Bearer ${apiKey}`,
				'content-type': 'application/x-www-form-urlencoded',
			},
			body: method === 'DELETE' ? undefined : new URLSearchParams(form).toString(),
		});
		const answer = await body.text();
		if (statusCode > 299) throw new Error(`the service refused ${method} ${path}: ${answer}`);
		const { data } = JSON.parse(answer) as { data?: { id: number } };
		return data?.id ?? 0;
	}

	/** Creates a link and returns its ID. */
	async create(alias: string, fields: IDataObject = {}): Promise<number> {
		const url = `https://example.com/${alias}`;
		return await this.change('POST', '', { domain_id: 1, alias, url, ...fields });
	}

	/** Opens a short URL as a visitor does. */
	async click(alias: string, times = 1): Promise<void> {
		for (let count = 0; count < times; count += 1) {
			const { body } = await request(`${this.service.url}/s/${alias}`);
			await body.dump();
		}
	}
}

/** For the tests of one file: an n8n of each engine, both at work at the same time. */
export function useEngines(): (each: (engine: Engine) => Promise<void>) => Promise<void> {
	const folder = mkdtempSync(join(tmpdir(), 'polling-'));
	const engines: Engine[] = [];
	const closing: (() => Promise<void>)[] = [];

	beforeAll(async () => {
		const [port = 0] = await freePorts(4);
		const tarball = await pack(projectRoot, folder);
		for (const [index, name] of (['classic', 'durable'] as const).entries()) {
			const service = await startService({ strict: true, apiKeys: [apiKey] });
			closing.push(service.stop);
			const files = join(folder, name, 'files');
			mkdirSync(files, { recursive: true });
			const own = { folder: join(folder, name), tarball, port: port + 2 * index, files };
			const engine = new Engine(name, service, own);
			closing.push(async () => await engine.stop());
			engines.push(engine);
		}
		await Promise.all(engines.map(async (engine) => await engine.setUp()));
	});
	afterAll(async () => {
		await Promise.all(closing.map(async (close) => await close()));
		await rm(folder, { recursive: true, force: true });
	});
	return async (each) => {
		// What one of them does must not go on into the next test because the other one failed.
		const ends = await Promise.allSettled(engines.map(async (engine) => await each(engine)));
		for (const end of ends) if (end.status === 'rejected') throw end.reason;
	};
}
