import type { IDataObject } from 'n8n-workflow';
import { accountOf, hintsOf, outcomesOf, writesIn } from '../../support/account.ts';
import { linkAs, useScriptedService } from '../../support/scriptedService.ts';
import { jsonOf } from '../../support/service.ts';
import { mapped, rowsOf } from '../../support/numberedRows.ts';

describe('what the list cannot tell is looked up', () => {
	const { current, link } = useScriptedService();

	const domain = { id: 1, name: 'short.example' };

	/** An account with so many links like the rows. */
	const linksOf = (count: number): IDataObject[] =>
		rowsOf(count)
			.map((row, index) => linkAs({ ...row, id: index + 1, domain }))
			.toReversed();

	const upsert = async (items: IDataObject[], options: IDataObject = {}, more = {}) =>
		await link('upsert', { items, parameters: mapped(1, options), ...more });

	const isSearch = ({ method, query }: { method: string; query: Record<string, string> }) =>
		method === 'GET' && query.search?.length === 'row-1000'.length;

	it.each([
		['422', { status: 422, body: { message: { alias: ['Taken.'] }, status: 422 } }],
		['422 of the framework', { status: 422, body: { message: 'No', errors: { alias: ['No'] } } }],
		['409', { status: 409, body: { message: 'Conflict' } }],
	])(
		'a link that was made after the list was read, refused as taken with %s',
		async (_, refusal) => {
			const links = linksOf(5);
			const late = linkAs({ id: 77, alias: 'row-1005', url: 'https://example.com/early', domain });
			current().follow(
				accountOf(links, {
					before: ({ method }) => {
						if (method !== 'POST') return undefined;
						links.unshift(late);
						return refusal;
					},
				}),
			);
			expect(outcomesOf(await upsert(rowsOf(6)))).toEqual([
				...new Array(5).fill('unchanged'),
				'updated',
			]);
			expect(writesIn(current().requests).slice(1)).toEqual([
				['PUT', '77', { url: 'https://example.com/1005' }],
			]);
		},
	);

	it('but not where the service refuses something else, or where nothing is found', async () => {
		const refuse = (field: string) => ({
			status: 422,
			body: { message: { [field]: ['The service says no.'] }, status: 422 },
		});
		current().follow(
			accountOf(linksOf(5), {
				before: ({ method }) => (method === 'POST' ? refuse('url') : undefined),
			}),
		);
		const result = await upsert(rowsOf(6));
		expect(result.error?.message).toMatch(
			/^Item 6 \(row-1005\): .*Destination URL: The service says no/,
		);
		expect(current().requests.filter(isSearch)).toEqual([]);

		current().follow(
			accountOf(linksOf(5), {
				before: ({ method }) => (method === 'POST' ? refuse('alias') : undefined),
			}),
		);
		expect((await upsert(rowsOf(6))).error?.message).toMatch(
			/^Item 6 \(row-1005\): .*Alias: The service says/,
		);
		expect(writesIn(current().requests)).toHaveLength(1);
	});

	it('a link that is gone is created, and one that came back under another ID is updated', async () => {
		const links = linksOf(6);
		current().follow(
			accountOf(links, {
				before: ({ method, path }) => {
					if (method !== 'PUT' || !['/links/2', '/links/5'].includes(path)) return undefined;
					const at = links.findIndex(({ id }) => `/links/${String(id)}` === path);
					const [gone] = links.splice(at, at < 0 ? 0 : 1);
					if (path === '/links/5') links.unshift({ ...gone, id: 55 });
					return undefined;
				},
			}),
		);
		const items = rowsOf(6).map((row, index) =>
			index === 1 || index === 4 ? { ...row, url: 'https://example.com/new' } : row,
		);
		expect(outcomesOf(await upsert(items))).toEqual([
			'unchanged',
			'created',
			'unchanged',
			'unchanged',
			'updated',
			'unchanged',
		]);
		expect(links.filter(({ url }) => url === 'https://example.com/new')).toMatchObject([
			{ id: 56, alias: 'row-1001' },
			{ id: 55, alias: 'row-1004' },
		]);
		expect(links).toHaveLength(6);
	});

	it('an update that finds nothing again and again ends', async () => {
		const gone = { status: 404, body: { message: 'Resource not found.', status: 404 } };
		current().follow(
			accountOf(linksOf(5), { before: ({ method }) => (method === 'PUT' ? gone : undefined) }),
		);
		const [first = {}, ...others] = rowsOf(5);
		const result = await upsert([{ ...first, url: 'https://example.com/new' }, ...others]);
		expect(result.error?.message).toBe('Item 1 (row-1000): No link has the ID 1');
		expect(writesIn(current().requests)).toHaveLength(2);
	});

	it('a link that the list holds twice is one, and two of the same alias are for a person to decide', async () => {
		const links = linksOf(120);
		// What is created while the list is read pushes the last entry of a page onto the next one.
		const pushed = (query: Record<string, string>, all: readonly IDataObject[]) =>
			query.search
				? all.filter(({ alias }) => alias === query.search)
				: [...all.slice(0, 100), ...all.slice(99)];
		current().follow(accountOf(links, { find: pushed }));
		const items = rowsOf(120);
		expect(hintsOf(await upsert(items))).toMatch(/120 items: 120 unchanged/);
		expect(writesIn(current().requests)).toEqual([]);

		const double = linkAs({ id: 500, alias: 'row-1003', url: 'https://example.com/other', domain });
		current().follow(accountOf([double, ...linksOf(10)]));
		const result = await upsert(rowsOf(10), {}, { onError: 'continueRegularOutput' });
		expect(outcomesOf(result).filter((outcome) => outcome === 'unchanged')).toHaveLength(9);
		expect(jsonOf(result)[3]?.error).toMatch(
			/^Item 4 \(row-1003\): Alias "row-1003" matches 2 links \(row-1003 \(ID 500\) on short\.example, row-1003 \(ID 4\) on short\.example\)/,
		);
		expect(writesIn(current().requests)).toEqual([]);

		// It was there twice when the list was read, and no longer is.
		const once = [double, ...linksOf(10)];
		current().follow(
			accountOf(once, {
				before: (request) => {
					if (isSearch(request)) once.splice(0, once[0] === double ? 1 : 0);
					return undefined;
				},
			}),
		);
		expect(outcomesOf(await upsert(rowsOf(10)))).toEqual(new Array(10).fill('unchanged'));
	});

	it('a list that shrinks each time it is read', async () => {
		const links = linksOf(400);
		const isPage = (query: Record<string, string>) => query.search === undefined;
		current().follow(
			accountOf(links, {
				before: ({ method, query }) => {
					// Somebody deletes old links all the time, of which none is a row's.
					if (method === 'GET' && isPage(query) && query.page !== '1') links.pop();
					return undefined;
				},
			}),
		);
		// The last one shares no beginning with the others, so that no search narrows the list.
		const items = [...rowsOf(20, 1380), { alias: 'x', url: 'https://example.com/' }];
		const result = await upsert(items, { concurrency: 3 });
		expect(outcomesOf(result)).toEqual([...new Array(20).fill('unchanged'), 'created']);
		expect(current().requests.filter(isSearch)).toHaveLength(20);
		expect(current().requests.length).toBeLessThanOrEqual(3 * 4 + 20 + 3);
	});

	it('a service that ignores its filters, or how many a page shall have', async () => {
		const foreign = linkAs({ ...rowsOf(1)[0], id: 900, domain: { id: 2, name: 'go.example' } });
		const links = [foreign, ...linksOf(40).filter(({ alias }) => alias !== 'row-1000')];
		current().follow(accountOf(links, { find: (_query, all) => [...all], pageSize: () => 15 }));
		const items = rowsOf(40).map((row) => ({ ...row, url: 'https://example.com/new' }));
		const result = await upsert(items);
		expect(outcomesOf(result)).toEqual(['created', ...new Array(39).fill('updated')]);
		const reads = current().requests.filter(({ method }) => method === 'GET');
		expect(reads.length).toBeLessThanOrEqual(4);
		expect(links.at(-41)).toMatchObject({ alias: 'row-1000', url: 'https://example.com/new' });
		expect(foreign.url).toBe('https://example.com/1000');
	});

	it('aliases that differ in case are two where the service says so, and one where it does not', async () => {
		const links = linksOf(5);
		current().follow(accountOf(links));
		const items = rowsOf(5).map((row, index) =>
			index === 2 ? { ...row, alias: 'ROW-1002' } : row,
		);
		expect(outcomesOf(await upsert(items))[2]).toBe('created');
		expect(links.map(({ alias }) => alias)).toContain('ROW-1002');

		// A service that stores aliases without regard to case has the row already.
		const folded = linksOf(5);
		const isSameAlias = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
		current().follow(accountOf(folded, { isSameAlias }));
		expect(outcomesOf(await upsert(items))[2]).toBe('unchanged');
		expect(folded).toEqual(linksOf(5));

		// What is there has other values, so that it may be another link than the one that the row means.
		const url = 'https://example.com/changed';
		const changed = items.map((row, index) => (index === 2 ? { ...row, url } : row));
		const { error } = await upsert(changed);
		expect(error?.message).toMatch(/^Item 3 \(ROW-1002\): .*Alias: The alias is refused/);
		expect(error?.description).toContain(
			'The link row-1002 (ID 3) has the same alias in another case.',
		);
		expect(folded).toEqual(linksOf(5));
	});

	it('a service whose pages are so short that their number is more than that of the rows', async () => {
		current().follow(accountOf(linksOf(600), { pageSize: () => 10 }));
		const items = [1000, 1100, 1200, 1300, 1400, 1500].flatMap((from) => rowsOf(3, from));
		expect(outcomesOf(await upsert(items))).toEqual(items.map(() => 'unchanged'));
		expect(current().requests.length).toBeLessThanOrEqual(items.length + 2);
	});

	it('a search in which case counts', async () => {
		const items = rowsOf(12).map((row) => ({ ...row, alias: String(row.alias).toUpperCase() }));
		const links = items.map((row, index) => linkAs({ ...row, id: index + 1, domain }));
		const others = Array.from({ length: 1300 }, (_, index) =>
			linkAs({ id: 1000 + index, alias: `other-${index}`, domain }),
		);
		current().follow(
			accountOf([...links, ...others], {
				find: ({ search = '' }, all) => all.filter(({ alias }) => String(alias).includes(search)),
			}),
		);
		expect(outcomesOf(await upsert(items))).toEqual(new Array(12).fill('unchanged'));
		expect(writesIn(current().requests)).toEqual([]);
	});
});
