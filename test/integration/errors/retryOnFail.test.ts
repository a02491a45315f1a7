import { sheetOn } from '../../support/mappedSheet.ts';
import { continues, jsonOf, useService, type Run } from '../../support/service.ts';

const { current, link } = useService();

const sheet = sheetOn(link);

/** Operations, and the number of reads of the first try. */
const operations: [operation: string, reads: number][] = [
	['update', 2],
	['upsert', 2],
	['sync', 1],
	['disable', 2],
];

/** Runs two tries: the service stores the write of the first row, but its response is cut. Then it refuses all reads. */
async function twoTries(operation: string, reads: number, more: Run = {}) {
	const rowsOn = (host: string) =>
		['a', 'b'].map((alias) => ({ alias, url: `https://${host}.example/${alias}` }));
	await sheet('create', rowsOn('old'));
	current().set({
		faults: [
			{ on: { method: 'PUT', path: /1$/ }, effect: { kind: 'truncatedJson' } },
			{ on: { method: 'GET' }, skip: reads, effect: { kind: 'status', status: 401 } },
		],
	});
	return await sheet(operation, rowsOn('new'), {
		parameters: { unmatchedLinks: 'keep', options: { maxWait: 0 } },
		settings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 },
		...more,
	});
}

describe.each(operations)('a second try of %s that fails before it writes', (...given) => {
	it('tells the item whose first write may be stored as unknown', async () => {
		const result = await twoTries(...given, continues);
		expect(jsonOf(result)[0]).toMatchObject({ errorDetails: { outcome: 'unknown' } });
	});

	it('names the item as unknown if it stops', async () => {
		const { error } = await twoTries(...given);
		expect(error?.description).toMatch(/Items unknown: 1\./);
	});
});
