import type { IDataObject } from 'n8n-workflow';
import { hintsOf } from '../../support/account.ts';
import { linkAs, oneOf, pageOf, useScriptedService } from '../../support/scriptedService.ts';
import { byId, jsonOf } from '../../support/service.ts';

const { current, link } = useScriptedService();

const day = 24 * 60 * 60 * 1000;
const start = Date.parse('2026-01-01T00:00:00Z');

/** Links that were created one a day, newest first; link 1 on January 1st. */
const daily = (count: number, more: (id: number) => IDataObject = () => ({})) =>
	Array.from({ length: count }, (_, index) => {
		const id = count - index;
		const created_at = new Date(start + (id - 1) * day).toISOString();
		return linkAs({ id, alias: `a-${id}`, clicks: id, created_at, ...more(id) });
	});

/** Answers with the pages of a list, in the order of the query. */
const serve = (links: IDataObject[], order: 'as it is' | 'sorted' = 'sorted') =>
	current().follow(({ query }) => {
		const sorted = order === 'sorted' && query.sort === 'asc' ? links.toReversed() : links;
		const [size, page] = [Number(query.per_page), Number(query.page)];
		const last = Math.ceil(links.length / size);
		return pageOf(sorted.slice((page - 1) * size, page * size), page, last, links.length);
	});

const list = async (filters: IDataObject, more: IDataObject = {}) =>
	await link('getAll', { parameters: { returnAll: true, filters, ...more } as never });

const queries = () => current().requests.map(({ query }) => query);

const idsOf = (result: Awaited<ReturnType<typeof list>>) => jsonOf(result).map(({ id }) => id);

const from = (first: number, last: number) =>
	Array.from({ length: Math.abs(last - first) + 1 }, (_, at) =>
		first > last ? first - at : first + at,
	);

it('Created After ends after the first page without a match, newest first', async () => {
	serve(daily(450));
	const result = await list({ createdAfter: new Date(start + 319 * day).toISOString() });
	expect(result.error).toBeUndefined();
	expect(idsOf(result)).toEqual(from(450, 320));
	const asked = { sort_by: 'id', sort: 'desc', per_page: '100' };
	expect(queries()).toEqual(['1', '2', '3'].map((page) => ({ ...asked, page })));
	expect(hintsOf(result)).toBe('The node read 3 pages of the list, with 300 links.');
});

it('Created Before ends early, oldest first', async () => {
	serve(daily(450));
	const result = await list(
		{ createdBefore: '2026-01-03T00:00:00Z' },
		{ sorting: { sort: 'asc' } },
	);
	expect(idsOf(result)).toEqual([1, 2]);
	expect(queries()).toEqual([
		{ sort: 'asc', sort_by: 'id', per_page: '100', page: '1' },
		{ sort: 'asc', sort_by: 'id', per_page: '100', page: '2' },
	]);
});

it.each([
	['by clicks', { sorting: { sortBy: 'clicks' } }, daily(300)],
	['in an order that the service chooses', {}, daily(300).toReversed()],
	[
		'with a date that is out of order',
		{},
		daily(300, (id) => (id === 300 ? { created_at: '2026-01-01' } : {})),
	],
	['with a missing date', {}, daily(300, (id) => (id === 300 ? { created_at: null } : {}))],
])('reads the whole list %s', async (_, more, links) => {
	serve(links, 'as it is');
	const result = await list({ createdAfter: new Date(start + 298 * day).toISOString() }, more);
	const matching = links.filter(({ created_at }) => String(created_at) >= '2026-10-26');
	expect(idsOf(result)).toEqual(
		matching.filter((one) => one.created_at !== null).map(({ id }) => id),
	);
	expect(queries()).toHaveLength(3);
});

it('the limit applies to the links that match', async () => {
	serve(daily(450, (id) => ({ password: id % 100 === 0 })));
	const result = await list({ hasPassword: true }, { returnAll: false, limit: 2 });
	expect(idsOf(result)).toEqual([400, 300]);
	expect(queries().map(({ per_page: size, page }) => `${size} ${page}`)).toEqual([
		'100 1',
		'100 2',
	]);
});

it('combines its filters with those of the service, which alone are sent', async () => {
	serve(daily(30));
	const result = await list({ clicksAtLeast: 10, clicksAtMost: 12, status: 1, spaceId: byId(3) });
	expect(idsOf(result)).toEqual([12, 11, 10]);
	expect(queries()).toEqual([{ space_id: '3', status: '1', per_page: '100', page: '1' }]);
	expect(hintsOf(result)).toBe('The node read 1 page of the list, with 30 links.');
});

it('leaves out links whose value is unknown, and says so', async () => {
	serve(daily(5, (id) => (id === 3 ? { clicks: null } : {})));
	const result = await list({ clicksAtMost: 4 });
	expect(idsOf(result)).toEqual([4, 2, 1]);
	expect(hintsOf(result)).toMatch(
		/The node left out 1 of 5 links, because the service does not show the values for Clicks At Most\.$/,
	);
});

