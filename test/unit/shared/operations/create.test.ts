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
	expect(links).toHaveLength(3);
	expect(run.notes).toEqual([]);
	expect(run.results[0]).not.toHaveProperty('reportOutcome');
});

describe('a refused alias', () => {
	const adviceOf = async (
		links: ReturnType<typeof linkLike>[],
		status: number,
		body: unknown,
		more: object = { alias: 'a' },
	) => {
		const account = linkAccount(links);
		const { results, sent } = await runRows([row(url, more)], (request, number) =>
			request.method === 'POST' ? { status, body } : account(request, number),
		);
		const [result] = results;
		if (!result || !('failure' in result)) throw new Error('The row did not fail');
		return { advice: result.failure.advice, reads: sent.length - 1 };
	};
	const taken = { message: { alias: ['Taken.'] } };

	it.each<[status: number, body: unknown, isLookedUp: boolean]>([
		[409, { message: 'Conflict' }, true],
		[422, taken, true],
		[422, { message: { url: ['Bad.'] } }, false],
		[400, taken, false],
	])('with status %d and %j is looked up: %p', async (status, body, isLookedUp) => {
		const { advice, reads } = await adviceOf([linkLike({ id: 7 })], status, body);
		expect(reads).toBe(isLookedUp ? 1 : 0);
		const hint =
			'The alias is taken by the link a (ID 7). To change the link that has this alias, use Create or Update.';
		expect(advice.endsWith(hint)).toBe(isLookedUp);
	});

	it('names the link whose alias differs only in case', async () => {
		const { advice } = await adviceOf([linkLike({ id: 7, alias: 'A' })], 422, taken);
		expect(advice).toMatch(
			/The link A \(ID 7\) has the same alias in another case\. Write the alias as this link has it, or use another one\.$/,
		);
	});

	it('gets no advice if no link has it, or if the row has none', async () => {
		const { advice } = await adviceOf([linkLike({ id: 7, alias: 'ab' })], 422, taken);
		expect(advice).not.toContain('ID 7');
		expect((await adviceOf([linkLike()], 409, {}, {})).reads).toBe(0);
	});
});

it('takes an account whose first create was lost by an earlier try', async () => {
	const { outcomes, sent } = await runRows([row(url)], linkAccount([]), { hasStray: true });
	expect(outcomes).toEqual([
		'failed: Not created, because the service returned another link for an earlier create',
	]);
	expect(sent).toEqual([]);
});
