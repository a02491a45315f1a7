import { isMissing } from '../../../../nodes/shared/operations/delete';
import { rejection } from '../../../../nodes/shared/transport/failures';
import {
	linkAccount,
	linkLike,
	reset,
	rowOf,
	runRows,
	type Answers,
} from '../../../support/operationRun.ts';

const deleting = (linkId: unknown) => rowOf('delete', { linkId } as never);

const ignoring = { settings: { ignoreMissing: true } };

const resourcesOf = ({ results }: Awaited<ReturnType<typeof runRows>>) =>
	results.flatMap((result) => ('resources' in result ? [...result.resources] : []));

const failureOf = ({ results }: Awaited<ReturnType<typeof runRows>>) =>
	results.flatMap((result) => ('failure' in result ? [result.failure] : []))[0];

it('knows what is missing by the status', () => {
	expect(isMissing(rejection('', '', { statusCode: 404 }))).toBe(true);
	expect(isMissing(rejection('', '', { statusCode: 403 }))).toBe(false);
	expect(isMissing(rejection('', ''))).toBe(false);
});

it('deletes the link of each row', async () => {
	const links = [
		linkLike({ id: 1 }),
		linkLike({ id: 2, alias: 'b' }),
		linkLike({ id: 3, alias: 'c' }),
	];
	const run = await runRows(
		[deleting('1'), deleting({ mode: 'url', value: 'https://short.example/b' })],
		linkAccount(links),
	);
	expect(run.outcomes).toEqual(['deleted', 'deleted']);
	expect(resourcesOf(run)).toEqual([
		{ id: 1, deleted: true },
		{ id: 2, deleted: true },
	]);
	expect(run.expected).toEqual([1, 2]);
	expect(links.map(({ id }) => id)).toEqual([3]);
});

it('fails for a link that is missing, and says how to ignore it', async () => {
	const run = await runRows([deleting('9')], linkAccount([]));
	expect(failureOf(run)).toMatchObject({ message: 'No link has the ID 9', statusCode: 404 });
	expect(failureOf(run)?.advice).toMatch(
		/ To treat it as deleted, turn on Ignore Missing under Options\.$/,
	);
});

it.each<[linkId: unknown, id: unknown]>([
	['9', 9],
	[{ mode: 'url', value: 'https://short.example/b' }, 'https://short.example/b'],
])('ignores the missing link %j', async (linkId, id) => {
	const run = await runRows([deleting(linkId)], linkAccount([]), ignoring);
	expect(run.outcomes).toEqual(['missing']);
	expect(resourcesOf(run)).toEqual([{ id, deleted: false }]);
});

it('ignores nothing else', async () => {
	const run = await runRows([deleting('9')], () => ({ status: 403 }), ignoring);
	expect(failureOf(run)).toMatchObject({ statusCode: 403 });
	expect(failureOf(run)?.advice).not.toContain('Ignore Missing');
});

describe('a delete whose answer is lost', () => {
	const losing =
		(links: ReturnType<typeof linkLike>[], isDone: boolean): Answers =>
		(sent, earlier) => {
			const answer = earlier === 0 && !isDone ? {} : linkAccount(links)(sent, earlier);
			return earlier === 0 ? reset() : answer;
		};

	it.each([true, false])('is repeated and succeeds, done at first: %p', async (isDone) => {
		const links = [linkLike({ id: 1 })];
		const run = await runRows([deleting('1')], losing(links, isDone));
		expect(run.sent).toEqual(['DELETE /links/1', 'DELETE /links/1']);
		expect(run.outcomes).toEqual(['deleted']);
		expect(links).toEqual([]);
	});

	it('is not taken for done if the service was only not reached', async () => {
		const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
		const run = await runRows([deleting('1')], (sent, earlier) =>
			earlier === 0 ? refused : linkAccount([])(sent, earlier),
		);
		expect(failureOf(run)).toMatchObject({ statusCode: 404 });
	});
});

it.each<[body: unknown, message: string | undefined]>([
	[{ deleted: true }, undefined],
	['', undefined],
	[{ id: 1, errors: [] }, undefined],
	[{ id: 1, error: false }, undefined],
	[{ status: 'success' }, undefined],
	[{ deleted: false }, 'The service did not delete the link 1'],
	[{ ok: 0 }, 'The service did not delete the link 1'],
	[{ success: 'false' }, 'The service did not delete the link 1'],
	[{ error: 'in use' }, 'The service did not delete the link 1'],
	[{ errors: ['in use'] }, 'The service did not delete the link 1'],
	[{ status: 'error' }, 'The service did not delete the link 1'],
	[{ status: 'Failed' }, 'The service did not delete the link 1'],
	['false', 'The service did not delete the link 1'],
	[{ id: 2, deleted: true }, 'The service reported that it deleted the link 2 instead of 1'],
])('reads the answer %j', async (body, message) => {
	const run = await runRows([deleting('1')], () => ({ body }));
	expect(run.outcomes).toEqual([message === undefined ? 'deleted' : `failed: ${message}`]);
});

it('says what to do about an answer that denies the delete', async () => {
	const run = await runRows([deleting('1')], () => ({ body: { deleted: false } }));
	expect(failureOf(run)).toEqual({
		cause: 'rejected',
		message: 'The service did not delete the link 1',
		advice:
			'It reported that nothing was deleted. Check in the service whether the link is in use.',
	});
	const other = await runRows([deleting('1')], () => ({ body: { id: 2 } }));
	expect(failureOf(other)).toMatchObject({
		advice: 'Check both links in the service.',
		outcome: 'unknown',
	});
});

describe('a dry run', () => {
	const plan = { isDryRun: true };

	it('shows what would be removed, and writes nothing', async () => {
		const links = [linkLike({ id: 1, url: 'https://example.com/x' })];
		const run = await runRows([deleting('1')], linkAccount(links), plan);
		expect(resourcesOf(run)).toEqual([
			{
				...{ outcome: 'deleted', id: 1, alias: 'a', after: '–', note: 'Deletes permanently' },
				before: 'Destination URL: https://example.com/x',
			},
		]);
		expect(run.sent).toEqual(['GET /links/1']);
	});

	it('shows a link that is gone, or fails', async () => {
		const run = await runRows([deleting('9')], linkAccount([]), { ...plan, ...ignoring });
		expect(resourcesOf(run)).toEqual([
			{ outcome: 'missing', id: 9, alias: '–', before: '–', after: '–', note: 'Already deleted' },
		]);
		expect((await runRows([deleting('9')], linkAccount([]), plan)).outcomes[0]).toMatch(/^failed/);
	});
});
