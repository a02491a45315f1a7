import { mkdtempSync, readFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { request } from 'undici';
import { startN8n } from '../../testkit/n8n/instance.ts';
import { pack } from '../../testkit/n8n/package.ts';
import { Rest, type Execution, type Workflow } from '../../testkit/n8n/rest.ts';
import { startService, type RunningService } from '../../testkit/service/index.ts';
import { startModel, type Step } from './model.ts';
import { freePorts } from '../../testkit/ports.ts';
import { projectRoot } from './process.ts';

/** What a test changes about the nodes of the workflow, by their names. */
export type Changes = Record<string, object>;

interface Running {
	service: RunningService;
	model: Awaited<ReturnType<typeof startModel>>;
	rest: Rest;
	credentials: Record<'linkManagementApi' | 'openAiApi', { id: string; name: string }>;
}

const apiKey = 'agent-key-0123456789';

/** The example workflow of the repository, with the credential of the scripted model. */
function exampleWith({ credentials }: Running, changes: Changes): Workflow {
	const file = join(projectRoot, 'examples', 'workflows', 'ai-agent.json');
	const workflow = JSON.parse(readFileSync(file, 'utf8')) as Workflow;
	const { id, name } = credentials.openAiApi;
	const nodes = workflow.nodes.map((node) => ({
		...node,
		...(node.type.endsWith('.lmChatOpenAi') ? { credentials: { openAiApi: { id, name } } } : {}),
		...changes[node.name],
	}));
	return { ...workflow, nodes };
}

/** What the chat trigger hands on for a message, as the editor's chat window sends it. */
const chatMessage = {
	startTime: 0,
	executionTime: 0,
	executionIndex: 0,
	executionStatus: 'success',
	source: [],
	data: {
		main: [[{ json: { sessionId: 'test', action: 'sendMessage', chatInput: 'Please' } }]],
	},
};

async function finished(rest: Rest, executionId: string): Promise<Execution> {
	for (;;) {
		const execution = await rest.ended(executionId);
		if (execution) return execution;
		await wait(100);
	}
}

/**
 * For the tests of one file: the example workflow with an AI Agent in a real n8n, a model that follows a script, and a
 * strict reference service that is emptied before each test.
 */
export function useAgent() {
	const folder = mkdtempSync(join(tmpdir(), 'agent-'));
	const ends: (() => Promise<void>)[] = [];
	let running: Running | undefined;

	beforeAll(async () => {
		const [port = 0] = await freePorts(2);
		const files = join(folder, 'files');
		await mkdir(files);
		const service = await startService({ strict: true, apiKeys: [apiKey] });
		ends.push(service.stop);
		const model = await startModel();
		ends.push(model.stop);
		const tarball = await pack(projectRoot, folder);
		const n8n = await startN8n({ folder: join(folder, 'n8n'), tarball, port, files });
		ends.push(n8n.stop);
		const rest = new Rest(n8n.url);
		await rest.setUpOwner({ email: 'agent@example.com', password: 'Agent-password-1' });
		const ours = { baseUrl: service.url, apiKey };
		const openAi = { apiKey: 'none', url: model.url };
		const credentials = {
			linkManagementApi: await rest.addCredential('linkManagementApi', 'Ours', ours),
			openAiApi: await rest.addCredential('openAiApi', 'Scripted', openAi),
		};
		running = { service, model, rest, credentials };
	});
	beforeEach(() => current().service.clear());
	afterAll(async () => {
		for (const end of ends.reverse()) await end();
		await rm(folder, { recursive: true, force: true });
	});

	const current = (): Running => {
		if (!running) throw new Error('nothing runs');
		return running;
	};

	/** Sends the agent a message while the model follows the script; returns what the tools told the model. */
	async function chatWith(changes: Changes, script: Step[]): Promise<string[]> {
		const { model, rest, credentials } = current();
		const workflow = exampleWith(current(), changes);
		const { id } = await rest.addWorkflow(workflow, credentials.linkManagementApi);
		model.follow(script);
		const { executionId } = await rest.call<{ executionId: string }>(
			'POST',
			`/workflows/${id}/run`,
			{ triggerToStartFrom: { name: 'When chat message received', data: chatMessage } },
		);
		expect((await finished(rest, executionId)).status).toBe('success');
		expect(model.requests).toHaveLength(script.length);
		return model.requests.at(-1)?.results ?? [];
	}

	/** What the service holds. */
	async function held(resource: 'links' | 'pixels'): Promise<Record<string, unknown>[]> {
		const { body } = await request(`${current().service.url}/api/v1/${resource}`, {
			headers: { accept: 'application/json', authorization: `Bearer ${apiKey}` },
		});
		return ((await body.json()) as { data: Record<string, unknown>[] }).data;
	}

	return { current, chatWith, chat: async (...script: Step[]) => await chatWith({}, script), held };
}
