import {
	entry,
	searched,
	searchSources,
	type Source,
} from '../../../../nodes/shared/methods/listSearch';
import { loadOptionsContext, pageOf } from '../../../support/loadOptionsContext.ts';

it.each<[id: unknown, name: string, url: unknown, item: object | undefined]>([
	[7, 'Shop', undefined, { name: 'Shop', value: 7 }],
	['a', '', undefined, { name: 'a', value: 'a' }],
	[7, 'Shop', 'https://a.example/', { name: 'Shop', value: 7, url: 'https://a.example/' }],
	[7, 'Shop', 'mailto:a@a.example', { name: 'Shop', value: 7 }],
	[null, 'Shop', undefined, undefined],
	[{}, 'Shop', undefined, undefined],
])('makes an entry of the ID %j', (id, name, url, item) => {
	expect(entry(id, name, url)).toEqual(item);
});

it('shortens a long name', () => {
	expect(entry(7, 'a'.repeat(300))?.name).toHaveLength(200);
});

it.each<[filter: string | undefined, params: string[]]>([
	[undefined, ['sort_by=id sort=desc']],
	['  ', ['sort_by=id sort=desc']],
	[
		' a ',
		[
			'search=a search_by=alias sort_by=id sort=desc',
			'search=a search_by=url sort_by=id sort=desc',
		],
	],
])('searches for %j in each field', (filter, params) => {
	const source = { path: '/links', size: 25, entryOf: () => undefined } as const;
	const sources = searched(source, ['alias', 'url'], filter);
	const texts = sources.map((one) => one.params.map((pair) => pair.join('=')).join(' '));
	expect(texts).toEqual(params);
});

const named = (from: number, count: number) =>
	Array.from({ length: count }, (_, at) => ({ id: from + at, name: `Pixel ${from + at}` }));

const source = (params: Source['params'] = []): Source => ({
	path: '/pixels',
	params,
	size: 10,
	entryOf: ({ id, name }) => entry(id, String(name)),
});

const valuesOf = ({ results }: { results: { value: unknown }[] }) =>
	results.map(({ value }) => value);

it('reads pages until the dropdown can be scrolled, and continues there', async () => {
	const { context, queries } = loadOptionsContext((query) => {
		const page = Number(query.get('page'));
		return pageOf(named(page * 10, 10), page, 3);
	});
	const first = await searchSources(context, [source()], undefined);
	expect(valuesOf(first)).toEqual(named(10, 20).map(({ id }) => id));
	expect(first.paginationToken).toBe('0:3');
	const second = await searchSources(context, [source()], '0:3');
	expect(valuesOf(second)).toEqual(named(30, 10).map(({ id }) => id));
	expect(second.paginationToken).toBeUndefined();
	expect(queries.map((query) => query.slice(-1))).toEqual(['1', '2', '3']);
});

it('lists an entry of two sources once', async () => {
	const { context } = loadOptionsContext((query) =>
		pageOf(query.get('search_by') === 'name' ? named(1, 2) : named(2, 2)),
	);
	const sources = ['name', 'value'].map((by) => source([['search_by', by]]));
	expect(valuesOf(await searchSources(context, sources, undefined))).toEqual([1, 2, 3]);
});

it('stops at a service that ignores the page', async () => {
	const { context, queries } = loadOptionsContext(() => pageOf(named(1, 10), 1, 5));
	expect(valuesOf(await searchSources(context, [source()], undefined))).toHaveLength(10);
	expect(queries).toHaveLength(2);
});

it.each([
	[401, '401', /^(?!.*HTTP 401)/],
	[403, '403', /^(?!.*HTTP 403)/],
	[404, null, /./],
])('shows an error of the service in place of the list (%d)', async (status, httpCode, message) => {
	const { context } = loadOptionsContext(() => ({ status, body: { message: 'No' } }));
	const error: unknown = await searchSources(context, [source()], undefined).catch(
		(reason: unknown) => reason,
	);
	expect(error).toMatchObject({ message: expect.stringMatching(message), httpCode });
});
