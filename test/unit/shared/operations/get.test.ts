import { linkAccount, linkLike, rowOf, runRows } from '../../../support/operationRun.ts';

const row = (linkId: unknown) => rowOf('get', { linkId } as never);

const links = () => [linkLike({ id: 1 }), linkLike({ id: 2, alias: 'b' })];

it('reads the link of each row', async () => {
	const rows = [row('1'), row({ mode: 'url', value: 'https://short.example/b' }), row('9')];
	const run = await runRows(rows, linkAccount(links()));
	expect(run.outcomes).toEqual(['read', 'read', 'failed: No link has the ID 9']);
	expect(run.results.slice(0, 2)).toMatchObject([
		...[{ resources: [{ id: 1 }] }, { resources: [{ id: 2 }] }],
	]);
});
