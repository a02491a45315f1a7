import type { IDataObject } from 'n8n-workflow';
import { linkContract } from '../../../../nodes/Link/link.contract';
import type { EncodedRow } from '../../../../nodes/shared/contract/encodedRow';
import { startOperation } from '../../../../nodes/shared/operations/handlers';
import { clientFor, linkAccount, linkLike, rowOf, runRows } from '../../../support/operationRun.ts';
import { runSettings } from '../../../support/runSettings.ts';

const page = (path: string) => `https://example.com/${path}`;

/** A row of Create or Update. */
const row = (parameters: object, options: object = {}) =>
	rowOf('upsert', { url: page(''), ...parameters } as never, options);

const byUrl = { matchBy: 'url' };

const writesIn = (sent: readonly string[]) => sent.filter((request) => !request.startsWith('GET'));

it('updates a link that Match By finds, although the links have several domains', async () => {
	const links = [
		linkLike({ id: 2, alias: 'b', url: page('b'), domain: { id: 2 } }),
		linkLike({ id: 1, alias: 'a', url: page('a') }),
	];
	const rows = [row({ url: page('a'), alias: 'c' }, byUrl)];
	const { outcomes, sent } = await runRows(rows, linkAccount(links));
	expect(outcomes).toEqual(['updated']);
	expect(writesIn(sent)).toEqual(['PUT /links/1 alias=c']);
	const created = await runRows([row({ url: page('new') }, byUrl)], linkAccount(links));
	expect(created.problems).toEqual([
		expect.stringMatching(/^Domain is required, because your links/),
	]);
});

it('creates a link again that was deleted after the list was read', async () => {
	const links = [linkLike({ id: 1, alias: 'a', url: page('old') })];
	const rows = ['a', 'b', 'c'].map((alias) => row({ alias, domainId: 1, url: page(alias) }));
	const run = await runRows(rows, (sent, earlier) => {
		// The service gives the ID of the deleted link to the new one.
		if (sent.method === 'PUT') links.length = 0;
		return linkAccount(links)(sent, earlier);
	});
	expect(run.outcomes).toEqual(['created', 'created', 'created']);
	expect(writesIn(run.sent)[0]).toMatch(/^PUT/);
	expect(links.map(({ alias }) => alias)).toEqual(['c', 'b', 'a']);
});

describe('two runs that have read before either of them writes', () => {
	/** Starts a run for each row on one client, and returns the outcomes. */
	async function runsAtOnce(rows: readonly EncodedRow[], links: IDataObject[]) {
		const { client, requests } = clientFor(linkAccount(links));
		const runs = rows.map((first) =>
			startOperation(first.operation, {
				...{ contract: linkContract, isComplete: true, isDryRun: false, hasStray: false, first },
				...{ completedIds: new Set<string>(), settings: runSettings() },
			}),
		);
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
		return outcomes;
	}

	it('create one link of a destination', async () => {
		const links: IDataObject[] = [];
		const rows = [1, 2].map(() => row({ url: page('a'), domainId: 1 }, byUrl));
		expect(await runsAtOnce(rows, links)).toEqual(['created', 'unchanged']);
		expect(links).toHaveLength(1);
	});

	it('write what differs from the link as the first one left it', async () => {
		const links = [linkLike({ id: 1, alias: 'a', url: page('a') })];
		const rows = ['b', 'a'].map((path) =>
			rowOf('update', { alias: 'a', updateFields: { alias: 'a', url: page(path) } } as never, {
				matchBy: 'alias',
			}),
		);
		expect(await runsAtOnce(rows, links)).toEqual(['updated', 'updated']);
		expect(links[0]?.url).toBe(page('a'));
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
	const account = linkAccount([linkLike({ id: 7, alias: owner })]);
	const { results } = await runRows(
		[rowOf('create', { url: page('x'), alias })],
		(request, number) => (request.method === 'POST' ? { status, body } : account(request, number)),
	);
	const failure = results[0] && 'failure' in results[0] ? results[0].failure : undefined;
	expect(failure?.statusCode).toBe(status);
	if (advice === '') expect(failure?.advice).not.toContain('ID 7');
	else expect(failure?.advice.endsWith(advice)).toBe(true);
});

it('Create or Update reads a list only if that takes fewer requests than looking up each row', async () => {
	const links = Array.from({ length: 450 }, (_, index) =>
		linkLike({ id: index + 1, alias: `l${index + 1}`, url: page('') }),
	);
	const search = (alias: string) => `GET /links search=${alias} search_by=alias`;
	const reads = async (...aliases: string[]) => {
		const rows = aliases.map((alias) => row({ alias, domainId: 1 }));
		const { sent } = await runRows(rows, linkAccount(links));
		return sent.filter((request) => request.startsWith('GET'));
	};
	expect((await reads('l1', 'l2', 'l3')).filter((each) => !each.endsWith('page=2'))).toEqual([
		...['GET /links', search('l1'), search('l2'), search('l3')],
	]);
	expect(await reads('l1', 'l2', 'l3', 'l4')).toContain(search('l4'));
	expect(await reads('l1', 'l2', 'l3', 'l4', 'l5')).toHaveLength(5);
});
