import type { IDataObject } from 'n8n-workflow';
import type {
	DetectorContext,
	DetectorDefinition,
} from '../../../../nodes/LinkTrigger/detectors/detector';
import { DetectorRun } from '../../../../nodes/LinkTrigger/polling/detectorRun';
import type { PollState } from '../../../../nodes/LinkTrigger/polling/storedState';
import { accountWith, detectorContext, range, requestsTo } from '../../../support/pollReading.ts';
import type { PollAnswer } from '../../../support/pollAccount.ts';

/** A detector that reads a number of pages and counts the links that it observes. */
const reader = (name: string, pages: number): DetectorDefinition => ({
	name,
	create: (_context, stored) => {
		let count = Number(stored?.count ?? 0);
		if (stored?.broken === true) throw new SyntaxError('Broken');
		return {
			poll: async (requests) => {
				for (let page = 1; page <= pages; page += 1) await requests.page([['search', name]], page);
			},
			observe: () => (count += 1),
			store: () => ({ count }),
		};
	},
});

const empty: PollState = {
	...{ startId: '', salt: '', knownLinks: [], round: 0 },
	detectors: new Map(),
};

/** Polls with some detectors, and returns what they sent and know. */
async function poll(
	detectors: readonly DetectorDefinition[],
	state: PollState = empty,
	{
		account = accountWith([]),
		...more
	}: Partial<DetectorContext> & { readonly account?: { read(url: string): PollAnswer } } = {},
) {
	const { context } = detectorContext(more);
	const { client, sent } = requestsTo(account);
	const run = new DetectorRun(detectors, context, state);
	const failure = await run.poll(client);
	return {
		failure,
		stored: { ...state, ...run.store() },
		hasLearned: run.hasLearned,
		sent: sent.map((text) => text.replace('search=', '')),
	};
}

const knowing = (...names: string[]): PollState => ({
	...empty,
	detectors: new Map(names.map((name) => [name, {}])),
});

it('runs the detectors in their order', async () => {
	expect((await poll([reader('a', 1), reader('b', 1)])).sent).toEqual(['a page 1', 'b page 1']);
	const { stored } = await poll([reader('b', 1)], knowing('a'));
	expect([...stored.detectors]).toEqual([['b', { count: 0 }]]);
});

it('makes 5 requests in the first poll, and 150 in each other one', async () => {
	expect((await poll([reader('a', 200)])).sent).toHaveLength(5);
	expect((await poll([reader('a', 200)], knowing('a'))).sent).toHaveLength(150);
	// If any event is known, a new event may use the full number of requests too.
	expect((await poll([reader('a', 1), reader('b', 200)], knowing('a'))).sent).toHaveLength(150);
});

it.each<[what: string, known: IDataObject, count: number]>([
	['continues', { count: 5 }, 5],
	['begins again with a broken state', { count: 5, broken: true }, 0],
])('%s', async (_what, known, count) => {
	const { stored } = await poll([reader('a', 1)], { ...empty, detectors: new Map([['a', known]]) });
	expect(stored.detectors.get('a')).toEqual({ count });
});

it('shows each link that was read to all detectors, unless it does not fit', async () => {
	const account = accountWith(range(1, 3));
	const detectors = [reader('search_a', 1), reader('b', 0)];
	const counts = async (fits: DetectorContext['fits']) => {
		const reads = { read: (url: string) => account.read(url.replace('search=', 'other=')) };
		const { stored } = await poll(detectors, empty, { account: reads, fits });
		return [...stored.detectors.values()].map(({ count }) => count);
	};
	expect(await counts(() => true)).toEqual([3, 3]);
	expect(await counts(() => undefined)).toEqual([3, 3]);
	expect(await counts(({ id }) => id !== 2)).toEqual([2, 2]);
});

