import { fetchPage, readPage } from '../../../../nodes/shared/transport/pages';
import { clientFor } from '../../../support/operationRun.ts';

const items = [{ id: 5 }, { id: 4 }];
const links = { first: 'https://x/?page=1', last: 'https://x/?page=3', prev: null };
const next = 'https://x/?page=2';

describe('a page', () => {
	it.each<[string, unknown, unknown]>([
		[
			'the resource collection',
			{
				data: items,
				links: { ...links, next },
				meta: { current_page: 1, from: 1, last_page: 3, path: 'x', per_page: 2, to: 2, total: 6 },
				status: 200,
			},
			{ items, number: 1, last: 3, total: 6, more: true },
		],
		[
			'the last page of a resource collection',
			{ data: items, links: { next: null }, meta: { current_page: 3, last_page: 3, total: 6 } },
			{ items, number: 3, last: 3, total: 6, more: false },
		],
		[
			'a resource collection whose next link contradicts its counts, which are right',
			{ data: items, links: { next: null }, meta: { current_page: 1, last_page: 3, total: 6 } },
			{ items, number: 1, last: 3, total: 6, more: true },
		],
		[
			'a resource collection that counts in text',
			{ data: items, meta: { current_page: '2', last_page: '10', total: '20' } },
			{ items, number: 2, last: 10, total: 20, more: true },
		],
		[
			'the flat paginator, whose links are a list',
			{
				...{ current_page: 1, data: items, first_page_url: 'x', from: 1, last_page: 3 },
				...{ links: [{ url: null, label: 'Previous' }], next_page_url: next, total: 6 },
			},
			{ items, number: 1, last: 3, total: 6, more: true },
		],
		[
			'the last page of a flat paginator',
			{ current_page: 3, data: items, last_page: 3, next_page_url: null, total: 6 },
			{ items, number: 3, last: 3, total: 6, more: false },
		],
		[
			'the simple paginator',
			{ current_page: 1, data: items, next_page_url: next, per_page: 2 },
			{ items, number: 1, total: undefined, more: true },
		],
		[
			'the last page of a simple paginator',
			{ current_page: 2, data: items, next_page_url: null, per_page: 2 },
			{ items, number: 2, total: undefined, more: false },
		],
		[
			'a resource collection over a simple paginator',
			{ data: items, links: { next }, meta: { current_page: 1, per_page: 2 } },
			{ items, number: 1, total: undefined, more: true },
		],
		[
			'the last page of a resource collection over a simple paginator',
			{ data: items, links: { next: null }, meta: { current_page: 2, per_page: 2 } },
			{ items, number: 2, total: undefined, more: false },
		],
		['a bare list', items, { items }],
		['an empty bare list', [], { items: [] }],
		['a list in `data` alone', { data: items }, { items }],
		[
			'an empty resource collection',
			{ data: [], links: { next: null }, meta: { current_page: 1, last_page: 1, total: 0 } },
			{ items: [], number: 1, last: 1, total: 0, more: false },
		],
		[
			'counts that are no whole numbers',
			{ data: items, meta: { current_page: 'one', last_page: -3, total: 1.5 } },
			{ items },
		],
		['a `meta` that is none', { data: items, meta: 'none', links: [] }, { items }],
	])('is read from %s', (_envelope, body, page) => {
		expect(readPage(body)).toEqual(page);
	});

	it.each<[unknown]>([
		[undefined],
		[null],
		[''],
		['[]'],
		[5],
		[true],
		[{}],
		[{ data: null }],
		[{ data: 'x' }],
		[{ data: { id: 5 } }],
		[{ data: { 0: { id: 5 } } }],
		[{ items }],
		[[1, 2]],
		[['x']],
		[[null]],
		[[[]]],
		[{ data: [{ id: 5 }, null] }],
	])('is not %j', (body) => {
		expect(readPage(body)).toBeUndefined();
	});
});

describe('a page that is fetched', () => {
	const fetched = async (body: unknown) => {
		const { sent, requests, client } = clientFor(() => ({ body }));
		const own = requests();
		const listing = { path: '/links', params: [['search', 'a']] as const };
		const page = await fetchPage(own, listing, 25, 3).catch((error: unknown) => error);
		own.end();
		client.close();
		return { sent, page };
	};

	it('is asked for by its number', async () => {
		expect(await fetched({ data: items })).toEqual({
			sent: ['GET /links search=a page=3'],
			page: { items },
		});
	});

	it.each([[{ id: 5 }], [[{ id: 5 }, {}]], [[{ id: '' }]], ['text']])(
		'is no list if the answer is %j',
		async (body) => {
			expect(
				(await fetched(typeof body === 'string' ? JSON.stringify(body) : body)).page,
			).toMatchObject({
				failure: {
					cause: 'rejected',
					message: 'The service did not return a list',
					advice:
						'Check Base URL in the credential. The address may belong to another kind or version of service.',
				},
			});
		},
	);

	it('is refused if an ID was rounded', async () => {
		expect((await fetched([{ id: 2 ** 53 + 2 }])).page).toMatchObject({
			failure: { message: expect.stringMatching(/^The service has IDs above 9007199254740991/) },
		});
	});
});
