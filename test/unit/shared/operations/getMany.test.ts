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
	expect(run).toMatchObject({ outcomes: ['read'] });
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
	expect(ids(run)).toEqual([5, 4, 3]);
	expect(run.sent).toEqual([
		...['alias', 'url', 'title'].map((by) => `GET /links search=spring search_by=${by}`),
	]);
	const limited = row({ search: 'spring', searchBy: 'anywhere' }, { returnAll: false, limit: 2 });
	expect(ids(await runRows([limited], linkAccount(links())))).toEqual([5, 4]);
});

it('reads one list if there is nothing to search for', async () => {
	const run = await runRows([row({ searchBy: 'anywhere' })], linkAccount(links()));
	expect(run).toMatchObject({ sent: ['GET /links'] });
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
