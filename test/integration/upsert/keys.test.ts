import type { IDataObject } from 'n8n-workflow';
import type { Form } from '../../../testkit/service/form.ts';
import {
	eachLink,
	hintsOf,
	linksOf,
	numbered,
	outcomesOf,
	row,
	writesIn,
} from '../../support/account.ts';
import { useColumns } from '../../support/columns.ts';
import { sheetOn } from '../../support/mappedSheet.ts';
import { rowsOf } from '../../support/numberedRows.ts';
import { linkAs, oneOf, pageOf, useScriptedService } from '../../support/scriptedService.ts';
import { byId, jsonOf, succeeded, type Run } from '../../support/service.ts';

const { current, link, madeLink } = useColumns();
const scripted = useScriptedService();

/** Create or Update without a domain, of the alias `sale` unless told. */
const withoutDomain = (more: Run = {}): Run => ({
	...more,
	parameters: {
		url: 'https://example.com/new',
		alias: 'sale',
		domainId: byId(''),
		...more.parameters,
	},
});

const arrived = () => current().requests.map(({ method, path }) => `${method} ${path.slice(7)}`);

const missing =
	'Domain is required, because your links do not all have the same one; set it for each item';

describe('Create or Update without a domain', () => {
	it('does not touch the link of another domain that has the alias', async () => {
		await madeLink('other');
		await madeLink('sale', { domain: 2 });
		const result = await link('upsert', withoutDomain());
		expect(result.error?.message).toBe(missing);
		expect(result.error?.context.data).toMatchObject({
			rows: [{ outcome: 'failed', fieldErrors: { domain_id: [missing] } }],
		});
		expect(arrived()).toEqual(['GET /links']);
		const held = await link('getAll', {
			parameters: { filters: { search: 'sale', searchBy: 'alias' } },
		});
		expect(jsonOf(held)).toMatchObject([{ url: 'https://example.com/old' }]);
	});

	it('means the only domain of the account, and asks for it once for all rows', async () => {
		await madeLink('sale', { domain: 2 });
		const items = [{ alias: 'sale' }, { alias: 'new' }, { alias: 'newer' }];
		const run = withoutDomain({ items, parameters: { alias: '={{ $json.alias }}' } });
		const result = await succeeded(link('upsert', run));
		expect(jsonOf(result)).toMatchObject([
			{ alias: 'sale', outcome: 'updated', domain: 'go.example' },
			{ alias: 'new', outcome: 'created', domain: 'go.example' },
			{ alias: 'newer', outcome: 'created', domain: 'go.example' },
		]);
		const unfiltered = current().requests.filter(({ query }) => query === 'per_page=100&page=1');
		expect(unfiltered).toHaveLength(1);
		expect(
			current()
				.requests.filter(({ method }) => method === 'POST')
				.map(({ body }) => new URLSearchParams(body).get('domain_id')),
		).toEqual(['2', '2']);
	});

	describe('in an account of several pages, whose oldest link has another domain', () => {
		beforeEach(async () => {
			await madeLink('oldest', { domain: 2 });
			await sheetOn(link, { concurrency: 20 })('create', numbered(100));
			current().requests.length = 0;
		});

		it('means the only domain of the newest links', async () => {
			const result = await link('upsert', withoutDomain({ parameters: { alias: 'link-7' } }));
			expect(jsonOf(result)).toMatchObject([{ outcome: 'updated', domain: 'short.example' }]);
			expect(arrived().slice(0, 2)).toEqual(['GET /links', 'GET /links']);
		});

		it('is refused if a link of another domain has the alias', async () => {
			const result = await link('upsert', withoutDomain({ parameters: { alias: 'oldest' } }));
			expect(result.error?.message).toBe(missing);
			expect(arrived()).toEqual(['GET /links', 'GET /links']);
		});

		it('is refused before the first write if the run read all of them', async () => {
			const items = ['link-1', 'link-2', 'new'].map((alias) => ({ alias }));
			const run = withoutDomain({ items, parameters: { alias: '={{ $json.alias }}' } });
			const result = await link('upsert', run);
			expect(result.error?.description).toMatch(
				/^Item 1 \(link-1\): Domain is required, .*\nItem 2 \(link-2\): Domain is required, .*\nItem 3 \(new\): Domain is required, /,
			);
			expect(arrived()).toEqual(['GET /links', 'GET /links']);
			const onError = 'continueRegularOutput';
			const goesOn = await link('upsert', {
				...run,
				onError,
				items: [...items, { alias: 'own', domain: 2 }],
				parameters: { ...run.parameters, domainId: byId('={{ $json.domain ?? "" }}') },
			});
			expect(jsonOf(goesOn).map(({ outcome }) => outcome)).toEqual([
				...[undefined, undefined, undefined, 'created'],
			]);
		});
	});

	it('means none where a link does not tell its domain', async () => {
		const { domain: _, ...homeless } = linkAs({ id: 2, alias: 'other' });
		const links = [linkAs({ alias: 'sale' }), homeless as IDataObject];
		scripted
			.current()
			.follow(({ method, query }) =>
				method === 'GET'
					? pageOf(links.filter(({ alias }) => String(alias).includes(query.search ?? '')))
					: oneOf(linkAs({ alias: 'sale' })),
			);
		const result = await scripted.link('upsert', withoutDomain());
		expect(result.error?.message).toBe(missing);
		expect(scripted.current().requests.map(({ method }) => method)).toEqual(['GET']);
	});

	it('creates in an account without any link, whose service chooses the domain', async () => {
		scripted
			.current()
			.follow(({ method }) =>
				method === 'GET'
					? pageOf([])
					: oneOf(linkAs({ alias: 'sale', url: 'https://example.com/new' })),
			);
		const result = await scripted.link('upsert', withoutDomain());
		expect(jsonOf(result)).toMatchObject([{ alias: 'sale', outcome: 'created' }]);
		expect(scripted.current().requests.at(-1)).toMatchObject({
			method: 'POST',
			body: 'url=https://example.com/new&alias=sale',
		});
		// The whole list was looked at, and not only what the alias finds.
		expect(scripted.current().requests[0]?.query).toEqual({ per_page: '100', page: '1' });
	});
});

