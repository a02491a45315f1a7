import type { IDataObject } from 'n8n-workflow';
import { linkTrigger } from '../../../../nodes/LinkTrigger/linkTrigger.events';
import type { PollState } from '../../../../nodes/shared/poll/state';
import type { TriggerContract, WatchContext, WatchSpec } from '../../../../nodes/shared/poll/types';
import { Watches } from '../../../../nodes/shared/poll/watches';
import { accountWith, range, readingOf, watchContext } from '../../../support/pollReading.ts';
import type { PollAnswer } from '../../../support/pollAccount.ts';

const listing = (name: string) => ({ path: '/links', params: [['search', name]] as const });

/** A watch of one event, which reads a number of pages and counts what it sees. */
const reader = (name: string, pages: number): WatchSpec => ({
	name,
	events: [name],
	begin: (_context, stored) => {
		let count = Number(stored?.count ?? 0);
		if (stored?.broken === true) throw new SyntaxError('Broken');
		return {
			look: async (reading) => {
				for (let page = 1; page <= pages; page += 1) await reading.page(listing(name), page, 1);
			},
			see: () => (count += 1),
			store: () => ({ count }),
		};
	},
});

const trigger = (...watches: WatchSpec[]): TriggerContract => ({ ...linkTrigger, watches });

const empty: PollState = { begun: '', round: 0, watches: new Map() };

/** Polls with some watches, and returns what they sent and know. */
async function poll(
	watches: readonly WatchSpec[],
	state: PollState = empty,
	{
		account = accountWith([]),
		...more
	}: Partial<WatchContext> & { readonly account?: { read(url: string): PollAnswer } } = {},
) {
	const events = new Set(watches.flatMap((watch) => watch.events));
	const { context } = watchContext({ events, ...more });
	const { client, requests } = readingOf(account);
	const all = new Watches(trigger(...watches), context, 'account', state);
	const failure = await all.look(client);
	const stored = { ...state, ...all.store() };
	return {
		failure,
		stored,
		hasLearned: all.hasLearned,
		sent: requests.map((text) => text.replace('search=', '')),
	};
}

const knowing = (...names: string[]): PollState => ({
	...empty,
	watches: new Map(names.map((name) => [name, { of: 'account', stored: {} }])),
});

it('begins the watches of the events that the node asks for', async () => {
	const watches = [reader('a', 1), reader('b', 1)];
	expect((await poll(watches)).sent).toEqual(['a page 1', 'b page 1']);
	const { sent, stored } = await poll(watches, empty, { events: new Set(['b']) });
	expect(sent).toEqual(['b page 1']);
	expect([...stored.watches]).toEqual([['b', { of: 'account', stored: { count: 0 } }]]);
});

it('makes 5 requests in the first poll, and 150 in each other one', async () => {
	expect((await poll([reader('a', 200)])).sent).toHaveLength(5);
	expect((await poll([reader('a', 200)], knowing('a'))).sent).toHaveLength(150);
	const other = new Map([['a', { of: 'another account', stored: {} }]]);
	expect((await poll([reader('a', 200)], { ...empty, watches: other })).sent).toHaveLength(5);
	// If any event is known, a new event may use the full number of requests too.
	expect((await poll([reader('a', 1), reader('b', 200)], knowing('a'))).sent).toHaveLength(150);
});

it.each<[what: string, of: string, known: IDataObject, count: number]>([
	['goes on', 'account', { count: 5 }, 5],
	['begins again for another account', 'other', { count: 5 }, 0],
	['begins again with a broken state', 'account', { count: 5, broken: true }, 0],
])('%s', async (_what, of, known, count) => {
	const watches = new Map([['a', { of, stored: known }]]);
	const { stored } = await poll([reader('a', 1)], { ...empty, watches });
	expect(stored.watches.get('a')).toEqual({ of: 'account', stored: { count } });
});

it('shows each link that was read to all watches, unless it does not fit', async () => {
	const account = accountWith(range(1, 3));
	const watches = [reader('search_a', 1), reader('b', 0)];
	const counts = async (fits: WatchContext['fits']) => {
		const reads = { read: (url: string) => account.read(url.replace('search=', 'other=')) };
		const { stored } = await poll(watches, empty, { account: reads, fits });
		return [...stored.watches.values()].map(({ stored: { count } }) => count);
	};
	expect(await counts(() => true)).toEqual([3, 3]);
	expect(await counts(() => undefined)).toEqual([3, 3]);
	expect(await counts(({ id }) => id !== 2)).toEqual([2, 2]);
});

describe('a poll that comes to its end too early', () => {
	it('goes on with the watch at which it ended', async () => {
		const watches = [reader('a', 4), reader('b', 4), reader('c', 1)];
		const first = await poll(watches);
		expect(first.sent).toEqual(['a page 1', 'a page 2', 'a page 3', 'a page 4', 'b page 1']);
		expect(first.stored.resumeAt).toBe('b');
		expect(first.failure).toBeUndefined();
		const second = await poll(watches, first.stored);
		expect(second.sent.map((text) => text[0]).join('')).toBe('bbbbcaaaa');
		expect(second.stored.resumeAt).toBeUndefined();
	});

	it('lets the other watches have every other poll if one takes more than a poll', async () => {
		const watches = [reader('a', 200), reader('b', 1)];
		const first = await poll(watches, knowing('a', 'b'));
		expect(first.stored.resumeAt).toBe('b');
		const second = await poll(watches, first.stored);
		expect(second.sent.slice(0, 2)).toEqual(['b page 1', 'a page 1']);
		expect(second.stored.resumeAt).toBe('a');
	});

	it('begins with the first watch if the other one is not there any more', async () => {
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
		const broken = (reason: unknown): WatchSpec => ({
			name: 'broken',
			events: ['broken'],
			begin: () => ({ look: async () => await Promise.reject(reason), store: () => ({}) }),
		});
		const { failure, sent } = await poll([broken(new TypeError('x is null')), reader('a', 1)]);
		expect(failure).toEqual({
			cause: 'rejected',
			message: 'An answer of the service cannot be read (x is null)',
			advice: 'Check Base URL in the credential; the service may be of another kind or version.',
		});
		expect(sent).toEqual(['a page 1']);
		expect((await poll([broken('text')])).failure?.message).toBe(
			'An answer of the service cannot be read (text)',
		);
	});
});

it('has learned nothing from a watch that made no request', async () => {
	expect((await poll([reader('a', 0)])).hasLearned).toBe(false);
	expect((await poll([reader('a', 1)])).hasLearned).toBe(true);
});

it('scans all links for the watches that need it, and stores how far', async () => {
	const scanning: WatchSpec = {
		name: 'scanning',
		events: ['scanning'],
		begin: () => ({
			rolling: {
				...{ isNew: false, pages: 1, endRound: () => undefined },
				take: async () => await Promise.resolve(),
			},
			store: () => ({}),
		}),
	};
	const account = accountWith(range(1, 25));
	const { sent, stored } = await poll([scanning, reader('a', 1)], knowing('scanning'), { account });
	expect(sent).toEqual(['a page 1', 'asc 1', 'asc 1', 'asc 3']);
	expect(stored.watches.get('rolling')).toEqual({
		of: 'account',
		stored: { last: 3, next: 2, unread: 21 },
	});
	expect((await poll([scanning], stored, { account })).sent).toEqual(['asc 2', 'asc 2']);
	expect((await poll([reader('a', 1)])).stored.watches.has('rolling')).toBe(false);
});
