import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import { hintsOf, numbered, outcomesOf, writesIn } from '../../support/account.ts';
import { sheetOn } from '../../support/mappedSheet.ts';
import { rowsOf } from '../../support/numberedRows.ts';
import { byId, jsonOf, pairsOf, succeeded, useService } from '../../support/service.ts';

const { current, link, pixel } = useService();

/** The requests that arrived, as a person would write them down. */
const arrived = () => current().requests.map(({ method, path }) => `${method} ${path}`);

it.each(['resource', 'operation'])('sends nothing if %s is Custom API Call', async (list) => {
	const parameters = {
		url: 'https://example.com/',
		domainId: byId(1),
		[list]: '__CUSTOM_API_CALL__',
	};
	const { error } = await link('create', { parameters });
	expect(error).toMatchObject({
		message: expect.stringMatching(/^Custom API Call works in the HTTP Request node only; add one/),
	});
	expect(current().requests).toEqual([]);
});

const reference = readFileSync(join(__dirname, '..', '..', '..', 'docs', 'reference.md'), 'utf8');

/** The requests in the row of an operation, in the table of a resource. */
const namedFor = (resource: string, operation: string) => {
	const [, table = ''] = reference.split(`<!-- npm run docs: ${resource} operations -->`);
	const row = table.split('\n').find((line) => line.startsWith(`| ${operation} |`));
	return [...(row ?? '').matchAll(/`([^`]+)`/g)].map(([, request]) => request).sort();
};

/** The requests that arrived, each once, with `{id}` for an ID. */
const sent = () => {
	const all = arrived().map((one) => one.replace('/api/v1', '').replace(/\d+$/, '{id}'));
	return [...new Set(all)].sort();
};

it.each(['link', 'pixel'] as const)(
	'Create or Update and Sync of a %s send the requests that the reference names',
	async (name) => {
		const isLink = name === 'link';
		const item = (key: string, value = 'old') =>
			isLink
				? { alias: key, url: `https://example.com/${value}` }
				: { name: key, type: 'bing', value };
		const parameters = isLink
			? { unmatchedLinks: 'delete' }
			: { syncScope: { type: 'bing' }, unmatchedPixels: 'delete' };
		const run = async (operation: string, items: IDataObject[]) => {
			current().requests.length = 0;
			await sheetOn({ link, pixel }[name])(operation, items, { parameters });
		};
		await run('create', [item('same'), item('changed'), item('other')]);
		await run('upsert', [item('same'), item('changed', 'new'), item('new')]);
		expect(sent()).toEqual(namedFor(name, 'Create or Update'));
		await run('sync', [item('same'), item('changed', 'newer'), item('newer')]);
		expect(sent()).toEqual(namedFor(name, 'Sync'));
	},
);

it('two rows that list links give one item per link, linked to its row', async () => {
	await succeeded(sheetOn(link)('create', [...rowsOf(3), ...numbered(2)]));
	const items = [{ text: 'row' }, { text: 'link' }];
	const filters = { search: '={{ $json.text }}', searchBy: 'alias' };
	const result = await link('getAll', { items, parameters: { returnAll: true, filters } });
	expect(new Set(jsonOf(result).map(({ alias }) => alias)).size).toBe(5);
	expect(pairsOf(result)).toEqual([0, 0, 0, 1, 1].map((item) => ({ item })));
});

it('sends the key and asks for JSON on every request', async () => {
	const parameters = { url: 'https://example.com', domainId: byId(1) };
	const id = Number(jsonOf(await link('create', { parameters }))[0]?.id);
	await link('update', { parameters: { linkId: byId(id), updateFields: { disabled: false } } });
	await link('get', { parameters: { linkId: byId(id) } });
	await link('getAll', { parameters: { returnAll: false, limit: 1 } });
	await link('delete', { parameters: { linkId: byId(id) } });
	const { requests } = current();
	expect(requests.map(({ method }) => method)).toEqual(['POST', 'PUT', 'GET', 'GET', 'DELETE']);
	for (const { method, headers } of requests) {
		expect(headers).toMatchObject({
			accept: 'application/json',
			authorization: 'Bearer test-key-0123456789',
		});
		const form = ['POST', 'PUT'].includes(method);
		expect(headers['content-type']).toBe(form ? 'application/x-www-form-urlencoded' : undefined);
	}
});

describe('in an account of the reference service', () => {
	const sheet = sheetOn(link, { concurrency: 20 });

	/** Makes links, and forgets that it did. */
	async function made(items: IDataObject[]): Promise<void> {
		await succeeded(sheet('create', items));
		current().requests.length = 0;
	}

	it('300 unchanged rows take one list, and 30 that are not as they should be one write each', async () => {
		const items = rowsOf(300);
		await made(items);
		const unchanged = await sheet('upsert', items);
		expect(outcomesOf(unchanged)).toEqual(items.map(() => 'unchanged'));
		expect(writesIn(current().requests)).toEqual([]);
		expect(current().requests.length).toBeLessThanOrEqual(4);
		expect(hintsOf(unchanged)).toMatch(/^Nothing was changed. 300 items: 300 unchanged\.$/m);

		current().requests.length = 0;
		const changed = items.map((item, index) =>
			index % 15 === 7 ? { ...item, url: 'https://example.com/new' } : item,
		);
		const grown = [...changed, ...rowsOf(10, 2000)];
		const second = await sheet('upsert', grown);
		expect(hintsOf(second)).toMatch(/^310 items: 10 created, 20 updated, 280 unchanged\.$/m);
		expect(writesIn(current().requests)).toHaveLength(30);
		expect(current().requests.length).toBeLessThanOrEqual(38);
		const held = jsonOf(await link('getAll', { parameters: { returnAll: true } }));
		const found = held.map(({ alias, url }) => ({ alias, url }));
		expect(found).toEqual(expect.arrayContaining(grown));
		expect(current().counts().links).toBe(310);
	});

	it('pixels are read once as well', async () => {
		const items = Array.from({ length: 150 }, (_, index) => ({
			name: `Pixel ${index}`,
			type: index % 2 ? 'bing' : 'facebook',
			value: `v-${index}`,
		}));
		const pixels = sheetOn(pixel, { concurrency: 20 });
		await pixels('create', items);
		current().requests.length = 0;
		const changed = items.map((item, index) => (index === 3 ? { ...item, type: 'quora' } : item));
		const result = await pixels('upsert', changed);
		expect(hintsOf(result)).toMatch(/^150 items: 1 updated, 149 unchanged\.$/m);
		const reads = current().requests.filter(({ method }) => method === 'GET');
		expect(reads).toHaveLength(2);
		expect(writesIn(current().requests)).toMatchObject([['PUT', /\d+/, { type: 'quora' }]]);
	});

	it('a list of which a page fails for good is given up, and the rows are looked up', async () => {
		await made(rowsOf(150));
		current().set({
			faults: [
				{ on: { method: 'GET' }, skip: 1, times: 1, effect: { kind: 'status', status: 403 } },
			],
		});
		const result = await sheet('upsert', rowsOf(151));
		expect(hintsOf(result)).toMatch(/151 items: 1 created, 150 unchanged\./);
	});
});
