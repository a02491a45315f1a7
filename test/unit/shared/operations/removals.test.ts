import { runSettings } from '../../../support/runSettings.ts';
import {
	removalOf,
	removalRefusal,
	removalActionFor,
} from '../../../../nodes/shared/operations/removals';
import {
	clientFor,
	linkAccount,
	linkLike,
	rowOf,
	type Answers,
} from '../../../support/operationRun.ts';

const row = (others: string, alias = 'a') =>
	rowOf(
		'sync',
		{ syncScope: { domainId: 1 }, alias, url: 'https://example.com/' } as never,
		{ unmatchedAction: others } as never,
	);

const wayOf = (others: string) => {
	const way = removalActionFor(row(others));
	if (!way) throw new Error('Nothing is removed');
	return way;
};

it('is nothing for Keep', () => {
	expect(removalActionFor(row('keep'))).toBeUndefined();
});

it.each([
	['delete', 'deleted', false],
	['disable', 'disabled', true],
])('is done already or not: %s', (others, outcome, isDone) => {
	const way = wayOf(others);
	expect(way.outcome).toBe(outcome);
	expect(way.isDone(linkLike({ disabled: 1 }))).toBe(isDone);
	expect(way.isDone(linkLike({ disabled: 0 }))).toBe(false);
});

it('shows what it would do', () => {
	expect(wayOf('delete').plan(linkLike({ id: 7 }), 'In no row').resources).toEqual([
		{
			...{ outcome: 'deleted', id: 7, alias: 'a', note: 'In no row', after: '–' },
			before: 'Destination URL: https://example.com/',
		},
	]);
	expect(wayOf('disable').plan(linkLike({ id: 7 }), 'In no row').resources).toEqual([
		{
			...{ outcome: 'disabled', id: 7, alias: 'a', note: 'In no row' },
			...{ before: 'Disabled: false', after: 'Disabled: true' },
		},
	]);
});

describe('the limits', () => {
	const links = (count: number) =>
		Array.from({ length: count }, (_, index) =>
			linkLike({ id: index + 1, alias: `l${index + 1}` }),
		);

	it.each<
		[
			removed: number,
			size: number,
			maxCount: number,
			maxPercentage: number,
			message: string | undefined,
		]
	>([
		[0, 0, 0, 0, undefined],
		[2, 4, 2, 50, undefined],
		[1, 4, 1, 25, undefined],
		[
			...([2, 4, 2, 49] as const),
			'2 of the 4 links of the scope (Domain 1) are in no row and would be deleted, which is more than Max Removal Percentage (49%) allows',
		],
		[
			...([3, 4, 2, 100] as const),
			'3 of the 4 links of the scope (Domain 1) are in no row and would be deleted, which is more than Max Removals (2) allows',
		],
		[
			...([4, 4, 2, 100] as const),
			'All 4 links of the scope (Domain 1) are in no row and would be deleted, which is more than Max Removals (2) allows',
		],
		[
			...([1, 1, 0, 100] as const),
			'1 of the 1 link of the scope (Domain 1) is in no row and would be deleted, which is more than Max Removals (0) allows',
		],
	])('judge %d of %d with Max Removals %d and %d%%', (removed, size, most, share, message) => {
		const refusal = removalRefusal(row('delete'), wayOf('delete'), {
			resources: links(removed),
			scopeSize: size,
			settings: runSettings({ maxRemovals: most, maxRemovalPercentage: share }),
		});
		expect(refusal?.message).toBe(message);
	});

	it('name the first 10 links', () => {
		const refused = (count: number) =>
			removalRefusal(row('disable'), wayOf('disable'), {
				resources: links(count),
				scopeSize: 50,
				settings: runSettings({ maxRemovals: 1, maxRemovalPercentage: 100 }),
			})?.failure.advice;
		expect(refused(2)).toBe(
			'Nothing was changed. In no row: l1 (ID 1), l2 (ID 2). If the rows are complete, raise Max Removals under Options. A dry run shows the whole plan.',
		);
		expect(refused(10)).toMatch(/l10 \(ID 10\)\. If/);
		expect(refused(12)).toMatch(/l10 \(ID 10\) and 2 more\. If/);
	});
});

describe('the removal of a link', () => {
	const removing = async (others: string, answers: Answers) => {
		const { sent, requests, client } = clientFor(answers);
		const own = requests();
		const removal = removalOf(row(others), wayOf(others), linkLike({ id: 7 }));
		const result = await removal.execute(own).catch((error: unknown) => error);
		own.end();
		client.close();
		return { result, sent };
	};

	it('has a name and data for an error', () => {
		const { resource } = removalOf(row('delete'), wayOf('delete'), linkLike({ id: 7 }));
		expect(resource).toEqual({
			name: 'The link a (ID 7), which is in no row',
			data: { id: 7, alias: 'a' },
		});
	});

	it('deletes it', async () => {
		const { result, sent } = await removing('delete', linkAccount([linkLike({ id: 7 })]));
		expect(result).toEqual({
			...{ outcome: 'deleted', reportOutcome: true },
			resources: [linkLike({ id: 7 })],
		});
		expect(sent).toEqual(['DELETE /links/7']);
	});

	it('disables it', async () => {
		const { result, sent } = await removing('disable', linkAccount([linkLike({ id: 7 })]));
		expect(result).toMatchObject({
			...{ outcome: 'disabled', reportOutcome: true },
			resources: [{ id: 7, disabled: '1' }],
		});
		expect(sent).toEqual(['PUT /links/7 disabled=1']);
	});

	it.each(['delete', 'disable'])('is missing if the link is gone: %s', async (others) => {
		const { result } = await removing(others, linkAccount([]));
		expect(result).toMatchObject({
			outcome: 'missing',
			reportOutcome: true,
			resources: [{ id: 7 }],
		});
	});

	it.each(['delete', 'disable'])('fails if it is refused: %s', async (others) => {
		const { result } = await removing(others, () => ({ status: 403 }));
		expect(result).toMatchObject({ failure: { statusCode: 403 } });
	});

	it.each([
		[
			'another link',
			linkLike({ id: 8, disabled: 1 }),
			'The service returned a different link (ID 8, https://short.example/a)',
		],
		[
			'a link that is not disabled',
			linkLike({ id: 7, disabled: 0 }),
			'The service reported success, but did not store Disabled (sent "1", returned 0)',
		],
	])('fails if it is answered with %s', async (_what, answer, message) => {
		const { result } = await removing('disable', () => ({ body: { data: answer } }));
		expect(result).toMatchObject({ failure: { message, outcome: 'unknown' } });
	});

	it('takes an answer that does not show the state for done', async () => {
		const { result } = await removing('disable', () => ({ body: { data: { id: 7 } } }));
		expect(result).toMatchObject({ outcome: 'disabled', resources: [{ id: 7, disabled: 1 }] });
	});
});
