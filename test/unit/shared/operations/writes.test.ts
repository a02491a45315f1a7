import { linkAccount, linkLike, rowOf, runRows } from '../../../support/operationRun.ts';

const plan = { isDryRun: true };

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
		['the list of a domain', [row('l1'), row('l2'), row('z')], ['GET /links domain_id=1']],
		['all links for several domains', [row('l1'), row('l2'), row('z', 2)], ['GET /links']],
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
			...['GET /links domain_id=1', search('l1'), search('l2'), search('l3')],
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

describe('Update', () => {
	const row = (linkId: unknown, updateFields: object) =>
		rowOf('update', { linkId, updateFields } as never);
	const add = (pixelIds: string) => row('1', { pixelIds, pixelMode: 'add' });

	it('writes the fields of each row', async () => {
		const links = [linkLike({ id: 1 }), linkLike({ id: 2, alias: 'b' })];
		const byUrl = row({ mode: 'url', value: 'https://short.example/b' }, { spaceId: '3' });
		const run = await runRows([row('1', { disabled: true }), byUrl], linkAccount(links));
		expect(run.outcomes).toEqual(['updated', 'updated']);
		expect(run.sent).toEqual([
			'PUT /links/1 disabled=1',
			'GET /links search=b search_by=alias',
			'PUT /links/2 space_id=3',
		]);
	});

	it('reads a link first if the fields depend on it', async () => {
		const links = [linkLike({ id: 1, pixels: [{ id: 5 }] })];
		const same = await runRows([add('5')], linkAccount(links));
		expect(same).toMatchObject({ outcomes: ['unchanged'], sent: ['GET /links/1'] });
		const planned = await runRows([add('6')], linkAccount(links), plan);
		expect(planned.results).toMatchObject([
			{ resources: [{ before: 'Pixels: 5', after: 'Pixels: 5, 6' }] },
		]);
		const { sent } = await runRows([add('6')], linkAccount(links));
		expect(sent).toEqual(['GET /links/1', expect.stringMatching(/^PUT \/links\/1 pixel_ids/)]);
	});

	it('plans what a run sends, also what changes nothing', async () => {
		const rows = [true, false, false].map((disabled) => row('1', { disabled }));
		const run = await runRows(
			[...rows, row('9', { disabled: true })],
			linkAccount([linkLike({ id: 1 })]),
			plan,
		);
		const [off, on] = ['Disabled: true', 'Disabled: false'];
		expect(run.results.slice(0, 3)).toMatchObject([
			{ resources: [{ id: 1, alias: 'a', before: on, after: off, note: 'Changes 1 field' }] },
			{ resources: [{ before: off, after: on, note: 'Changes 1 field' }] },
			{ resources: [{ before: '–', after: '–', note: 'Sent, but changes nothing' }] },
		]);
		expect(run.outcomes).toEqual([
			...['updated', 'updated', 'updated', 'failed: No link has the ID 9'],
		]);
	});

	it('notes what the service did not store', async () => {
		const body = { data: linkLike({ space: { id: 4 } }) };
		const { outcomes, notes } = await runRows([row('1', { spaceId: '3' })], () => ({ body }));
		expect(outcomes).toEqual(['updated']);
		expect(notes).toEqual(['The service did not store these values as sent: Space in 1 item']);
	});
});
