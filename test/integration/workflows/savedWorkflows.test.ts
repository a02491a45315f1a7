import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { linkContract } from '../../../nodes/Link/link.contract';
import { chosen, messageOf, useColumns, type Write } from '../../support/columns.ts';
import { PollingTrigger } from '../../support/pollingTrigger.ts';
import { apiKey, jsonOf, succeeded } from '../../support/service.ts';

const { current, link, pixel, mapped, mappedPixels, arrived, madeLink, madePixel } = useColumns();
const nodes = { link, pixel };

/** A workflow as n8n stored it when that version of the package was the newest. */
interface SavedWorkflow {
	readonly nodes: readonly { readonly type: string; readonly parameters: INodeParameters }[];
}

const folder = join(__dirname, '..', '..', 'workflows');

const saved = readdirSync(folder).flatMap((version) =>
	readdirSync(join(folder, version)).map((file): [string, SavedWorkflow] => [
		`${version}/${file}`,
		JSON.parse(readFileSync(join(folder, version, file), 'utf8')) as SavedWorkflow,
	]),
);

const isTriggered = ([, { nodes: all }]: (typeof saved)[number]) => all.length === 1;
const triggers = saved.filter(isTriggered);
const actions = saved.filter((one) => !isTriggered(one));

async function seed(): Promise<void> {
	await madePixel('Shoppers', 'facebook');
	for (const name of ['a', 'b'])
		await madeLink(`old-${name}`, { url: `https://example.com/${name}`, spaceId: chosen(2) });
}

/** What arrived, without what differs between two runs. Rows go side by side, so their order means nothing. */
const requestsSent = () =>
	current()
		.requests.map(({ method, path, query, body }) => {
			const where = `${method} ${path}${query ? `?${query}` : ''}`;
			return [where, ...[...new URLSearchParams(body)].map((pair) => pair.join('='))].join('\n  ');
		})
		.sort();

describe('a workflow that an earlier version has saved', () => {
	beforeEach(seed);

	it.each(triggers)('polls for what it polled then: %s', async (_, { nodes: [trigger] }) => {
		const credential = { baseUrl: current().url, apiKey };
		const { parameters = {} } = trigger ?? {};
		const polling = new PollingTrigger('classic', { node: 'linkTrigger', parameters, credential });
		for (const polled of [await polling.activate(), await polling.poll()]) {
			expect(polled.error).toBeUndefined();
		}
		expect(requestsSent().join('\n')).toMatchSnapshot();
	});

	it.each(actions)('sends what it sent then: %s', async (_, { nodes: [rows, target] }) => {
		const code = String(rows?.parameters.jsCode);
		const items = JSON.parse(code.replace(/^return (.*);$/s, '$1')) as IDataObject[];
		const { resource, operation, ...parameters } = target?.parameters ?? {};
		const run = nodes[resource as keyof typeof nodes];
		await succeeded(run(String(operation), { items, parameters }));
		expect(requestsSent().join('\n')).toMatchSnapshot();
	});
});

const url = 'https://example.com/a?utm_source=mail&b=1#c';
const credential = { accountTimeZone: 'America/New_York' };

/** The rules of each link. */
const rulesByAlias: Record<string, INodeParameters> = {
	plain: {},
	country: {
		country: {
			rules: [
				{ key: 'DE', value: url },
				{ key: 'US', value: `${url}2` },
			],
		},
	},
	rotation: { rotation: { rules: [{ value: url }, { value: `${url}2` }, { value: url }] } },
};

/** Creates links that have a value in every field. */
async function makeLinks(): Promise<void> {
	const pixelIds = [await madePixel('First'), await madePixel('Second, with a comma')];
	for (const [alias, rules] of Object.entries(rulesByAlias)) {
		const additionalFields = {
			...{ spaceId: chosen(2), pixelIds, disabled: true, password: 'visitors-1' },
			...{ privacy: 2, privacyPassword: 'statistics-1', expiration: '2999-06-01T12:30' },
			...{ expirationClicks: 100, expirationUrl: 'https://example.com/over' },
			...rules,
		};
		const parameters = { url, alias, domainId: chosen(1), additionalFields } as INodeParameters;
		expect(messageOf(await link('create', { parameters, credential }))).toBe('undefined');
	}
}

async function rowsOf(node: typeof link, output: INodeParameters = {}): Promise<IDataObject[]> {
	const parameters = { returnAll: true, sorting: { sort: 'asc' }, ...output };
	const rows = jsonOf(await node('getAll', { parameters, credential }));
	current().requests.length = 0;
	return rows;
}

