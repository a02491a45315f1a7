import type { EncodedRow } from '../../../nodes/shared/contract/encodedRow';
import type { Columns } from '../../../testkit/service/linkFields.ts';
import { storedLinks } from '../../../testkit/service/storedLinks.ts';
import { linkAccount } from '../../support/linkAccount.ts';
import { clientFor, rowOf, runRows, startRun } from '../../support/operationRun.ts';

const page = (path: string) => `https://example.com/${path}`;

/** A row of Create or Update. */
const row = (parameters: object, options: object = {}) =>
	rowOf('upsert', { url: page(''), ...parameters } as never, options);

const byUrl = { matchBy: 'url' };

const writesIn = (sent: readonly string[]) => sent.filter((request) => !request.startsWith('GET'));

it('updates a link that Match By finds, although the links have several domains', async () => {
	const { answers } = linkAccount([
		{ alias: 'a', url: page('a') },
		{ alias: 'b', url: page('b'), domain_id: 2 },
	]);
	const rows = [row({ url: page('a'), alias: 'c' }, byUrl)];
	const { outcomes, sent } = await runRows(rows, answers);
	expect(outcomes).toEqual(['updated']);
	expect(writesIn(sent)).toEqual(['PUT /links/1 alias=c']);
	const created = await runRows([row({ url: page('new') }, byUrl)], answers);
	expect(created.problems).toEqual([
		expect.stringMatching(/^Domain is required, because your links/),
	]);
});

it('creates a link again that was deleted after the list was read', async () => {
	const { core, answers } = linkAccount([{ alias: 'a', url: page('old') }]);
	const rows = ['a', 'b', 'c'].map((alias) => row({ alias, domainId: 1, url: page(alias) }));
	const run = await runRows(rows, (sent, earlier) => {
		// The service gives the ID of the deleted link to the new one.
		if (sent.method === 'PUT') core.database.exec('DELETE FROM links; DELETE FROM sqlite_sequence');
		return answers(sent, earlier);
	});
	expect(run.outcomes).toEqual(['created', 'created', 'created']);
	expect(writesIn(run.sent)[0]).toMatch(/^PUT/);
	expect(storedLinks(core)).toMatchObject([
		{ id: 1, alias: 'a' },
		{ id: 2, alias: 'b' },
		{ id: 3, alias: 'c' },
	]);
});

describe('two runs that have read before either of them writes', () => {
	/** Starts a run for each row on one client, and returns the outcomes. */
	async function runsAtOnce(rows: readonly EncodedRow[], ...links: Columns[]) {
		const { core, answers } = linkAccount(links);
		const { client, requests } = clientFor(answers);
		const runs = rows.map((first) => startRun(first));
		const withRequests = async <T>(work: (own: ReturnType<typeof requests>) => Promise<T>) => {
			const own = requests();
			return await work(own).finally(() => own.end());
		};
		for (const [index, first] of rows.entries())
			await withRequests(async (own) => await runs[index]?.prepare?.(own, [first]));
		const outcomes: unknown[] = [];
		for (const [index, first] of rows.entries())
			outcomes.push(
				(await withRequests(async (own) => await runs[index]?.execute(own, first)))?.outcome,
			);
		client.close();
		return { outcomes, urls: storedLinks(core).map(({ url }) => url) };
	}

	it('create one link of a destination', async () => {
		const rows = [1, 2].map(() => row({ url: page('a'), domainId: 1 }, byUrl));
		expect(await runsAtOnce(rows)).toEqual({
			outcomes: ['created', 'unchanged'],
			urls: [page('a')],
		});
	});

	it('write what differs from the link as the first one left it', async () => {
		const rows = ['b', 'a'].map((path) =>
			rowOf('update', { alias: 'a', updateFields: { alias: 'a', url: page(path) } } as never, {
				matchBy: 'alias',
			}),
		);
		expect(await runsAtOnce(rows, { alias: 'a', url: page('a') })).toEqual({
			outcomes: ['updated', 'updated'],
			urls: [page('a')],
		});
	});
});

const taken = { message: { alias: ['Taken.'] } };

it.each<[status: number, body: object, owner: string, alias: string, advice: string]>([
	[
		409,
		{ message: 'No' },
		'a',
		'a',
		'is taken by the link a (ID 7); use Create or Update to change it.',
	],
	[422, taken, 'A', 'a', 'Write the alias as this link has it, or use another one.'],
	[422, taken, 'ab', 'a', ''],
	[422, { message: { url: ['Bad.'] } }, 'a', 'a', ''],
	[400, taken, 'a', 'a', ''],
])('names the owner of an alias (%d, %j, %s)', async (status, body, owner, alias, advice) => {
	const { answers } = linkAccount([{ id: 7, alias: owner, url: page('') }]);
	const { results } = await runRows(
		[rowOf('create', { url: page('x'), alias })],
		(request, number) => (request.method === 'POST' ? { status, body } : answers(request, number)),
	);
	const failure = results[0] && 'failure' in results[0] ? results[0].failure : undefined;
	expect(failure?.statusCode).toBe(status);
	if (advice === '') expect(failure?.advice).not.toContain('ID 7');
	else expect(failure?.advice.endsWith(advice)).toBe(true);
});

it('Create or Update reads a list only if that takes fewer requests than looking up each row', async () => {
	const links = Array.from({ length: 450 }, (_, index) => ({
		alias: `l${index + 1}`,
		url: page(''),
	}));
	const { answers } = linkAccount(links);
	const search = (alias: string) => `GET /links search=${alias} search_by=alias`;
	const reads = async (...aliases: string[]) => {
		const rows = aliases.map((alias) => row({ alias, domainId: 1 }));
		const { sent } = await runRows(rows, answers);
		return sent.filter((request) => request.startsWith('GET'));
	};
	expect((await reads('l1', 'l2', 'l3')).filter((each) => !each.endsWith('page=2'))).toEqual([
		...['GET /links', search('l1'), search('l2'), search('l3')],
	]);
	expect(await reads('l1', 'l2', 'l3', 'l4')).toContain(search('l4'));
	expect(await reads('l1', 'l2', 'l3', 'l4', 'l5')).toHaveLength(5);
});
