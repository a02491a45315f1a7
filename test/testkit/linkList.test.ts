import { useReferenceService } from '../support/referenceService.ts';

const { call, column, createLink } = useReferenceService();

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
