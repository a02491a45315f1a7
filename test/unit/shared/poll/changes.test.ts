import { linkContract } from '../../../../nodes/Link/link.contract';
import { changes } from '../../../../nodes/shared/poll/changes';
import type { Happening, StoredWatch, WatchContext } from '../../../../nodes/shared/poll/types';
import { accountWith, range, readingOf, watchContext } from '../../../support/pollReading.ts';

const written = linkContract.output.filter(({ name }) =>
	['alias', 'url', 'pixelIds'].includes(name),
);

/** A watch that goes on where another one left off, and what it reports. */
function watch(stored?: StoredWatch, more: Partial<WatchContext> = {}) {
	const happenings: Happening[] = [];
	const { context } = watchContext({ report: (one) => happenings.push(one), ...more });
	const known = stored && (JSON.parse(JSON.stringify(stored)) as StoredWatch);
	const begun = changes({ event: 'updated', written })(context, known);
	const { rolling, see } = begun;
	if (!rolling || !see) throw new Error('The watch reads nothing');
	return { happenings, rolling, see: see.bind(begun), store: () => begun.store() };
}

const link = (more = {}) => ({ id: 7, alias: 'a', url: 'https://a.example', pixels: [], ...more });

it('reports which fields were changed, with their new values', () => {
	const first = watch();
	first.see(link(), 7);
	expect(first.happenings).toEqual([]);
	const second = watch(first.store());
	const changed = link({ alias: 'b' });
	second.see(changed, 7);
	second.see(changed, 7);
	expect(second.happenings).toEqual([
		{ event: 'updated', id: 7, resource: changed, told: { changes: { alias: 'b' } } },
	]);
});

it.each<[what: string, before: object, after: object, count: number]>([
	['a field that no request changed', { clicks: 1 }, { clicks: 2 }, 0],
	[
		'the order of the pixels',
		{ pixels: [{ id: 1 }, { id: 2 }] },
		{ pixels: [{ id: 2 }, { id: 1 }] },
		0,
	],
	['a pixel', { pixels: [{ id: 1 }] }, { pixels: [{ id: 2 }] }, 1],
	['a text that moves to the next field', { alias: 'ab', url: '' }, { alias: 'a', url: 'b' }, 1],
])('compares %s', (_what, before, after, count) => {
	const { see, happenings } = watch();
	see(link(before), 7);
	see(link(after), 7);
	expect(happenings).toHaveLength(count);
});

it('stores 6 characters for a link and 2 for each field', () => {
	const { see, store } = watch();
	see(link(), 7);
	see(link({ id: 9 }), 9);
	const stored = store();
	expect(stored).toMatchObject({ ids: 'OE', length: 12 });
	expect(stored.prints).toHaveLength(24);
});

it('stores the whole only for more than 10,000 links, and reports then no fields', () => {
	const first = watch();
	for (const id of range(1, 10_000)) first.see(link({ id }), id);
	expect(first.store().length).toBe(12);
	first.see(link({ id: 10_001 }), 10_001);
	const stored = first.store();
	expect(stored.length).toBe(6);
	expect(stored.prints).toHaveLength(60_006);
	const second = watch(stored);
	second.see(link({ alias: 'b' }), 7);
	expect(second.happenings).toMatchObject([{ told: { changes: null } }]);
	// Once one link has no details, all are stored without them.
	expect(second.store().length).toBe(6);
});

it.each<[what: string, stored: StoredWatch]>([
	['too few fingerprints', { ids: 'OE', length: 6, prints: 'abcdef' }],
	['no fingerprints', { ids: 'OE', length: 6 }],
	['no length', { ids: 'OE', prints: '' }],
	['broken IDs', { ids: 'g', length: 6, prints: '' }],
])('does not read %s', (_what, stored) => {
	expect(() => watch(stored)).toThrow(SyntaxError);
});

describe('a page of the full scan', () => {
	const page = (number: number, ids: number[], items = ids.map((id) => link({ id }))) => ({
		...{ number, ids, items, isLast: false, mayBeLast: false },
	});

	/** A watch that knows the links 1 to 6, of an account that has others. */
	function scan(there: number[], fits: WatchContext['fits'] = () => true) {
		const account = accountWith(there);
		const { reading, requests } = readingOf(account);
		const first = watch();
		for (const id of range(1, 6)) first.see(link({ id }), id);
		const second = watch(first.store(), { fits });
		const take = async (number: number, ids: number[], below: number) => {
			await second.rolling.take(page(number, ids), reading, below);
			return requests;
		};
		return { ...second, take };
	}

	it('looks for known links that are not on it', async () => {
		const { take, store } = scan([1, 2, 4, 6]);
		expect(await take(2, [4, 6], 7)).toEqual(['get 5']);
		expect(await take(1, [1, 2], 4)).toEqual(['get 5', 'get 3']);
		expect(store().prints).toHaveLength(48);
		// Those that are gone are forgotten.
		expect(await take(1, [1, 2, 4, 6], 7)).toHaveLength(2);
	});

	it('looks below its first link only on the first page', async () => {
		expect(await scan([]).take(2, [4, 5, 6], 7)).toEqual([]);
		expect(await scan([]).take(1, [4, 5, 6], 7)).toEqual(['get 1', 'get 2', 'get 3']);
		expect(await scan([]).take(2, [], 7)).toEqual([]);
	});

	it('leaves alone what was scanned before', async () => {
		expect(await scan([]).take(1, [1, 2, 3], 5)).toEqual(['get 4']);
	});

	it('keeps a link that is there and fits', async () => {
		const { take, store } = scan(range(1, 6));
		await take(2, [4, 6], 7);
		expect(store().ids).toBe('DG');
	});

	it('reports the change that took a link out of the filters, and forgets the link', async () => {
		const { take, happenings, store } = scan(range(1, 6), ({ id }) => id !== 5 && id !== 6);
		await take(2, [4, 6], 7);
		expect(happenings).toMatchObject([
			{ event: 'updated', id: 6, told: { changes: {} } },
			{
				event: 'updated',
				id: 5,
				resource: { id: 5 },
				told: { changes: { url: 'https://example.com/0' } },
			},
		]);
		expect(store().ids).toBe('DE');
		expect(await take(1, [1, 2, 3, 4], 7)).toEqual(['get 5']);
	});

	it('asks for up to 20 pages and has nothing to end', () => {
		const { rolling } = watch();
		expect(rolling).toMatchObject({ isNew: false, pages: 20 });
		expect(rolling.endRound()).toBeUndefined();
	});
});
