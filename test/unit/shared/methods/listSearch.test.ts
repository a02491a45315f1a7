import { entry, searchSources, type Source } from '../../../../nodes/shared/methods/listSearch';
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
