import { linkAccount, linkLike, rowOf, runRows } from '../../../support/operationRun.ts';

/** A row of the scope Domain 1. */
const row = (alias: string, more: object = {}, options: object = {}) =>
	rowOf(
		'sync',
		{
			syncScope: { domainId: 1 },
			alias,
			url: `https://example.com/${alias}`,
			additionalFields: more,
		} as never,
		{ unmatchedAction: 'delete', ...options },
	);

const link = (id: number, alias: string, more: object = {}) =>
	linkLike({ id, alias, url: `https://example.com/${alias}`, ...more });

const plan = { isDryRun: true };

it.each([
	['keep', ['unchanged'], ['b', 'a']],
	['delete', ['unchanged', 'deleted'], ['a']],
	['disable', ['unchanged', 'disabled'], ['b', 'a']],
] as const)('with Unmatched Links = %s', async (others, outcomes, left) => {
	const links = [link(2, 'b'), link(1, 'a')];
	const run = await runRows([row('a', {}, { unmatchedAction: others })], linkAccount(links));
	expect(run.outcomes).toEqual(outcomes);
	expect(links.map(({ alias }) => alias)).toEqual(left);
	expect(String(links[0]?.disabled)).toBe(others === 'disable' ? '1' : '0');
});

it('does not disable a link twice, and enables the link of a row', async () => {
	const links = [link(2, 'b', { disabled: 1 }), link(1, 'a', { disabled: 1 })];
	const run = await runRows([row('a', {}, { unmatchedAction: 'disable' })], linkAccount(links));
	expect(run.outcomes).toEqual(['updated']);
	expect(String(links[1]?.disabled)).toBe('0');
});

it('removes nothing if not all rows could be sent', async () => {
	const run = await runRows([row('a')], linkAccount([link(2, 'b')]), { isComplete: false });
	expect(run.outcomes).toEqual(['created']);
	expect(run.notes).toEqual(['Nothing was removed, because not all items could be sent']);
	const kept = await runRows([row('a', {}, { unmatchedAction: 'keep' })], linkAccount([]), {
		isComplete: false,
	});
	expect(kept.notes).toEqual([]);
});

it('does not remove what a service shows outside of the scope, or without an ID or alias', async () => {
	const odd = [
		link(2, 'b', { domain: { id: 2 } }),
		link(3, 'c', { domain: null }),
		linkLike({ id: true, alias: 'd' }),
		{ ...link(5, 'e'), alias: { text: 'e' } },
		link(1, 'a'),
	];
	const run = await runRows([row('a')], ({ method }) =>
		method === 'GET' ? { body: { data: odd } } : { status: 500 },
	);
	expect(run.outcomes).toEqual(['unchanged']);
});

it('does not remove a link that differs from a row in case only', async () => {
	const run = await runRows(
		[row('A')],
		linkAccount([link(1, 'a', { url: 'https://example.com/A' })]),
	);
	expect(run.outcomes).toEqual(['created']);
});

it.each([
	[{ domain: { id: 2 } }, true],
	[{ domain: null }, false],
])('looks whether a service puts a new link outside of the scope: %j', async (shown, isRefused) => {
	const links: ReturnType<typeof linkLike>[] = [];
	const run = await runRows([row('a')], (sent, earlier) =>
		sent.method === 'POST'
			? { body: { data: link(1, 'a', shown) } }
			: linkAccount(links)(sent, earlier),
	);
	const [outcome] = run.outcomes;
	if (isRefused) expect(outcome).toMatch(/^failed: /);
	else expect(outcome).toBe('created');
});

describe('a list of the scope that cannot be read', () => {
	const advice = async (answers: Parameters<typeof runRows>[1]) =>
		await runRows([row('a')], answers).then(
			() => undefined,
			(error: unknown) => (error as { failure: { advice: string; message: string } }).failure,
		);

	it('stops the run', async () => {
		const refused = await advice(() => ({ status: 403, body: { message: 'No.' } }));
		expect(refused?.message).toMatch(/^The list of the scope cannot be read: /);
		expect(refused?.advice).toMatch(/^Nothing was changed in this try\. /);
		expect(refused?.advice).not.toContain('Run it again');
		// A page that repeats the one before it.
		const ignored = await advice(() => ({
			body: { data: [link(1, 'a')], meta: { current_page: 1, last_page: 3 } },
		}));
		expect(ignored?.advice).toBe(
			'Nothing was changed in this try. Run the node again while nothing else changes the list, or narrow the scope.',
		);
		const noList = await advice(() => ({ body: { data: null } }));
		expect(noList?.advice).toContain(
			'Nothing was changed in this try. Check Base URL in the credential.',
		);
		const https = await advice(() => Object.assign(new Error(''), { code: 'CERT_HAS_EXPIRED' }));
		expect(https?.advice).toContain('Renew the certificate');
	});
});

describe('a run that would remove too much', () => {
	const links = () => [1, 2, 3, 4].map((id) => link(id, `l${id}`));
	const settings = { maxRemovals: 1, maxRemovalPercentage: 100 };

	it('is refused before a write', async () => {
		const held = links();
		await expect(runRows([row('l1')], linkAccount(held), { settings })).rejects.toMatchObject({
			failure: {
				message:
					'3 of the 4 links of the scope (Domain 1) are in no row and would be deleted, which is more than Max Removals (1) allows',
			},
		});
		expect(held).toHaveLength(4);
	});

	it('is shown by a dry run', async () => {
		const run = await runRows([row('l1')], linkAccount(links()), { ...plan, settings });
		expect(run.outcomes).toEqual(['unchanged', 'deleted', 'deleted', 'deleted']);
		expect(run.notes).toEqual([
			expect.stringMatching(/^A run would fail: 3 of the 4 links of the scope/),
		]);
	});
});
