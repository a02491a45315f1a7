import { rowOf, runRows } from '../../../support/operationRun.ts';
import { linkAs } from '../../../support/scriptedAnswers.ts';

type RunResult = Awaited<ReturnType<typeof runRows>>;

const failureOf = ({ results: [result] }: RunResult) =>
	result && 'failure' in result ? result.failure : undefined;

it('Get Many gives up a list without an end', async () => {
	let pages = 0;
	const run = await runRows([rowOf('getAll', { returnAll: true })], () => {
		pages += 1;
		return { body: { data: [{ id: pages }], links: { next: 'https://links.example/next' } } };
	});
	expect(failureOf(run)).toMatchObject({ message: 'The list has more than 10000 pages' });
	expect(pages).toBe(10_001);
});

describe('QR Code', () => {
	const row = (value: string, mode = 'id') =>
		rowOf('getQrCode', { linkId: { __rl: true, mode, value } } as never);

	it.each([
		['https://s.example/x/spring-sale?a=b/c#d', 'spring-sale.png'],
		['https://s.example/a.PNG', 'a.PNG'],
		['https://s.example/a"b<c>:d|e*', 'a-b-c-d-e-.png'],
		['https://s.example/..', 'qr-code.png'],
		[`https://s.example/${'n'.repeat(300)}`, `${'n'.repeat(199)}….png`],
	])('names the file of %s %s', async (address, name) => {
		const run = await runRows([row(address, 'url')], () => new Error('no request'));
		expect(run.results).toMatchObject([{ qrCode: { name, type: 'image/png' } }]);
	});

	it('fails a link without an address', async () => {
		const data = linkAs({ short_url: null });
		const run = await runRows([row('1')], () => ({ body: { data } }));
		expect(failureOf(run)?.message).toBe(
			'Link has no address that starts with http:// or https://',
		);
	});
});
