import type { IDataObject } from 'n8n-workflow';
import { accountOf, hintsOf, outcomesOf, writesIn } from '../../support/account.ts';
import { linkAs, useScriptedService } from '../../support/scriptedService.ts';
import { byId, jsonOf, pairsOf, useService, type Run } from '../../support/service.ts';

const url = (name: string) => `https://example.com/${name}`;

const to = (...names: string[]): IDataObject[] => names.map((name) => ({ url: url(name) }));

const parametersOf = (options: IDataObject, domain: number | string = 1) => ({
	mappingColumnMode: 'autoMapInputData',
	domainId: byId(domain),
	options: { concurrency: 1, mapPasswords: true, ...options } as never,
});

describe('Reuse Existing', () => {
	const { current, link } = useService();

	const create = async (items: IDataObject[], options: IDataObject = {}, run: Run = {}) =>
		await link('create', { items, ...run, parameters: parametersOf(options) });

	const reuse = async (items: IDataObject[], options: IDataObject = {}, run: Run = {}) =>
		await create(items, { reuseExisting: true, ...options }, run);

	/** Makes links in the order of the rows, with IDs from 1, and forgets that it did. */
	async function made(...items: IDataObject[]): Promise<void> {
		expect((await create(items)).error).toBeUndefined();
		current().requests.length = 0;
	}

	const created = () => writesIn(current().requests).length;

	it('returns the oldest of several, and makes one where there is none', async () => {
		await made(...to('a', 'b', 'a', 'a'));
		const result = await reuse(to('a', 'new'));
		expect(jsonOf(result)).toMatchObject([
			{ id: 1, url: url('a'), outcome: 'existing' },
			{ id: 5, url: url('new'), outcome: 'created' },
		]);
		expect(pairsOf(result)).toEqual([{ item: 0 }, { item: 1 }]);
		expect(hintsOf(result)).toMatch(/^2 items: 1 created, 1 existing\.$/m);
		expect(created()).toBe(1);
		// The next run makes nothing.
		expect(outcomesOf(await reuse(to('a', 'new')))).toEqual(['existing', 'existing']);
		expect(created()).toBe(1);
	});

	it.each<[string, IDataObject, IDataObject]>([
		['is disabled', { disabled: true }, {}],
		['has expired', { expirationDate: '2020-01-01', expirationTime: '00:00' }, {}],
		['leads to the same address in other letters', { url: url('A') }, {}],
		['leads to a part of it', { url: url('a?x=1') }, {}],
		['has another alias', { alias: 'other' }, { alias: 'mine' }],
		['has its alias in other letters', { alias: 'Mine' }, { alias: 'mine' }],
		['lies in another space', { spaceId: 1 }, { spaceId: 2 }],
		['lies in no space', {}, { spaceId: 2 }],
		['has another privacy', { privacy: 1 }, { privacy: 0 }],
		['has another expiry', { expirationClicks: 5 }, { expirationClicks: 6 }],
		['has a password, which nobody can compare', { password: 'one' }, { password: 'one' }],
		['is to be switched off', {}, { disabled: true }],
	])('a link that %s is no match', async (_name, held, wanted) => {
		await made({ url: url('a'), ...held });
		const result = await reuse([{ url: url('a'), ...wanted }]);
		expect(jsonOf(result)).toMatchObject([{ id: 2, outcome: 'created' }]);
	});

	it('nor is one of another domain', async () => {
		const [item = {}] = to('a');
		await link('create', { items: [item], parameters: parametersOf({}, 2) });
		expect(outcomesOf(await reuse([item]))).toEqual(['created']);
		expect(current().counts().links).toBe(2);
	});

	it.each<[string, IDataObject]>([
		['its alias', { alias: 'mine' }],
		['its space', { spaceId: 2 }],
		['its state', { disabled: false, privacy: 0 }],
		['an expiry', { expirationDate: '2040-02-29', expirationTime: '12:30', expirationClicks: 9 }],
		['nothing of what the link has beside', {}],
	])('a link that agrees in all that the row says is one: %s', async (_name, wanted) => {
		await made({
			url: url('a'),
			alias: 'mine',
			spaceId: 2,
			expirationClicks: 9,
			expirationDate: '2040-02-29',
			expirationTime: '12:30',
		});
		expect(jsonOf(await reuse([{ url: url('a'), ...wanted }]))).toMatchObject([
			{ id: 1, outcome: 'existing' },
		]);
		expect(created()).toBe(0);
	});

	it.each([1, 5])(
		'repeats within the sheet count too, with Concurrency %d',
		async (concurrency) => {
			const more = { password: 'secret', expirationClicks: 3 };
			const items = [...to('a', 'b', 'a'), { url: url('a'), alias: 'own' }, ...to('a')];
			items.push({ url: url('c'), ...more }, { url: url('c'), ...more });
			const result = await reuse(items, { concurrency });
			expect(result.error).toBeUndefined();
			expect(outcomesOf(result)).toEqual([
				...['created', 'created', 'existing', 'created', 'existing', 'created', 'existing'],
			]);
			const ids = jsonOf(result).map(({ id }) => id);
			expect([ids[2], ids[4], ids[6]]).toEqual([ids[0], ids[0], ids[5]]);
			expect(current().counts().links).toBe(4);
		},
	);

	it('many rows read the list once, few look up', async () => {
		const names = Array.from({ length: 220 }, (_, index) => `page-${1000 + index}`);
		await made(...to(...names));
		await reuse(to(...names, 'new'));
		const reads = current().requests.filter(({ method }) => method === 'GET');
		expect(reads.length).toBeLessThanOrEqual(4);
		expect(created()).toBe(1);

		current().requests.length = 0;
		await reuse(to('page-1000', 'page-1001'));
		const searches = current().requests.map(({ query }) =>
			Object.fromEntries(new URLSearchParams(query)),
		);
		expect(searches).toMatchObject([
			{ search: url('page-1000'), search_by: 'url' },
			{ search: url('page-1001'), search_by: 'url' },
		]);
	});

	it('a row may use what an earlier one with more values has made', async () => {
		const items = [{ url: url('a'), spaceId: 2, expirationClicks: 5 }, ...to('b', 'c', 'a')];
		const result = await reuse(items);
		expect(outcomesOf(result)).toEqual(['created', 'created', 'created', 'existing']);
		expect(jsonOf(result)[3]?.id).toBe(jsonOf(result)[0]?.id);
	});

	it('executions at once that look up share one link', async () => {
		const results = await Promise.all(Array.from({ length: 8 }, async () => await reuse(to('a'))));
		const outcomes = results.flatMap(outcomesOf).toSorted();
		expect(outcomes).toEqual(['created', ...new Array(7).fill('existing')]);
		expect(current().counts().links).toBe(1);
	});

	it('executions at once that read the list share links, whichever of them is first', async () => {
		const items = to(...Array.from({ length: 20 }, (_, index) => `many-${index}`));
		const runs = Array.from({ length: 3 }, async () => await reuse(items, { concurrency: 5 }));
		const outcomes = (await Promise.all(runs)).flatMap(outcomesOf).toSorted();
		expect(outcomes).toEqual([...new Array(20).fill('created'), ...new Array(40).fill('existing')]);
		expect(current().counts().links).toBe(20);
	});

	it('rows without the option ask for nothing', async () => {
		await made(...to('a', 'b', 'c'));
		const result = await create(to('a', 'b', 'c'), { reuseExisting: false });
		expect(current().requests.map(({ method }) => method)).toEqual(['POST', 'POST', 'POST']);
		expect(jsonOf(result)[0]).not.toHaveProperty('outcome');
	});

	it('an alias that the node makes up is none that was given', async () => {
		await made({ url: url('a'), alias: 'mine' });
		expect(outcomesOf(await reuse(to('a', 'a'), { generateAlias: 8 }))).toEqual([
			'existing',
			'existing',
		]);
	});

	it('of two rows that want the same alias with other values, the second one is refused', async () => {
		const items = [
			{ url: url('first'), alias: 'same' },
			{ url: url('second'), alias: 'same' },
		];
		const result = await reuse(items, { concurrency: 5 }, { onError: 'continueRegularOutput' });
		expect(jsonOf(result)).toMatchObject([
			{ url: url('first'), outcome: 'created' },
			{ error: expect.stringMatching(/^Item 2 \(same\): Alias has the same value as item 1, /) },
		]);
		expect(created()).toBe(1);
	});

	it('a create whose answer was lost is found, and what was not given is not compared', async () => {
		current().set({
			faults: [{ on: { method: 'POST' }, times: 1, effect: { kind: 'drop', when: 'after' } }],
		});
		const items = [{ url: url('a'), alias: 'a' }];
		expect(outcomesOf(await reuse(items))).toEqual(['created']);
		expect(outcomesOf(await reuse(to('a')))).toEqual(['existing']);
		expect(current().counts().links).toBe(1);
	});

	it('writes nothing in a Dry Run, and tells what would be', async () => {
		await made(...to('a', 'b', 'c', 'd'));
		const result = await reuse(to('a', 'b', 'c', 'd', 'e'), { dryRun: true });
		expect(result.error).toBeUndefined();
		expect(created()).toBe(0);
		expect(hintsOf(result)).toMatch(/A run would take about 2 requests/);
	});
});

