import type { IDataObject } from 'n8n-workflow';
import { hintsOf, linksOfItems, outcomesOf, row, rows, writesIn } from '../../support/account.ts';
import { byId, jsonOf, useService, type Run } from '../../support/service.ts';

const { current, link, pixel } = useService();

type Row = IDataObject;

/** What a test says of a sync, beside its rows. */
interface Settings {
	syncScope?: IDataObject;
	unmatched?: string;
	options?: IDataObject;
	run?: Run;
}

const noLimits = { maxRemovals: 1000, maxRemovalPercentage: 100 };

const parametersOf = (
	{ syncScope = { domainId: byId(1) }, unmatched, options, run }: Settings,
	resource = 'Links',
) => ({
	mappingColumnMode: 'autoMapInputData',
	syncScope: syncScope as never,
	...(unmatched === undefined ? {} : { [`unmatched${resource}`]: unmatched }),
	options: { ...noLimits, ...options } as never,
	...run?.parameters,
});

const sync = async (items: Row[], settings: Settings = {}) =>
	await link('sync', { items, ...settings.run, parameters: parametersOf(settings) });

const syncPixels = async (items: Row[], settings: Settings) =>
	await pixel('sync', { items, parameters: parametersOf(settings, 'Pixels') });

/** Makes links as they are given, one after another, and forgets that it did. */
async function made(items: Row[], domain = 1): Promise<number[]> {
	const parameters = {
		mappingColumnMode: 'autoMapInputData',
		domainId: byId(domain),
		options: { concurrency: 1, mapPasswords: true },
	};
	const result = await link('create', { items, parameters });
	expect(result.error).toBeUndefined();
	current().requests.length = 0;
	return jsonOf(result).map(({ id }) => Number(id));
}

/** All links, oldest first, in the fields that these tests look at. */
async function held(...fields: string[]): Promise<unknown[]> {
	const asked = ['alias', ...fields];
	const parameters = {
		returnAll: true,
		sorting: { sort: 'asc' },
		output: 'selectedFields',
		outputFields: asked,
	};
	const result = await link('getAll', { parameters });
	return jsonOf(result).map((one) =>
		asked.length === 1 ? one.alias : asked.map((field) => one[field]),
	);
}

const writes = () => writesIn(current().requests);

/** Runs the same once more, and expects that nothing is written. */
async function expectNothingLeft(again: () => Promise<unknown>): Promise<void> {
	current().requests.length = 0;
	await again();
	expect(writes()).toEqual([]);
}

