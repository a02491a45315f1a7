import { linkAccount, linkLike, rowOf, runRows } from '../../../support/operationRun.ts';

const links = () => [
	linkLike({ id: 5, alias: 'e', url: 'https://example.com/spring' }),
	linkLike({ id: 4, alias: 'spring-d', url: 'https://example.com/spring' }),
	linkLike({ id: 3, alias: 'spring', url: 'https://example.com/' }),
	linkLike({ id: 2, alias: 'b', url: 'https://example.com/' }),
];

const row = (filters: object, more: object = { returnAll: true }) =>
	rowOf('getAll', { filters, ...more } as never);

const ids = ({ results }: Awaited<ReturnType<typeof runRows>>) =>
	results.flatMap((result) => ('resources' in result ? result.resources.map(({ id }) => id) : []));

it('reads a list with its filters', async () => {
	const run = await runRows([row({ search: 'spring', searchBy: 'alias' })], linkAccount(links()));
	expect(run).toMatchObject({ outcomes: ['read'], expected: [1] });
	expect(ids(run)).toEqual([4, 3]);
	expect(run.sent).toEqual(['GET /links search=spring search_by=alias']);
});

it('reads up to its limit', async () => {
	const run = await runRows([row({}, { returnAll: false, limit: 2 })], linkAccount(links()));
	expect(ids(run)).toEqual([5, 4]);
});

it('searches in several fields, and returns each link once', async () => {
	const given = row({ search: 'spring', searchBy: 'anywhere' });
	const run = await runRows([given], linkAccount(links()));
	expect(run.expected).toEqual([3]);
	expect(ids(run)).toEqual([5, 4, 3]);
	expect(run.sent).toEqual([
		...['alias', 'url', 'title'].map((by) => `GET /links search=spring search_by=${by}`),
	]);
	const limited = row({ search: 'spring', searchBy: 'anywhere' }, { returnAll: false, limit: 2 });
	expect(ids(await runRows([limited], linkAccount(links())))).toEqual([5, 4]);
});

it('reads one list if there is nothing to search for', async () => {
	const run = await runRows([row({ searchBy: 'anywhere' })], linkAccount(links()));
	expect(run).toMatchObject({ expected: [1], sent: ['GET /links'] });
});

it('shows in a dry run what it reads', async () => {
	const run = await runRows([row({ search: 'b' })], linkAccount(links()), {
		isDryRun: true,
		showsTable: true,
	});
	expect(run.outcomes).toEqual(['read']);
	expect(run.results).toMatchObject([
		{
			resources: expect.arrayContaining([
				expect.objectContaining({ outcome: 'read', id: 2, alias: 'b', note: 'Only read' }),
			]),
		},
	]);
});

describe('filters that the service does not have', () => {
	const many = (count: number) =>
		Array.from({ length: count }, (_, index) => {
			const id = count - index;
			const created_at = new Date(Date.UTC(2026, 0, id)).toISOString();
			return linkLike({ id, alias: `a-${id}`, clicks: id, created_at });
		});

	it('select from all pages, and the notes count what was read', async () => {
		const run = await runRows([row({ clicksAtMost: 2, status: 1 })], linkAccount(many(130)));
		expect(ids(run)).toEqual([2, 1]);
		expect(run.sent).toEqual(['GET /links status=1', 'GET /links status=1 page=2']);
		expect(run.notes).toEqual(['The node read 2 pages of the list, with 130 links']);
	});

	it('end the read, one page at a time', async () => {
		const given = row({ createdAfter: '2026-07-20' });
		const run = await runRows([given], linkAccount(many(400)), { client: { concurrency: 5 } });
		expect(ids(run)).toEqual(Array.from({ length: 200 }, (_, index) => 400 - index));
		expect(run.sent).toEqual(
			['', ' page=2', ' page=3'].map((page) => `GET /links sort_by=id sort=desc${page}`),
		);
	});

	it('apply before the limit', async () => {
		const given = row({ clicksAtMost: 9 }, { returnAll: false, limit: 2 });
		const run = await runRows([given], linkAccount(many(120)));
		expect(ids(run)).toEqual([9, 8]);
		expect(run.sent).toEqual(['GET /links', 'GET /links page=2']);
	});

	it('apply to each list of a search in several fields', async () => {
		const given = row({ search: 'a-1', searchBy: 'anywhere', clicksAtLeast: 11 });
		const run = await runRows([given], linkAccount(many(12)));
		expect(ids(run)).toEqual([12, 11]);
		expect(run.notes).toEqual(['The node read 3 pages of the list, with 4 links']);
	});

	it('fail if no link shows the value, and the notes say what was left out otherwise', async () => {
		const unknown = () => linkLike({ id: 2, clicks: null });
		expect((await runRows([row({ clicksAtLeast: 1 })], linkAccount([unknown()]))).outcomes).toEqual(
			[
				'failed: Clicks At Least cannot filter the list, because the service returns no readable clicks',
			],
		);
		const shown = linkLike({ id: 1, clicks: 1 });
		const some = await runRows([row({ clicksAtLeast: 1 })], linkAccount([unknown(), shown]));
		expect(ids(some)).toEqual([1]);
		expect(some.notes).toEqual([
			'The node read 1 page of the list, with 2 links',
			'The node left out 1 of 2 links, because the service does not show the values for Clicks At Least',
		]);
	});

	it('advise a filter of the service if it ignores pages', async () => {
		const page = { data: many(100), meta: { current_page: 1, last_page: 2, total: 200 } };
		const run = await runRows([row({ clicksAtMost: 1 })], () => ({ body: page }));
		expect(run.results).toMatchObject([
			{
				failure: {
					message:
						'The service ignores the page parameter, so only the first page of the list can be read',
					advice:
						'Narrow the list with a filter that the service has, such as Search, Space or Status.',
				},
			},
		]);
	});
});

it('has no notes for one page of each list, and counts further pages', async () => {
	const many = Array.from({ length: 101 }, (_, index) => linkLike({ id: 101 - index }));
	const two = [row({}), row({})];
	expect((await runRows(two, linkAccount(links()))).notes).toEqual([]);
	expect((await runRows(two, linkAccount(many))).notes).toEqual([
		'The node read 4 pages of the list, with 202 links',
	]);
});

it('gives up a list without an end', async () => {
	let pages = 0;
	const run = await runRows([row({})], () => {
		pages += 1;
		return { body: { data: [{ id: pages }], links: { next: 'https://links.example/next' } } };
	});
	expect(run.results).toMatchObject([
		{
			failure: {
				message: 'The list has more than 10000 pages',
				advice: 'Turn off Return All, or narrow the list with filters.',
			},
		},
	]);
	expect(pages).toBe(10_001);
});
