import { createdLinks } from '../../../../nodes/LinkTrigger/detectors/created';
import type {
	StoredDetector,
	DetectorContext,
} from '../../../../nodes/LinkTrigger/detectors/detector';
import type { PollAccount } from '../../../support/pollAccount.ts';
import {
	accountWith,
	plainLink,
	range,
	requestsTo,
	detectorContext,
} from '../../../support/pollReading.ts';

/** A detector through several polls, each in a new process. */
function polling(account: Pick<PollAccount, 'read'>, more: Partial<DetectorContext> = {}) {
	let stored: StoredDetector | undefined;
	const poll = async (most = 150) => {
		const { context, reported } = detectorContext(more);
		const { requests, sent } = requestsTo(account, most);
		const detector = createdLinks.create(context, stored);
		const error = await detector.poll?.(requests).catch((reason: unknown) => reason);
		stored = JSON.parse(JSON.stringify(detector.store())) as StoredDetector;
		return { ids: reported.map((text) => Number(text.slice(8))), sent, error, stored };
	};
	return { poll };
}

const add = (account: PollAccount, count: number) => {
	for (let number = 0; number < count; number += 1) account.create(plainLink);
};

it('reports the links that are created after the first poll, with one request a poll', async () => {
	const account = accountWith(range(1, 25));
	const { poll } = polling(account);
	expect(await poll()).toMatchObject({ ids: [], sent: ['desc 1'] });
	expect((await poll()).ids).toEqual([]);
	add(account, 3);
	expect(await poll()).toMatchObject({ ids: [26, 27, 28], sent: ['desc 1'] });
	expect((await poll()).ids).toEqual([]);
});

it('reports all links with Start From = All, oldest first', async () => {
	const account = accountWith(range(1, 25));
	const { poll } = polling(account, { startsFromAll: true });
	const { ids, sent } = await poll();
	expect(ids).toEqual(range(1, 25));
	expect(sent).toEqual(['desc 1', 'asc 1', 'asc 2', 'asc 3']);
	expect(await poll()).toMatchObject({ ids: [], sent: ['desc 1'] });
});

it('stores what it knows', async () => {
	const account = accountWith(range(1, 5));
	const { poll } = polling(account);
	expect((await poll()).stored).toEqual({ floor: 0, seen: 'DF', highest: 5, lastPage: 1 });
	const many = polling(accountWith(range(1, 25)));
	expect((await many.poll()).stored).toEqual({ floor: 16, seen: 'hBK', highest: 25, lastPage: 3 });
	const none = polling(accountWith([]));
	expect((await none.poll()).stored).toEqual({ floor: 0, seen: '', highest: 0, lastPage: 1 });
});

it('is still new after a poll that could not read', async () => {
	const account = accountWith(range(1, 5));
	const { poll } = polling(account);
	expect((await poll(0)).stored).toEqual({
		floor: 0,
		seen: '',
		highest: 0,
		lastPage: 1,
		isBaseline: true,
	});
	expect((await poll()).ids).toEqual([]);
});

it('reports a backlog of more than a page', async () => {
	const account = accountWith(range(1, 25));
	const { poll } = polling(account);
	await poll();
	add(account, 35);
	expect((await poll()).ids).toEqual(range(26, 60));
	expect((await poll()).stored).not.toHaveProperty('backlog');
	add(account, 25);
	const { ids, sent } = await poll();
	expect(ids).toEqual(range(61, 85));
	// The search begins at the page that had the highest ID.
	expect(sent[1]).toBe('asc 6');
});

it('reports 10 pages of a backlog a poll', async () => {
	const account = accountWith([]);
	const { poll } = polling(account);
	await poll();
	add(account, 250);
	const first = await poll();
	expect(first.ids).toEqual(range(1, 100));
	expect(first.stored).toMatchObject({ lastPage: 10, backlog: { next: 11 } });
	expect(await poll()).toMatchObject({ ids: range(101, 200) });
	expect(await poll()).toMatchObject({ ids: range(201, 250) });
});

