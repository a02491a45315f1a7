import { linkAccount, linkLike, rowOf, runRows } from '../../../support/operationRun.ts';

const links = () => ['a', 'b', 'c'].map((alias, index) => linkLike({ id: index + 1, alias }));

const plan = { isDryRun: true };

const rows = (...ids: unknown[]) => ids.map((linkId) => rowOf('delete', { linkId } as never));

it('reads the list for many rows, and looks up what it does not have', async () => {
	const { outcomes, sent } = await runRows(rows('1', '02', '3', '9'), linkAccount(links()), plan);
	expect(outcomes).toEqual([
		...['deleted', 'deleted', 'deleted'],
		expect.stringMatching(/^failed/),
	]);
	expect(sent).toEqual(['GET /links', 'GET /links/9']);
});

it('looks up a few rows', async () => {
	const url = { mode: 'url', value: 'https://short.example/b' };
	const { outcomes, sent } = await runRows(rows('1', url), linkAccount(links()), plan);
	expect(outcomes).toEqual(['deleted', 'deleted']);
	expect(sent).toEqual(['GET /links/1', 'GET /links search=b search_by=alias']);
});
