import { estimatedRequests } from '../../../../nodes/shared/operations/reconcileRows';
import { linkAccount, linkLike, rowOf, runRows } from '../../../support/operationRun.ts';

const row = (alias: string, more: object = {}, options: object = {}) =>
	rowOf(
		'upsert',
		{ alias, url: 'https://example.com/', domainId: 1, additionalFields: more } as never,
		options,
	);

const plan = { isDryRun: true };

it.each<[what: string, links: ReturnType<typeof linkLike>[] | undefined, count: number]>([
	['unknown', undefined, 2],
	['several', [linkLike(), linkLike({ id: 2 })], 2],
	['none', [], 1],
	['one that differs', [linkLike({ url: 'https://other.example/' })], 1],
	['one that does not differ', [linkLike()], 0],
])('expects requests for a row whose links are %s', (_what, links, count) => {
	const existing = links && { candidatesFor: () => links, resources: links, keys: links };
	expect(estimatedRequests(row('a'), existing)).toBe(count);
});

it('expects no request for a row that cannot be executed', () => {
	const byId = rowOf(
		'upsert',
		{ linkId: '9', url: 'https://e.com/', alias: 'a' },
		{ matchBy: 'id' },
	);
	expect(estimatedRequests(byId, { candidatesFor: () => [], resources: [], keys: [] })).toBe(0);
});

it('looks up the links of a few rows', async () => {
	const run = await runRows([row('a'), row('b')], linkAccount([linkLike()]));
	expect(run.outcomes).toEqual(['unchanged', 'created']);
	expect(run.expected).toEqual([2, 2]);
	expect(run.sent.slice(0, 2)).toEqual([
		'GET /links search=a search_by=alias',
		'GET /links search=b search_by=alias',
	]);
});

it('reads the list for many rows', async () => {
	const run = await runRows(
		['a', 'b', 'c'].map((alias) => row(alias)),
		linkAccount([linkLike()]),
	);
	expect(run.outcomes).toEqual(['unchanged', 'created', 'created']);
	expect(run.expected).toEqual([0, 1, 1]);
	expect(run.sent.filter((text) => text.startsWith('GET'))).toEqual(['GET /links domain_id=1']);
});

it('does not create a link with one that the list has shown', async () => {
	const run = await runRows(
		['x', 'b', 'c'].map((alias) => row(alias)),
		(sent) =>
			sent.method === 'POST'
				? { body: { data: linkLike({ id: 1, alias: sent.params.alias }) } }
				: linkAccount([linkLike({ id: 1, alias: 'c' })])(sent, 0),
	);
	expect(run.outcomes[0]).toMatch(/^failed: The service returned another link for the create/);
	expect(run.outcomes[1]).toMatch(/^failed: Not created/);
});

it('matches rows by another field', async () => {
	const links = [linkLike({ id: 5, alias: 'z' })];
	const run = await runRows([row('z', { disabled: true }, { matchBy: 'url' })], linkAccount(links));
	expect(run.outcomes).toEqual(['updated']);
	expect(run.problems).toEqual([]);
	const twice = [linkLike({ id: 5 }), linkLike({ id: 6, alias: 'b' })];
	const { problems } = await runRows([row('z', {}, { matchBy: 'url' })], linkAccount(twice));
	expect(problems).toEqual([expect.stringMatching(/^Destination URL .* matches 2 links/)]);
});

it('does not overwrite a link that an earlier row has created', async () => {
	const rows = [row('a', {}, { matchBy: 'url' }), row('a', { disabled: true }, { matchBy: 'url' })];
	const run = await runRows(rows, linkAccount([]));
	expect(run.outcomes).toEqual([
		'created',
		'failed: Another item of this run created a (ID 1), and the service treats this item as the same link',
	]);
});

it('shows in a dry run what it would do', async () => {
	const links = [linkLike({ id: 5 }), linkLike({ id: 6, alias: 'b', url: 'https://old.example/' })];
	const { results, sent } = await runRows(
		['a', 'b', 'c'].map((alias) => row(alias)),
		linkAccount(links),
		plan,
	);
	const items = results.flatMap((result) => ('resources' in result ? [...result.resources] : []));
	expect(items).toMatchObject([
		{ outcome: 'unchanged', id: 5, alias: 'a', before: '–', after: '–', note: 'Nothing to change' },
		{
			...{ outcome: 'updated', id: 6, alias: 'b', note: 'Changes 1 field' },
			before: 'Destination URL: https://old.example/',
			after: 'Destination URL: https://example.com/',
		},
		{ outcome: 'created', id: null, alias: 'c', note: 'New' },
	]);
	expect(sent).toEqual(['GET /links domain_id=1']);
});

it('does nothing without rows', async () => {
	expect(await runRows([], linkAccount([]))).toMatchObject({ results: [], sent: [], notes: [] });
});
