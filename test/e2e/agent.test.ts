import { useAgent, type Changes } from '../support/agent.ts';
import type { Step } from '../support/model.ts';

const { current, chat, chatWith, held } = useAgent();

/** AI Agent 3 has n8n's engine run the tools; before, it ran them itself, and took no model of the Responses API. */
const agents: [version: string, changes: Changes][] = [
	['3.1', {}],
	['2.2', { 'Link assistant': { typeVersion: 2.2 }, 'OpenAI Chat Model': { typeVersion: 1.2 } }],
];

/** A step that calls a tool. */
const call =
	(name: string, given: Record<string, unknown>): Step =>
	() => ({ name, arguments: given });
const done: Step = () => 'Done.';

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
			'Save_to_table',
			'Search_links',
			'Update_link',
		]);
		const properties = tools.flatMap(({ parameters }) => Object.entries(parameters.properties));
		expect(properties).toHaveLength(13);
		for (const [name, { description }] of properties)
			expect({ name, description }).toEqual({
				name,
				description: expect.stringMatching(/\w+ \w+/),
			});
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
		const link = itemIn(result);
		expect(link).toMatchObject({
			alias: 'spring',
			shortUrl: `${current().service.url}/s/spring`,
			url: 'https://example.com/spring',
		});
		expect(result.length).toBeLessThan(400);
		// Names of the service's own have an underscore, such as rotation_target.
		expect(Object.keys(link).filter((name) => name.includes('_'))).toEqual([]);
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
				/Destination URL .*must start with https/,
				call('Create_link', { url: 'https://example.com/spring', alias: 'spring' }),
			),
			done,
		);
		expect(itemIn(results[0]).error).toMatch(/^Destination URL .* Nothing was sent\.$/);
		expect(await held('links')).toMatchObject([{ alias: 'spring' }]);
	});

	it('lists the values that a choice takes', async () => {
		const results = await chat(
			call('Create_pixel', { name: 'Spring', type: 'tiktok', value: '12345' }),
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
				/Alias: The alias has already been taken\. Sent: \\"spring\\"\. Correct the fields in the message/,
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
		expect(itemIn(results[0]).error).toMatch(/^No link has the ID 77\. Check the ID/);
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
				error: expect.stringMatching(/^Destination URL .* must start with https/),
				errorDetails: {
					description: 'Nothing was sent for this item.',
					fieldErrors: { url: [expect.any(String)] },
					outcome: 'failed',
					retryable: false,
				},
			});
		},
	);
});
