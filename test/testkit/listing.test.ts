import { useReferenceService } from '../support/referenceService.ts';

const { ask, column, createLink, current } = useReferenceService();

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
		['10', 10],
		['25', 25],
		['50', 50],
		['100', 100],
		['7', 10],
		['1000', 10],
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
