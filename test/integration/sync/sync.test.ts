import type { IDataObject } from 'n8n-workflow';
import { hintsOf, linksOfItems, outcomesOf, row, rows, writesIn } from '../../support/account.ts';
import { sheetOn } from '../../support/mappedSheet.ts';
import { byId, jsonOf, succeeded, useService, type Run } from '../../support/service.ts';

const { current, link, pixel } = useService();

const sheet = sheetOn(link);

const sync = async (items: IDataObject[], parameters: Run['parameters'] = {}) =>
	await sheet('sync', items, { parameters });

const syncPixels = async (items: IDataObject[], parameters: Run['parameters']) =>
	await sheetOn(pixel)('sync', items, { parameters });

/** Makes links as they are given, one after another, and forgets that it did. */
async function made(items: IDataObject[], domain = 1): Promise<void> {
	const parameters = { domainId: byId(domain), options: { concurrency: 1 } };
	await succeeded(sheet('create', items, { parameters }));
	current().requests.length = 0;
}

/** All links, oldest first: the alias and these fields of each. */
async function held(...fields: string[]): Promise<string[]> {
	const outputFields = ['alias', ...fields];
	const list = {
		returnAll: true,
		sorting: { sort: 'asc' },
		output: 'selectedFields',
		outputFields,
	};
	return jsonOf(await link('getAll', { parameters: list })).map((one) =>
		outputFields.map((field) => String(one[field])).join(' '),
	);
}

const writes = () => writesIn(current().requests);

const toldOf = (result: Parameters<typeof jsonOf>[0]) =>
	jsonOf(result).map(({ alias, name, outcome }) => `${String(alias ?? name)} ${String(outcome)}`);

async function expectNothingLeft(again: () => Promise<unknown>): Promise<void> {
	current().requests.length = 0;
	await again();
	expect(writes()).toEqual([]);
}

describe('links of a scope', () => {
	it('are created, changed and switched off, and a second run changes nothing', async () => {
		await made(rows('stays', 'moves', 'goes-1', 'goes-2'));
		await made(rows('goes-1', 'other'), 2);
		const url = 'https://example.com/elsewhere';
		const items = [row('new-1'), row('moves', { url }), row('stays'), row('new-2')];
		const result = await succeeded(sync(items));
		expect(toldOf(result)).toEqual([
			...['new-1 created', 'moves updated', 'stays unchanged', 'new-2 created'],
			...['goes-2 disabled', 'goes-1 disabled'],
		]);
		// What is in no row belongs to no row.
		const linked = [...items.map((_, item) => ({ item })), undefined, undefined];
		expect(linksOfItems(result)).toEqual(linked);
		expect(jsonOf(result).at(-1)).toMatchObject({ status: 'disabled', domain: 'short.example' });
		expect(hintsOf(result)).toMatch(
			/^4 items: 2 created, 1 updated, 1 unchanged; 2 links that are no longer in the rows were disabled\.$/m,
		);
		expect((await held('domainId', 'disabled', 'url')).slice(0, 6)).toEqual([
			...['stays 1 false https://example.com/stays', 'moves 1 false https://example.com/elsewhere'],
			...['goes-1 1 true https://example.com/goes-1', 'goes-2 1 true https://example.com/goes-2'],
			...['goes-1 2 false https://example.com/goes-1', 'other 2 false https://example.com/other'],
		]);
		await expectNothingLeft(async () => {
			expect(outcomesOf(await sync(items))).toEqual(items.map(() => 'unchanged'));
		});
	});

	it.each([
		['keep', ['a', 'b', 'c'], ['a unchanged', 'c created']],
		['delete', ['a', 'c'], ['a unchanged', 'c created', 'b deleted']],
	])('that are in no row: Unmatched Links = %s', async (unmatchedLinks, left, told) => {
		await made(rows('a', 'b'));
		expect(toldOf(await sync(rows('a', 'c'), { unmatchedLinks }))).toEqual(told);
		expect(await held()).toEqual(left);
		// Only Disable writes what a row does not say.
		expect(writes()[0]?.[2]).not.toHaveProperty('disabled');
		await expectNothingLeft(async () => await sync(rows('a', 'c'), { unmatchedLinks }));
	});

	it('come back with their rows, unless a row says otherwise', async () => {
		await made(rows('a', 'b', 'c'));
		await sync(rows('a'));
		expect(await held('disabled')).toEqual(['a false', 'b true', 'c true']);
		const items = [row('a', { disabled: 'true' }), row('b'), row('c', { disabled: '' })];
		const result = await sync(items);
		expect(outcomesOf(result)).toEqual(['updated', 'updated', 'updated']);
		expect(await held('disabled')).toEqual(['a true', 'b false', 'c false']);
		await expectNothingLeft(async () => await sync(items));
	});

	it('keep what the sheet says nothing of, and follow Empty Values where a cell is empty', async () => {
		const kept = { expirationClicks: 5, expirationUrl: 'https://e.com/' };
		await made([row('a', kept), row('b', kept)]);
		const items = [row('a', { expirationClicks: '' }), row('b', { expirationClicks: 7 })];
		expect(outcomesOf(await sync(items))).toEqual(['unchanged', 'updated']);
		const fields = ['expirationClicks', 'expirationUrl'];
		expect(await held(...fields)).toEqual(['a 5 https://e.com/', 'b 7 https://e.com/']);
		const clears = { options: { emptyValues: 'clear' } };
		expect(outcomesOf(await sync(items, clears))).toEqual(['updated', 'unchanged']);
		expect(await held(...fields)).toEqual(['a null https://e.com/', 'b 7 https://e.com/']);
		await expectNothingLeft(async () => await sync(items, clears));
		// What the run gives is not cleared.
		const empty = { domainId: '', spaceId: '', disabled: '' };
		const result = await sync([row('a', empty), row('c', empty)], clears);
		expect(toldOf(result)).toEqual(['a unchanged', 'c created', 'b disabled']);
	});

	it('two executions at once end in the same state', async () => {
		await made(rows('a', 'gone-1', 'gone-2'));
		const items = [...rows('a', 'b', 'c'), row('d', { disabled: true })];
		const settings = { unmatchedLinks: 'delete' };
		const results = await Promise.all([sync(items, settings), sync(items, settings)]);
		expect(results.map(({ error }) => error)).toEqual([undefined, undefined]);
		expect((await held()).toSorted()).toEqual(['a', 'b', 'c', 'd']);
		const removed = results.flatMap(outcomesOf).filter((one) => one === 'deleted');
		expect(removed.length).toBeGreaterThanOrEqual(2);
		await expectNothingLeft(async () => await sync(items, settings));
	});
});

