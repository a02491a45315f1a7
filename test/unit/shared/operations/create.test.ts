import { linkAccount, linkLike, rowOf, runRows } from '../../../support/operationRun.ts';

const row = (url: string, more: object = {}) => {
	const { alias = '', ...additionalFields } = more as Record<string, unknown>;
	return rowOf('create', { url, alias, additionalFields });
};

const url = 'https://example.com/x';

it('creates a link for each row', async () => {
	const links = [linkLike({ id: 1, url })];
	const run = await runRows([row(url), row(url)], linkAccount(links));
	expect(run.outcomes).toEqual(['created', 'created']);
	expect(run.expected).toEqual([1, 1]);
	expect(links).toHaveLength(3);
	expect(run.notes).toEqual([]);
	expect(run.results[0]).not.toHaveProperty('reportOutcome');
});

describe('a refused alias', () => {
	const failureOf = async (status: number, body: unknown, more: object = { alias: 'a' }) => {
		const { results } = await runRows([row(url, more)], () => ({ status, body }));
		const [result] = results;
		if (!result || !('failure' in result)) throw new Error('The row did not fail');
		return result.failure;
	};
	const hint = 'To change the link that has this alias, use Create or Update.';

	it.each<[status: number, body: unknown, isHinted: boolean]>([
		[409, { message: 'Conflict' }, true],
		[422, { message: { alias: ['Taken.'] } }, true],
		[422, { message: { url: ['Bad.'] } }, false],
		[400, { message: { alias: ['Taken.'] } }, false],
	])('with status %d and %j is explained: %p', async (status, body, isHinted) => {
		const { advice } = await failureOf(status, body);
		expect(advice.endsWith(hint)).toBe(isHinted);
	});

	it('is not explained for a row without an alias', async () => {
		expect((await failureOf(409, { message: 'Conflict' }, {})).advice).not.toContain(hint);
	});
});

it('takes an account whose first create was lost by an earlier try', async () => {
	const { outcomes, sent } = await runRows([row(url)], linkAccount([]), { hasStray: true });
	expect(outcomes).toEqual([
		'failed: Not created, because the service returned another link for an earlier create',
	]);
	expect(sent).toEqual([]);
});
