import { linkAccount, linkLike, rowOf, runRows } from '../../../support/operationRun.ts';

const row = (url: string, more: object = {}, own: Record<string, string> = {}) => {
	const { alias = '', ...additionalFields } = more as Record<string, unknown>;
	return rowOf('create', { url, alias, additionalFields }, { resourceOptions: own });
};

const url = 'https://example.com/x';

const reuse = { reuseExisting: '1' };

const resourcesOf = ({ results }: Awaited<ReturnType<typeof runRows>>) =>
	results.flatMap((result) => ('resources' in result ? [...result.resources] : []));

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

describe('a row that uses again what is there', () => {
	it('gets the oldest active link that has all that it asks for', async () => {
		const links = [
			linkLike({ id: 1, alias: 'z', url, disabled: 1 }),
			linkLike({ id: 5, alias: 'c', url }),
			linkLike({ id: 3, alias: 'b', url }),
			linkLike({ id: 2, alias: 'd', url, space: { id: 4 } }),
		];
		const run = await runRows([row(url, {}, reuse)], linkAccount(links));
		expect(run.outcomes).toEqual(['existing']);
		expect(run.results[0]).toMatchObject({ reportOutcome: true });
		expect(run.expected).toEqual([2]);
		expect([2, 3]).toContain(resourcesOf(run)[0]?.id);
		const spaced = await runRows([row(url, { spaceId: '4' }, reuse)], linkAccount(links));
		expect(resourcesOf(spaced)).toMatchObject([{ id: 2 }]);
	});

	it('creates a link only once for rows that ask for the same', async () => {
		const links: ReturnType<typeof linkLike>[] = [];
		const rows = [row(url, {}, reuse), row(url, {}, reuse), row(url, { spaceId: '4' }, reuse)];
		const run = await runRows(rows, linkAccount(links));
		expect(run.outcomes).toEqual(['created', 'existing', 'created']);
		expect(run.results[0]).toMatchObject({ reportOutcome: true });
		expect(links).toHaveLength(2);
	});

	it('reads the list once for many rows', async () => {
		const urls = ['1', '2', '3', '4'].map((text) => `${url}${text}`);
		const links = [
			linkLike({ id: 2, alias: 'b', url: urls[1] }),
			linkLike({ id: 1, url: urls[0] }),
		];
		const run = await runRows(
			urls.map((one) => row(one, {}, reuse)),
			linkAccount(links),
		);
		expect(run.outcomes).toEqual(['existing', 'existing', 'created', 'created']);
		expect(run.expected).toEqual([0, 0, 1, 1]);
		expect(run.sent.filter((text) => text.startsWith('GET'))).toEqual(['GET /links']);
	});

	it('finds nothing where the service finds other destinations', async () => {
		const run = await runRows([row(url, {}, reuse)], linkAccount([linkLike({ url: `${url}y` })]));
		expect(run.outcomes).toEqual(['created']);
	});

	it('searches for its destination', async () => {
		const run = await runRows([row(url, {}, reuse)], linkAccount([linkLike({ url: `${url}y` })]));
		expect(run.sent).toEqual([
			'GET /links',
			'GET /links search=https://example.com/x search_by=url',
			`POST /links url=${url} domain_id=1`,
		]);
	});

	it('shows in a dry run what it would use again', async () => {
		const links = [linkLike({ id: 3, alias: 'b', url })];
		const rows = [row(url, {}, reuse), row(`${url}y`, {}, reuse), row(`${url}y`, {}, reuse)];
		const run = await runRows(rows, linkAccount(links), { isDryRun: true, showsTable: true });
		expect(run.outcomes).toEqual(['existing', 'created', 'existing']);
		expect(resourcesOf(run)[0]).toMatchObject({ id: 3, alias: 'b', note: 'Reused' });
		expect(links).toHaveLength(1);
	});
});

it('takes an account whose first create was lost by an earlier try', async () => {
	const { outcomes, sent } = await runRows([row(url)], linkAccount([]), { hasStray: true });
	expect(outcomes).toEqual([
		'failed: Not created, because the service returned another link for an earlier create',
	]);
	expect(sent).toEqual([]);
});
