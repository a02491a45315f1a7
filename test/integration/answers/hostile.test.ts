import type { IDataObject } from 'n8n-workflow';
import { askNode } from '../../support/n8n.ts';
import { linkAs, oneOf, pageOf, useScriptedService } from '../../support/scriptedService.ts';
import { apiKey, byId, jsonOf, useService, type Run } from '../../support/service.ts';

const { link, pixel } = useService();
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

it('an option that is wrong leaves no row without an error, and sends none to the main output', async () => {
	const more = { items: [{ row: 1 }], parameters: { options: { concurrency: 0 } } };
	const inPlace = await createOn(link, {}, more);
	expect(jsonOf(inPlace)).toMatchObject([{ row: 1, error: expect.any(String) }]);
	const apart = await createOn(link, {}, { ...more, onError: 'continueErrorOutput' });
	expect(jsonOf(apart)).toEqual([]);
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
