import type { IDataObject } from 'n8n-workflow';
import { linksOf, row } from '../../support/account.ts';
import {
	chosen,
	descriptionOf,
	hintsOf,
	messageOf,
	useColumns,
	type Cells,
} from '../../support/columns.ts';
import { useScriptedService } from '../../support/scriptedService.ts';
import { byId, jsonOf, succeeded, type Run } from '../../support/service.ts';

const url = 'https://example.com/a';

/** What was read: `/links 1` for each page. */
const reads = () =>
	current()
		.requests.filter(({ method }) => method === 'GET')
		.map(
			({ path, query }) =>
				`${path.replace('/api/v1', '')} ${new URLSearchParams(query).get('page')}`,
		);

const createWith = async (
	domainId: IDataObject | string,
	{ alias = '', ...additionalFields }: IDataObject = {},
) => await link('create', { parameters: { url, domainId, alias, additionalFields } as never });

describe('a domain', () => {
	it('is found by its name, in any case, with blanks, and as an address', async () => {
		await createWith(chosen(2), { alias: 'first' });
		for (const domainId of [
			...['go.example', ' Go.Example ', 'https://go.example/'].map(byId),
			'={{ "go.example" }}',
		]) {
			current().requests.length = 0;
			expect(messageOf(await createWith(domainId))).toBe('undefined');
			expect(lastForm()).toMatchObject({ domain_id: '2' });
			expect(reads()).toEqual(['/links 1']);
		}
	});

	it('is read once for all rows of a run, and not for IDs', async () => {
		await createWith(chosen(2), { alias: 'first' });
		current().requests.length = 0;
		const items = ['go.example', '2', 2, 'GO.example', '1'].map((domain) => ({ domain }));
		const parameters = { url, domainId: '={{ $json.domain }}' };
		await succeeded(link('create', { items, parameters }));
		const sent = arrived().map((text) => new URLSearchParams(text.split(' ')[2]).get('domain_id'));
		expect(sent.toSorted()).toEqual(['1', '2', '2', '2', '2']);
		expect(reads()).toEqual(['/links 1']);
		current().requests.length = 0;
		await createWith(byId('2'));
		await createWith({ __rl: true, mode: 'list', value: 'go.example' });
		expect(reads()).toEqual([]);
	});

	it('that nothing is known of is refused before anything is written, with the names of the list', async () => {
		await createWith(chosen(2), { alias: 'first' });
		await createWith(chosen(1), { alias: 'second' });
		current().requests.length = 0;
		const items = ['go.example', 'go.exampel', 'promo.test'].map((domain) => ({ domain }));
		const parameters = { url, domainId: '={{ $json.domain }}' };
		const result = await link('create', { items, parameters });
		expect(descriptionOf(result)).toBe(
			[
				...['Item 2: Domain "go.exampel"', 'Item 3: Domain "promo.test"'].map(
					(row) =>
						`${row} was not found among the domains of your newest 1,000 links; use the ID, or one of: short.example, go.example.`,
				),
				'Nothing was sent.',
			].join('\n'),
		);
		expect(arrived()).toEqual([]);
		const going = await link('create', { items, parameters, onError: 'continueRegularOutput' });
		expect(jsonOf(going).map(({ error }) => error !== undefined)).toEqual([false, true, true]);
		expect(arrived()).toHaveLength(1);
	});

	it('of an account without links is refused as a name', async () => {
		const result = await createWith(byId('short.example'));
		expect(messageOf(result)).toBe(
			'Domain "short.example" was not found among the domains of your newest 1,000 links; use the ID',
		);
		expect(arrived()).toEqual([]);
	});
});