it('fails if the service shows the value of no link', async () => {
	serve(daily(5, () => ({ created_at: '2 days ago' })));
	const { error } = await list({ createdBefore: '2030-01-01' });
	expect(error?.message).toMatch(
		/Created Before cannot filter the list, because the service returns no readable created_at/,
	);
	serve([]);
	expect(jsonOf(await list({ createdBefore: '2030-01-01' }))).toEqual([]);
});

it('says how many links depend on the meaning of Z', async () => {
	serve(daily(5));
	const result = await link('getAll', {
		timezone: 'Europe/Berlin',
		parameters: { returnAll: true, filters: { createdAfter: '2026-01-03T00:30:00' } },
	} as never);
	expect(idsOf(result)).toEqual([5, 4, 3]);
	expect(hintsOf(result)).toMatch(/For 1 of 5 links, the result depends on the Z/);
});

it('reads a list again from which a link was deleted during the read', async () => {
	const links = daily(250, (id) => ({ password: id % 2 === 0 }));
	let deleted = 0;
	current().follow(({ query }) => {
		const page = Number(query.page);
		if (page === 2 && deleted === 0) deleted = links.splice(0, 1).length;
		return pageOf(links.slice((page - 1) * 100, page * 100), page, 3, links.length);
	});
	const result = await list({ hasPassword: true }, { options: { concurrency: 1 } });
	expect(idsOf(result)).toEqual(from(248, 2).filter((id) => id % 2 === 0));
	expect(queries().map(({ page }) => page)).toEqual(['1', '2', '1', '2', '3']);
});

it('fails on a service that ignores pages, and explains what helps', async () => {
	current().follow(() => pageOf(daily(100), 1, 3, 300));
	const { error } = await list({ hasPassword: true }, { returnAll: false, limit: 5 });
	expect(error?.message).toMatch(/^The service ignores the page parameter/);
	expect(error?.description).toMatch(/Narrow the list with a filter that the service has/);
});

it('refuses a filter that is no date before a request', async () => {
	const { error } = await list({ createdAfter: 'soon' });
	expect(error?.message).toMatch(/Created After "soon" is not a date and time/);
	expect(current().requests).toEqual([]);
});

it('searches everywhere by default', async () => {
	serve(daily(3));
	expect(idsOf(await list({ search: 'a' }))).toEqual([3, 2, 1]);
	expect(queries().map(({ search_by: by }) => by)).toEqual(['alias', 'url', 'title']);
});

describe('Get by destination', () => {
	const get = async (value: string, operation = 'get') =>
		await link(operation, {
			parameters: { linkId: { __rl: true, mode: 'destinationUrl', value } } as never,
		});
	const answer = (links: IDataObject[]) =>
		current().follow(({ path, query }) =>
			path.endsWith('/links')
				? pageOf(links.filter(({ url }) => String(url).includes(String(query.search))))
				: { body: { data: links.find(({ id }) => path.endsWith(`/${String(id)}`)) } },
		);

	it('returns the only link with the whole destination', async () => {
		const url = 'https://example.com/page';
		answer([linkAs({ id: 4, url: `${url}/more` }), linkAs({ id: 3, url })]);
		const result = await get('HTTPS://EXAMPLE.com/page');
		expect(result.error).toBeUndefined();
		expect(jsonOf(result)).toMatchObject([{ id: 3, url }]);
		expect(queries().map(({ search_by: by }) => by)).toContain('url');
	});

	it('refuses several matches, and names them', async () => {
		answer([linkAs({ id: 4, alias: 'b' }), linkAs({ id: 3, alias: 'a' })]);
		const { error } = await get('https://example.com/');
		expect(error?.message).toMatch(
			/2 links have the destination URL https:\/\/example\.com\/: b \(ID 4\), a \(ID 3\)/,
		);
	});

	it('fails if the link has another destination when it is read', async () => {
		const url = 'https://example.com/page';
		const read = async (own: IDataObject) => {
			current().follow(({ path }) =>
				path.endsWith('/links') ? pageOf([linkAs({ url })]) : oneOf(own),
			);
			return await get(url);
		};
		const { error } = await read(linkAs({ url: `${url}/new` }));
		expect(error?.message).toBe(`No link has the destination URL ${url}`);
		for (const own of [linkAs({ url: 'https://EXAMPLE.com/page' }), linkAs({ url: null })]) {
			expect(jsonOf(await read(own))).toMatchObject([{ id: 1 }]);
		}
	});

	it('fails if no link has it, and for a text that is no URL', async () => {
		answer([linkAs({ id: 4, url: 'https://example.com/other' })]);
		const { error } = await get('https://example.com/o');
		expect(error?.message).toMatch(/No link has the destination URL https:\/\/example\.com\/o/);
		expect((await get('example')).error?.message).toMatch(/"example" is not an absolute URL/);
	});

	it('is refused by other operations', async () => {
		const { error } = await get('https://example.com/', 'delete');
		expect(error?.message).toMatch(
			/Link does not accept a destination URL; use the ID of the link/,
		);
		expect(current().requests).toEqual([]);
	});
});
