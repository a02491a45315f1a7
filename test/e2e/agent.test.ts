import { mkdtempSync, readFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { request } from 'undici';
import { pack, startN8n, type RunningN8n } from '../../demo/n8n/instance.ts';
import { Rest, type Execution, type Workflow } from '../../demo/n8n/rest.ts';
import { startService, type RunningService } from '../../demo/service/index.ts';
import { startModel, type Step } from '../support/model.ts';
import { freePorts, projectRoot } from '../support/process.ts';

const apiKey = 'agent-key-0123456789';
const folder = mkdtempSync(join(tmpdir(), 'agent-'));

interface Running {
	service: RunningService;
	model: Awaited<ReturnType<typeof startModel>>;
	n8n: RunningN8n;
	rest: Rest;
	credentials: Record<'ours' | 'openAi', { id: string; name: string }>;
}
let running: Running | undefined;

const current = () => {
	if (!running) throw new Error('nothing runs');
	return running;
};

/** What a test changes about the nodes of the workflow, by their names. */
type Changes = Record<string, object>;

/** AI Agent 3 has n8n's engine run the tools; before, it ran them itself, and took no model of the Responses API. */
const agents: [version: string, changes: Changes][] = [
	['3.1', {}],
	['2.2', { 'AI Agent': { typeVersion: 2.2 }, 'OpenAI Chat Model': { typeVersion: 1.2 } }],
];

/** Stores the example workflow of the repository, with the credential of the scripted model, and returns its id. */
async function storeExample(changes: Changes): Promise<string> {
	const { rest, credentials } = current();
	const { id: openAiId, name: openAiName } = credentials.openAi;
	const file = join(projectRoot, 'examples', 'workflows', 'ai-agent.json');
	const workflow = JSON.parse(readFileSync(file, 'utf8')) as Workflow;
	const nodes = workflow.nodes.map((node) => ({
		...node,
		...(node.credentials?.openAiApi
			? { credentials: { openAiApi: { id: openAiId, name: openAiName } } }
			: {}),
		...changes[node.name],
	}));
	return (await rest.addWorkflow({ ...workflow, nodes }, credentials.ours)).id;
}

beforeAll(async () => {
	const [port = 0] = await freePorts(2);
	const files = join(folder, 'files');
	await mkdir(files);
	const service = await startService({ strict: true, apiKeys: [apiKey] });
	const model = await startModel();
	const tarball = await pack(projectRoot, folder);
	const n8n = await startN8n({ folder: join(folder, 'n8n'), tarball, port, files });
	const rest = new Rest(n8n.url);
	await rest.setUpOwner({ email: 'agent@example.com', password: 'Agent-password-1' });
	const credentials = {
		ours: await rest.addCredential('linkManagementApi', 'Ours', { baseUrl: service.url, apiKey }),
		openAi: await rest.addCredential('openAiApi', 'Scripted', { apiKey: 'none', url: model.url }),
	};
	running = { service, model, n8n, rest, credentials };
});
beforeEach(() => current().service.clear());
afterAll(async () => {
	await running?.n8n.stop();
	await running?.model.stop();
	await running?.service.stop();
	await rm(folder, { recursive: true, force: true });
});

async function finished(executionId: string): Promise<Execution> {
	for (;;) {
		const execution = await current().rest.ended(executionId);
		if (execution) return execution;
		await wait(100);
	}
}

/** Sends a chat message to the agent while the model follows the script; returns what the tools told the model. */
async function chatWith(changes: Changes, script: Step[]): Promise<string[]> {
	const { model, rest } = current();
	const workflowId = await storeExample(changes);
	model.follow(script);
	const item = { json: { sessionId: 's', action: 'sendMessage', chatInput: 'Please' } };
	const data = {
		startTime: 0,
		executionTime: 0,
		executionIndex: 0,
		executionStatus: 'success',
		source: [],
		data: { main: [[item]] },
	};
	const { executionId } = await rest.call<{ executionId: string }>(
		'POST',
		`/workflows/${workflowId}/run`,
		{ triggerToStartFrom: { name: 'When chat message received', data } },
	);
	const execution = await finished(executionId);
	expect(execution.status).toBe('success');
	expect(model.requests).toHaveLength(script.length);
	return model.requests.at(-1)?.results ?? [];
}

const chat = async (...script: Step[]) => await chatWith({}, script);

/** A step that calls a tool. */
const call =
	(name: string, given: Record<string, unknown>): Step =>
	() => ({ name, arguments: given });
const done: Step = () => 'Done.';

/** What the service holds. */
async function held(resource: 'links' | 'pixels'): Promise<Record<string, unknown>[]> {
	const { body } = await request(`${current().service.url}/api/v1/${resource}`, {
		headers: { accept: 'application/json', authorization: `Bearer ${apiKey}` },
	});
	return ((await body.json()) as { data: Record<string, unknown>[] }).data;
}

/** The one item that a tool answered with. */
function itemIn(result: string | undefined): Record<string, unknown> {
	const items = JSON.parse(result ?? 'null') as Record<string, unknown>[];
	expect(items).toHaveLength(1);
	return items[0] ?? {};
}

/** A step that corrects a call if the tool said how, and gives up otherwise. */
const onceTold =
	(remedy: RegExp, correction: Step): Step =>
	(request) =>
		remedy.test(request.results.at(-1) ?? '') ? correction(request) : 'I do not know what to do.';

describe('the tools as the model is offered them', () => {
	it('say what they do and when to use them, and describe every parameter', async () => {
		await chat(done);
		const tools = current().model.requests[0]?.tools ?? [];
		expect(tools.map(({ name }) => name).sort()).toEqual([
			'Create_link',
			'Create_pixel',
			'Search_links',
			'Update_link',
		]);
		const properties = tools.flatMap(({ parameters }) => Object.entries(parameters.properties));
		expect(properties).toHaveLength(10);
		for (const [name, { description }] of properties)
			expect({ name, description }).toEqual({
				name,
				description: expect.stringMatching(/\w+ \w+/),
			});
		const descriptions = Object.fromEntries(tools.map((tool) => [tool.name, tool.description]));
		expect(descriptions).toEqual({
			Create_link: expect.stringMatching(/^Create a short link .* Use this when /),
			Create_pixel: expect.stringMatching(/^Create a tracking pixel .* Use this when /),
			Search_links: expect.stringMatching(/^List links, .* Use this to find the ID of a link/),
			Update_link: expect.stringMatching(/^Change some fields of a link .* Use this when /),
		});
	});
});

describe('a link that the model creates', () => {
	it('is at the service, and comes back small, with its short URL', async () => {
		const [result = ''] = await chat(
			call('Create_link', { url: 'https://example.com/spring', alias: 'spring' }),
			done,
		);
		expect(await held('links')).toMatchObject([
			{ alias: 'spring', url: 'https://example.com/spring', domain: { id: 1 } },
		]);
		expect(itemIn(result)).toMatchObject({
			alias: 'spring',
			shortUrl: `${current().service.url}/s/spring`,
			url: 'https://example.com/spring',
		});
		expect(result.length).toBeLessThan(500);
		expect(result).not.toMatch(/rotation_target|privacy_password|updated_at/);
	});

	it('waits for the rate limit of the service to end', async () => {
		const { service } = current();
		service.set({ throttle: { limit: 1, windowSeconds: 1 } });
		const results = await chat(
			call('Create_link', { url: 'https://example.com/1', alias: 'one' }),
			call('Create_link', { url: 'https://example.com/2', alias: 'two' }),
			done,
		);
		expect(results.map((result) => itemIn(result).alias)).toEqual(['one', 'two']);
		expect(service.requests.map(({ status }) => status)).toContain(429);
		service.set({ throttle: null });
		expect(await held('links')).toHaveLength(2);
	});
});

describe('a value that cannot be sent', () => {
	it('comes back with its field and the remedy, and the corrected call succeeds', async () => {
		const results = await chat(
			call('Create_link', { url: 'example.com/spring', alias: 'spring' }),
			onceTold(
				/Destination URL .*start it with its scheme/,
				call('Create_link', { url: 'https://example.com/spring', alias: 'spring' }),
			),
			done,
		);
		expect(itemIn(results[0]).error).toMatch(/^Destination URL .* Nothing was sent\.$/);
		expect(await held('links')).toMatchObject([{ alias: 'spring' }]);
	});

	it('lists the values that a choice takes', async () => {
		const results = await chat(
			call('Create_pixel', { name: 'Spring', type: 'meta', value: '12345' }),
			onceTold(
				/Type .*use adroll .* facebook /,
				call('Create_pixel', { name: 'Spring', type: 'facebook', value: '12345' }),
			),
			done,
		);
		expect(itemIn(results[1])).toMatchObject({ name: 'Spring', type: 'facebook' });
		expect(await held('pixels')).toMatchObject([
			{ name: 'Spring', type: 'facebook', value: '12345' },
		]);
	});
});

describe('a value that the service refuses', () => {
	it('comes back with its field, the words of the service and the remedy', async () => {
		const results = await chat(
			call('Create_link', { url: 'https://example.com/1', alias: 'spring' }),
			call('Create_link', { url: 'https://example.com/2', alias: 'spring' }),
			onceTold(
				/Alias: The alias has already been taken\. Correct the fields that it names/,
				call('Create_link', { url: 'https://example.com/2', alias: 'spring-2' }),
			),
			done,
		);
		expect(itemIn(results[1]).error).toMatch(/^The service did not accept the values/);
		expect((await held('links')).map(({ alias }) => alias).sort()).toEqual(['spring', 'spring-2']);
		expect(current().service.requests.map(({ status }) => status)).toContain(422);
	});

	it('is an ID that does not exist, too', async () => {
		const results = await chat(call('Update_link', { link_id: 77, disabled: 'true' }), done);
		expect(itemIn(results[0]).error).toMatch(/nothing under this address .* Check the ID/);
	});
});

describe('a link that the model looks for', () => {
	it('is found, and changed by the ID that was found', async () => {
		const results = await chat(
			call('Create_link', { url: 'https://example.com/old', alias: 'spring' }),
			call('Create_link', { url: 'https://example.com/old', alias: 'autumn' }),
			call('Search_links', { search: 'spr' }),
			({ results: told }) => ({
				name: 'Update_link',
				arguments: { link_id: itemIn(told.at(-1)).id, url: 'https://example.com/new' },
			}),
			done,
		);
		expect(itemIn(results[2]).alias).toBe('spring');
		expect(
			(await held('links')).map(({ alias, url }) => `${String(alias)} ${String(url)}`),
		).toEqual(['autumn https://example.com/old', 'spring https://example.com/new']);
	});

	it('is said to be missing where none is found', async () => {
		const results = await chat(call('Search_links', { search: 'spring' }), done);
		expect(itemIn(results[0]).message).toMatch(/^No link was found\. Search for another text/);
	});
});

describe('the settings of a tool', () => {
	const twoLinks = [
		call('Create_link', { url: 'https://example.com/1', alias: 'one' }),
		call('Create_link', { url: 'https://example.com/2', alias: 'two' }),
		done,
	];
	it.each(agents)(
		'Retry On Fail repeats no call, with an AI Agent %s',
		async (_version, changes) => {
			const results = await chatWith(
				{ ...changes, 'Create link': { retryOnFail: true } },
				twoLinks,
			);
			expect(results.map((result) => itemIn(result).alias)).toEqual(['one', 'two']);
			expect((await held('links')).map(({ alias }) => alias).sort()).toEqual(['one', 'two']);
		},
	);

	it.each(agents)(
		'On Error as Continue says what is wrong, with an AI Agent %s',
		async (_, changes) => {
			const continues = { 'Create link': { onError: 'continueRegularOutput' } };
			const results = await chatWith({ ...changes, ...continues }, [
				call('Create_link', { url: 'example.com', alias: 'one' }),
				done,
			]);
			expect(itemIn(results[0])).toEqual({
				error: expect.stringMatching(/^Destination URL .* start it with its scheme/),
				description: 'Nothing was sent for this row.',
				fieldErrors: { url: [expect.any(String)] },
				outcome: 'failed',
				retryable: false,
			});
		},
	);
});
