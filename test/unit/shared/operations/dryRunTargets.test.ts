import { planTargets } from '../../../../nodes/shared/operations/dryRunTargets';
import { linkContract } from '../../../../nodes/Link/link.contract';
import { runSettings } from '../../../support/runSettings.ts';
import { linkAccount, linkLike, rowOf, runRows } from '../../../support/operationRun.ts';

const links = () => ['a', 'b', 'c'].map((alias, index) => linkLike({ id: index + 1, alias }));

const plan = { isDryRun: true, showsTable: true };

const rows = (...ids: unknown[]) => ids.map((linkId) => rowOf('delete', { linkId } as never));

it('plans nothing if no table is shown', () => {
	const run = {
		...{
			rows: [],
			isComplete: true,
			isDryRun: true,
			showsTable: false,
			hasStray: false,
			completedIds: new Set<string>(),
		},
		contract: linkContract,
		settings: runSettings(),
	};
	expect(planTargets(run, () => ({ resources: [], outcome: 'read' }))).toEqual({});
});

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
