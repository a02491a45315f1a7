import { linkAccount, linkLike, rowOf, runRows } from '../../../support/operationRun.ts';

const plan = { isDryRun: true };

const row = (
	{ domainId, alias, ...additionalFields }: Record<string, unknown>,
	own: Record<string, string> = {},
) => {
	const given = { url: 'https://example.com/', domainId, alias, additionalFields };
	return rowOf('create', given as never, { resourceOptions: own });
};

async function planned(rows: ReturnType<typeof row>[], links: ReturnType<typeof linkLike>[]) {
	const { results, sent } = await runRows(rows, linkAccount(links), plan);
	const items = results.flatMap((result) => ('resources' in result ? [...result.resources] : []));
	return { items, sent };
}

it('shows a new link, and writes nothing', async () => {
	const { items, sent } = await planned([row({ alias: 'a', domainId: 1 })], []);
	expect(items).toEqual([
		{
			...{ outcome: 'created', id: null, alias: 'a', before: '–', note: 'New' },
			after: expect.stringContaining('Destination URL: https://example.com/'),
		},
	]);
	expect(sent).toEqual(['GET /links search=a search_by=alias']);
});

it('shows that an alias is taken', async () => {
	const links = [linkLike({ id: 7 })];
	const { items } = await planned([row({ alias: 'a', domainId: 1 })], links);
	expect(items).toMatchObject([
		{
			...{ outcome: 'refused', id: null, alias: 'a' },
			note: 'The alias is taken by the link a (ID 7); use Create or Update to change it',
		},
	]);
});

it.each<[what: string, more: object, alias: string]>([
	['the domain is left open', {}, 'a'],
	['the case differs', { domainId: 1 }, 'A'],
])('shows that the service may refuse an alias: %s', async (_what, more, alias) => {
	const { items } = await planned([row({ alias: 'a', ...more })], [linkLike({ id: 7, alias })]);
	expect(items).toMatchObject([
		{
			outcome: 'created',
			note: `New, unless the service refuses the alias because of the link ${alias} (ID 7)`,
		},
	]);
});

it('shows a link without an alias', async () => {
	const { items, sent } = await planned([row({})], []);
	expect(items).toMatchObject([{ outcome: 'created', alias: '–', note: 'New' }]);
	expect(sent).toEqual([]);
});

it('reads the list for many rows', async () => {
	const rows = ['a', 'b', 'c'].map((alias) => row({ alias, domainId: 1 }));
	const { items, sent } = await planned(rows, [linkLike({ id: 7, alias: 'b' })]);
	expect(items.map(({ outcome }) => outcome)).toEqual(['created', 'refused', 'created']);
	expect(sent).toEqual(['GET /links domain_id=1']);
});

it('shows that a run generates an alias', async () => {
	const { items, sent } = await planned([row({}, { generateAlias: '8' })], []);
	expect(items).toMatchObject([
		{
			alias: '–',
			after: 'Destination URL: https://example.com/',
			note: 'New; a run generates the alias',
		},
	]);
	expect(sent).toEqual([]);
});
