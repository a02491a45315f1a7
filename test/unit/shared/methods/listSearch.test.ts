import { entry, searched } from '../../../../nodes/shared/methods/listSearch';

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
