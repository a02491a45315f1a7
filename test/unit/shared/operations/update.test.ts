import { linkAccount, linkLike, rowOf, runRows } from '../../../support/operationRun.ts';

const row = (linkId: unknown, updateFields: object) =>
	rowOf('update', { linkId, updateFields } as never);

const plan = { isDryRun: true };

it('writes the fields of each row', async () => {
	const links = [linkLike({ id: 1 }), linkLike({ id: 2, alias: 'b' })];
	const run = await runRows(
		[
			row('1', { disabled: true }),
			row({ mode: 'url', value: 'https://short.example/b' }, { spaceId: '3' }),
		],
		linkAccount(links),
	);
	expect(run.outcomes).toEqual(['updated', 'updated']);
	expect(run.sent).toEqual([
		...[
			'PUT /links/1 disabled=1',
			'GET /links search=b search_by=alias',
			'PUT /links/2 space_id=3',
		],
	]);
	expect(run.notes).toEqual([]);
});

it('reads a link first if the fields depend on it', async () => {
	const links = [linkLike({ id: 1, pixels: [{ id: 5 }] })];
	const add = (pixelIds: string) => row('1', { pixelIds, pixelMode: 'add' });
	const same = await runRows([add('5')], linkAccount(links));
	expect(same).toMatchObject({ outcomes: ['unchanged'], sent: ['GET /links/1'] });
	expect(same.results).toMatchObject([{ resources: [{ id: 1 }] }]);
	const { sent } = await runRows([add('6')], linkAccount(links));
	expect(sent).toHaveLength(2);
	expect(sent[1]).toMatch(/^PUT \/links\/1 pixel_ids/);
});

it('fails for a link that is missing', async () => {
	const { outcomes } = await runRows([row('9', { disabled: true })], linkAccount([]));
	expect(outcomes).toEqual(['failed: No link has the ID 9']);
});

it('notes what the service did not store', async () => {
	const answer = { body: { data: linkLike({ space: { id: 4 } }) } };
	const { outcomes, notes } = await runRows([row('1', { spaceId: '3' })], () => answer);
	expect(outcomes).toEqual(['updated']);
	expect(notes).toEqual(['The service did not store these values as sent: Space in 1 item']);
});

it('shows in a dry run what would change', async () => {
	const links = [linkLike({ id: 1 })];
	const run = await runRows(
		[row('1', { disabled: true }), row('1', { disabled: false }), row('9', { disabled: true })],
		linkAccount(links),
		plan,
	);
	expect(run.results.slice(0, 2)).toMatchObject([
		{
			resources: [
				{
					...{ outcome: 'updated', id: 1, alias: 'a', note: 'Changes 1 field' },
					...{ before: 'Disabled: false', after: 'Disabled: true' },
				},
			],
		},
		{ resources: [{ outcome: 'updated', before: 'Disabled: true', after: 'Disabled: false' }] },
	]);
	expect(run.outcomes[2]).toBe('failed: No link has the ID 9');
	expect(run.sent).toEqual(['GET /links/1', 'GET /links/1', 'GET /links/9']);
});

it('shows in a dry run a list that values are added to', async () => {
	const links = [linkLike({ id: 1, pixels: [{ id: 5 }] })];
	const rows = [row('1', { pixelIds: '6', pixelMode: 'add' })];
	const { results } = await runRows(rows, linkAccount(links), plan);
	expect(results).toMatchObject([{ resources: [{ before: 'Pixels: 5', after: 'Pixels: 5, 6' }] }]);
});
