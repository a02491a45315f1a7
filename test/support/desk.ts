import { setTimeout as wait } from 'node:timers/promises';
import type { IBinaryData, IBinaryKeyData, IDataObject, INodeExecutionData } from 'n8n-workflow';
import { request } from 'undici';
import { connected, nodeOf } from '../../testkit/n8n/bulk.ts';
import { readExecutionData, type Rest, type Workflow } from '../../testkit/n8n/rest.ts';
import type { RunningService } from '../../testkit/service/index.ts';
import { chooseCredentials, readExample, type Example, type ExampleNode } from './exampleFiles.ts';

/** The key that the services of the desks take. */
export const apiKey = 'examples-key-0123456789';

/** What a test changes in its copy of an example: a node by its name. */
export type Changes = Record<string, (node: ExampleNode) => void>;

/** How an execution ended, and what its nodes gave. */
export interface Run {
	status: string;
	error?: string;
	/** The JSON of the items that a node gave at its first output; empty where it did not run. */
	items(node: string): IDataObject[];
	/** The files of these items, by the names of their fields. */
	files(node: string): IBinaryKeyData[];
	/** The texts that a node put above its output. */
	hints(node: string): string[];
}

interface TaskData {
	data?: { main: (INodeExecutionData[] | null)[] };
	hints?: { message: string }[];
}

/** What n8n stores of an execution, as far as the tests look at it. */
interface Stored {
	resultData: {
		runData: Record<string, TaskData[]>;
		error?: { message: string };
	};
}

/** An execution out of the data that n8n stores of it. */
export const runOf = (status: string, data: string): Run => {
	const { runData, error } = (readExecutionData(data) as Stored).resultData;
	const outputOf = (node: string) =>
		(runData[node] ?? []).flatMap(({ data: given }) => given?.main[0] ?? []);
	return {
		status,
		error: error?.message,
		items: (node) => outputOf(node).map(({ json }) => json),
		files: (node) => outputOf(node).map(({ binary = {} }) => binary),
		hints: (node) =>
			(runData[node] ?? []).flatMap(({ hints = [] }) => hints.map(({ message }) => message)),
	};
};

/** Waits until something is there, and returns it. Waits far longer than what n8n does once a minute takes. */
export async function until<T>(
	what: string,
	look: () => Promise<T | undefined> | T | undefined,
): Promise<T> {
	const deadline = Date.now() + 150_000;
	while (Date.now() < deadline) {
		const found = await look();
		if (found !== undefined) return found;
		await wait(200);
	}
	throw new Error(`waited in vain for ${what}`);
}

/** A schedule that is due every ten seconds, so that a test need not wait for the night. */
export const everyTenSeconds = ({ parameters }: ExampleNode): void => {
	parameters.rule = { interval: [{ field: 'seconds', secondsInterval: 10 }] };
};

/**
 * n8n refuses a rule of a polling trigger that is due more often than once a minute. A node may have any number of rules, so
 * this has one for each of these seconds.
 */
export const everyFiveSeconds = {
	item: [0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55].map((second) => ({
		mode: 'custom',
		cronExpression: `${second} * * * * *`,
	})),
};

/** Turns Dry Run off, as a user does after the preview. */
export const turnDryRunOff = ({ parameters }: ExampleNode): void => {
	const { dryRun, ...options } = parameters.options as IDataObject;
	expect(dryRun).toBe(true);
	parameters.options = options;
};

/** A workflow of nodes in a row after pinned rows. */
export const pinnedWorkflow = (
	rows: readonly IDataObject[],
	...nodes: ReturnType<typeof nodeOf>[]
): Workflow =>
	({
		name: nodes.map(({ name }) => name).join(', '),
		nodes: [nodeOf('Rows', 'n8n-nodes-base.manualTrigger', 1, {}), ...nodes],
		connections: connected('Rows', ...nodes.map(({ name }) => name)),
		pinData: { Rows: rows.map((json) => ({ json })) },
		settings: { executionOrder: 'v1' },
	}) as Workflow;

/** Expects that an execution ended without an error. */
export const expectSuccess = ({ status, error }: Run): void => {
	expect({ status, error }).toEqual({ status: 'success' });
};

/** One example in n8n, with an account and a folder of its own, so that no other one disturbs it. */
export class Desk {
	/** The address of n8n. */
	readonly url: string;
	readonly service: RunningService;
	/** A folder that workflows can read and write. */
	readonly files: string;
	readonly rest: Rest;
	/** What the credentials of other packages hold, by their types. */
	readonly secrets = new Map<string, Record<string, string>>();

	constructor(url: string, rest: Rest, service: RunningService, files: string) {
		[this.url, this.rest, this.service, this.files] = [url, rest, service, files];
	}

	private readonly store = async (type: string) =>
		await this.rest.addCredential(type, type, this.secrets.get(type) ?? {});

	/** Imports an example as a person does, who then chooses credentials; returns its ID. */
	async add(name: string, changes: Changes = {}): Promise<string> {
		return await this.import(readExample(name), changes);
	}

	/** Imports a workflow in the same way; returns its ID. */
	async import(workflow: Example, changes: Changes = {}): Promise<string> {
		for (const [node, change] of Object.entries(changes)) {
			const meant = workflow.nodes.find((one) => one.name === node);
			if (!meant) throw new Error(`${workflow.name} has no node ${node}`);
			change(meant);
		}
		await chooseCredentials(workflow, this.store);
		return await this.addWorkflow(workflow);
	}

