import { useReferenceService } from '../support/referenceService.ts';

const { ask, call, column, createLink, current } = useReferenceService();

describe('pages of a list', () => {
	beforeEach(async () => {
		for (let count = 0; count < 12; count += 1) await createLink();
	});

	test('carry links and meta; the links lose the filters', async () => {
		const { body } = await ask('GET', '/api/v1/links?status=1&search=example&sort=asc&page=2');
		const path = `${current().url}/api/v1/links`;
		expect(body).toEqual({
			data: [expect.objectContaining({ id: 11 }), expect.objectContaining({ id: 12 })],
			links: {
				first: `${path}?per_page=10&page=1`,
				last: `${path}?per_page=10&page=2`,
				prev: `${path}?per_page=10&page=1`,
				next: null,
			},
			meta: {
				current_page: 2,
				from: 11,
				last_page: 2,
				path,
				per_page: 10,
				to: 12,
				total: 12,
			},
			status: 200,
		});
		const first = await ask('GET', '/api/v1/links?status=1');
		expect(first.body.links).toMatchObject({ prev: null, next: `${path}?per_page=10&page=2` });
	});

	test.each([
		['25', 25],
		['100', 100],
		['7', 10],
		['', 10],
	])('per_page=%s means %d', async (perPage, size) => {
		const { body } = await ask('GET', `/api/v1/links?per_page=${perPage}`);
		expect(body.meta).toMatchObject({ per_page: size });
		expect(body.data).toHaveLength(Math.min(size, 12));
	});

	test('a page after the last one is empty, a page that is no number is the first', async () => {
		const { body } = await ask('GET', '/api/v1/links?page=3');
		expect(body).toMatchObject({ data: [], meta: { from: null, to: null, total: 12 } });
		expect(await column('links?page=x', 'id')).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3]);
	});
});

describe('filters and order of links', () => {
	beforeEach(async () => {
		await createLink({ url: 'https://b.example/news', alias: 'Zoo', domain_id: '2' });
		await createLink({ url: 'https://c.example/shop', alias: 'ant', space_id: '2' });
		await createLink({ url: 'https://a.example/100%25', alias: 'fox_1', 'pixel_ids[]': '3' });
	});

	test.each([
		['', [3, 2, 1]],
		['search=C.EXAMPLE', [2]],
		['search=news', []],
		['search=news&search_by=url', [1]],
		['search=O&search_by=alias', [3, 1]],
		['search=%25&search_by=url', [3]],
		['search=_&search_by=alias', [3]],
		['search=a.example&search_by=nonsense', [3]],
		['space_id=2', [2]],
		['domain_id=2', [1]],
		['pixel_id=3', [3]],
		['pixel_id=1', []],
		['domain_id=1&search=a.&search_by=url', [3]],
		['space_id=', [3, 2, 1]],
		['sort=asc', [1, 2, 3]],
		['sort_by=alias&sort=asc', [2, 3, 1]],
		['sort_by=title', [2, 1, 3]],
		['sort_by=url&sort=asc', [3, 1, 2]],
		['sort_by=nonsense&sort=nonsense', [3, 2, 1]],
	])('?%s', async (query, ids) => {
		expect(await column(`links?${query}`, 'id')).toEqual(ids);
	});
});

test('status filters: active, expired by time or clicks, disabled', async () => {
	await createLink({ alias: 'plain' });
	await createLink({ alias: 'past', expiration_date: '2001-01-01', expiration_time: '00:00' });
	await createLink({ alias: 'future', expiration_date: '2999-01-01', expiration_time: '00:00' });
	await createLink({ alias: 'used-up', expiration_clicks: '1' });
	await createLink({ alias: 'unused', expiration_clicks: '1' });
	await createLink({ alias: 'off', disabled: '1' });
	await call('GET', '/s/used-up');
	const aliases = (status: string) => column(`links?sort=asc&status=${status}`, 'alias');
	expect(await aliases('1')).toEqual(['plain', 'future', 'unused']);
	expect(await aliases('2')).toEqual(['past', 'used-up']);
	expect(await aliases('3')).toEqual(['off']);
	expect(await aliases('0')).toHaveLength(6);
	expect(await aliases('4')).toHaveLength(6);
});
