import type { IDataObject } from 'n8n-workflow';
import { request } from 'undici';
import { linkContract } from '../../../nodes/Link/link.contract';
import { pixelContract } from '../../../nodes/Pixel/pixel.contract';
import type { OperationName } from '../../../nodes/shared/contract/types';
import { outputSchema } from '../../../nodes/shared/description/output';
import { misfits } from '../../support/schema.ts';
import { apiKey, byId, jsonOf, useService } from '../../support/service.ts';

const { current, link, pixel } = useService();

const contracts = { link: linkContract, pixel: pixelContract };

const simplified = {
	link: [
		...['id', 'alias', 'shortUrl', 'url', 'status', 'clicks', 'domain', 'space'],
		...['expiresAt', 'createdAt'],
	],
	pixel: 'id name type value createdAt updatedAt'.split(' '),
};

/** What the service itself answers, read without the nodes. */
async function answer(path: string): Promise<IDataObject> {
	const { body } = await request(`${current().url}/api/v1/${path}`, {
		headers: { accept: 'application/json', authorization: `Bearer ${apiKey}` },
	});
	return (await body.json()) as IDataObject;
}

const create = (
	{ alias = '', ...additionalFields }: IDataObject = {},
	parameters: IDataObject = {},
) =>
	link('create', {
		parameters: {
			url: 'https://example.com/page',
			domainId: byId(1),
			alias: alias as never,
			additionalFields: additionalFields as never,
			...(parameters as object),
		},
	});

const idIn = ({ outputs }: Awaited<ReturnType<typeof link>>) => Number(outputs[0]?.[0]?.json.id);

const makePixel = async (name: string) =>
	idIn(await pixel('create', { parameters: { name, type: 'bing', value: 'v-1' } }));

/** A link with everything that the output can tell of. */
async function fullLink() {
	const pixels = [await makePixel('First'), await makePixel('Second')];
	const fields = {
		alias: 'full',
		password: 'p',
		spaceId: byId(2),
		pixelIds: pixels.join(),
		privacy: 1,
		expiration: '2040-02-29',
		expirationUrl: 'https://example.com/over',
		expirationClicks: 500,
		targetType: 1,
		country: { rules: [{ key: 'DE', value: 'https://example.com/de' }] },
	};
	return { id: idIn(await create(fields)), pixels };
}

const everything = (id: number) => ({
	simple: {
		id,
		alias: 'full',
		shortUrl: `${current().url}/s/full`,
		url: 'https://example.com/page',
		status: 'active',
		clicks: 0,
		domain: 'short.example',
		space: 'Support',
		expiresAt: '2040-02-29T23:59:00.000000Z',
		createdAt: expect.stringMatching(/^\d{4}-/),
	},
	more: {
		title: 'example.com',
		updatedAt: expect.stringMatching(/^\d{4}-/),
		pixels: ['First', 'Second'],
		targeting: 'country: 1 rule',
		targetType: 1,
		countryRules: [{ key: 'DE', value: 'https://example.com/de' }],
		rotationRules: [],
	},
});

describe('Simplified', () => {
	it('is the default, with exactly its names in their order', async () => {
		const { id, pixels } = await fullLink();
		const got = await link('get', { parameters: { linkId: byId(id) } });
		expect(jsonOf(got)).toEqual([everything(id).simple]);
		expect(Object.keys(jsonOf(got)[0] ?? {})).toEqual(simplified.link);

		const [pixelId = 0] = pixels;
		const gotPixel = await pixel('get', { parameters: { pixelId: byId(pixelId) } });
		expect(jsonOf(gotPixel)).toMatchObject([
			{ id: pixelId, name: 'First', type: 'bing', value: 'v-1' },
		]);
		expect(Object.keys(jsonOf(gotPixel)[0] ?? {})).toEqual(simplified.pixel);
	});

	it('is the same in a list of any envelope', async () => {
		const { id } = await fullLink();
		for (const envelope of ['collection', 'flat', 'simple', 'bare'] as const) {
			current().set({ envelope });
			const listed = await link('getAll', { parameters: { returnAll: true } });
			expect(jsonOf(listed)).toEqual([everything(id).simple]);
			const pixelsListed = await pixel('getAll', { parameters: { returnAll: true } });
			expect(jsonOf(pixelsListed).map((one) => Object.keys(one))).toEqual([
				...[simplified.pixel, simplified.pixel],
			]);
		}
	});

	it.each([
		['inside data', (data: unknown) => ({ data, status: 200 })],
		['alone in a list', (data: unknown) => ({ data: [data] })],
		['bare', (data: unknown) => data],
	])('is the same of one resource that comes %s', async (_name, wrap) => {
		const { id } = await fullLink();
		const { data } = await answer(`links/${id}`);
		current().set({ faults: [{ effect: { kind: 'body', body: wrap(data) } }] });
		const results = [
			await link('get', { parameters: { linkId: byId(id) } }),
			await link('update', { parameters: { linkId: byId(id), updateFields: { privacy: 1 } } }),
			await create(),
		];
		for (const result of results) expect(jsonOf(result)).toEqual([everything(id).simple]);
	});

	it('has null for what the response to a create left out, and otherwise the values of a read', async () => {
		for (const fields of [{}, { disabled: true, expirationClicks: 7, privacy: 1 }]) {
			const parameters = { output: 'selectedFields', outputFields: allNames() };
			const created = await create(fields, parameters);
			const [made = {}] = jsonOf(created);
			const read = await link('get', {
				parameters: { linkId: byId(idIn(created)), ...parameters },
			});
			const shown = Object.entries(made).filter(([, value]) => value !== null);
			expect(jsonOf(read)).toMatchObject([Object.fromEntries(shown)]);
		}
		const [first] = jsonOf(await create());
		expect(first).toMatchObject({ clicks: null, status: null, space: null });
	});
});

