import { created } from '../../../../nodes/shared/poll/created';
import type { StoredWatch, WatchContext } from '../../../../nodes/shared/poll/types';
import type { PollAccount } from '../../../support/pollAccount.ts';
import {
	accountWith,
	plainLink,
	range,
	readingOf,
	watchContext,
} from '../../../support/pollReading.ts';

/** A watch through several polls, each in a new process. */
function watching(account: Pick<PollAccount, 'read'>, more: Partial<WatchContext> = {}) {
	let stored: StoredWatch | undefined;
	const poll = async (most = 150) => {
		const { context, reported } = watchContext(more);
		const { reading, requests } = readingOf(account, most);
		const watch = created('created')(context, stored);
		const error = await watch.look?.(reading).catch((reason: unknown) => reason);
		stored = JSON.parse(JSON.stringify(watch.store())) as StoredWatch;
		return { ids: reported.map((text) => Number(text.slice(8))), requests, error, stored };
	};
	return { poll };
}

const add = (account: PollAccount, count: number) => {
	for (let number = 0; number < count; number += 1) account.create(plainLink);
};

it('reports the links that are created after the first poll, with one request a poll', async () => {
	const account = accountWith(range(1, 25));
	const { poll } = watching(account);
	expect(await poll()).toMatchObject({ ids: [], requests: ['desc 1'] });
	expect((await poll()).ids).toEqual([]);
	add(account, 3);
	expect(await poll()).toMatchObject({ ids: [26, 27, 28], requests: ['desc 1'] });
	expect((await poll()).ids).toEqual([]);
});

it('reports all links with Start From = All, oldest first', async () => {
	const account = accountWith(range(1, 25));
	const { poll } = watching(account, { startsFromAll: true });
	const { ids, requests } = await poll();
	expect(ids).toEqual(range(1, 25));
	expect(requests).toEqual(['desc 1', 'asc 1', 'asc 2', 'asc 3']);
	expect(await poll()).toMatchObject({ ids: [], requests: ['desc 1'] });
});

it('stores what it knows', async () => {
	const account = accountWith(range(1, 5));
	const { poll } = watching(account);
	expect((await poll()).stored).toEqual({ floor: 0, seen: 'DF', highest: 5 });
	const many = watching(accountWith(range(1, 25)));
	expect((await many.poll()).stored).toEqual({ floor: 16, seen: 'hBK', highest: 25 });
	const none = watching(accountWith([]));
	expect((await none.poll()).stored).toEqual({ floor: 0, seen: '', highest: 0 });
});

it('is still new after a poll that could not read', async () => {
	const account = accountWith(range(1, 5));
	const { poll } = watching(account);
	expect((await poll(0)).stored).toEqual({ floor: 0, seen: '', highest: 0, isNew: true });
	expect((await poll()).ids).toEqual([]);
});

it('reports a backlog of more than a page', async () => {
	const account = accountWith(range(1, 25));
	const { poll } = watching(account);
	await poll();
	add(account, 35);
	expect((await poll()).ids).toEqual(range(26, 60));
	expect((await poll()).stored).not.toHaveProperty('backlog');
	add(account, 25);
	const { ids, requests } = await poll();
	expect(ids).toEqual(range(61, 85));
	// The search begins at the page that had the highest ID.
	expect(requests[1]).toBe('asc 6');
});

it('reports 10 pages of a backlog a poll', async () => {
	const account = accountWith([]);
	const { poll } = watching(account);
	await poll();
	add(account, 250);
	const first = await poll();
	expect(first.ids).toEqual(range(1, 100));
	expect(first.stored).toMatchObject({ lastPage: 10, backlog: { next: 11, low: 10 } });
	expect(await poll()).toMatchObject({ ids: range(101, 200) });
	expect(await poll()).toMatchObject({ ids: range(201, 250) });
});

it('does not count the pages of the search as pages of the backlog', async () => {
	const account = accountWith(range(1, 250));
	const { poll } = watching(account);
	await poll();
	add(account, 150);
	const { ids, requests } = await poll();
	expect(requests.slice(0, 5)).toEqual(['desc 1', 'asc 21', 'asc 31', 'asc 26', 'asc 27']);
	expect(ids).toEqual(range(251, 350));
});

it('goes on with a backlog where a poll had to end', async () => {
	const account = accountWith([]);
	const { poll } = watching(account);
	await poll();
	add(account, 40);
	const first = await poll(3);
	expect(first).toMatchObject({ ids: range(1, 20), error: expect.any(Error) });
	expect(await poll()).toMatchObject({ ids: range(21, 40), requests: ['asc 3', 'asc 4'] });
});

it('reports a link that becomes visible after links with higher IDs', async () => {
	const account = accountWith(range(1, 5));
	const { poll } = watching(account);
	await poll();
	const late = account.create({ ...plainLink, isVisible: false });
	add(account, 2);
	expect((await poll()).ids).toEqual([7, 8]);
	account.change(late.id, { isVisible: true });
	add(account, 1);
	expect((await poll()).ids).toEqual([6, 9]);
	expect((await poll()).ids).toEqual([]);
});

it('remembers the 100 newest IDs', async () => {
	const account = accountWith([1, 50], { pageSize: 100 });
	const { poll } = watching(account, { startsFromAll: true });
	await poll();
	const late = [account, account].map((one) => one.create({ ...plainLink, isVisible: false }).id);
	add(account, 99);
	expect((await poll()).stored).toMatchObject({ floor: 49 });
	add(account, 1);
	expect((await poll()).stored).toMatchObject({ floor: 52 });
	account.change(late[1] ?? 0, { isVisible: true });
	expect((await poll()).ids).toEqual([]);
});

it('judges a link that does not fit the filters twice', async () => {
	const account = accountWith([1]);
	const { poll } = watching(account, { fits: ({ alias }) => alias === 'fits' });
	await poll();
	add(account, 2);
	expect((await poll()).ids).toEqual([]);
	account.change(2, { alias: 'fits' });
	expect((await poll()).ids).toEqual([2]);
	account.change(3, { alias: 'fits' });
	expect((await poll()).ids).toEqual([]);
});

it('reports a link that may or may not match the filters', async () => {
	const account = accountWith([1]);
	const { poll } = watching(account, { fits: () => undefined });
	await poll();
	add(account, 1);
	expect((await poll()).ids).toEqual([2]);
});

it('reads the list with the filters that no update can change', async () => {
	const account = accountWith([1]);
	const fixedParams = [['domain_id', '1']] as const;
	const { poll } = watching(account, { fixedParams, params: [...fixedParams, ['space_id', '2']] });
	expect((await poll()).requests).toEqual(['domain_id=1 desc 1']);
});

it.each<[stored: StoredWatch]>([
	[{ floor: 6, seen: '', highest: 5 }],
	[{ floor: -1, seen: '', highest: 5 }],
	[{ floor: 0, seen: 'g', highest: 5 }],
	[{ floor: 0, seen: '' }],
])('does not read the state %j', (stored) => {
	expect(() => created('created')(watchContext().context, stored)).toThrow(SyntaxError);
});

it('is not new with a stored state that does not say so', () => {
	const { context } = watchContext();
	const stored = { floor: 5, seen: '', highest: 5, lastPage: 0 };
	expect(created('created')(context, stored).store()).toEqual({ floor: 5, seen: '', highest: 5 });
});