describe('a poll that comes to its end too early', () => {
	it('goes on with the detector at which it ended', async () => {
		const detectors = [reader('a', 4), reader('b', 4), reader('c', 1)];
		const first = await poll(detectors);
		expect(first.sent).toEqual(['a page 1', 'a page 2', 'a page 3', 'a page 4', 'b page 1']);
		expect(first.stored.resumeAt).toBe('b');
		expect(first.failure).toBeUndefined();
		const second = await poll(detectors, first.stored);
		expect(second.sent.map((text) => text[0]).join('')).toBe('bbbbcaaaa');
		expect(second.stored.resumeAt).toBeUndefined();
	});

	it('lets the other detectors have every other poll if one takes more than a poll', async () => {
		const detectors = [reader('a', 200), reader('b', 1)];
		const first = await poll(detectors, knowing('a', 'b'));
		expect(first.stored.resumeAt).toBe('b');
		const second = await poll(detectors, first.stored);
		expect(second.sent.slice(0, 2)).toEqual(['b page 1', 'a page 1']);
		expect(second.stored.resumeAt).toBe('a');
	});

	it('begins with the first detector if the other one is not there any more', async () => {
		const { sent } = await poll([reader('a', 1)], { ...knowing('a'), resumeAt: 'b' });
		expect(sent).toEqual(['a page 1']);
	});

	it('ends at a rate limit without a failure', async () => {
		const limited = {
			read: () => ({ statusCode: 429, headers: { 'retry-after': '60' }, body: '{}' }),
		};
		const { failure, sent, stored } = await poll([reader('a', 1), reader('b', 1)], empty, {
			account: limited,
		});
		expect(failure).toBeUndefined();
		expect(sent).toEqual(['a page 1']);
		expect(stored.resumeAt).toBe('b');
	});
});

describe('a failure', () => {
	const answering = (statusCode: number, body = '{"message":"No."}') => ({
		read: (url: string) =>
			url.includes('=a') ? { statusCode, headers: {}, body } : accountWith([]).read(url),
	});

	it.each<[statusCode: number, sent: string[]]>([
		[400, ['a page 1', 'b page 1']],
		[404, ['a page 1', 'b page 1']],
		[401, ['a page 1']],
		[403, ['a page 1']],
	])('with status %d is returned, after the requests %j', async (statusCode, requests) => {
		const account = answering(statusCode);
		const { failure, sent, hasLearned, stored } = await poll(
			[reader('a', 1), reader('b', 1)],
			empty,
			{ account },
		);
		expect(failure).toMatchObject({ statusCode });
		expect(sent).toEqual(requests);
		expect(hasLearned).toBe(requests.length > 1);
		expect(stored.resumeAt).toBeUndefined();
	});

	it('is the first one', async () => {
		const account = {
			read: (url: string) => ({
				statusCode: url.includes('=a') ? 404 : 400,
				headers: {},
				body: '{"message":"No."}',
			}),
		};
		const { failure } = await poll([reader('a', 1), reader('b', 1)], empty, { account });
		expect(failure).toMatchObject({ statusCode: 404 });
	});

	it('of our own is reported as an answer that cannot be read', async () => {
		const broken = (reason: unknown): DetectorDefinition => ({
			name: 'broken',
			create: () => ({ poll: async () => await Promise.reject(reason), store: () => ({}) }),
		});
		const { failure, sent } = await poll([broken(new TypeError('x is null')), reader('a', 1)]);
		expect(failure).toEqual({
			cause: 'rejected',
			message: 'The node cannot read a response of the service (x is null)',
			advice:
				'Check Base URL in the credential. The address may belong to another kind or version of service.',
		});
		expect(sent).toEqual(['a page 1']);
		expect((await poll([broken('text')])).failure?.message).toBe(
			'The node cannot read a response of the service (text)',
		);
	});
});

it('has learned nothing from a detector that made no request', async () => {
	expect((await poll([reader('a', 0)])).hasLearned).toBe(false);
	expect((await poll([reader('a', 1)])).hasLearned).toBe(true);
});

it('scans all links for the detectors that need it, and stores how far', async () => {
	const scanning: DetectorDefinition = {
		name: 'scanning',
		create: () => ({
			scan: { isNew: false, needsContinuity: false, pages: 1, scanPage: () => undefined },
			store: () => ({}),
		}),
	};
	const account = accountWith(range(1, 25));
	const { sent, stored } = await poll([scanning, reader('a', 1)], knowing('scanning'), { account });
	expect(sent).toEqual(['a page 1', 'asc 1', 'asc 3']);
	expect(stored.detectors.get('fullScan')).toEqual({ last: 3, next: 2, bound: 21 });
	expect((await poll([scanning], stored, { account })).sent).toEqual(['asc 2']);
	expect((await poll([reader('a', 1)])).stored.detectors.has('fullScan')).toBe(false);
});

it('knows some links of the page that was read last', async () => {
	const account = accountWith(range(1, 5));
	const read = (url: string) => account.read(url.replace('search=', 'other='));
	const { stored } = await poll([reader('a', 1)], empty, { account: { read } });
	expect(stored.knownLinks.map(({ id }) => id)).toEqual([5, 3, 1]);
	const { stored: next } = await poll([reader('a', 1)], stored);
	expect(next.knownLinks).toEqual(stored.knownLinks);
});
