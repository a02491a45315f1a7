import type {
	DetectorContext,
	StoredDetector,
	TriggerEvent,
} from '../../../../nodes/LinkTrigger/detectors/detector';
import { updatedLinks, writtenFields } from '../../../../nodes/LinkTrigger/detectors/updated';
import { accountWith, detectorContext, range, requestsTo } from '../../../support/pollReading.ts';

/** Characters of the fingerprints of a link with details. */
const detailed = 4 * writtenFields.length;

/** A detector that continues where another one ended, and what it reports. */
function detect(stored?: StoredDetector, more: Partial<DetectorContext> = {}) {
	const events: TriggerEvent[] = [];
	const { context } = detectorContext({ report: (event) => events.push(event), ...more });
	const known = stored && (JSON.parse(JSON.stringify(stored)) as StoredDetector);
	const detector = updatedLinks.create(context, known);
	const { scan, observe } = detector;
	if (!scan || !observe) throw new Error('The detector reads nothing');
	return { events, scan, observe: observe.bind(detector), store: () => detector.store() };
}

const link = (more = {}) => ({ id: 7, alias: 'a', url: 'https://a.example', pixels: [], ...more });

it('reports which fields were changed, with their new values', () => {
	const first = detect();
	first.observe(link(), 7);
	expect(first.events).toEqual([]);
	const second = detect(first.store());
	const changed = link({ alias: 'b' });
	second.observe(changed, 7);
	second.observe(changed, 7);
	expect(second.events).toEqual([
		{ event: 'updated', id: 7, link: changed, extra: { changes: { alias: 'b' } } },
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
	const { observe, events } = detect();
	observe(link(before), 7);
	observe(link(after), 7);
	expect(events).toHaveLength(count);
});

it('stores 4 characters for each field of a link', () => {
	const { observe, store } = detect();
	observe(link(), 7);
	observe(link({ id: 9 }), 9);
	const stored = store();
	expect(stored).toMatchObject({ ids: 'OE', length: detailed });
	expect(stored.prints).toHaveLength(2 * detailed);
});

it('stores the whole only for more than 7,000 links, and reports then no fields', () => {
	const first = detect();
	for (const id of range(1, 7_000)) first.observe(link({ id }), id);
	expect(first.store().length).toBe(detailed);
	first.observe(link({ id: 7_001 }), 7_001);
	const stored = first.store();
	expect(stored.length).toBe(6);
	expect(stored.prints).toHaveLength(42_006);
	const second = detect(stored);
	second.observe(link({ alias: 'b' }), 7);
	expect(second.events).toMatchObject([{ extra: { changes: null } }]);
	// Once one link has no details, all are stored without them.
	expect(second.store().length).toBe(6);
});

it.each<[what: string, stored: StoredDetector]>([
	['too few fingerprints', { ids: 'OE', length: 6, prints: 'abcdef' }],
	['no fingerprints', { ids: 'OE', length: 6 }],
	['no length', { ids: 'OE', prints: '' }],
	['broken IDs', { ids: 'g', length: 6, prints: '' }],
	['another length', { ids: 'OE', length: 3, prints: 'abcdef' }],
])('does not read %s', (_what, stored) => {
	expect(() => detect(stored)).toThrow(SyntaxError);
});

it.each([
	['with details', 1],
	['without details', 7_001],
])('does not read fingerprints of other fields, %s', (_what, count) => {
	const { observe, store } = detect();
	for (const id of range(1, count)) observe(link({ id }), id);
	const stored = store();
	expect(() => detect(stored)).not.toThrow();
	expect(() => detect({ ...stored, fields: 'abcdef' })).toThrow('Fingerprints of other fields');
	expect(() => detect({ ...stored, fields: undefined })).toThrow('Fingerprints of other fields');
});

describe('a page of the full scan', () => {
	/** A page of a scan that has read all IDs from a bound on. */
	const page = (number: number, ids: number[], below: number, isContinuous = true) => ({
		...{ number, ids, items: ids.map((id) => link({ id })), isLast: false, isContinuous },
		...{ last: 9, total: 90, offset: 0, bound: below, below },
	});

	/** A detector that knows the links 1 to 6, of an account that has others. */
	function scanned(there: number[], fits: DetectorContext['fits'] = () => true) {
		const { requests, sent } = requestsTo(accountWith(there));
		const first = detect();
		for (const id of range(1, 6)) first.observe(link({ id }), id);
		const second = detect(first.store(), { fits });
		const take = async (...given: Parameters<typeof page>) => {
			await second.scan.scanPage(page(...given), requests);
			return sent;
		};
		return { ...second, take };
	}

	it('looks for known links that are not on it', async () => {
		const { take, store } = scanned([1, 2, 4, 6]);
		expect(await take(2, [4, 6], 7)).toEqual(['get 5']);
		expect(await take(1, [1, 2], 4)).toEqual(['get 5', 'get 3']);
		expect(store().prints).toHaveLength(4 * detailed);
		// Those that are gone are forgotten.
		expect(await take(1, [1, 2, 4, 6], 7)).toHaveLength(2);
	});

	it('looks below its first link only on the first page', async () => {
		expect(await scanned([]).take(2, [4, 5, 6], 7)).toEqual([]);
		expect(await scanned([]).take(1, [4, 5, 6], 7)).toEqual(['get 1', 'get 2', 'get 3']);
		expect(await scanned([]).take(2, [], 7)).toEqual([]);
	});

	it('leaves alone what was scanned before', async () => {
		expect(await scanned([]).take(1, [1, 2, 3], 5)).toEqual(['get 4']);
	});

	it('keeps a link that is there and fits', async () => {
		const { take, store } = scanned(range(1, 6));
		await take(2, [4, 6], 7);
		expect(store().ids).toBe('DG');
	});

	it('reports the change that took a link out of the filters, and forgets the link', async () => {
		const { take, events, store } = scanned(range(1, 6), ({ id }) => id !== 5 && id !== 6);
		await take(2, [4, 6], 7);
		expect(events).toMatchObject([
			{ event: 'updated', id: 6, extra: { changes: {} } },
			{
				event: 'updated',
				id: 5,
				link: { id: 5 },
				extra: { changes: { url: 'https://example.com/0' } },
			},
		]);
		expect(store().ids).toBe('DE');
		expect(await take(1, [1, 2, 3, 4], 7)).toEqual(['get 5']);
	});

	it('looks for links behind the page only if it is continuous', async () => {
		expect(await scanned([]).take(2, [3, 4], 7, false)).toEqual([]);
		expect(await scanned([]).take(2, [3, 4], 7)).toEqual(['get 5', 'get 6']);
	});

	it('asks for up to 20 pages and has nothing to end', () => {
		const { scan } = detect();
		expect(scan).toMatchObject({ isNew: false, needsContinuity: false, pages: 20 });
		expect(scan.endRound).toBeUndefined();
	});
});

it('distinguishes 20,000 values of one field', () => {
	const { observe, events } = detect();
	for (const number of range(0, 20_000)) observe(link({ alias: `alias-${number}` }), 7);
	expect(events).toHaveLength(20_000);
	for (const { extra } of events) expect(Object.keys(extra?.changes ?? {})).toEqual(['alias']);
});