it('finds the first page of a backlog from the last page of the poll before', async () => {
	const account = accountWith(range(1, 250));
	const { poll } = polling(account);
	await poll();
	add(account, 150);
	const { ids, sent } = await poll();
	expect(sent.slice(0, 3)).toEqual(['desc 1', 'asc 25', 'asc 26']);
	expect(ids).toEqual(range(251, 350));
});

it('finds the first page of a backlog after older links were deleted', async () => {
	const account = accountWith(range(1, 250));
	const { poll } = polling(account);
	await poll();
	add(account, 30);
	for (const id of range(1, 200)) account.delete(id);
	const { ids, sent } = await poll();
	expect(sent).toEqual(['desc 1', ...['asc 8', 'asc 7', 'asc 6', 'asc 7', 'asc 8']]);
	expect(ids).toEqual(range(251, 280));
});

it('goes on with a backlog where a poll had to end', async () => {
	const account = accountWith([]);
	const { poll } = polling(account);
	await poll();
	add(account, 40);
	const first = await poll(3);
	expect(first).toMatchObject({ ids: range(1, 20), error: expect.any(Error) });
	expect(await poll()).toMatchObject({ ids: range(21, 40), sent: ['asc 3', 'asc 4'] });
});

it('reports a link that becomes visible after links with higher IDs', async () => {
	const account = accountWith(range(1, 5));
	const { poll } = polling(account);
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
	const { poll } = polling(account, { startsFromAll: true });
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
	const { poll } = polling(account, { fits: ({ alias }) => alias === 'fits' });
	await poll();
	add(account, 2);
	expect((await poll()).ids).toEqual([]);
	account.change(2, { alias: 'fits' });
	expect((await poll()).ids).toEqual([2]);
	account.change(3, { alias: 'fits' });
	expect((await poll()).ids).toEqual([]);
});

it('refuses new links that do not show what the filters need', async () => {
	const account = accountWith([1]);
	const more = { fits: () => undefined, params: [['space_id', '2']] as const };
	const { poll } = polling(account, more);
	await poll();
	expect((await poll()).error).toBeUndefined();
	add(account, 1);
	const { ids, error } = await poll();
	expect(ids).toEqual([]);
	expect(error).toMatchObject({
		failure: {
			message: 'The service does not return the fields of new links that Filters needs',
			advice: 'Remove the filters by space, pixel and alias, or the event Link Created.',
		},
	});
});

it('reports a link that does not show its domain: the list is filtered by it', async () => {
	const account = accountWith([1]);
	const params = [['domain_id', '1']] as const;
	const { poll } = polling(account, { fits: () => undefined, params, fixedParams: params });
	await poll();
	add(account, 1);
	expect((await poll()).ids).toEqual([2]);
});

it('reads the list with the filters that no update can change', async () => {
	const account = accountWith([1]);
	const fixedParams = [['domain_id', '1']] as const;
	const { poll } = polling(account, { fixedParams, params: [...fixedParams, ['space_id', '2']] });
	expect((await poll()).sent).toEqual(['domain_id=1 desc 1']);
});

it.each<[stored: StoredDetector]>([
	[{ floor: 6, seen: '', highest: 5 }],
	[{ floor: -1, seen: '', highest: 5 }],
	[{ floor: 0, seen: 'g', highest: 5 }],
	[{ floor: 0, seen: '' }],
	[{ floor: 0, seen: '', highest: 5, lastPage: 0 }],
	[{ floor: 0, seen: '', highest: 5, backlog: { next: 0 } }],
])('does not read the state %j', (stored) => {
	expect(() => createdLinks.create(detectorContext().context, stored)).toThrow(SyntaxError);
});

it('is not new with a stored state that does not say so', () => {
	const { context } = detectorContext();
	const stored = { floor: 5, seen: '', highest: 5, lastPage: 3 };
	expect(createdLinks.create(context, stored).store()).toEqual(stored);
});