/** The service has a default domain. */
const withDomain = (form: Form) => ({ domain_id: '1', ...form });

it.each(['upsert', 'sync'])('%s works again in an account without domains', async (operation) => {
	const change = eachLink((one) => ({ ...one, domain: null }));
	scripted.current().hold([], { form: withDomain, change });
	const scope = { syncScope: { aliasStartsWith: 's' }, unmatchedLinks: 'keep' };
	const run = withoutDomain({ parameters: operation === 'sync' ? scope : {} });
	const [first, second] = [
		await scripted.link(operation, run),
		await scripted.link(operation, run),
	];
	expect([first, second].flatMap(outcomesOf)).toEqual(['created', 'unchanged']);
});

it.each<[string, (link: IDataObject) => IDataObject]>([
	['null', (one) => ({ ...one, space: null })],
	['another key', ({ space, ...one }) => ({ ...one, space_id: (space as IDataObject).id })],
])(
	'Sync by Destination URL creates no second link if the list has for the space: %s',
	async (_, shown) => {
		scripted.current().hold(linksOf(row('a', { space_id: 1 })), { change: eachLink(shown) });
		const scope = { syncScope: { spaceId: byId(1) }, unmatchedLinks: 'keep' };
		const parameters = { url: 'https://example.com/a', matchBy: 'url', ...scope };
		const { error } = await scripted.link('sync', { parameters });
		expect(error?.message).toMatch(
			/^The link a \(ID 1\) exists already, but the service does not show it in the scope/,
		);
		expect(writesIn(scripted.current().requests)).toEqual([]);
	},
);

it('Sync by Destination URL stops after a link that the service puts outside of the scope', async () => {
	scripted.current().hold([], { form: ({ space_id: _, ...form }) => withDomain(form) });
	const scope = { syncScope: { spaceId: byId(1) }, unmatchedLinks: 'keep' };
	const url = 'https://example.com/{{ $itemIndex }}';
	const parameters = { url: `=${url}`, matchBy: 'url', options: { concurrency: 1 }, ...scope };
	const { error } = await scripted.link('sync', { items: [{}, {}], parameters });
	expect(error?.message).toMatch(/^Item 1.*the service does not show it in the scope \(Space 1\)$/);
	expect(writesIn(scripted.current().requests)).toHaveLength(1);
});

it('Match By Destination URL creates no second link if the list does not show domains', async () => {
	scripted.current().hold(linksOf(row('a')), {
		change: (body) => eachLink(({ domain: _, ...link }) => link)(body).data,
	});
	const parameters = { url: 'https://example.com/a', domainId: byId(1), matchBy: 'url' };
	await scripted.link('upsert', { parameters });
	expect(writesIn(scripted.current().requests)).toEqual([]);
});