it('a Dry Run shows a row for each create, update, removal and unchanged one, and writes nothing', async () => {
	await made([
		row('same'),
		row('moves', { expirationClicks: 5, disabled: true }),
		row('locked', { password: 'old-secret' }),
		row('gone'),
	]);
	const items = [
		row('new', { password: 'secret-1', expirationClicks: '' }),
		row('moves', { url: 'https://example.com/elsewhere', expirationClicks: '' }),
		row('locked', { password: 'secret-2' }),
		row('same'),
	];
	const options = { emptyValues: 'clear', mapPasswords: true };
	const result = await succeeded(sync(items, { options: { ...options, dryRun: true } }));
	const url = 'Destination URL: https://example.com';
	const password = 'Password: ••••••';
	expect(jsonOf(result)).toEqual([
		{
			...{ outcome: 'created', id: null, alias: 'new', before: '–', note: 'New' },
			after: `${url}/new; Domain: 1; Alias: new; Disabled: false; ${password}`,
		},
		{
			...{ outcome: 'updated', id: 2, alias: 'moves', note: 'Changes 3 fields' },
			before: `${url}/moves; Disabled: true; Expiration Clicks: 5`,
			after: `${url}/elsewhere; Disabled: false; Expiration Clicks: (empty)`,
		},
		{
			...{ outcome: 'updated', id: 3, alias: 'locked', before: password, after: password },
			note: 'The password is sent each time, because the service does not return it',
		},
		{
			...{ outcome: 'unchanged', id: 1, alias: 'same', before: '–', after: '–' },
			note: 'Nothing to change',
		},
		{
			...{ outcome: 'disabled', id: 4, alias: 'gone', note: 'In no row' },
			...{ before: 'Disabled: false', after: 'Disabled: true' },
		},
	]);
	expect(linksOfItems(result)).toEqual([...items.map((_, item) => ({ item })), undefined]);
	expect(JSON.stringify(result.outputs)).not.toMatch(/secret/);
	expect(writes()).toEqual([]);
	expect(hintsOf(result)).toMatch(/^Dry run: nothing was written\. 4 items would be: /m);
	expect(hintsOf(result)).toMatch(
		/1 created, 2 updated, 1 unchanged; 1 link that is no longer in the rows would be disabled/,
	);

	// What was planned is what a run does.
	expect(outcomesOf(await sync(items, { options }))).toEqual(outcomesOf(result));
	expect(writes()).toHaveLength(4);
	const [, , created] = writes().find(([method]) => method === 'POST') ?? [];
	expect(created).not.toHaveProperty('expiration_clicks');
});

