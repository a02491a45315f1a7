import type { IDataObject } from 'n8n-workflow';
import { linkContract } from '../../../../nodes/Link/link.contract';
import type { EncodedRow } from '../../../../nodes/shared/contract/encodedRow';
import { startOperation } from '../../../../nodes/shared/operations/handlers';
import { ListIndex } from '../../../../nodes/shared/operations/find';
import {
	clientFor,
	linkAccount,
	linkLike,
	rowOf,
	runRows,
	type Answers,
} from '../../../support/operationRun.ts';
import { runSettings } from '../../../support/runSettings.ts';

const page = (path: string) => `https://example.com/${path}`;

/** A row of Create or Update. */
const row = (parameters: object, options: object = {}) =>
	rowOf('upsert', { url: page(''), ...parameters } as never, options);

const byUrl = { matchBy: 'url' };

const writesIn = (sent: readonly string[]) => sent.filter((request) => !request.startsWith('GET'));

const resourcesIn = ({ results }: Awaited<ReturnType<typeof runRows>>) =>
	results.flatMap((result) => ('resources' in result ? result.resources : []));

/** Starts a run for each row on one client, so that all read before the first one writes. */
async function runsAtOnce(rows: readonly EncodedRow[], answers: Answers) {
	const { client, sent, requests } = clientFor(answers);
	const runs = rows.map((first) => {
		const common = { contract: linkContract, isComplete: true, isDryRun: false, hasStray: false };
		const completedIds = new Set<string>();
		const settings = runSettings();
		return startOperation(first.operation, { ...common, first, completedIds, settings });
	});
	for (const [index, run] of runs.entries()) {
		const own = requests();
		await run.prepare?.(own, rows.slice(index, index + 1));
		own.end();
	}
	const outcomes: string[] = [];
	for (const [index, first] of rows.entries()) {
		const own = requests();
		const result = await runs[index]?.execute(own, first);
		outcomes.push(result?.outcome ?? '');
		own.end();
	}
	client.close();
	return { outcomes, sent };
}

it('returns the link that needs no change', async () => {
	const links = [linkLike({ id: 5, alias: 'a' })];
	const run = await runRows([row({ alias: 'a', domainId: 1 })], linkAccount(links));
	expect(resourcesIn(run)).toEqual(links);
});

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

describe('a service that stores aliases in lower case', () => {
	const lower =
		(links: IDataObject[]): Answers =>
		(sent, earlier) => {
			const { alias } = sent.params;
			const isNew = sent.method === 'POST' && alias !== undefined;
			const params = isNew ? { ...sent.params, alias: alias.toLowerCase() } : sent.params;
			return linkAccount(links)({ ...sent, params }, earlier);
		};

	it('has the link of a row that it refuses, if that has all values', async () => {
		const links = [linkLike({ id: 1, alias: 'spring' })];
		const run = await runRows([row({ alias: 'Spring', domainId: 1 })], lower(links));
		expect(run.outcomes).toEqual(['unchanged']);
		expect(resourcesIn(run)).toEqual(links);
		expect(writesIn(run.sent)).toHaveLength(1);
	});

	it('and accepts an alias twice makes a stray link', async () => {
		const links = [linkLike({ id: 1, alias: 'spring' })];
		const run = await runRows(
			['Spring', 'x'].map((alias) => row({ alias, domainId: 1 })),
			({ method, params, path }, earlier) =>
				method === 'POST'
					? { body: { data: linkLike({ id: 9, alias: params.alias?.toLowerCase() }) } }
					: lower(links)({ method, params, path }, earlier),
		);
		expect(run.outcomes).toEqual([
			'failed: The service returned another link for the create (ID 9, https://short.example/spring): a link with this alias already exists',
			expect.stringMatching(/^failed: Not created, because the service returned another link/),
		]);
		expect(run.results[0]).toMatchObject({
			failure: { stray: 'ID 9, https://short.example/spring' },
		});
		expect(writesIn(run.sent)).toHaveLength(1);
	});
});

it('creates no more links if another run would not find them by Match By', async () => {
	const stored = linkLike({ id: 9, alias: 'x', url: 'HTTPS://EXAMPLE.COM/A' });
	const rows = ['a', 'b'].map((path) => row({ url: page(path), domainId: 1 }, byUrl));
	const run = await runRows(rows, ({ method }) => ({
		body: { data: method === 'POST' ? stored : [] },
	}));
	expect(run.outcomes).toEqual([
		expect.stringMatching(
			/^failed: The service created the link, but its Destination URL differs .*: Destination URL \(sent "https:\/\/example.com\/a", returned "HTTPS:\/\/EXAMPLE.COM\/A"\)$/,
		),
		expect.stringMatching(/^failed: Not created, /),
	]);
	expect(run.results[0]).toMatchObject({
		failure: {
			...{ outcome: 'unknown', stray: 'ID 9, https://short.example/x' },
			advice:
				'Delete it (ID 9, https://short.example/x), and match the items by another field. The run sends no more creates.',
		},
	});
});

describe('two runs that have read before either of them writes', () => {
	it('create one link of a destination', async () => {
		const links: IDataObject[] = [];
		const rows = [1, 2].map(() => row({ url: page('a'), domainId: 1 }, byUrl));
		const { outcomes, sent } = await runsAtOnce(rows, linkAccount(links));
		expect(outcomes).toEqual(['created', 'unchanged']);
		expect(writesIn(sent)).toHaveLength(1);
	});

	it('write what differs from the link as the first one left it', async () => {
		const links = [linkLike({ id: 1, alias: 'a', url: page('a') })];
		const rows = ['b', 'a'].map((path) =>
			rowOf('update', { alias: 'a', updateFields: { alias: 'a', url: page(path) } } as never, {
				matchBy: 'alias',
			}),
		);
		const { outcomes } = await runsAtOnce(rows, linkAccount(links));
		expect(outcomes).toEqual(['updated', 'updated']);
		expect(links[0]?.url).toBe(page('a'));
	});
});

it('keeps no rows in memory if each looks up its own link', async () => {
	const links = Array.from({ length: 450 }, (_, index) =>
		linkLike({ id: index + 1, alias: `l${index}` }),
	);
	const rows = ['a', 'b', 'c'].map((alias) => row({ alias, domainId: 1 }));
	const index = new ListIndex(rows);
	const { client, requests } = clientFor(linkAccount(links));
	await index.read(requests(), false);
	client.close();
	expect(index.size).toBe(0);
	expect(rows.map((each) => index.candidatesFor(each))).toEqual([undefined, undefined, undefined]);
});