describe('links of a scope', () => {
	it('are created, changed and switched off, and a second run changes nothing', async () => {
		await made(rows('stays', 'moves', 'goes-1', 'goes-2'));
		const foreign = await made(rows('goes-1', 'other'), 2);
		const items = [
			row('new-1'),
			row('moves', { url: 'https://example.com/elsewhere' }),
			row('stays'),
			row('new-2'),
		];
		const result = await sync(items);
		expect(result.error).toBeUndefined();
		expect(jsonOf(result).map(({ alias, outcome }) => [alias, outcome])).toEqual([
			['new-1', 'created'],
			['moves', 'updated'],
			['stays', 'unchanged'],
			['new-2', 'created'],
			['goes-2', 'disabled'],
			['goes-1', 'disabled'],
		]);
		// What is in no row belongs to no row.
		expect(linksOfItems(result)).toEqual([
			...items.map((_, item) => ({ item })),
			undefined,
			undefined,
		]);
		expect(jsonOf(result).at(-1)).toMatchObject({ status: 'disabled', domain: 'short.example' });
		expect(hintsOf(result)).toMatch(
			/^4 items: 2 created, 1 updated, 1 unchanged; 2 links that are no longer in the rows were disabled\.$/m,
		);
		expect(await held('domainId', 'disabled', 'url')).toEqual([
			['stays', 1, false, 'https://example.com/stays'],
			['moves', 1, false, 'https://example.com/elsewhere'],
			['goes-1', 1, true, 'https://example.com/goes-1'],
			['goes-2', 1, true, 'https://example.com/goes-2'],
			['goes-1', 2, false, 'https://example.com/goes-1'],
			['other', 2, false, 'https://example.com/other'],
			...[expect.arrayContaining(['new-1', 1]), expect.arrayContaining(['new-2', 1])],
		]);
		expect(foreign).toHaveLength(2);
		await expectNothingLeft(async () => {
			expect(outcomesOf(await sync(items))).toEqual(items.map(() => 'unchanged'));
		});
	});

	it.each([
		['keep', ['a', 'b', 'c'], ['unchanged', 'created']],
		['delete', ['a', 'c'], ['unchanged', 'created', 'deleted']],
	])(
		'that are in no row are treated as Unmatched Links says: %s',
		async (unmatched, left, outcomes) => {
			await made(rows('a', 'b'));
			const result = await sync(rows('a', 'c'), { unmatched });
			expect(outcomesOf(result)).toEqual(outcomes);
			expect(await held()).toEqual(left);
			// Only Disable writes what a row does not say.
			expect(writes()[0]?.[2]).not.toHaveProperty('disabled');
			await expectNothingLeft(async () => await sync(rows('a', 'c'), { unmatched }));
		},
	);

	it('come back with their rows, unless a row says otherwise', async () => {
		await made(rows('a', 'b', 'c'));
		await sync(rows('a'));
		expect(await held('disabled')).toEqual([
			['a', false],
			['b', true],
			['c', true],
		]);
		const items = [row('a', { disabled: 'true' }), row('b'), row('c', { disabled: '' })];
		const result = await sync(items);
		expect(outcomesOf(result)).toEqual(['updated', 'updated', 'updated']);
		expect(await held('disabled')).toEqual([
			['a', true],
			['b', false],
			['c', false],
		]);
		await expectNothingLeft(async () => await sync(items));
	});

	it('keep what the sheet says nothing of, and follow Empty Values where a cell is empty', async () => {
		const kept = { expirationClicks: 5, expirationUrl: 'https://example.com/over' };
		await made([row('a', kept), row('b', kept)]);
		const items = [row('a', { expirationClicks: '' }), row('b', { expirationClicks: 7 })];
		expect(outcomesOf(await sync(items))).toEqual(['unchanged', 'updated']);
		expect(await held('expirationClicks', 'expirationUrl')).toEqual([
			['a', 5, 'https://example.com/over'],
			['b', 7, 'https://example.com/over'],
		]);
		const clears = { options: { emptyValues: 'clear' } };
		expect(outcomesOf(await sync(items, clears))).toEqual(['updated', 'unchanged']);
		expect(await held('expirationClicks')).toEqual([
			['a', null],
			['b', 7],
		]);
		await expectNothingLeft(async () => await sync(items, clears));
	});

	it('Empty Values leaves to the run what the run gives', async () => {
		await made(rows('a'));
		const items = [
			row('a', { domainId: '', spaceId: '', disabled: '' }),
			row('b', { domainId: '', spaceId: '', disabled: '' }),
		];
		const result = await sync(items, { options: { emptyValues: 'clear' } });
		expect(result.error?.message).toBeUndefined();
		expect(outcomesOf(result)).toEqual(['unchanged', 'created']);
	});

	it('two executions at once end in the same state', async () => {
		await made(rows('a', 'gone-1', 'gone-2'));
		const items = [...rows('a', 'b', 'c'), row('d', { disabled: true })];
		const settings = { unmatched: 'delete' };
		const results = await Promise.all([sync(items, settings), sync(items, settings)]);
		expect(results.map(({ error }) => error)).toEqual([undefined, undefined]);
		expect((await held()).toSorted()).toEqual(['a', 'b', 'c', 'd']);
		const removed = results.flatMap(outcomesOf).filter((one) => one === 'deleted');
		expect(removed.length).toBeGreaterThanOrEqual(2);
		await expectNothingLeft(async () => await sync(items, settings));
	});

	it('a sheet of 300 rows costs its list and its changes', async () => {
		const items = Array.from({ length: 300 }, (_, index) => row(`row-${1000 + index}`));
		await sync(items, { options: { concurrency: 20 } });
		current().requests.length = 0;
		const next = [
			...items
				.slice(0, 290)
				.map((one, index) => (index < 3 ? { ...one, url: 'https://example.com/new' } : one)),
			row('row-2000'),
		];
		const result = await sync(next, { options: { concurrency: 20 } });
		expect(hintsOf(result)).toMatch(
			/^291 items: 1 created, 3 updated, 287 unchanged; 10 links that are no longer in the rows were disabled\.$/m,
		);
		expect(current().requests).toHaveLength(3 + 3 + 1 + 10);
	});
});