describe('what the list cannot tell is looked up', () => {
	const { current, link } = useScriptedService();

	const upsert = async (items: IDataObject[], options: IDataObject = {}, more: Run = {}) =>
		await sheetOn(link, options)('upsert', items, more);

	const isSearch = ({ method, query }: { method: string; query: Record<string, string> }) =>
		method === 'GET' && query.search?.length === 'row-1000'.length;

	it.each([
		['422', { status: 422, body: { message: { alias: ['Taken.'] }, status: 422 } }],
		['422 of the framework', { status: 422, body: { message: 'No', errors: { alias: ['No'] } } }],
		['409', { status: 409, body: { message: 'Conflict' } }],
	])(
		'a link that was made after the list was read, refused as taken with %s',
		async (_, refusal) => {
			const url = 'https://example.com/early';
			current().hold(linksOf(...rowsOf(5)), {
				answer: ({ method }) => {
					if (method !== 'POST') return undefined;
					current().add({ id: 77, domain_id: 1, alias: 'row-1005', url });
					return refusal;
				},
			});
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
		current().hold(linksOf(...rowsOf(5)), {
			answer: ({ method }) => (method === 'POST' ? refuse('url') : undefined),
		});
		const result = await upsert(rowsOf(6));
		expect(result.error?.message).toMatch(
			/^Item 6 \(row-1005\): .*Destination URL: The service says no/,
		);
		expect(current().requests.filter(isSearch)).toEqual([]);

		current().hold(linksOf(...rowsOf(5)), {
			answer: ({ method }) => (method === 'POST' ? refuse('alias') : undefined),
		});
		expect((await upsert(rowsOf(6))).error?.message).toMatch(
			/^Item 6 \(row-1005\): .*Alias: The service says/,
		);
		expect(writesIn(current().requests)).toHaveLength(1);
	});

	it('a link that is gone is created, and one that came back under another ID is updated', async () => {
		current().hold(linksOf(...rowsOf(6)), {
			before: ({ method, path }) => {
				const { database, links } = current().service;
				if (method === 'PUT' && path === '/links/2') links.remove(2);
				if (method === 'PUT' && path === '/links/5')
					database.exec('UPDATE links SET id = 55 WHERE id = 5');
			},
		});
		const items = rowsOf(6).map((row, index) =>
			index === 1 || index === 4 ? { ...row, url: 'https://example.com/new' } : row,
		);
		expect(outcomesOf(await upsert(items))).toEqual([
			...['unchanged', 'created', 'unchanged', 'unchanged', 'updated', 'unchanged'],
		]);
		const { links } = current();
		expect(links.filter(({ url }) => url === 'https://example.com/new')).toMatchObject([
			{ id: 56, alias: 'row-1001' },
			{ id: 55, alias: 'row-1004' },
		]);
		expect(links).toHaveLength(6);
	});

	it('an update that finds nothing again and again ends', async () => {
		const gone = { status: 404, body: { message: 'Resource not found.', status: 404 } };
		current().hold(linksOf(...rowsOf(5)), {
			answer: ({ method }) => (method === 'PUT' ? gone : undefined),
		});
		const [first = {}, ...others] = rowsOf(5);
		const result = await upsert([{ ...first, url: 'https://example.com/new' }, ...others]);
		expect(result.error?.message).toBe('Item 1 (row-1000): No link has the ID 1');
		expect(writesIn(current().requests)).toHaveLength(2);
	});

	it('a link that the list holds twice is one, and two of the same alias are for a person to decide', async () => {
		current().hold(linksOf(...rowsOf(120)), {
			// What is created while the list is read pushes the last entry of a page onto the next one.
			change: (body, { query }) => {
				const { data, meta } = body as { data: IDataObject[]; meta: IDataObject };
				const pushed = query.page === '2' ? [current().links[99]] : [];
				return query.search
					? body
					: { ...body, data: [...pushed, ...data], meta: { ...meta, total: 121 } };
			},
		});
		const items = rowsOf(120);
		expect(hintsOf(await upsert(items))).toMatch(/120 items: 120 unchanged/);
		expect(writesIn(current().requests)).toEqual([]);

		const other = { id: 500, domain_id: 1, alias: 'row-1003x', url: 'https://example.com/other' };
		const change = eachLink((link) => ({ ...link, alias: String(link.alias).replace('x', '') }));
		current().hold([...linksOf(...rowsOf(10)), other], { change });
		const result = await upsert(rowsOf(10), {}, { onError: 'continueRegularOutput' });
		expect(outcomesOf(result).filter((outcome) => outcome === 'unchanged')).toHaveLength(9);
		expect(jsonOf(result)[3]?.error).toMatch(
			/^Item 4 \(row-1003\): Alias "row-1003" matches 2 links \(row-1003 \(ID 500\) on short\.example, row-1003 \(ID 4\) on short\.example\)/,
		);
		expect(writesIn(current().requests)).toEqual([]);

		// It was there twice when the list was read, and no longer is.
		current().hold([...linksOf(...rowsOf(10)), other], {
			change,
			before: (request) => {
				if (isSearch(request)) current().service.links.remove(500);
			},
		});
		expect(outcomesOf(await upsert(rowsOf(10)))).toEqual(new Array(10).fill('unchanged'));
	});

	it('a list that shrinks each time it is read', async () => {
		const isPage = (query: Record<string, string>) => query.search === undefined;
		let oldest = 0;
		current().hold(linksOf(...rowsOf(400)), {
			before: ({ method, query }) => {
				// Another client deletes an old link before each page. No row has such a link.
				if (method === 'GET' && isPage(query) && query.page !== '1')
					current().service.links.remove((oldest += 1));
			},
		});
		// The last one shares no beginning with the others, so that no search narrows the list.
		const items = [...rowsOf(20, 1380), { alias: 'x', url: 'https://example.com/' }];
		const result = await upsert(items, { concurrency: 3 });
		expect(outcomesOf(result)).toEqual([...new Array(20).fill('unchanged'), 'created']);
		expect(current().requests.filter(isSearch)).toHaveLength(20);
		expect(current().requests.length).toBeLessThanOrEqual(3 * 4 + 20 + 3);
	});

	it('a service that ignores its filters, or how many a page shall have', async () => {
		const [first = {}, ...others] = rowsOf(40);
		current().hold(linksOf(...others, { ...first, domain_id: 2 }), {
			query: ({ page }) => (page ? { page, per_page: '10' } : {}),
		});
		const items = rowsOf(40).map((row) => ({ ...row, url: 'https://example.com/new' }));
		const result = await upsert(items);
		expect(outcomesOf(result)).toEqual(['created', ...new Array(39).fill('updated')]);
		const reads = current().requests.filter(({ method }) => method === 'GET');
		expect(reads.length).toBeLessThanOrEqual(4);
		expect(current().links.slice(0, 2)).toMatchObject([
			{ alias: 'row-1000', url: 'https://example.com/new', domain: { id: 1 } },
			{ alias: 'row-1000', url: 'https://example.com/1000', domain: { id: 2 } },
		]);
	});

	it('aliases that differ in case are two where the service says so, and one where it does not', async () => {
		current().hold(linksOf(...rowsOf(5)));
		const items = rowsOf(5).map((row, index) =>
			index === 2 ? { ...row, alias: 'ROW-1002' } : row,
		);
		expect(outcomesOf(await upsert(items))[2]).toBe('created');
		expect(current().links.map(({ alias }) => alias)).toContain('ROW-1002');

		// A service that stores aliases without regard to case has the row already.
		const refused = { message: { alias: ['The alias is refused.'] }, status: 422 };
		current().hold(linksOf(...rowsOf(5)), {
			answer: ({ body }) => (body.includes('ROW-') ? { status: 422, body: refused } : undefined),
		});
		const stored = current().links;
		expect(outcomesOf(await upsert(items))[2]).toBe('unchanged');
		expect(current().links).toEqual(stored);

		// What is there has other values, so that it may be another link than the one that the row means.
		const url = 'https://example.com/changed';
		const changed = items.map((row, index) => (index === 2 ? { ...row, url } : row));
		const { error } = await upsert(changed);
		expect(error?.message).toMatch(/^Item 3 \(ROW-1002\): .*Alias: The alias is refused/);
		expect(error?.description).toContain(
			'The link row-1002 (ID 3) has the same alias in another case.',
		);
		expect(current().links).toEqual(stored);
	});

	it('a service whose pages are so short that their number is more than that of the rows', async () => {
		current().hold(linksOf(...rowsOf(600)), {
			query: (query) => (query.per_page ? { ...query, per_page: '10' } : query),
		});
		const items = [1000, 1100, 1200, 1300, 1400, 1500].flatMap((from) => rowsOf(3, from));
		expect(outcomesOf(await upsert(items))).toEqual(items.map(() => 'unchanged'));
		expect(current().requests.length).toBeLessThanOrEqual(items.length + 2);
	});

	it('a search in which case counts', async () => {
		const items = rowsOf(12).map((row) => ({ ...row, alias: String(row.alias).toUpperCase() }));
		const others = Array.from({ length: 1300 }, (_, index) => row(`other-${index}`));
		current().hold(linksOf(...items, ...others), {
			change: (body, { query: { search = '' } }) => {
				const { data, meta } = body as { data: IDataObject[]; meta: IDataObject };
				const found = data.filter(({ alias }) => String(alias).includes(search));
				return search ? { ...body, data: found, meta: { ...meta, total: found.length } } : body;
			},
		});
		expect(outcomesOf(await upsert(items))).toEqual(new Array(12).fill('unchanged'));
		expect(writesIn(current().requests)).toEqual([]);
	});
});