describe('pixels and spaces', () => {
	it('are found by their names in columns, as text and as lists, as the output has them', async () => {
		const spring = await madePixel('Spring visitors');
		const other = await madePixel('42');
		const first = await madeLink('first', { spaceId: chosen(2), pixelIds: [spring] });
		const output = { output: 'selectedFields', outputFields: ['url', 'space', 'pixels'] };
		const got = await link('get', { parameters: { linkId: chosen(first), ...output } });
		const [read] = jsonOf(got);
		expect(read).toMatchObject({ space: 'Support', pixels: ['Spring visitors'] });
		current().requests.length = 0;
		await mapped('create', [{ ...read, alias: 'copy', domain: 1 }]);
		expect(lastForm()).toMatchObject({ space_id: '2', 'pixel_ids[]': `${spring}` });
		expect(reads().toSorted()).toEqual(['/links 1', '/pixels 1']);
		await succeeded(mapped('create', [{ url, pixels: `spring VISITORS, ${other}` }]));
		expect(lastForm()['pixel_ids[]']).toBe(`${spring},${other}`);
	});

	it('digits are always an ID', async () => {
		await madePixel('7777');
		const result = await mapped('create', [{ url, pixels: '7777' }]);
		expect(reads()).toEqual([]);
		expect(messageOf(result)).toMatch(/there is no such pixel/);
	});

	it('may begin with a bracket, and hold commas in a JSON list', async () => {
		const [eu, comma] = [await madePixel('[EU] Visitors'), await madePixel('Spring, 2024')];
		for (const [pixels, sent] of [
			['[EU] Visitors', `${eu}`],
			['[EU] Visitors, ', `${eu}`],
			['["Spring, 2024", "[eu] visitors"]', `${comma},${eu}`],
			[`\ufeff[eu] visitors\r\n${comma}\r\n`, `${eu},${comma}`],
			[`[EU]\u00a0Visitors; ${comma}\n`, `${eu},${comma}`],
			[[{ id: '', name: 'Spring, 2024' }], `${comma}`],
		]) {
			await succeeded(mapped('create', [{ url, pixels }]));
			expect(lastForm()['pixel_ids[]']).toBe(sent);
		}
		const joined = await mapped('create', [{ url, pixels: '[EU]Visitors' }]);
		expect(messageOf(joined)).toContain('was not found');
		const split = await mapped('create', [{ url, pixels: 'Spring, 2024' }]);
		expect(messageOf(split)).toContain(
			'"Spring" was not found among the pixels of the account; use the ID, or one of: Spring, 2024, [EU] Visitors',
		);
	});

	it('unknown pixels are refused by name, each one of a cell', async () => {
		await madePixel('Spring visitors');
		const result = await mapped('update', [{ id: 1, pixels: 'Spring visitor, Sumer' }]);
		expect(messageOf(result)).toBe(
			'Item 1: Pixels "Spring visitor" was not found among the pixels of the account; use the ID, or one of: Spring visitors (column pixels). Pixels "Sumer" was not found among the pixels of the account; use the ID, or one of: Spring visitors',
		);
		expect(arrived()).toEqual([]);
	});

	it('filter a list, and bound a sync', async () => {
		const pixel = await madePixel('Spring visitors');
		await madeLink('first', { spaceId: chosen(2), pixelIds: [pixel] });
		const filters = { pixelId: byId('spring visitors'), spaceId: byId('support') };
		const found = await succeeded(link('getAll', { parameters: { filters } as never }));
		expect(jsonOf(found)).toHaveLength(1);
		expect(current().requests.at(-1)?.query).toContain(`pixel_id=${pixel}`);
		const syncIn = async (space: string, row: Cells) =>
			await mapped('sync', [row], { syncScope: { spaceId: byId(space) } });
		await succeeded(syncIn('Support', { alias: 'second', url, domain: 'short.example' }));
		expect(lastForm()).toMatchObject({ space_id: '2', domain_id: '1' });
		const outside = await syncIn('Suport', { alias: 'third', url });
		expect(messageOf(outside)).toMatch(
			/Space "Suport" was not found among the spaces .*; use the ID, or one of: Support$/,
		);
	});
});