const mask = '••••••';

it('a Dry Run shows a row for each create, update, removal and unchanged one, and writes nothing', async () => {
	await made([
		row('same'),
		row('moves', { expirationClicks: 5, disabled: true }),
		row('locked', { password: 'old-secret' }),
		row('gone'),
	]);
	const items = [
		row('new', { password: 'secret-1', country: '' }),
		row('moves', { url: 'https://example.com/elsewhere', expirationClicks: '' }),
		row('locked', { password: 'secret-2' }),
		row('same'),
	];
	const options = { emptyValues: 'clear', mapPasswords: true };
	const result = await sync(items, { options: { ...options, dryRun: true } });
	expect(result.error).toBeUndefined();
	const url = (alias: string) => `https://example.com/${alias}`;
	expect(jsonOf(result)).toEqual([
		{
			outcome: 'created',
			id: null,
			alias: 'new',
			before: '–',
			after: [
				`Destination URL: ${url('new')}`,
				'Domain: 1; Alias: new; Disabled: false',
				`Password: ${mask}`,
			].join('; '),
			note: 'New',
		},
		{
			outcome: 'updated',
			id: 2,
			alias: 'moves',
			before: `Destination URL: ${url('moves')}; Disabled: true; Expiration Clicks: 5`,
			after: `Destination URL: ${url('elsewhere')}; Disabled: false; Expiration Clicks: (empty)`,
			note: 'Changes 3 fields',
		},
		{
			outcome: 'updated',
			id: 3,
			alias: 'locked',
			before: `Password: ${mask}`,
			after: `Password: ${mask}`,
			note: 'The password is sent each time, because the service does not return it',
		},
		{
			outcome: 'unchanged',
			id: 1,
			alias: 'same',
			before: '–',
			after: '–',
			note: 'Nothing to change',
		},
		{
			outcome: 'disabled',
			id: 4,
			alias: 'gone',
			before: 'Disabled: false',
			after: 'Disabled: true',
			note: 'In no row',
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
	const planned = outcomesOf(result);
	expect(outcomesOf(await sync(items, { options }))).toEqual(planned);
	const { length } = writes();
	expect(length).toBe(4);
});

describe('the scope', () => {
	it('is a domain, a space and a beginning together, and gives its rows what they leave out', async () => {
		await made([
			row('spring-a', { spaceId: 2 }),
			row('spring-b', { spaceId: 1 }),
			row('summer-a', { spaceId: 2 }),
			row('Spring-c', { spaceId: 2 }),
			row('late-spring-d', { spaceId: 2 }),
		]);
		await made([row('spring-e', { spaceId: 2 })], 2);
		const syncScope = { domainId: byId(1), spaceId: byId('2'), aliasStartsWith: 'spring-' };
		const result = await sync(rows('spring-x'), { syncScope, unmatched: 'delete' });
		expect(jsonOf(result)).toMatchObject([
			{ alias: 'spring-x', domain: 'short.example', space: 'Support', outcome: 'created' },
			{ alias: 'spring-a', outcome: 'deleted' },
		]);
		expect(await held()).toEqual([
			...['spring-b', 'summer-a', 'Spring-c', 'late-spring-d', 'spring-e', 'spring-x'],
		]);
		const [list] = current().requests;
		expect(Object.fromEntries(new URLSearchParams(list?.query))).toMatchObject({
			domain_id: '1',
			space_id: '2',
			search: 'spring-',
			search_by: 'alias',
		});
		await expectNothingLeft(
			async () => await sync(rows('spring-x'), { syncScope, unmatched: 'delete' }),
		);
	});

	it('a space alone holds links of several domains', async () => {
		await made([row('a', { spaceId: 1 }), row('b', { spaceId: 1 })]);
		await made([row('a', { spaceId: 1 }), row('z')], 2);
		const items = [row('a', { domainId: 1 }), row('c', { domainId: 2 })];
		const result = await sync(items, { syncScope: { spaceId: byId(1) }, unmatched: 'delete' });
		expect(jsonOf(result).map(({ alias, domain, outcome }) => [alias, domain, outcome])).toEqual([
			['a', 'short.example', 'unchanged'],
			['c', 'go.example', 'created'],
			['a', 'go.example', 'deleted'],
			['b', 'short.example', 'deleted'],
		]);
		expect(await held('spaceId')).toEqual([
			['a', 1],
			['z', null],
			['c', 1],
		]);
	});

	it('aliases that differ in case are different links, but none of them is taken for one of the others', async () => {
		await made(rows('Sale', 'other'));
		const result = await sync(rows('sale', 'other'), { unmatched: 'delete' });
		expect(outcomesOf(result)).toEqual(['created', 'unchanged']);
		expect(await held()).toEqual(['Sale', 'other', 'sale']);
	});
});

describe('pixels of a scope', () => {
	const pixelRow = (name: string, more: Row = {}): Row => ({ name, value: `v-${name}`, ...more });

	const names = async () =>
		jsonOf(
			await pixel('getAll', { parameters: { returnAll: true, sorting: { sort: 'asc' } } }),
		).map(({ name, type }) => [name, type]);

	const before = [
		pixelRow('100_a', { type: 'bing' }),
		pixelRow('100%b', { type: 'bing' }),
		pixelRow('100xc', { type: 'bing' }),
		pixelRow('other', { type: 'quora' }),
	].map((one) => ({ ...one, value: 'v' }));

	beforeEach(async () => {
		const parameters = { mappingColumnMode: 'autoMapInputData', options: { concurrency: 1 } };
		await pixel('create', { items: before, parameters });
		current().requests.length = 0;
	});

	it('are kept unless told, and take the type of the scope', async () => {
		const items = [{ name: 'new', value: 'v' }];
		const result = await syncPixels(items, { syncScope: { type: 'bing' } });
		expect(outcomesOf(result)).toEqual(['created']);
		expect(await names()).toEqual([
			['100_a', 'bing'],
			['100%b', 'bing'],
			['100xc', 'bing'],
			['other', 'quora'],
			['new', 'bing'],
		]);
	});

	it('are deleted where Unmatched Pixels says so', async () => {
		const items = [{ name: '100%b', value: 'changed' }];
		const settings = { syncScope: { type: 'bing', nameStartsWith: '100' }, unmatched: 'delete' };
		const result = await syncPixels(items, settings);
		expect(jsonOf(result).map(({ name, outcome }) => [name, outcome])).toEqual([
			['100%b', 'updated'],
			['100xc', 'deleted'],
			['100_a', 'deleted'],
		]);
		expect(await names()).toEqual([
			['100%b', 'bing'],
			['other', 'quora'],
		]);
		await expectNothingLeft(async () => await syncPixels(items, settings));
	});

	it('have nothing that could be switched off', async () => {
		const result = await syncPixels([pixelRow('x')], {
			syncScope: { type: 'bing' },
			unmatched: 'disable',
		});
		expect(result.error?.message).toMatch(
			/^Unmatched Pixels "disable" is not one of the allowed values/,
		);
		expect(current().requests).toEqual([]);
	});
});
