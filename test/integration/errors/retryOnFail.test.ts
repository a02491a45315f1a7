import type { IDataObject } from 'n8n-workflow';
import { byId, jsonOf, useService } from '../../support/service.ts';
import { formParameters } from '../../support/formParameters.ts';

const { current, link } = useService();

const scope = { domainId: byId(1) };

/** The parameters of each operation, and the number of reads of its first try. */
const operations: [operation: string, reads: number, parameters: IDataObject][] = [
	['update', 2, { matchBy: 'alias' }],
	['upsert', 2, { matchBy: 'alias', ...scope }],
	['sync', 1, { matchBy: 'alias', syncScope: scope, unmatchedLinks: 'keep' }],
	['disable', 2, { matchBy: 'alias' }],
];

/** Runs two tries: the service stores the write of the first row, but its response is cut. Then it refuses all reads. */
async function twoTries(operation: string, reads: number, parameters: IDataObject, more = {}) {
	const mapped = formParameters({ mappingColumnMode: 'autoMapInputData', ...parameters });
	const items = ['a', 'b'].map((alias) => ({ alias, url: `https://old.example/${alias}` }));
	await link('create', { items, parameters: { ...mapped, ...formParameters(scope) } });
	current().set({
		faults: [
			{ on: { method: 'PUT', path: /1$/ }, effect: { kind: 'truncatedJson' } },
			{ on: { method: 'GET' }, skip: reads, effect: { kind: 'status', status: 401 } },
		],
	});
	return await link(operation, {
		items: items.map(({ alias }) =>
			operation === 'disable' ? { alias } : { alias, url: `https://new.example/${alias}` },
		),
		parameters: { ...mapped, options: { requests: { values: { maxWait: 0 } } } },
		settings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 },
		...more,
	});
}

describe.each(operations)('a second try of %s that fails before it writes', (...given) => {
	it('tells the item whose first write may be stored as unknown', async () => {
		const result = await twoTries(...given, { onError: 'continueRegularOutput' });
		expect(jsonOf(result)[0]).toMatchObject({ errorDetails: { outcome: 'unknown' } });
	});

	it('names the item as unknown if it stops', async () => {
		const { error } = await twoTries(...given);
		expect(error?.description).toMatch(/Items unknown: 1\./);
	});
});