describe('Reuse Existing of an odd service', () => {
	const { current, link } = useScriptedService();
	const domain = { id: 1, name: 'short.example' };

	const reuse = async (items: IDataObject[]) =>
		await link('create', { items, parameters: parametersOf({ reuseExisting: true }) });

	it('checks again what the list was filtered by', async () => {
		const links = [
			linkAs({ id: 9, url: url('a'), domain: { id: 2, name: 'go.example' } }),
			linkAs({ id: 8, url: url('a-longer'), domain }),
			linkAs({ id: 7, url: url('a'), domain: undefined }),
		];
		current().follow(accountOf(links, { find: (_query, all) => [...all] }));
		expect(jsonOf(await reuse(to('a')))).toMatchObject([{ id: 10, outcome: 'created' }]);
	});

	it('asks for addresses as they are written, where case counts in a search', async () => {
		const names = Array.from({ length: 12 }, (_, index) => `Promo/${index}`);
		const links = names.map((name, index) => linkAs({ id: index + 1, url: url(name), domain }));
		const others = Array.from({ length: 1300 }, (_, index) =>
			linkAs({ id: 1000 + index, url: `https://other.example/${index}`, domain }),
		);
		current().follow(
			accountOf([...links, ...others], {
				find: ({ search = '' }, all) => all.filter((one) => String(one.url).includes(search)),
			}),
		);
		expect(outcomesOf(await reuse(to(...names)))).toEqual(names.map(() => 'existing'));
		expect(writesIn(current().requests)).toEqual([]);
	});

	it('knows IDs that are texts, of which the lowest is the oldest', async () => {
		const links = ['10', '9', '11'].map((id) => linkAs({ id, url: url('a'), domain }));
		current().follow(accountOf(links));
		expect(jsonOf(await reuse(to('a')))).toMatchObject([{ id: 9, outcome: 'existing' }]);
	});

	it('returns one also where IDs are no numbers', async () => {
		const links = ['x9f', 'b2c'].map((id) => linkAs({ id, url: url('a'), domain }));
		current().follow(accountOf(links));
		expect(outcomesOf(await reuse(to('a')))).toEqual(['existing']);
		expect(writesIn(current().requests)).toEqual([]);
	});
});