	/** Stores a credential of this desk's account; some of its fields may be others. */
	async addCredential(fields: Record<string, string> = {}): Promise<{ id: string; name: string }> {
		const account = { baseUrl: this.service.url, apiKey, ...fields };
		return await this.rest.addCredential('linkManagementApi', 'linkManagementApi', account);
	}

	/** Stores a workflow whose nodes of the package use this desk's account, or a credential; returns its ID. */
	async addWorkflow(
		workflow: Workflow,
		credential?: { id: string; name: string },
	): Promise<string> {
		const known = credential ?? (await this.addCredential());
		return (await this.rest.addWorkflow(workflow, known)).id;
	}

	/** Activates a workflow, and returns once its triggers are at work. */
	async activate(id: string): Promise<void> {
		expect(await this.rest.activate(id)).toMatchObject({ status: 'published' });
	}

	async deactivate(id: string): Promise<void> {
		await this.rest.deactivate(id);
	}

	/** Runs a workflow as the editor's button does, and returns once it has ended. */
	async run(id: string, trigger: string): Promise<Run> {
		return await this.ended(await this.rest.start(id, trigger));
	}

	/**
	 * Activates a workflow whose schedule starts it, until it does, and returns how the first execution ended. It may have been
	 * started again before it was switched off; that has ended then, too.
	 */
	async fire(id: string): Promise<Run> {
		const before = new Set(await this.executions(id));
		const started = async () =>
			(await this.executions(id)).filter((execution) => !before.has(execution));
		await this.activate(id);
		await until('a schedule that fires', async () => (await started())[0]);
		await this.deactivate(id);
		const runs: Run[] = [];
		for (const execution of await started()) runs.push(await this.ended(execution));
		const [first] = runs;
		if (!first) throw new Error('an execution is gone');
		return first;
	}

	/** The IDs of the executions of a workflow, the oldest first. */
	async executions(id: string): Promise<string[]> {
		const filter = encodeURIComponent(JSON.stringify({ workflowId: id }));
		const { results } = await this.rest.call<{ results: { id: string }[] }>(
			'GET',
			`/executions?limit=100&filter=${filter}`,
		);
		return results
			.map((execution) => execution.id)
			.sort((one, other) => Number(one) - Number(other));
	}

	/** How the executions of a workflow that have ended did so, the oldest first. */
	async runs(id: string): Promise<Run[]> {
		const all = (await this.executions(id)).map(async (one) => await this.rest.ended(one));
		return (await Promise.all(all)).flatMap((one) => (one ? [runOf(one.status, one.data)] : []));
	}

	/** How an execution ended. */
	async ended(execution: string): Promise<Run> {
		const { status, data } = await until(
			`the end of execution ${execution}`,
			async () => await this.rest.ended(execution),
		);
		return runOf(status, data);
	}

	/** Adds a link to the account as another program does, and empties the journal. */
	createLink(alias: string, url: string, fields: object = {}): void {
		this.service.links.create({ alias, url, domain_id: '1', ...fields });
		this.service.requests.length = 0;
	}

	/** Deletes a link of the account, by its alias. */
	remove(alias: string): void {
		const link = this.held('links').find((one) => one.alias === alias);
		this.service.links.remove(Number(link?.id));
	}

	/** All links or pixels of the account, the oldest first. */
	held(resource: 'links' | 'pixels'): IDataObject[] {
		const { rows } = this.service[resource].list({ sort: 'asc' }, { limit: -1, offset: 0 });
		return rows as IDataObject[];
	}

	/** Returns the path of a Data Table of n8n's owner. Throws if there is none with this name. */
	private async pathOf(name: string): Promise<string> {
		const { id } = await this.rest.call<{ id: string }>('GET', '/projects/personal');
		const tables = `/projects/${id}/data-tables`;
		const filter = encodeURIComponent(JSON.stringify({ name }));
		const { data } = await this.rest.call<{ data: { id: string; name: string }[] }>(
			'GET',
			`${tables}?filter=${filter}`,
		);
		const table = data.find((one) => one.name === name);
		if (!table) throw new Error(`there is no Data Table ${name}`);
		return `${tables}/${table.id}`;
	}

	/** Returns up to 250 rows of a Data Table in the order of their IDs, without the columns that n8n adds. */
	async tableRows(name: string): Promise<IDataObject[]> {
		const path = `${await this.pathOf(name)}/rows?take=250&sortBy=id:asc`;
		const { data } = await this.rest.call<{ data: IDataObject[] }>('GET', path);
		return data.map(({ id: _id, createdAt: _created, updatedAt: _updated, ...row }) => row);
	}

	/** Adds rows to a Data Table, as its CSV import does. */
	async addRows(name: string, rows: object[]): Promise<void> {
		await this.rest.call('POST', `${await this.pathOf(name)}/insert`, { data: rows });
	}

	/** The content of a file of an execution, which n8n stores in the item or elsewhere. */
	async contentOf(file?: IBinaryData): Promise<Buffer> {
		if (!file) throw new Error('there is no file');
		return file.id === undefined ? Buffer.from(file.data, 'base64') : await this.rest.file(file.id);
	}

	/** Opens a short URL as visitors do, all at the same time, so that hardly a poll comes between them. */
	async click(alias: string, times: number): Promise<void> {
		const visit = async () => await request(`${this.service.url}/s/${alias}`);
		const answers = await Promise.all(Array.from({ length: times }, visit));
		for (const { body } of answers) await body.dump();
	}

	/** The writes that the service got, as method and form. */
	get writes(): [string, Record<string, string>][] {
		return this.service.requests
			.filter(({ method }) => method !== 'GET')
			.map(({ method, body }) => [method, Object.fromEntries(new URLSearchParams(body))]);
	}
}