it('a scope is a domain, a space and a beginning together, and gives its rows what they leave out', async () => {
	await made([
		row('spring-b', { spaceId: 1 }),
		...['spring-a', 'summer-a', 'Spring-c', 'late-spring-d'].map((one) => row(one, { spaceId: 2 })),
	]);
	await made([row('spring-e', { spaceId: 2 })], 2);
	const syncScope = { domainId: byId(1), spaceId: byId('2'), aliasStartsWith: 'spring-' };
	const result = await sync(rows('spring-x'), { syncScope, unmatchedLinks: 'delete' });
	expect(jsonOf(result)).toMatchObject([
		{ alias: 'spring-x', domain: 'short.example', space: 'Support', outcome: 'created' },
		{ alias: 'spring-a', outcome: 'deleted' },
	]);
	expect(await held()).toEqual([
		...['spring-b', 'summer-a', 'Spring-c', 'late-spring-d', 'spring-e', 'spring-x'],
	]);
	const [list] = current().requests;
	expect(Object.fromEntries(new URLSearchParams(list?.query))).toMatchObject({
		...{ domain_id: '1', space_id: '2', search: 'spring-', search_by: 'alias' },
	});
	await expectNothingLeft(
		async () => await sync(rows('spring-x'), { syncScope, unmatchedLinks: 'delete' }),
	);
});

it('links of one alias in two domains that both have rows count as no removals', async () => {
	await made(rows('spring-a'));
	await made(rows('spring-a', 'spring-b'), 2);
	const items = [1, 2].map((domain) => row('spring-a', { domain }));
	const scope = { syncScope: { aliasStartsWith: 'spring-' }, options: { maxRemovals: 1 } };
	expect(toldOf(await sync(items, { ...scope, unmatchedLinks: 'delete' }))).toEqual([
		...['spring-a unchanged', 'spring-a unchanged', 'spring-b deleted'],
	]);
});

describe('pixels of a scope', () => {
	const names = async () => {
		const parameters = { returnAll: true, sorting: { sort: 'asc' } };
		const found = jsonOf(await pixel('getAll', { parameters }));
		return found.map(({ name, type }) => `${String(name)} ${String(type)}`);
	};

	beforeEach(async () => {
		const parameters = { options: { concurrency: 1 } };
		const items = ['100_a bing', '100%b bing', '100xc bing', 'other quora'].map((text) => {
			const [name = '', type = ''] = text.split(' ');
			return { name, type, value: 'v' };
		});
		await sheetOn(pixel)('create', items, { parameters });
		current().requests.length = 0;
	});

	it('are kept unless told, and take the type of the scope', async () => {
		const result = await syncPixels([{ name: 'new', value: 'v' }], { syncScope: { type: 'bing' } });
		expect(outcomesOf(result)).toEqual(['created']);
		expect(await names()).toEqual([
			...['100_a bing', '100%b bing', '100xc bing', 'other quora', 'new bing'],
		]);
	});

	it('are deleted where Unmatched Pixels says so, and cannot be switched off', async () => {
		const items = [{ name: '100%b', value: 'changed' }];
		const syncScope = { type: 'bing', nameStartsWith: '100' };
		const refused = await syncPixels(items, { syncScope, unmatchedPixels: 'disable' });
		expect(refused.error?.message).toMatch(
			/^Unmatched Pixels "disable" is not one of the allowed values/,
		);
		expect(current().requests).toEqual([]);
		const settings = { syncScope, unmatchedPixels: 'delete' };
		expect(toldOf(await syncPixels(items, settings))).toEqual([
			...['100%b updated', '100xc deleted', '100_a deleted'],
		]);
		expect(await names()).toEqual(['100%b bing', 'other quora']);
		await expectNothingLeft(async () => await syncPixels(items, settings));
	});
});
