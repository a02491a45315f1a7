import { setTimeout as wait } from 'node:timers/promises';
import { request, type Dispatcher } from 'undici';
import { DemoError } from '../ports.ts';
import location from './location.cjs';

export interface Login {
	email: string;
	password: string;
}

export interface Workflow {
	name: string;
	nodes: {
		name: string;
		type: string;
		credentials?: Record<string, { id: string; name: string }>;
	}[];
	connections: unknown;
	settings?: unknown;
}

/** An execution as n8n stores it; `data` is its serialized run data. */
export interface Execution {
	id: string;
	finished: boolean;
	status: string;
	data: string;
}

/**
 * Reads the run data of an execution. n8n writes it with the library flatted: a list of values, the result first. Within a
 * value, each text is the place of another value in the list.
 */
export function readExecutionData(data: string): unknown {
	const values = JSON.parse(data) as unknown[];
	for (const value of values)
		if (typeof value === 'object' && value !== null)
			for (const [key, inner] of Object.entries(value))
				if (typeof inner === 'string') Object.assign(value, { [key]: values[Number(inner)] });
	return values[0];
}

/** The state of the publication of a workflow, which continues after the request for it. */
export interface Publication {
	status: 'failed' | 'in_progress' | 'not_published' | 'partial' | 'published';
	triggers: { errorMessage: string | null }[];
}

const headersOf = (cookie: string) => ({
	'content-type': 'application/json',
	// n8n ties a login to the browser that asked for it.
	'browser-id': 'n8n-nodes-link-management-demo',
	cookie,
});

/** How long a request waits for n8n's database, in milliseconds. */
const patience = 60_000;

/**
 * Whether n8n refuses every request because its database was slow to answer a ping. A busy n8n does so for some seconds
 * after its start, although it was ready before. It has not processed the request, so any request can be repeated.
 */
const lacksDatabase = (status: number, text: string) =>
	status === 503 && text.includes('Database is not ready');

const isRunning = ({ status }: Execution) => ['new', 'running', 'waiting'].includes(status);

/** What a person does in the editor, over the same REST interface that the editor uses. */
export class Rest {
	private cookie = '';
	private readonly url: string;
	private readonly isOlder: boolean;

	/** @param version the version of n8n; the current one by default */
	constructor(url: string, version = location.current.version) {
		[this.url, this.isOlder] = [url, version === location.older.version];
	}

	/** @throws DemoError with n8n's response if its status is not 2xx */
	async call<T>(method: Dispatcher.HttpMethod, path: string, body?: unknown): Promise<T> {
		const answer = await this.send(method, `/rest${path}`, body);
		return (JSON.parse(String(answer)) as { data: T }).data;
	}

	/** Returns the descriptions of all nodes as the editor shows them, with the choices that n8n adds. */
	async nodeTypes<T>(): Promise<T[]> {
		return JSON.parse(String(await this.send('GET', '/types/nodes.json'))) as T[];
	}

	/**
	 * Returns the content of a file that an execution stored.
	 *
	 * @param id the ID of the file in its item
	 */
	async file(id: string): Promise<Buffer> {
		const query = `action=download&id=${encodeURIComponent(id)}`;
		return await this.send('GET', `/rest/binary-data?${query}`);
	}

	private async send(method: Dispatcher.HttpMethod, path: string, body?: unknown): Promise<Buffer> {
		const deadline = Date.now() + patience;
		for (;;) {
			const answer = await request(`${this.url}${path}`, {
				method,
				headers: headersOf(this.cookie),
				body: body === undefined ? undefined : JSON.stringify(body),
				// A busy n8n may close a connection just when the next request is sent on it.
				reset: true,
			});
			const content = Buffer.from(await answer.body.arrayBuffer());
			if (answer.statusCode < 300) {
				const cookies = [answer.headers['set-cookie'] ?? []].flat();
				const own = cookies.map((cookie) => cookie.split(';')[0]).join('; ');
				if (own !== '') this.cookie = own;
				return content;
			}
			const text = String(content);
			if (!lacksDatabase(answer.statusCode, text) || Date.now() > deadline) {
				throw new DemoError(
					`n8n answered ${answer.statusCode} to ${method} ${path}: ${text.slice(0, 300)}`,
				);
			}
			await wait(300);
		}
	}

	/** Makes the first account of a fresh instance and stays logged in as it. */
	async setUpOwner({ email, password }: Login): Promise<void> {
		const owner = { email, password, firstName: 'Demo', lastName: 'Owner' };
		await this.call('POST', '/owner/setup', owner);
	}

	/** Logs in to an instance that has its owner already. */
	async logIn({ email, password }: Login): Promise<void> {
		await this.call('POST', '/login', { emailOrLdapLoginId: email, password });
	}

	/** Stores a credential and returns what a node refers to it by. */
	async addCredential(
		type: string,
		name: string,
		data: Record<string, string>,
	): Promise<{ id: string; name: string }> {
		return await this.call('POST', '/credentials', { type, name, data });
	}

	/**
	 * Stores a workflow, and returns its ID. Its nodes of the package use the given credential, unless they have one.
	 */
	async addWorkflow(
		workflow: Workflow,
		credential: { id: string; name: string },
	): Promise<{ id: string }> {
		const { id, name } = credential;
		const own = { credentials: { linkManagementApi: { id, name } } };
		const nodes = workflow.nodes.map((node) =>
			node.type.startsWith('n8n-nodes-link-management.') ? { ...own, ...node } : node,
		);
		return await this.call('POST', '/workflows', { ...workflow, nodes, active: false });
	}

	/** Publishes a workflow, and returns how that ended. */
	async activate(workflowId: string): Promise<Publication> {
		const path = `/workflows/${workflowId}`;
		const { versionId } = await this.call<{ versionId: string }>('GET', path);
		await this.call('POST', `${path}/activate`, { versionId });
		return await this.published(workflowId);
	}

	/** Switches a workflow off, and waits until it is. */
	async deactivate(workflowId: string): Promise<void> {
		await this.call('POST', `/workflows/${workflowId}/deactivate`, {});
		await this.published(workflowId);
	}

	/** How the publication of a workflow that is under way ends. */
	async published(workflowId: string): Promise<Publication> {
		// There, the request that asks for it fails or is answered when it is done.
		if (this.isOlder) return { status: 'published', triggers: [] };
		for (;;) {
			const path = `/workflows/${workflowId}/publication-status`;
			const publication = await this.call<Publication>('GET', path);
			if (publication.status !== 'in_progress') return publication;
			await wait(200);
		}
	}

	/**
	 * Runs a stored workflow from its trigger, as the editor's button does, and returns the execution's id.
	 *
	 * @param data what the trigger gives, as n8n stores it
	 */
	async start(workflowId: string, trigger: string, data?: object): Promise<string> {
		const path = `/workflows/${workflowId}`;
		const { executionId } = await this.call<{ executionId: string }>('POST', `${path}/run`, {
			triggerToStartFrom: { name: trigger, data },
			// There, the editor's copy of the workflow is what runs.
			...(this.isOlder ? { workflowData: await this.call('GET', path) } : {}),
		});
		return executionId;
	}

	/** The execution once it has ended, or undefined while it is running. */
	async ended(executionId: string): Promise<Execution | undefined> {
		const execution = await this.call<Execution>('GET', `/executions/${executionId}`);
		return isRunning(execution) ? undefined : execution;
	}
}
