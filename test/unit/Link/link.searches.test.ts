import { searchDomains, searchLinks, searchSpaces } from '../../../nodes/Link/link.searches';
import { linkLike } from '../../support/operationRun.ts';
import { loadOptionsContext, pageOf } from '../../support/loadOptionsContext.ts';

const domain = (id: number, name: string) => ({ domain: { id, name } });

it('lists links by alias and destination, newest first', async () => {
	const links = [linkLike({ id: 2, alias: 'b' }), linkLike({ id: 1, alias: 'a', url: null })];
	const { context, queries } = loadOptionsContext(() => pageOf(links));
	expect(await searchLinks.call(context)).toEqual({
		results: [
			{ name: 'b → https://example.com/', value: 2, url: 'https://short.example/b' },
			{ name: 'a → ', value: 1, url: 'https://short.example/a' },
		],
	});
	expect(queries).toEqual(['/links?sort_by=id&sort=desc&per_page=25&page=1']);
});

it('searches for links by alias, destination and title, and lists each link once', async () => {
	const { context, queries } = loadOptionsContext(() => pageOf([linkLike({ id: 2 })]));
	const { results } = await searchLinks.call(context, ' spring ');
	expect(results).toHaveLength(1);
	expect(queries.map((query) => /search=spring&search_by=(\w+)/.exec(query)?.[1])).toEqual([
		'alias',
		'url',
		'title',
	]);
});

it('lists the domains of links once, and only those that contain the text', async () => {
	const links = [
		linkLike({ id: 3, ...domain(7, 'go.example') }),
		linkLike({ id: 2, ...domain(7, 'go.example') }),
		linkLike({ id: 1, ...domain(8, 'Shop.example') }),
	];
	const { context } = loadOptionsContext(() => pageOf(links));
	const all = [
		{ name: 'go.example', value: 7 },
		{ name: 'Shop.example', value: 8 },
	];
	expect(await searchDomains.call(context)).toEqual({ results: all });
	expect(await searchDomains.call(context, ' SHOP ')).toEqual({ results: [all[1]] });
	expect(await searchDomains.call(context, 'other')).toEqual({ results: [] });
});

it.each([
	['an account without links', [], 'The list has no spaces, because you have no links yet'],
	['links without a space', [linkLike()], 'None of your newest 1,000 links has a space'],
])('explains why there is no space to choose: %s', async (_, links, message) => {
	const { context } = loadOptionsContext(() => pageOf(links));
	await expect(searchSpaces.call(context)).rejects.toMatchObject({
		message,
		description: expect.stringContaining('Choose By ID, and enter the ID'),
	});
});

it('reads at most 1,000 links for a list of spaces', async () => {
	const page = Array.from({ length: 100 }, (_, id) => linkLike({ id: id + 1 }));
	const { context, queries } = loadOptionsContext((query) =>
		pageOf(page, Number(query.get('page')), 50),
	);
	await expect(searchSpaces.call(context)).rejects.toThrow('None of your newest 1,000 links');
	expect(queries).toHaveLength(10);
});
