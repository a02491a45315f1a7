import { linkAccount, linkLike, rowOf, runRows } from '../../../support/operationRun.ts';

const row = (alias: string, more: object = {}) =>
	rowOf('update', { alias, domainId: 1, updateFields: { alias, ...more } } as never, {
		matchBy: 'alias',
	});

const plan = { isDryRun: true };

const links = () => ['a', 'b', 'c'].map((alias, index) => linkLike({ id: index + 1, alias }));

it('finds all links before the first write, and writes what differs', async () => {
	const held = links();
	const run = await runRows(
		[row('a', { disabled: true }), row('b', { disabled: false }), row('c', { spaceId: '3' })],
		linkAccount(held),
	);
	expect(run.outcomes).toEqual(['updated', 'unchanged', 'updated']);
	expect(run.expected).toEqual([1, 0, 1]);
	expect(run.sent.filter((text) => text.startsWith('PUT'))).toEqual([
		...['PUT /links/1 disabled=1', 'PUT /links/3 space_id=3'],
	]);
	expect(run.sent.findLastIndex((text) => text.startsWith('GET'))).toBeLessThan(
		run.sent.findIndex((text) => text.startsWith('PUT')),
	);
	expect(run.results[1]).toMatchObject({ resources: [{ id: 2 }] });
});

it('has a problem for a row without a link', async () => {
	const { problems } = await runRows([row('z', { disabled: true })], linkAccount([linkLike()]));
	expect(problems).toEqual(['Alias "z" matches no link; correct it, or remove the item']);
});

it('adds to the list of a link', async () => {
	const held = [linkLike({ pixels: [{ id: 5 }] })];
	const run = await runRows([row('a', { pixelIds: '6', pixelMode: 'add' })], linkAccount(held));
	expect(run).toMatchObject({ outcomes: ['updated'], expected: [2] });
	expect(run.sent.at(-2)).toBe('GET /links/1');
});

it('shows in a dry run what would change', async () => {
	const rows = [row('a', { disabled: true }), row('b', { disabled: false })];
	const { results, sent } = await runRows(rows, linkAccount(links()), plan);
	expect(results).toMatchObject([
		{ resources: [{ outcome: 'updated', id: 1, after: 'Disabled: true' }] },
		{ resources: [{ outcome: 'unchanged', id: 2 }] },
	]);
	expect(sent.some((text) => text.startsWith('PUT'))).toBe(false);
});

it('notes what the service did not store', async () => {
	const { notes } = await runRows([row('a', { spaceId: '3' })], ({ method }) => ({
		body: { data: method === 'GET' ? [linkLike()] : linkLike({ space: { id: 4 } }) },
	}));
	expect(notes).toEqual(['The service did not store these values as sent: Space in 1 item']);
});