const all = { output: 'selectedFields', outputFields: linkContract.output.map(({ name }) => name) };

/** The ways to write rows back: the operation, and how it finds the links. */
const ways: [name: string, operation: Write, parameters: INodeParameters][] = [
	['Update by ID', 'update', { linkId: '', matchBy: 'id' }],
	['Update by alias', 'update', { linkId: '', matchBy: 'alias' }],
	['Create or Update', 'upsert', {}],
	['Create or Update by ID', 'upsert', { matchBy: 'id' }],
	['Sync', 'sync', { unmatchedLinks: 'delete' }],
];

const rule = { value: `${url}3` };

/** A changed cell of a link, and what it sends. */
const changes: [alias: string, column: string, value: unknown, sent: string | undefined][] = [
	['plain', 'url', `${url}3`, `url=${url}3`],
	['plain', 'expiresAt', '2999-07-01', 'expiration_date=2999-07-01&expiration_time=23:59'],
	['plain', 'spaceId', 1, 'space_id=1'],
	['plain', 'pixelIds', [], undefined],
	['plain', 'disabled', false, 'disabled=0'],
	['plain', 'privacy', 1, 'privacy=1'],
	['plain', 'expirationClicks', 7, 'expiration_clicks=7'],
	['plain', 'expirationUrl', url, `expiration_url=${url}`],
	[
		'country',
		'countryRules',
		[{ key: 'AT', ...rule }],
		`country[0][key]=AT&country[0][value]=${url}3`,
	],
	['rotation', 'rotationRules', [rule], `rotation[0][value]=${url}3`],
	// No request can change what these columns show.
	['plain', 'hasPassword', false, undefined],
	['plain', 'title', 'Other', undefined],
	['plain', 'status', 'active', undefined],
];

describe.each(ways)('%s of the output of Get Many', (_, operation, parameters) => {
	const write = async (rows: readonly IDataObject[]) =>
		messageOf(await mapped(operation, rows, parameters, { credential }));

	it('writes nothing if nothing changed, and stops at Raw', async () => {
		await makeLinks();
		for (const output of [{}, all]) {
			const rows = await rowsOf(link, output);
			expect(rows).toHaveLength(3);
			expect(await write(rows)).toBe('undefined');
		}
		expect(await write(await rowsOf(link, { output: 'raw' }))).toMatch(/^Column "ends_at" is not/);
		const off = [{ id: 2, targetType: 'None' }];
		await succeeded(mapped('update', off, { linkId: '', matchBy: 'id' }, { credential }));
		expect(await write(await rowsOf(link, all))).toBe('undefined');
		expect(arrived()).toEqual([]);
	});

	it('writes only the cell that changed', async () => {
		await makeLinks();
		for (const [alias, column, value, sent] of changes) {
			const rows = await rowsOf(link, all);
			const changed = rows.map((row) => (row.alias === alias ? { ...row, [column]: value } : row));
			expect(await write(changed as IDataObject[])).toBe('undefined');
			const id = 1 + Object.keys(rulesByAlias).indexOf(alias);
			expect(arrived()).toEqual(sent === undefined ? [] : [`PUT /links/${id} ${sent}`]);
		}
		const simplified = await rowsOf(link);
		expect(simplified.map(({ space }) => space)).toContain('Marketing');
		expect(await write(simplified.map((row) => ({ ...row, space: 'Marketing' })))).toBe(
			'undefined',
		);
		expect(arrived().toSorted()).toEqual([2, 3].map((id) => `PUT /links/${id} space_id=1`));
	});
});

it.each<[Write, INodeParameters]>([
	['update', { pixelId: '', matchBy: 'id' }],
	['update', { pixelId: '', matchBy: 'name' }],
	['upsert', {}],
	['upsert', { matchBy: 'id' }],
	['sync', { syncScope: { nameStartsWith: 'P' } }],
])('%s of pixels writes only the cell that changed %j', async (operation, parameters) => {
	const id = await madePixel('P1');
	await madePixel('P2');
	for (const output of ['simplified', 'raw']) {
		const [row, other] = await rowsOf(pixel, { output });
		const next = { simplified: 'new-1', raw: 'new-2' }[output];
		for (const [change, sent] of [
			[{}, []],
			[{ value: next }, [`PUT /pixels/${id} value=${next}`]],
			[{ value: next, type: 'X' }, output === 'raw' ? [] : [`PUT /pixels/${id} type=twitter`]],
		]) {
			current().requests.length = 0;
			await succeeded(mappedPixels(operation, [{ ...row, ...change }, { ...other }], parameters));
			expect(arrived()).toEqual(sent);
		}
	}
});
