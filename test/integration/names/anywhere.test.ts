import type { IDataObject } from 'n8n-workflow';
import { request } from 'undici';
import { byId, jsonOf, useService } from '../../support/service.ts';

const { current, link } = useService();

/** Words that stand in the alias, the destination or the title of a link, or in none of them. */
const places = ['alias', 'url', 'both', 'none'] as const;

/** So many links; the service makes titles out of destinations. */
async function make(count: number): Promise<void> {
	const items = Array.from({ length: count }, (_, index) => {
		const place = places[(index * 7) % places.length];
		const number = String((index * 37) % 131).padStart(3, '0');
		const isIn = (one: string) => (place === one || place === 'both' ? 'Spring' : 'x');
		return {
			alias: `${number}${isIn('alias')}-${index}`,
			// The service takes the host for the title.
			url: `https://h${String((index * 53) % 131).padStart(3, '0')}.${isIn('url').toLowerCase()}.example/${index}`,
		};
	});
	const parameters = { mappingColumnMode: 'autoMapInputData', domainId: byId(1) };
	expect((await link('create', { items, parameters })).error).toBeUndefined();
	current().requests.length = 0;
}

interface Asked {
	readonly filters?: IDataObject;
	readonly sorting?: IDataObject;
	readonly limit?: number;
	readonly options?: IDataObject;
	readonly output?: 'raw';
}

const list = async ({ limit, ...more }: Asked = {}) =>
	await link('getAll', {
		parameters: { returnAll: limit === undefined, limit: limit ?? 1, ...more } as never,
	});

const anywhere = { search: 'spring', searchBy: 'anywhere' };

const idsOf = (items: readonly IDataObject[]) => items.map(({ id }) => id);

/** The links that have the text anywhere, in the order in which the service gives all of its links. */
async function expected(sorting: IDataObject): Promise<IDataObject[]> {
	const all = jsonOf(await list({ sorting }));
	return all.filter(({ alias, url, title }) =>
		[alias, url, title].join('\n').toLowerCase().includes('spring'),
	);
}

const searches = () =>
	current().requests.map(({ query }) => new URLSearchParams(query).get('search_by'));

describe('Search By Anywhere finds what stands in alias, destination or title', () => {
	it('each once, in the order of the service', async () => {
		await make(60);
		for (const sorting of [
			{},
			{ sortBy: 'alias', sort: 'asc' },
			{ sortBy: 'url' },
			{ sortBy: 'title', sort: 'desc' },
			{ sortBy: 'id', sort: 'asc' },
		]) {
			const all = idsOf(await expected(sorting));
			expect(all).toHaveLength(45);
			expect(idsOf(jsonOf(await list({ filters: anywhere, sorting })))).toEqual(all);
			for (const limit of [1, 7, 30]) {
				const first = jsonOf(await list({ filters: anywhere, sorting, limit }));
				expect(idsOf(first)).toEqual(all.slice(0, limit));
			}
		}
	});

	it('in each envelope', async () => {
		await make(130);
		const sorting = { sortBy: 'alias', sort: 'asc' };
		const all = idsOf(await expected(sorting));
		for (const envelope of ['flat', 'simple', 'bare'] as const) {
			current().set({ envelope });
			expect(idsOf(jsonOf(await list({ filters: anywhere, sorting })))).toEqual(all);
			const first = jsonOf(await list({ filters: anywhere, sorting, limit: 20 }));
			expect(idsOf(first)).toEqual(all.slice(0, 20));
		}
	});

	it('by clicks, as numbers', async () => {
		await make(12);
		const clicks = [9, 10, 100, 11, 2];
		const opened = jsonOf(await list({ sorting: { sort: 'asc' } }));
		for (const [index, count] of clicks.entries()) {
			for (let click = 0; click < count; click += 1) {
				const { body } = await request(`${current().url}/s/${String(opened[index]?.alias)}`);
				await body.dump();
			}
		}
		const sorting = { sortBy: 'clicks', sort: 'desc' };
		const found = jsonOf(await list({ filters: anywhere, sorting }));
		const told = found.map((one) => Number(one.clicks));
		expect(told).toEqual(told.toSorted((one, other) => other - one));
		expect(new Set(idsOf(found))).toEqual(new Set(idsOf(await expected(sorting))));
	});

	it('with the other filters in each request, under a strict limit', async () => {
		await make(8);
		current().set({ throttle: { limit: 2, windowSeconds: 1 } });
		const filters = { ...anywhere, status: 1, domainId: byId(1) };
		const found = await list({ filters, limit: 3 });
		expect(jsonOf(found)).toHaveLength(3);
		const answered = current().requests.filter(({ status }) => status === 200);
		expect(answered.map(({ query }) => Object.fromEntries(new URLSearchParams(query)))).toEqual(
			['alias', 'url', 'title'].map((by) => ({
				...{ search: 'spring', search_by: by, status: '1', domain_id: '1' },
				...{ per_page: '10', page: '1' },
			})),
		);
	});

	it('and without a text, all links with one request', async () => {
		await make(8);
		const found = await list({ filters: { searchBy: 'anywhere' }, limit: 50 });
		expect(jsonOf(found)).toHaveLength(8);
		expect(searches()).toEqual([null]);
	});
});