describe('names that cannot be read', () => {
	const parameters = { url, domainId: byId('go.example') };
	const onError = 'continueRegularOutput' as const;

	const unread =
		'Domain "go.example" cannot be looked up, because the list of domains could not be read: The service did not accept the API key (HTTP 401); use the ID';

	it('are named with the reason and what to do', async () => {
		const result = await link('create', { parameters, credential: { apiKey: 'a-wrong-key-000' } });
		expect(messageOf(result)).toBe(unread);
		expect(descriptionOf(result)).toMatch(
			/^Nothing was sent\.\nOpen the credential and enter a valid API key/,
		);
		expect(arrived()).toEqual([]);
	});

	const refuseList = (path: string, status: number) =>
		current().set({
			faults: [{ on: { method: 'GET', path }, effect: { kind: 'status', status } }],
		});

	const sheet = [
		{ alias: 'a', url },
		{ alias: 'b', url, pixels: 'Spring' },
		{ alias: 'c', url, pixels: '7, Spring' },
		{ alias: 'd', url, pixels: '' },
	];

	const pixelsUnread =
		'Pixels "Spring" cannot be looked up, because the list of pixels could not be read: The service does not allow this for the account of the API key (HTTP 403); use the ID';

	it('fail only the rows that use them, and nothing is sent where the node stops', async () => {
		refuseList('/pixels', 403);
		const stopped = await mapped('create', sheet);
		expect(messageOf(stopped)).toBe('2 of 4 items cannot be sent');
		expect(descriptionOf(stopped)).toMatch(
			/^Item 2 \(b\): Pixels "Spring" cannot be looked up, .*\nItem 3 \(c\): Pixels "Spring" cannot be looked up, because the list of pixels could not be read: .*\(HTTP 403\); use the ID\.\nNothing was sent\.\nCheck whether the plan/,
		);
		expect(arrived()).toEqual([]);
		const going = await mapped('create', sheet, {}, { onError });
		const told = (item: number, alias: string) => `Item ${item} (${alias}): ${pixelsUnread}`;
		expect(jsonOf(going).map(({ error }) => error)).toEqual([
			...[undefined, told(2, 'b'), told(3, 'c'), undefined],
		]);
		expect(
			arrived()
				.map((text) => /alias=(\w)/.exec(text)?.[1])
				.sort(),
		).toEqual(['a', 'd']);
	});

	it.each([
		[403, { url }, false],
		[503, { url }, true],
		// Something else is wrong with the row, so that running it again does not help.
		[503, { url: 'no address' }, false],
	])('after HTTP %d, in the row %j: retryable is %j', async (status, row, retryable) => {
		refuseList('/pixels', status);
		const items = [{ alias: 'b', pixels: 'Spring', ...row }];
		const options = { maxWait: 0 } as never;
		const [item] = jsonOf(await mapped('create', items, { options }, { onError }));
		expect(item?.error).toContain(`(HTTP ${status})`);
		expect(item?.errorDetails).toMatchObject({ outcome: 'failed', retryable });
		expect(arrived()).toEqual([]);
	});

	it('make a Sync remove nothing', async () => {
		await madeLink('gone');
		refuseList('/pixels', 403);
		const unmatched = { unmatchedLinks: 'delete' };
		const result = await mapped('sync', sheet.slice(0, 2), unmatched, { onError });
		expect(jsonOf(result).map(({ error, outcome }) => outcome ?? error)).toEqual([
			...['created', `Item 2 (b): ${pixelsUnread}`],
		]);
		expect(hintsOf(result).join()).toContain(
			'Nothing was removed, because not all items could be sent',
		);
		expect(arrived().map((text) => text.split(' ')[0])).toEqual(['POST']);
	});

	it.each([undefined, onError])(
		'refuse a Sync whose scope needs them (On Error: %s)',
		async (way) => {
			await madeLink('gone');
			refuseList('/links', 403);
			const syncScope = { spaceId: byId('Support') } as never;
			const rows = [{ alias: 'a', url, domain: 1 }];
			const result = await mapped('sync', rows, { syncScope }, { onError: way });
			const said = way === undefined ? messageOf(result) : jsonOf(result)[0]?.error;
			expect(said).toMatch(
				/Space "Support" cannot be looked up, because the list of spaces could not be read: .*\(HTTP 403\); use the ID$/,
			);
			expect(arrived()).toEqual([]);
		},
	);

	it('end the run if it is canceled', async () => {
		current().set({ faults: [{ on: { path: '/pixels' }, effect: { kind: 'hang' } }] });
		await mapped('create', sheet, {}, { onError, cancelAfter: 300 }).catch(() => undefined);
		expect(arrived()).toEqual([]);
	});
});

