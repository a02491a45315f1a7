import { withoutRandomKey } from '../../../../nodes/shared/operations/dryRunCreates';
import { linkAccount, linkLike, rowOf, runRows } from '../../../support/operationRun.ts';

const plan = { isDryRun: true, showsTable: true };

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
	return { items, sent, results };
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
	const { items, results } = await planned([row({ alias: 'a', domainId: 1 })], links);
	expect(items).toMatchObject([
		{
			...{ outcome: 'refused', id: null, alias: 'a' },
			note: 'The alias is taken by the link a (ID 7); use Create or Update to change it',
		},
	]);
	expect(results[0]).toMatchObject({ write: { endpoint: 'create' } });
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

it('shows that a run makes up an alias', async () => {
	const made = row({}, { generateAlias: '1' });
	const open = withoutRandomKey(made);
	const { items } = await planned([made], []);
	expect(items[0]?.note).toBe('New; a run generates the alias');
	expect(open.fields.some(({ field }) => field.name === 'alias')).toBe(false);
	const given = row({ alias: 'a' }, { generateAlias: '1' });
	expect(withoutRandomKey(given)).toBe(given);
});
