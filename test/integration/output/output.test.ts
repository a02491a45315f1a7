import * as spec from '../../spec.ts';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { request } from 'undici';
import { linkContract } from '../../../nodes/Link/link.contract';
import { pixelContract } from '../../../nodes/Pixel/pixel.contract';
import type { OperationName } from '../../../nodes/shared/contract/types';
import { outputSchema } from '../../../nodes/shared/description/output';
import { writesIn } from '../../support/account.ts';
import { chosen, hintsOf, messageOf, useColumns } from '../../support/columns.ts';
import { misfits } from '../../support/schema.ts';
import { apiKey, byId, jsonOf, succeeded } from '../../support/service.ts';
import { linkForm } from '../linkForm.ts';

const { current, link, pixel, madeLink, madePixel } = useColumns();

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

const create = (fields: IDataObject = {}, parameters: INodeParameters = {}) =>
	link('create', {
		parameters: linkForm({ url: 'https://example.com/page', ...fields }, parameters),
	});

const idIn = ({ outputs }: Awaited<ReturnType<typeof link>>) => Number(outputs[0]?.[0]?.json.id);

async function fullLink() {
	const pixels = [await madePixel('First'), await madePixel('Second')];
	const fields = {
		url: 'https://example.com/page',
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
	return { id: await madeLink('full', fields), pixels };
}

const everything = (id: number) => ({
	simple: {
		id,
		alias: 'full',
		shortUrl: `${current().url}/s/full`,
		...{ url: 'https://example.com/page', status: 'active', clicks: 0 },
		...{ domain: 'short.example', space: 'Support' },
		expiresAt: '2040-02-29T23:59:00.000000Z',
		createdAt: expect.stringMatching(/^\d{4}-/),
	},
	more: {
		title: 'example.com',
		updatedAt: expect.stringMatching(/^\d{4}-/),
		...{ pixels: ['First', 'Second'], targetType: 1 },
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
			{ id: pixelId, name: 'First', type: 'bing', value: 'old' },
		]);
		expect(Object.keys(jsonOf(gotPixel)[0] ?? {})).toEqual(simplified.pixel);
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

it('Raw is what the service sent, on every operation that returns resources', async () => {
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

it.each([
	[
		{ output: 'selectedFields', outputFields: ['id', 'owner'] },
		/^Fields "owner" is not one of the allowed values; use alias \(Alias\), /,
	],
	[{ output: 'selectedFields', outputFields: 'id,,nope' }, /^Fields "nope"/],
	[{ output: 'selectedFields', outputFields: '={{ [{ toString: 1 }] }}' }, /^Fields \{/],
	[{ output: 'selectedFields', outputFields: [] }, /^Fields is empty; choose at least one/],
	[{ output: 'all' }, /^Output "all" is not one of the allowed values; use raw \(Raw\), /],
])(
	'a choice that does not exist as in %j stops the run before anything is sent',
	async (parameters, message) => {
		const result = await create({}, parameters);
		expect(result.error?.message).toMatch(message);
		expect(String(result.error?.description)).toBe('Nothing was sent.');
		expect(current().requests).toEqual([]);
	},
);

it('the schema files fit what each operation gives', async () => {
	const { id, pixels } = await fullLink();
	const [pixelId = 0] = pixels;
	const onLink = { linkId: byId(id) };
	const onPixel = { pixelId: byId(pixelId) };
	const key = { url: 'https://example.com', domainId: byId(1), alias: 'full' };
	const values = { name: 'First', type: 'bing', value: 'v-2' };
	const all = { returnAll: true };
	const runs: [keyof typeof contracts, OperationName, INodeParameters][] = [
		['link', 'create', { ...key, alias: '' }],
		['link', 'get', onLink],
		['link', 'getAll', all],
		['link', 'update', { ...onLink, updateFields: { disabled: true } }],
		['link', 'upsert', key],
		['link', 'delete', onLink],
		['pixel', 'create', { ...values, name: 'Third' }],
		['pixel', 'get', onPixel],
		['pixel', 'getAll', all],
		['pixel', 'update', { ...onPixel, updateFields: values }],
		['pixel', 'upsert', { ...values, value: 'v-3' }],
		['pixel', 'delete', onPixel],
	];
	for (const [node, operation, parameters] of runs) {
		const items = jsonOf(await { link, pixel }[node](operation, { parameters }));
		const schema = outputSchema(contracts[node], operation);
		expect(items.length).toBeGreaterThan(0);
		for (const item of items)
			expect({ operation, misfits: misfits(item, schema) }).toEqual({ operation, misfits: [] });
	}
});

const url = 'https://example.com/spring';

/** Values that do not follow from the interface: what is written, and what the output shows for it. */
const samples: Readonly<Record<string, readonly [written: unknown, shown: unknown]>> = {
	domain_id: [chosen(2), 2],
	space_id: [chosen(2), 2],
	disabled: [true, true],
	password: ['for-visitors', true],
	privacy_password: ['for-statistics', true],
	expiration: ['2999-06-01T12:30', expect.stringMatching(/^2999-06-01.12:30/)],
	expiration_clicks: [7, 7],
};

/** Returns a value for a field of links, and what the output shows for it. */
async function sampleOf({ key, array, rule, values }: spec.SpecField) {
	if (array) {
		const id = await madePixel('Visitors');
		return [[id], [id]] as const;
	}
	if (rule) {
		const own = { key: rule.keys?.[0] ?? 'de', value: url };
		const entry = rule.parts.includes('key') ? own : { value: url };
		const shown = key === 'country' ? { ...entry, key: 'DE' } : entry;
		return [{ rules: [entry] }, [shown]] as const;
	}
	const text = key.endsWith('url') ? `${url}/${key}` : `new-${key}`;
	return samples[key] ?? (values ? [1, 1] : [text, text]);
}

async function read(id: unknown, output = 'selectedFields'): Promise<IDataObject> {
	const outputFields = linkContract.output.map(({ name }) => name);
	const parameters = { linkId: byId(Number(id)), output, outputFields };
	return jsonOf(await link('get', { parameters }))[0] ?? {};
}

async function createWith(fields: IDataObject): Promise<unknown> {
	const result = await succeeded(create({ url, ...fields }));
	return jsonOf(result)[0]?.id;
}

/** The fields that a row writes. A target type comes with its rules. */
const written = spec.link.fields.filter(
	({ key, on }) => (on.create ?? on.update) && key !== 'target_type',
);

it.each(written.map((field) => [field.key, field] as const))(
	'%s arrives at the service, and Raw and Selected Fields show it',
	async (key, { on, param, ...field }) => {
		const contractField = linkContract.fields.find(({ wire }) => wire.key === key);
		const name = contractField?.wire.shownAs ?? param;
		const [value, shown] = await sampleOf({ on, param, ...field });
		const fields = { [param]: value } as IDataObject;
		const first = await createWith({});
		const before = [await read(first), await read(first, 'raw')];
		expect(before[0]?.[name]).not.toEqual(shown);
		let id = first;
		if (on.update) {
			const parameters = { linkId: byId(Number(id)), updateFields: fields as never };
			expect(messageOf(await link('update', { parameters }))).toBe('undefined');
		} else {
			id = await createWith(fields);
		}
		expect((await read(id))[name]).toEqual(shown);
		const { updated_at, ...raw } = await read(id, 'raw');
		expect({ ...before[1], updated_at }).not.toEqual({ ...raw, updated_at });
	},
);

const target = { url: 'https://example.com/', domainId: chosen(1) };

it.each<[how: string, dryRun: unknown]>([
	['it is on', true],
	['its expression gives yes', '={{ "yes" }}'],
	['its expression gives null', '={{ $json.none }}'],
	['its expression gives undefined', '={{ $json.nowhere }}'],
	['its expression gives spaces', '={{ $json.blank }}'],
])('Dry Run writes nothing if %s', async (_, dryRun) => {
	const parameters = { ...target, options: { dryRun } } as INodeParameters;
	const result = await succeeded(
		link('create', { items: [{ none: null, blank: ' ' }], parameters }),
	);
	expect(writesIn(current().requests)).toEqual([]);
	expect(hintsOf(result).join()).toMatch(/^Dry run: nothing was /);
});