const byAlias = (value: number | string) => ({ __rl: true, mode: 'alias', value });

describe('Link By Alias', () => {
	it.each<[operation: string, parameters: Run['parameters'], requests: string[]]>([
		['get', {}, []],
		['getQrCode', {}, []],
		['update', { updateFields: { expirationClicks: 9 } }, ['PUT /links/2 expiration_clicks=9']],
		['disable', {}, ['PUT /links/2 disabled=1']],
		['enable', {}, ['PUT /links/2 disabled=0']],
		['delete', {}, ['DELETE /links/2']],
	])('finds the link of %s, and digits are an alias', async (operation, more, requests) => {
		await madeLink('first');
		await madeLink('1', { disabled: operation === 'enable' });
		const items = [{ key: 1 }];
		const parameters = { linkId: byAlias('={{ $json.key }}'), ...more };
		const result = await succeeded(link(operation, { items, parameters }));
		expect(arrived()).toEqual(requests);
		if (operation !== 'delete') expect(jsonOf(result)).toMatchObject([{ id: 2, alias: '1' }]);
		const [search] = current().requests;
		expect(search?.query).toBe('search=1&search_by=alias&per_page=100&page=1');
	});

	it('is exact', async () => {
		await madeLink('Spring');
		const run = async (alias: string) =>
			await link('delete', { parameters: { linkId: byAlias(alias) } });
		for (const alias of ['spring', 'Sprin', 'Spring/']) {
			expect(messageOf(await run(alias))).toBe(`No link has the alias ${alias}`);
		}
		expect(messageOf(await run('https://short.example/Spring'))).toBe(
			'Link "https://short.example/Spring" is not an alias; choose By Short URL for it',
		);
		expect(arrived()).toEqual([]);
		await run(' Spring ');
		expect(arrived()).toEqual(['DELETE /links/1']);
	});

	it('reports no ID if Ignore Missing finds none, because digits are an alias', async () => {
		await madeLink('first');
		const parameters = { linkId: byAlias('1'), options: { ignoreMissing: true } };
		expect(jsonOf(await link('delete', { parameters }))).toEqual([{ id: null, deleted: false }]);
		const plan = { ...parameters, options: { ignoreMissing: true, dryRun: true } };
		expect(jsonOf(await link('delete', { parameters: plan }))).toMatchObject([
			{ outcome: 'missing', id: null, alias: '1' },
		]);
	});

	it('does not change a link whose alias an earlier row has changed', async () => {
		await madeLink('a');
		const items = [{ alias: 'b' }, { alias: 'c' }];
		const parameters = { linkId: byAlias('a'), updateFields: { alias: '={{ $json.alias }}' } };
		const result = await link('update', { items, parameters, onError: 'continueRegularOutput' });
		expect(arrived()).toEqual(['PUT /links/1 alias=b']);
		expect(jsonOf(result)).toMatchObject([
			{ alias: 'b' },
			{ error: 'Item 2 (c): No link has the alias a' },
		]);
	});

	it.each([false, true])(
		'finds a link by the alias that an earlier row gives it, in row order (dry run: %s)',
		async (dryRun) => {
			for (const alias of ['a', 'z']) await madeLink(alias);
			const items = ['a c', 'c d', 'z c', 'd e', 'c d'].map((renaming) => {
				const [alias, to] = renaming.split(' ');
				return { alias, to };
			});
			const updateFields = { alias: '={{ $json.to }}' };
			const linkId = byAlias('={{ $json.alias }}');
			const parameters = { linkId, updateFields, options: { dryRun } };
			const result = await succeeded(link('update', { items, parameters }));
			expect(jsonOf(result).map(({ id }) => id)).toEqual([1, 1, 2, 1, 2]);
			if (!dryRun) expect(arrived()).toHaveLength(5);
		},
	);

	it('fails if several links have it, and names their domains', async () => {
		const first = await madeLink('a');
		const url = 'https://example.com/';
		await link('create', { parameters: { url, alias: 'a', domainId: chosen(2) } });
		current().requests.length = 0;
		const result = await link('delete', { parameters: { linkId: byAlias('a') } });
		expect(messageOf(result)).toBe(
			`2 links have the alias a: a (ID ${first + 1}) on go.example, a (ID ${first}) on short.example`,
		);
		expect(descriptionOf(result)).toMatch(/^Choose the link from the list, or enter its ID\./);
		expect(arrived()).toEqual([]);
	});
});

