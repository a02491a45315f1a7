import { expectSuccess, type Changes, type Desk } from '../support/desk.ts';
import { startModel, useCompletions, type Step } from '../support/model.ts';
import { useStories } from '../support/stories.ts';

const story = useStories();

/** What the chat trigger hands on for a message, as the editor's chat window sends it. */
const chatMessage = {
	...{ startTime: 0, executionTime: 0, executionIndex: 0, executionStatus: 'success', source: [] },
	data: { main: [[{ json: { sessionId: 'test', action: 'sendMessage', chatInput: 'Please' } }]] },
};

/** Sends the agent of the example a message while the model follows a script; returns what the model got. */
async function chat(desk: Desk, script: Step[], changes: Changes = {}) {
	const model = await startModel();
	try {
		desk.secrets.set('openAiApi', { apiKey: 'none', url: model.url });
		const id = await desk.add('ai-agent', {
			// No story uses the table, and all stories would make it at the same time.
			'Make the table': (node) => void (node.disabled = true),
			...{ 'OpenAI Chat Model': useCompletions, ...changes },
		});
		model.follow(script);
		const execution = await desk.rest.start(id, 'When chat message received', chatMessage);
		expectSuccess(await desk.ended(execution));
		expect(model.requests).toHaveLength(script.length);
		const [first, last] = [model.requests[0], model.requests.at(-1)];
		return { tools: first?.tools ?? [], results: last?.results ?? [] };
	} finally {
		await model.stop();
	}
}

const call =
	(name: string, given: Record<string, unknown>): Step =>
	() => ({ name, arguments: given });
const done: Step = () => 'Done.';

const create = (url: string, alias: string) => call('Create_link', { url, alias });

/** The one item that a tool answered with. */
function itemIn(result: string | undefined): Record<string, unknown> {
	const items = JSON.parse(result ?? 'null') as Record<string, unknown>[];
	expect(items).toHaveLength(1);
	return items[0] ?? {};
}

story('each tool and each parameter has a description for the model', async (desk) => {
	const { tools } = await chat(desk, [done]);
	const descriptions = Object.fromEntries(tools.map((tool) => [tool.name, tool.description]));
	expect(descriptions).toEqual({
		Create_link: expect.stringMatching(/^Create a short link .*\nUse this to /),
		Create_pixel: expect.stringMatching(/^Create a tracking pixel .*\nUse this to /),
		Save_to_table: expect.stringMatching(/^Write a new link .* Use this after /),
		Search_links: expect.stringMatching(
			/^Retrieve a list of links\.\nUse this to search or list links/,
		),
		Update_link: expect.stringMatching(/^Update some fields of a link\.\nUse this to /),
	});
	const properties = tools.flatMap(({ parameters }) => Object.values(parameters.properties));
	expect(properties).toHaveLength(13);
	for (const { description } of properties) expect(description).toMatch(/\w+ \w+/);
});

story('an error names the field and the remedy, and the corrected call succeeds', async (desk) => {
	const pixel = { name: 'Spring', value: '12345' };
	const { results } = await chat(desk, [
		create('example.com/spring', 'spring'),
		create('https://example.com/spring', 'spring'),
		create('https://example.com/2', 'spring'),
		create('https://example.com/2', 'spring-2'),
		call('Create_pixel', { ...pixel, type: 'tiktok' }),
		call('Create_pixel', { ...pixel, type: 'facebook' }),
		done,
	]);
	const errors = results.map((result) => itemIn(result).error);
	expect(errors).toEqual([
		expect.stringMatching(/^Destination URL .*must start with https.* Nothing was sent\.$/),
		undefined,
		expect.stringMatching(
			/^The service did not accept the values.* Alias: The alias has already been taken\. Sent: "spring"\. Correct the values/,
		),
		undefined,
		expect.stringMatching(/Type .*use adroll .* facebook /),
		undefined,
	]);
	expect(desk.held('links')).toMatchObject([{ alias: 'spring' }, { alias: 'spring-2' }]);
	expect(itemIn(results[5])).toMatchObject({ name: 'Spring', type: 'facebook' });
});

// AI Agent 3 has n8n's engine run the tools; before, it ran them itself.
for (const version of [3.1, 2.2]) {
	const changes: Changes = {
		'Link assistant': (node) => void (node.typeVersion = version),
		'OpenAI Chat Model': (node) => void (node.typeVersion = 1.2),
	};
	story(`Retry On Fail and On Error of a tool work with an AI Agent ${version}`, async (desk) => {
		const retrying = await chat(
			desk,
			[create('https://example.com/1', 'one'), create('https://example.com/2', 'two'), done],
			{ ...changes, 'Create link': (node) => void Object.assign(node, { retryOnFail: true }) },
		);
		expect(retrying.results.map((result) => itemIn(result).alias)).toEqual(['one', 'two']);
		expect(desk.service.counts().links).toBe(2);

		const onError = { onError: 'continueRegularOutput' };
		const { results } = await chat(desk, [create('example.com', 'one'), done], {
			...changes,
			'Create link': (node) => void Object.assign(node, onError),
		});
		expect(itemIn(results[0])).toEqual({
			error: expect.stringMatching(/^Destination URL .* must start with https/),
			errorDetails: {
				description: 'Nothing was sent for this item.',
				fieldErrors: { url: [expect.any(String)] },
				outcome: 'failed',
				retryable: false,
			},
		});
	});
}
