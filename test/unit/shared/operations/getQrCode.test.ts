import { linkAccount, linkLike, rowOf, runRows } from '../../../support/operationRun.ts';

const row = (value: unknown, mode = 'id') =>
	rowOf('getQrCode', { linkId: { __rl: true, mode, value } } as never);

const links = () => [linkLike({ id: 1 }), linkLike({ id: 2, alias: 'b' })];

/** By ID, by a complete short URL, by a part of one, and by a link that does not exist. */
const rows = () => [
	row('1'),
	row(' https://short.example/never-seen?a=b ', 'url'),
	row('short.example/b', 'url'),
	row('9'),
];

it('reads the link of each row, and no link of a complete short URL', async () => {
	const run = await runRows(rows(), linkAccount(links()));
	expect(run.outcomes).toEqual(['read', 'read', 'read', 'failed: No link has the ID 9']);
	expect(run.results.slice(0, 3)).toMatchObject([
		{ resources: [{ id: 1 }] },
		{ resources: [{ shortUrl: 'https://short.example/never-seen?a=b' }], isOutput: true },
		{ resources: [{ id: 2 }] },
	]);
	expect(run.results[0]).not.toHaveProperty('isOutput');
	expect(run.sent).toEqual([
		'GET /links/1',
		'GET /links search=b search_by=alias',
		'GET /links/2',
		'GET /links/9',
	]);
});

it('takes a complete short URL under By ID, and in any case of its scheme', async () => {
	const run = await runRows([row('HTTPS://short.example/b')], linkAccount([]));
	expect(run.results).toMatchObject([{ resources: [{ shortUrl: 'HTTPS://short.example/b' }] }]);
	expect(run.sent).toEqual([]);
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
	expect(run.outcomes).toEqual([
		'failed: Link has no address that starts with http:// or https://',
	]);
});
