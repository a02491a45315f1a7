import { linkAccount, linkLike, rowOf, runRows } from '../../../support/operationRun.ts';

describe('Create', () => {
	const url = 'https://example.com/x';
	const row = (alias: string) => rowOf('create', { url, alias });
	const taken = { message: { alias: ['Taken.'] } };

	it.each<[status: number, body: object, owner: string, alias: string, advice: string]>([
		[
			409,
			{ message: 'No' },
			'a',
			'a',
			'is taken by the link a (ID 7); use Create or Update to change it.',
		],
		[422, taken, 'a', 'a', 'is taken by the link a (ID 7); use Create or Update to change it.'],
		[422, taken, 'A', 'a', 'Write the alias as this link has it, or use another one.'],
		[422, taken, 'ab', 'a', ''],
		[409, {}, 'a', '', ''],
		[422, { message: { url: ['Bad.'] } }, 'a', 'a', ''],
		[400, taken, 'a', 'a', ''],
	])('names the owner of an alias (%d, %j, %s)', async (status, body, owner, alias, advice) => {
		const account = linkAccount([linkLike({ id: 7, alias: owner })]);
		const { results } = await runRows([row(alias)], (request, number) =>
			request.method === 'POST' ? { status, body } : account(request, number),
		);
		const failure = results[0] && 'failure' in results[0] ? results[0].failure : undefined;
		expect(failure?.statusCode).toBe(status);
		if (advice === '') expect(failure?.advice).not.toContain('ID 7');
		else expect(failure?.advice.endsWith(advice)).toBe(true);
	});

	it('sends nothing if an earlier try left a stray link', async () => {
		const { outcomes, sent } = await runRows([row('')], linkAccount([]), { hasStray: true });
		expect(outcomes).toEqual([
			'failed: Not created, because the service returned another link for an earlier create',
		]);
		expect(sent).toEqual([]);
	});
});

describe('Create or Update reads', () => {
	const row = (alias: string, domainId: unknown = 1) =>
		rowOf('upsert', { alias, url: 'https://example.com/', domainId } as never);
	const many = (count: number) =>
		Array.from({ length: count }, (_, index) =>
			linkLike({ id: index + 1, alias: `l${index + 1}`, url: 'https://example.com/' }),
		);
	const search = (alias: string) => `GET /links search=${alias} search_by=alias`;
	const reads = async (rows: ReturnType<typeof row>[], count = 3) => {
		const { sent } = await runRows(rows, linkAccount(many(count)));
		return sent.filter((request) => request.startsWith('GET'));
	};

	it.each<[string, ReturnType<typeof row>[], string[]]>([
		[
			'no list for two texts',
			[row('a'), row('b'), row('B')],
			[search('a'), search('b'), search('B')],
		],
		['the list for a domain', [row('l1'), row('l2'), row('z')], ['GET /links']],
		['all links without a domain', ['l1', 'l2', 'z'].map((each) => row(each, '')), ['GET /links']],
	])('%s', async (_what, rows, sent) => {
		expect(await reads(rows)).toEqual(sent);
	});

	it('a list only if that takes fewer requests than looking up each row', async () => {
		const three = await reads(
			['l1', 'l2', 'l3'].map((alias) => row(alias)),
			450,
		);
		expect(three.filter((each) => !each.endsWith('page=2'))).toEqual([
			...['GET /links', search('l1'), search('l2'), search('l3')],
		]);
		const four = await reads(
			['l1', 'l2', 'l3', 'l4'].map((alias) => row(alias)),
			450,
		);
		expect(four).toContain(search('l4'));
		const five = await reads(
			['l1', 'l2', 'l3', 'l4', 'l5'].map((alias) => row(alias)),
			450,
		);
		expect(five).toHaveLength(5);
	});
});
