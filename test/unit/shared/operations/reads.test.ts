import type { IDataObject } from 'n8n-workflow';
import { linkAccount, linkLike, rowOf, runRows } from '../../../support/operationRun.ts';

type RunResult = Awaited<ReturnType<typeof runRows>>;

const ids = ({ results }: RunResult) =>
	results.flatMap((result) => ('resources' in result ? result.resources.map(({ id }) => id) : []));

const failureOf = ({ results: [result] }: RunResult) =>
	result && 'failure' in result ? result.failure : undefined;

describe('Get', () => {
	const row = (value: string, mode = 'url') => rowOf('get', { linkId: { mode, value } as never });
	const links = () => ['a', 'b', 'bb'].map((alias, index) => linkLike({ id: index + 1, alias }));

	it('reads the link of an ID, and searches the link of a short URL', async () => {
		const rows = [row('1', 'id'), row('https://short.example/b')];
		const run = await runRows(rows, linkAccount(links()));
		expect(ids(run)).toEqual([1, 2]);
		expect(run.sent).toEqual([
			...['GET /links/1', 'GET /links search=b search_by=alias', 'GET /links/2'],
		]);
	});

	it.each<[string, IDataObject[], string, string]>([
		[
			'missing',
			links(),
			'No link has the short URL https://short.example/c',
			'Check its spelling, or choose the link from the list.',
		],
		[
			'missing if its ID cannot be sent',
			[linkLike({ id: true, alias: 'c' })],
			'No link has the short URL https://short.example/c',
			'Check its spelling, or choose the link from the list.',
		],
		[
			'ambiguous',
			[1, 2].map((id) => linkLike({ id, alias: 'c' })),
			'2 links have the short URL https://short.example/c: c (ID 1) on short.example, c (ID 2) on short.example',
			'Choose the link from the list, or enter its ID.',
		],
	])('says that a short URL is %s', async (_why, account, message, advice) => {
		const run = await runRows([row('https://short.example/c')], linkAccount(account));
		expect(failureOf(run)).toMatchObject({ message, advice });
	});
});

describe('Get Many', () => {
	const links = () => [
		linkLike({ id: 5, alias: 'e', url: 'https://example.com/spring' }),
		linkLike({ id: 4, alias: 'spring-d', url: 'https://example.com/spring' }),
		linkLike({ id: 3, alias: 'spring', url: 'https://example.com/' }),
		linkLike({ id: 2, alias: 'b', url: 'https://example.com/' }),
	];
	const row = (filters: object, more: object = { returnAll: true }) =>
		rowOf('getAll', { filters, ...more } as never);
	const anywhere = { search: 'spring', searchBy: 'anywhere' };

	it('searches in several fields, and returns each link once, in order and up to the limit', async () => {
		const run = await runRows([row(anywhere)], linkAccount(links()));
		expect(ids(run)).toEqual([5, 4, 3]);
		expect(run.sent).toEqual(
			['alias', 'url', 'title'].map((by) => `GET /links search=spring search_by=${by}`),
		);
		const limited = row(anywhere, { returnAll: false, limit: 2 });
		expect(ids(await runRows([limited], linkAccount(links())))).toEqual([5, 4]);
		const byAlias = row(anywhere, { returnAll: true, sorting: { sortBy: 'alias', sort: 'asc' } });
		expect(ids(await runRows([byAlias], linkAccount(links())))).toEqual([5, 3, 4]);
	});

	it('reads one list if there is nothing to search for', async () => {
		const run = await runRows([row({ searchBy: 'anywhere' })], linkAccount(links()));
		expect(run).toMatchObject({ sent: ['GET /links'] });
	});

	it('gives up a list without an end', async () => {
		let pages = 0;
		const run = await runRows([row({})], () => {
			pages += 1;
			return { body: { data: [{ id: pages }], links: { next: 'https://links.example/next' } } };
		});
		expect(failureOf(run)).toMatchObject({ message: 'The list has more than 10000 pages' });
		expect(pages).toBe(10_001);
	});
});

describe('QR Code', () => {
	const row = (value: string, mode = 'id') =>
		rowOf('getQrCode', { linkId: { __rl: true, mode, value } } as never);

	it('reads the link of each row, and no link of a complete short URL', async () => {
		const rows = [
			...[row('1'), row(' https://short.example/never-seen?a=b ', 'url')],
			...[row('HTTPS://short.example/b'), row('short.example/b', 'url'), row('9')],
		];
		const links = [linkLike({ id: 1 }), linkLike({ id: 2, alias: 'b' })];
		const run = await runRows(rows, linkAccount(links));
		expect(run.results.slice(0, 4)).toMatchObject([
			{ resources: [{ id: 1 }] },
			{ resources: [{ shortUrl: 'https://short.example/never-seen?a=b' }], isOutput: true },
			{ resources: [{ shortUrl: 'HTTPS://short.example/b' }], isOutput: true },
			{ resources: [{ id: 2 }] },
		]);
		expect(run.outcomes[4]).toBe('failed: No link has the ID 9');
		expect(run.sent).toEqual([
			...['GET /links/1', 'GET /links search=b search_by=alias', 'GET /links/2', 'GET /links/9'],
		]);
	});

	it.each([
		['https://s.example/x/spring-sale?a=b/c#d', 'spring-sale.png'],
		['https://s.example/a.PNG', 'a.PNG'],
		['https://s.example/a"b<c>:d|e*', 'a-b-c-d-e-.png'],
		['https://s.example/..', 'qr-code.png'],
		[`https://s.example/${'n'.repeat(300)}`, `${'n'.repeat(199)}….png`],
	])('names the file of %s %s', async (address, name) => {
		const run = await runRows([row(address, 'url')], linkAccount([]));
		expect(run.results).toMatchObject([{ qrCode: { name, type: 'image/png' } }]);
	});

	it('fails a link without an address', async () => {
		const run = await runRows([row('1')], linkAccount([linkLike({ id: 1, short_url: null })]));
		expect(failureOf(run)?.message).toBe(
			'Link has no address that starts with http:// or https://',
		);
	});
});