it.each([
	['list', chosen],
	['id', (value: unknown) => ({ ...chosen(1), mode: 'id', value })],
	['url', (value: unknown) => ({ ...chosen(1), mode: 'url', value })],
	['alias', (value: unknown) => ({ ...chosen(1), mode: 'alias', value })],
] as [string, (value: unknown) => ReturnType<typeof chosen>][])(
	'an empty Link of mode %s means Match By if columns are mapped',
	async (_, locator) => {
		const id = await madeLink('a');
		const rows = [{ alias: 'a', expirationClicks: 3 }];
		await succeeded(mapped('update', rows, { linkId: locator('') }));
		expect(await held(id)).toMatchObject({ expiration_clicks: 3 });
	},
);

describe('Link By Alias in a large account', () => {
	const scripted = useScriptedService();

	it('reads the list that matches to its end', async () => {
		const aliases = ['sale', ...Array.from({ length: 250 }, (_, index) => `sale-${index}`)];
		scripted.current().hold(linksOf(...aliases.map((alias) => row(alias))));
		const result = await scripted.link('get', { parameters: { linkId: byAlias('sale') } });
		expect(jsonOf(result)).toMatchObject([{ id: 1, alias: 'sale' }]);
		const pages = scripted.current().requests.map(({ query }) => query.page);
		expect(pages).toEqual(['1', '2', '3', undefined]);
	});
});

const { current, link, mapped, lastForm, madeLink, madePixel, arrived, held } = useColumns();

it.each([
	[{}, 'alias', ['spring']],
	[{ searchBy: 'alias' }, 'alias', ['spring']],
	[{ searchBy: 'url' }, 'url', ['sale']],
	[{ searchBy: 'title' }, 'title', ['sale']],
])('Search of Get Many with %j searches by %s, in one request', async (by, key, found) => {
	await madeLink('spring', { url: 'https://a.example/' });
	await madeLink('sale', { url: 'https://spring.example/' });
	current().requests.length = 0;
	const filters = { search: 'spring', status: 1, domainId: byId(1), ...by };
	const result = await link('getAll', { parameters: { limit: 10, filters } as never });
	expect(jsonOf(result).map(({ alias }) => alias)).toEqual(found);
	expect(
		current().requests.map(({ query }) => Object.fromEntries(new URLSearchParams(query))),
	).toEqual([
		{
			...{ search: 'spring', search_by: key, status: '1', domain_id: '1' },
			...{ per_page: '10', page: '1' },
		},
	]);
});

it('Search By without a text sends no search', async () => {
	const parameters = { limit: 10, filters: { searchBy: 'url' } } as never;
	expect(jsonOf(await link('getAll', { parameters }))).toEqual([]);
	expect(current().requests).toMatchObject([{ query: 'search_by=url&per_page=10&page=1' }]);
});