const allNames = () => linkContract.output.map(({ name }) => name);

describe('Raw', () => {
	it('is what the service sent, on every operation that returns resources', async () => {
		const { id } = await fullLink();
		const { data } = await answer(`links/${id}`);
		const parameters = { output: 'raw', linkId: byId(id) };
		expect(jsonOf(await link('get', { parameters }))).toEqual([data]);
		const list = { output: 'raw', returnAll: true };
		expect(jsonOf(await link('getAll', { parameters: list }))).toEqual([data]);
		const { data: pixels } = await answer('pixels?sort=asc');
		const pixelList = { ...list, sorting: { sort: 'asc' } };
		expect(jsonOf(await pixel('getAll', { parameters: pixelList }))).toEqual(pixels);

		const odd = { id, of: { its: ['own'] }, title: null };
		current().set({ faults: [{ effect: { kind: 'body', body: { data: odd } } }] });
		expect(jsonOf(await create({}, { output: 'raw' }))).toEqual([odd]);
		const update = { ...parameters, updateFields: { disabled: true } };
		expect(jsonOf(await link('update', { parameters: update }))).toEqual([odd]);
	});
});

describe('Selected Fields', () => {
	it('gives exactly those, in the order in which they were chosen', async () => {
		const { id, pixels } = await fullLink();
		const { simple, more } = everything(id);
		const select = async (outputFields: unknown) =>
			jsonOf(
				await link('get', {
					parameters: {
						linkId: byId(id),
						output: 'selectedFields',
						outputFields: outputFields as never,
					},
				}),
			);
		expect(await select(allNames())).toMatchObject([{ ...simple, ...more }]);
		for (const given of [
			['title', 'pixelIds', 'id'],
			"={{ ['title', 'pixelIds', 'id'] }}",
			'title, pixelIds,id',
			"={{ 'title,' + 'pixelIds,id' }}",
		])
			expect(JSON.stringify(await select(given))).toBe(
				JSON.stringify([{ title: 'example.com', pixelIds: pixels, id }]),
			);
	});

	it('gives the first of Simplified when it was never opened', async () => {
		const made = await create({ alias: 'x' }, { output: 'selectedFields' });
		expect(Object.keys(jsonOf(made)[0] ?? {})).toEqual(simplified.link.slice(0, 4));
	});
});

it('is Simplified where an expression gives nothing', async () => {
	const made = await create({ alias: 'x' }, { output: '={{ $json.none ?? "" }}' });
	expect(Object.keys(jsonOf(made)[0] ?? {})).toEqual(simplified.link);
});

describe('a choice that does not exist', () => {
	it.each([
		[
			{ output: 'selectedFields', outputFields: ['id', 'owner'] },
			/^Fields "owner" is not one of the allowed values; use alias \(Alias\), /,
		],
		[{ output: 'selectedFields', outputFields: 'id,,nope' }, /^Fields "nope"/],
		[{ output: 'selectedFields', outputFields: '={{ [{ toString: 1 }] }}' }, /^Fields \{/],
		[{ output: 'selectedFields', outputFields: [] }, /^Fields is empty; choose at least one/],
		[{ output: 'all' }, /^Output "all" is not one of the allowed values; use raw \(Raw\), /],
	])('as in %j stops the run before anything is sent', async (parameters, message) => {
		const result = await create({}, parameters);
		expect(result.error?.message).toMatch(message);
		expect(String(result.error?.description)).toBe('Nothing was sent.');
		expect(current().requests).toEqual([]);
	});
});

describe('the schema files', () => {
	it('fit what each operation gives', async () => {
		const { id, pixels } = await fullLink();
		const [pixelId = 0] = pixels;
		const onLink = { linkId: byId(id) };
		const onPixel = { pixelId: byId(pixelId) };
		const key = { url: 'https://example.com', domainId: byId(1), alias: 'full' };
		const values = { name: 'First', type: 'bing', value: 'v-2' };
		const runs = {
			link: {
				create: await create(),
				get: await link('get', { parameters: onLink }),
				getAll: await link('getAll', { parameters: { returnAll: true } }),
				update: await link('update', {
					parameters: { ...onLink, updateFields: { disabled: true } },
				}),
				upsert: await link('upsert', { parameters: key }),
				delete: await link('delete', { parameters: onLink }),
			},
			pixel: {
				create: await pixel('create', { parameters: { ...values, name: 'Third' } }),
				get: await pixel('get', { parameters: onPixel }),
				getAll: await pixel('getAll', { parameters: { returnAll: true } }),
				update: await pixel('update', { parameters: { ...onPixel, updateFields: values } }),
				upsert: await pixel('upsert', { parameters: { ...values, value: 'v-3' } }),
				delete: await pixel('delete', { parameters: onPixel }),
			},
		};
		for (const node of ['link', 'pixel'] as const)
			for (const [operation, result] of Object.entries(runs[node])) {
				const schema = outputSchema(contracts[node], operation as OperationName);
				expect(jsonOf(result).length).toBeGreaterThan(0);
				for (const item of jsonOf(result))
					expect({ operation, misfits: misfits(item, schema) }).toEqual({ operation, misfits: [] });
			}
	});
});
