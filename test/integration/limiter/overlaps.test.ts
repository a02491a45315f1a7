import { sleep, type IDataObject } from 'n8n-workflow';
import { storedLinks } from '../../../testkit/service/storedLinks.ts';
import { outcomesOf } from '../../support/account.ts';
import { formParameters } from '../../support/formParameters.ts';
import { byId, useService, type Run } from '../../support/service.ts';

const { current, link } = useService();

const mapped = (parameters: IDataObject): Run['parameters'] =>
	formParameters({ mappingColumnMode: 'autoMapInputData', ...parameters });

/** Lets the service take its time for all writes of a method. */
const slowDown = (method: string) =>
	current().set({ faults: [{ on: { method }, effect: { kind: 'latency', milliseconds: 3000 } }] });

/** Creates links that have the numbers from 1 as IDs, and slows down updates. */
async function begin(count: number): Promise<void> {
	const items = Array.from({ length: count }, (_, at) => ({ alias: `a${at + 1}`, url: urlOf(at) }));
	await link('create', { items, parameters: mapped({ domainId: byId(1) }) });
	slowDown('PUT');
}

const urlOf = (at: number, host = 'old') => `https://${host}.example/${at}`;

const heldUrls = () => storedLinks(current()).map(({ id, url }) => [id, url]);

/** Starts a run, and a second one while the writes of the first one are under way. */
async function overlap(first: Parameters<typeof link>, second: Parameters<typeof link>) {
	const earlier = link(...first);
	await sleep(500);
	const later = await link(...second);
	await earlier;
	return later;
}

describe('a write that another execution has begun before the run is waited for', () => {
	const upsert = (count: number, more: Partial<Run> = {}): Parameters<typeof link> => [
		'upsert',
		{
			items: Array.from({ length: count }, (_, at) => ({ url: urlOf(at) })),
			parameters: mapped({ matchBy: 'url', domainId: byId(1) }),
			...more,
		},
	];

	it.each([1, 3])('and creates no second link by Destination URL, for %d items', async (count) => {
		slowDown('POST');
		const later = await overlap(upsert(count), upsert(count));
		expect(outcomesOf(later)).toEqual(new Array(count).fill('unchanged'));
		expect(current().counts().links).toBe(count);
	});

	it('also after that execution was stopped', async () => {
		slowDown('POST');
		const later = await overlap(upsert(1, { cancelAfter: 300 }), upsert(1));
		expect(outcomesOf(later)).toEqual(['unchanged']);
		expect(current().counts().links).toBe(1);
	});

	it.each(['update', 'upsert'])('and its values are replaced by %s', async (operation) => {
		await begin(3);
		const write = (host: string): Parameters<typeof link> => {
			const items = [0, 1, 2].map((at) => ({ alias: `a${at + 1}`, url: urlOf(at, host) }));
			return [operation, { items, parameters: mapped({ matchBy: 'alias' }) }];
		};
		expect(outcomesOf(await overlap(write('new'), write('old')))).not.toContain('unchanged');
		expect(heldUrls()).toEqual([0, 1, 2].map((at) => [at + 1, urlOf(at)]));
	});

	it('and undone by Enable', async () => {
		await begin(1);
		const run: Run = { items: [{ alias: 'a1' }], parameters: mapped({ matchBy: 'alias' }) };
		expect(outcomesOf(await overlap(['disable', run], ['enable', run]))).toEqual(['enabled']);
	});

	it('and Sync keeps the link that it has given the destination of a row', async () => {
		await begin(4);
		const given = { linkId: byId(1), updateFields: { url: urlOf(9) } };
		const later = await overlap(
			['update', { parameters: given }],
			[
				'sync',
				{
					items: [9, 1, 2, 3].map((at) => ({ url: urlOf(at) })),
					parameters: mapped({
						matchBy: 'url',
						syncScope: { domainId: byId(1) },
						unmatchedLinks: 'delete',
					}),
				},
			],
		);
		expect(later.error?.message).toBe(
			'The link a1 (ID 1), which is in no row: Another execution has changed it since the list was read',
		);
		expect(heldUrls()).toContainEqual([1, urlOf(9)]);
	});
});
