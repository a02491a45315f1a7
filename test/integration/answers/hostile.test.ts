import type { IDataObject } from 'n8n-workflow';
import { askNode } from '../../support/n8n.ts';
import { linkAs, oneOf, pageOf, useScriptedService } from '../../support/scriptedService.ts';
import { apiKey, byId, jsonOf, useService, type Run } from '../../support/service.ts';

const { current, link, pixel } = useService();
const scripted = useScriptedService();
const onError = 'continueRegularOutput';
const url = 'https://example.com/';

const createOn = (node: typeof link, { alias = '', ...fields }: IDataObject, more: Run = {}) =>
	node('create', {
		onError,
		...more,
		parameters: {
			url,
			domainId: byId(1),
			alias: alias as never,
			additionalFields: fields as never,
			...more.parameters,
		},
	});

const madeLink = async (additionalFields: IDataObject = {}) =>
	Number(jsonOf(await createOn(link, additionalFields))[0]?.id);

const madePixel = async (name: string) =>
	Number(jsonOf(await pixel('create', { parameters: { name, type: 'bing', value: 'v' } }))[0]?.id);

const sent = () => scripted.current().requests.map(({ method }) => method);

const outcomeOf = (json: IDataObject | undefined) =>
	(json?.errorDetails as IDataObject | undefined)?.outcome;

describe('rules whose cells stand under other names than key and value', () => {
	it.each([
		['code and url', { code: 'US', url: 'https://example.com/us' }],
		['Key and Value', { Key: 'US', Value: 'https://example.com/us' }],
		['country and destination', { country: 'US', destination: 'https://example.com/us' }],
	])('are not dropped while the row is told as done: %s', async (_, rule) => {
		const items = [{ 'Country Rules': [rule] }];
		const parameters = { mappingColumnMode: 'autoMapInputData' };
		const [json] = jsonOf(await createOn(link, {}, { items, parameters }));
		expect(
			json?.error ??
				current()
					.requests.map(({ body }) => body)
					.join(),
		).toMatch(/Country Rules|country/);
	});
});

describe('a Timeout longer than a timer of Node can be', () => {
	it('is refused, for it would be over at once', async () => {
		const options = { timeout: 3_000_000, maxWait: 1 };
		const [json] = jsonOf(await createOn(link, {}, { parameters: { options } }));
		expect(json?.error).toBe('Timeout (Seconds) 3000000 is not a number from 0.01 to 3600');
		expect(current().requests).toEqual([]);
	});
});

describe('an option that is wrong', () => {
	const parameters = { options: { concurrency: 0 } };

	it('leaves no row without an error, with Continue', async () => {
		const result = await createOn(link, {}, { items: [{ row: 1 }], parameters });
		expect(jsonOf(result)).toMatchObject([{ row: 1, error: expect.any(String) }]);
	});

	it('sends no row to the main output, with Continue (using error output)', async () => {
		const more: Run = { items: [{ row: 1 }], parameters, onError: 'continueErrorOutput' };
		expect(jsonOf(await createOn(link, {}, more))).toEqual([]);
	});
});

describe('a create that is answered with 201 and what looks like a web page', () => {
	const answer = {
		status: 201,
		headers: { 'content-type': 'text/html' },
		body: `<br />\n<b>Warning</b>: x in y on line 3<br />\n${JSON.stringify({ data: linkAs({}) })}`,
	};

	it('is unknown, not failed', async () => {
		scripted.current().follow(() => answer);
		const [json] = jsonOf(await createOn(scripted.link, {}));
		expect(outcomeOf(json)).toBe('unknown');
	});

	it('is looked for where it has an alias', async () => {
		scripted.current().follow(({ method }) => (method === 'GET' ? pageOf([linkAs({})]) : answer));
		const result = await createOn(scripted.link, { alias: 'one' });
		expect(sent()).toEqual(['POST', 'GET']);
		expect(jsonOf(result)).toMatchObject([{ id: 1 }]);
	});
});

describe('Create or Update', () => {
	const upsert = (items: IDataObject[]) =>
		link('upsert', {
			items,
			onError,
			parameters: {
				url: '={{ $json.url }}',
				domainId: byId('={{ $json.domain }}'),
				alias: '={{ $json.alias }}',
			},
		});

	it('refuses rows that contradict each other, where one of them leaves the domain out', async () => {
		await madeLink({ alias: 'one' });
		const result = await upsert([
			{ alias: 'one', domain: '', url: `${url}1` },
			{ alias: 'one', domain: 1, url: `${url}2` },
			{ alias: 'one', domain: '', url: `${url}1` },
		]);
		expect(jsonOf(result)).toMatchObject([
			{ url: `${url}1` },
			{ error: expect.stringContaining('but other fields differ') },
			{ url: `${url}1` },
		]);
	});

	it('of one alias in two executions at once makes one link, and fails in none of them', async () => {
		const row = { alias: 'one', domain: 1, url };
		const results = await Promise.all([upsert([row]), upsert([row])]);
		expect(current().counts().links).toBe(1);
		expect(results.flatMap(jsonOf)).toMatchObject([{ id: 1 }, { id: 1 }]);
	});
});

it('Pixel Mode Add of one link in several executions at once loses no pixel', async () => {
	const id = await madeLink();
	const pixels = [await madePixel('a'), await madePixel('b'), await madePixel('c')];
	const results = await Promise.all(
		pixels.map(
			async (pixelId) =>
				await link('update', {
					parameters: {
						linkId: byId(id),
						updateFields: { pixelIds: String(pixelId), pixelMode: 'add' },
					},
				}),
		),
	);
	expect(results.map(({ error }) => error)).toEqual([undefined, undefined, undefined]);
	const parameters = { linkId: byId(id), output: 'selectedFields', outputFields: ['pixelIds'] };
	expect(jsonOf(await link('get', { parameters }))).toEqual([{ pixelIds: pixels }]);
});

describe('requests that hang in all places of a run', () => {
	const hanging = async () => {
		scripted
			.current()
			.follow(({ method, body }) =>
				body.includes('disabled=0') ? 'hang' : method === 'GET' ? pageOf([]) : oneOf(linkAs({})),
			);
		const run = scripted.link('update', {
			items: [1, 2, 3, 4, 5].map((id) => ({ id })),
			onError,
			parameters: {
				linkId: byId('={{ $json.id }}'),
				updateFields: { disabled: false },
				options: { timeout: 3, maxWait: 0 },
			},
		});
		await scripted.current().arrivalOf(5);
		return run;
	};

	it('hold up no list in the editor', async () => {
		let hasEnded = false;
		const run = hanging().then(() => {
			hasEnded = true;
		});
		await scripted.current().arrivalOf(5);
		const credential = { baseUrl: scripted.current().url, apiKey };
		await askNode({ node: 'link', credential }, async (type, context) =>
			type.methods?.listSearch?.searchLinks?.call(context, ''),
		);
		expect(hasEnded).toBe(false);
		await run;
	});
});

it('the hint at the end tells no wait that did not take place, and no repeat that was not sent', async () => {
	scripted.current().follow(() => ({ status: 429, headers: { 'retry-after': '3600' } }));
	const items = Array.from({ length: 50 }, (_, index) => ({ id: index + 1 }));
	const parameters = { linkId: byId('={{ $json.id }}') };
	const { task } = await scripted.link('get', { items, onError, parameters });
	const hints = task.hints?.map(({ message }) => message).join() ?? '';
	expect(hints).not.toMatch(/3600|repeat/);
});
