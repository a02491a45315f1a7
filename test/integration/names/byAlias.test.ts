import { accountOf, linksOf, row } from '../../support/account.ts';
import { chosen, descriptionOf, messageOf, useColumns } from '../../support/columns.ts';
import { useScriptedService } from '../../support/scriptedService.ts';
import { jsonOf, type Run } from '../../support/service.ts';

const { current, link, mapped, madeLink, arrived, held } = useColumns();

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
		const result = await link(operation, { items, parameters });
		expect(messageOf(result)).toBe('undefined');
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
			const items = [
				...[
					{ alias: 'a', to: 'c' },
					{ alias: 'c', to: 'd' },
					{ alias: 'z', to: 'c' },
				],
				...[
					{ alias: 'd', to: 'e' },
					{ alias: 'c', to: 'd' },
				],
			];
			const updateFields = { alias: '={{ $json.to }}' };
			const parameters = { linkId: byAlias('={{ $json.alias }}'), updateFields };
			const result = await link('update', {
				items,
				parameters: { ...parameters, options: { dryRun } },
			});
			expect(messageOf(result)).toBe('undefined');
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
		const result = await mapped('update', rows, { linkId: locator('') });
		expect(messageOf(result)).toBe('undefined');
		expect(await held(id)).toMatchObject({ expiration_clicks: 3 });
	},
);

describe('Link By Alias in a large account', () => {
	const scripted = useScriptedService();

	it('reads the list that matches to its end', async () => {
		const aliases = ['sale', ...Array.from({ length: 250 }, (_, index) => `sale-${index}`)];
		scripted.current().follow(accountOf(linksOf(...aliases.map((alias) => row(alias)))));
		const result = await scripted.link('get', { parameters: { linkId: byAlias('sale') } });
		expect(jsonOf(result)).toMatchObject([{ id: 1, alias: 'sale' }]);
		const pages = scripted.current().requests.map(({ query }) => query.page);
		expect(pages).toEqual(['1', '2', '3', undefined]);
	});
});
