import { sleep } from 'n8n-workflow';
import { storedLinks } from '../../../testkit/service/storedLinks.ts';
import { outcomesOf } from '../../support/account.ts';
import { sheetOn } from '../../support/mappedSheet.ts';
import { byId, useService, type Run } from '../../support/service.ts';

const { current, link } = useService();

const sheet = sheetOn(link);

type Sheet = Parameters<typeof sheet>;

/** Lets the service take its time for all writes of a method. */
const slowDown = (method: string) =>
	current().set({ faults: [{ on: { method }, effect: { kind: 'latency', milliseconds: 3000 } }] });

/** Creates links that have the numbers from 1 as IDs, and slows down updates. */
async function begin(count: number): Promise<void> {
	const items = Array.from({ length: count }, (_, at) => ({ alias: `a${at + 1}`, url: urlOf(at) }));
	await sheet('create', items);
	slowDown('PUT');
}

const urlOf = (at: number, host = 'old') => `https://${host}.example/${at}`;

const heldUrls = () => storedLinks(current()).map(({ id, url }) => [id, url]);

async function overlap(first: Sheet, second: Sheet) {
	const earlier = sheet(...first);
	await sleep(500);
	const later = await sheet(...second);
	await earlier;
	return later;
}

describe('a write that another execution has begun before the run is waited for', () => {
	const upsert = (count: number, more: Run = {}): Sheet => {
		const items = Array.from({ length: count }, (_, at) => ({ url: urlOf(at) }));
		return ['upsert', items, { parameters: { matchBy: 'url' }, ...more }];
	};

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
		const write = (host: string): Sheet => {
			const items = [0, 1, 2].map((at) => ({ alias: `a${at + 1}`, url: urlOf(at, host) }));
			return [operation, items, { parameters: { domainId: '' } }];
		};
		expect(outcomesOf(await overlap(write('new'), write('old')))).not.toContain('unchanged');
		expect(heldUrls()).toEqual([0, 1, 2].map((at) => [at + 1, urlOf(at)]));
		// Each run reads the list, and the rows that wait read once more.
		expect(current().requests.filter(({ method }) => method === 'GET')).toHaveLength(5);
	});

	it.each(['upsert', 'disable'])(
		'and %s leaves a link alone that got the URL',
		async (operation) => {
			await begin(2);
			const effect = { kind: 'latency', milliseconds: 2000 } as const;
			const slow = [{ method: 'PUT' }, { path: /links$/ }];
			current().set({ faults: slow.map((on) => ({ on, effect })) });
			const waiting = sheet(operation, [{ url: urlOf(0) }], { parameters: { matchBy: 'url' } });
			await sleep(200);
			const items = [9, 0].map((at, index) => ({ id: index + 1, url: urlOf(at) }));
			const updateFields = { url: '={{ $json.url }}' };
			await link('update', {
				items,
				parameters: { linkId: byId('={{ $json.id }}'), updateFields },
			});
			expect((await waiting).error?.message).toContain('Another execution has changed which link');
		},
	);

	it.each(['upsert', 'update'])(
		'and a link that %s moves is not disabled by its old URL',
		async (operation) => {
			await begin(1);
			const later = await overlap(
				[operation, [{ alias: 'a1', url: urlOf(9) }]],
				['disable', [{ url: urlOf(0) }], { parameters: { matchBy: 'url' } }],
			);
			expect(later.error?.message).toContain('matches no link');
			expect(storedLinks(current())).toMatchObject([{ url: urlOf(9), disabled: 0 }]);
		},
	);

	it.each(['update', 'disable', 'delete'])(
		'and Create or Update writes over %s of a link by ID',
		async (operation) => {
			await begin(1);
			slowDown(operation === 'delete' ? 'DELETE' : 'PUT');
			const updateFields = operation === 'update' ? { url: urlOf(9) } : {};
			const earlier = link(operation, { parameters: { linkId: byId(1), updateFields } });
			await sleep(500);
			const later = await sheet('upsert', [{ alias: 'a1', url: urlOf(0), disabled: 0 }]);
			await earlier;
			expect(outcomesOf(later)).not.toContain('unchanged');
			expect(storedLinks(current())).toMatchObject([{ url: urlOf(0), disabled: 0 }]);
		},
	);

	it('and Sync keeps the link that it has given the destination of a row', async () => {
		await begin(4);
		const items = [9, 1, 2, 3].map((at) => ({ url: urlOf(at) }));
		const later = await overlap(
			['update', [{ id: 1, url: urlOf(9) }], { parameters: { matchBy: 'id' } }],
			['sync', items, { parameters: { matchBy: 'url', unmatchedLinks: 'delete' } }],
		);
		expect(later.error?.message).toBe(
			'The link a1 (ID 1), which is in no row: Another execution has changed it since the list was read',
		);
		expect(heldUrls()).toContainEqual([1, urlOf(9)]);
	});
});
