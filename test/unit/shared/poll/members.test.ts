import { members, type MembersSpec } from '../../../../nodes/shared/poll/members';
import type { StoredWatch, WatchContext } from '../../../../nodes/shared/poll/types';
import type { PollAccount } from '../../../support/pollAccount.ts';
import {
	accountWith,
	plainLink,
	range,
	readingOf,
	watchContext,
} from '../../../support/pollReading.ts';

/** All links; a link that leaves the list was deleted. */
const all: MembersSpec = {
	params: [],
	growsAtEnd: true,
	left: 'deleted',
	isFinal: true,
	judge: (link, { fits }) => (link ? (fits(link) ? 'member' : 'dropped') : 'happened'),
};

/** The disabled links. */
const off: MembersSpec = {
	params: [['status', '3']],
	entered: 'disabled',
	left: 'enabled',
	judge: (link) => (link ? (link.disabled === 1 ? 'member' : 'happened') : 'dropped'),
};

/** A watch through several polls, each in a new process. */
function watching(
	spec: MembersSpec,
	account: Pick<PollAccount, 'read'>,
	more: Partial<WatchContext> = {},
) {
	let stored: StoredWatch | undefined;
	const poll = async (
		most = 150,
		see: (watch: ReturnType<ReturnType<typeof members>>) => void = () => undefined,
	) => {
		const { context, reported } = watchContext(more);
		const { reading, requests } = readingOf(account, most);
		const watch = members(spec)(context, stored);
		see(watch);
		const error = await watch.look?.(reading).catch((reason: unknown) => reason);
		stored = JSON.parse(JSON.stringify(watch.store())) as StoredWatch;
		return { reported, requests, error, stored };
	};
	/** Polls until a number of polls in a row found nothing, and returns all that was reported. */
	const settle = async (polls = 12) => {
		const reported: string[] = [];
		for (let count = 0; count < polls; count += 1) reported.push(...(await poll()).reported);
		return reported;
	};
	return { poll, settle, with: (known: StoredWatch) => (stored = known) };
}

const disabledLink = { ...plainLink, disabled: true };

describe('the first polls', () => {
	it('learn a list of several pages from its end, and report nothing', async () => {
		const { poll } = watching(all, accountWith(range(1, 35)));
		const { requests, reported, stored } = await poll();
		expect(requests).toEqual(['asc 1', 'asc 1', 'asc 4', 'asc 3', 'asc 2', 'asc 1']);
		expect(reported).toEqual([]);
		expect(stored).toMatchObject({ ids: 'Dj' + 'B', unread: 0, next: 1 });
	});

	it('read at most 20 pages each, and go on', async () => {
		const { poll } = watching(all, accountWith(range(1, 450)));
		const first = await poll();
		expect(first.stored).toMatchObject({ next: 25, unread: 251 });
		const second = await poll();
		expect(second.stored).toMatchObject({ next: 7, unread: 71 });
		const third = await poll();
		expect(third.stored).toMatchObject({ unread: 0, next: 1 });
		expect(third.requests.slice(1)).toEqual([
			...['asc 7', 'asc 8', 'asc 7', 'asc 6', 'asc 5', 'asc 4', 'asc 3', 'asc 2', 'asc 1'],
		]);
	});

	it('go on after a poll that was cut short', async () => {
		const { poll, settle } = watching(all, accountWith(range(1, 35)));
		const first = await poll(4);
		expect(first).toMatchObject({ error: expect.any(Error), stored: { next: 2, unread: 21 } });
		expect((await poll()).stored).toMatchObject({ unread: 0 });
		expect(await settle()).toEqual([]);
	});

	it('report what is there with Start From = All, for an event of coming in', async () => {
		const account = accountWith([]);
		for (let count = 0; count < 15; count += 1) account.create(disabledLink);
		const reported = await watching(off, account, { startsFromAll: true }).settle();
		expect(reported).toEqual(range(1, 15).map((id) => `disabled ${id}`));
		expect(await watching(all, account, { startsFromAll: true }).settle()).toEqual([]);
		expect(await watching(off, account).settle()).toEqual([]);
	});

	it('look at a page above twice where links may have come in below', async () => {
		const account = accountWith([]);
		for (let count = 0; count < 25; count += 1) account.create(disabledLink);
		const { requests } = await watching(off, account).poll();
		expect(requests.map((text) => text.slice(9))).toEqual([
			...['asc 1', 'asc 1', 'asc 3', 'asc 2', 'asc 3', 'asc 1', 'asc 2'],
		]);
	});

	it('miss no link that comes in below while the list is read', async () => {
		const account = accountWith(range(1, 30));
		for (const id of range(1, 30)) if (id % 3 !== 0) account.change(id, { disabled: true });
		let count = 0;
		const { poll, settle } = watching(off, {
			read: (url) => {
				const answer = account.read(url);
				count += 1;
				if (count === 3) for (const id of [3, 6, 9]) account.change(id, { disabled: true });
				return answer;
			},
		});
		const { reported, stored } = await poll();
		expect(stored).toMatchObject({ unread: 0 });
		const later = await settle();
		account.change(6, { disabled: false });
		expect(await settle()).toEqual(['enabled 6']);
		expect([...reported, ...later].filter((text) => !/ (3|6|9)$/.test(text))).toEqual([]);
	});
});

describe('a quiet poll', () => {
	it('reads one page, every other one the last page where new links come in', async () => {
		const { poll } = watching(all, accountWith(range(1, 25)));
		await poll();
		const polls: string[] = [];
		for (let count = 0; count < 8; count += 1) polls.push((await poll()).requests.slice(1).join());
		expect(polls).toEqual([
			...['asc 3', 'asc 1', 'asc 3', 'asc 2', 'asc 3', 'asc 1,asc 3', 'asc 3', 'asc 1'],
		]);
	});

	it('reads one page after the other of a list that links come into anywhere', async () => {
		const account = accountWith([]);
		for (let count = 0; count < 25; count += 1) account.create(disabledLink);
		const { poll } = watching(off, account);
		await poll();
		const polls: string[] = [];
		for (let count = 0; count < 4; count += 1) {
			polls.push((await poll()).requests.slice(1).join().replaceAll('status=3 ', ''));
		}
		expect(polls).toEqual(['asc 1', 'asc 2', 'asc 1,asc 3', 'asc 1']);
	});

	it('reads the last page as well where the service does not count', async () => {
		const { poll } = watching(all, accountWith(range(1, 25), { envelope: 'simple' }));
		await poll();
		await poll();
		expect((await poll()).requests).toEqual(['asc 1', 'asc 1', 'asc 3']);
	});
});

describe('a deleted link', () => {
	it.each([1, 13, 25])('is reported at once: %d', async (id) => {
		const account = accountWith(range(1, 25));
		const { poll, settle } = watching(all, account);
		await poll();
		account.delete(id);
		expect((await poll()).reported).toEqual([`deleted ${id}`]);
		expect(await settle()).toEqual([]);
	});

	it.each<[what: string, deleted: number[], created: number]>([
		['many', range(5, 18), 0],
		['all', range(1, 35), 0],
		['every other', range(1, 35).filter((id) => id % 2 === 0), 0],
		['between two pages', [20, 21], 0],
		['while as many are created', [3, 14, 30], 3],
		['while more are created', [3, 14, 30], 12],
	])('is reported once: %s', async (_what, deleted, count) => {
		const account = accountWith(range(1, 35));
		const { poll, settle } = watching(all, account);
		await poll();
		for (const id of deleted) account.delete(id);
		for (let number = 0; number < count; number += 1) account.create(plainLink);
		const reported = await settle();
		expect(reported.toSorted()).toEqual(deleted.map((id) => `deleted ${id}`).toSorted());
	});

	it.each([4, 5, 6, 9])('is found by polls of %d requests', async (most) => {
		const account = accountWith(range(1, 95));
		const { poll } = watching(all, account);
		await poll();
		account.delete(48);
		const reported: string[] = [];
		for (let count = 0; count < 60; count += 1) reported.push(...(await poll(most)).reported);
		expect(reported).toEqual(['deleted 48']);
	});

	it('is searched in halves', async () => {
		const account = accountWith(range(1, 95));
		const { poll } = watching(all, account);
		await poll();
		account.delete(48);
		const { requests } = await poll();
		expect(requests).toEqual(['asc 1', 'asc 10', 'asc 5', 'get 48']);
	});

	it('leaves the bounds of a search that was cut short', async () => {
		const account = accountWith(range(1, 95));
		const { poll } = watching(all, account);
		await poll();
		account.delete(28);
		const { stored } = await poll(3);
		expect(stored).toMatchObject({ low: 0, high: 5 });
		expect((await poll()).reported).toEqual(['deleted 28']);
	});

	it('is searched on 20 pages a poll at most', async () => {
		const account = accountWith(range(1, 450));
		const { poll } = watching(all, account);
		for (let count = 0; count < 4; count += 1) await poll();
		const deleted = range(1, 30).map((number) => number * 15);
		for (const id of deleted) account.delete(id);
		const first = await poll();
		expect(first.requests.filter((text) => text.startsWith('asc'))).toHaveLength(24);
		const reported = [...first.reported];
		for (let count = 0; count < 20; count += 1) reported.push(...(await poll()).reported);
		expect(reported.toSorted()).toEqual(deleted.map((id) => `deleted ${id}`).toSorted());
	});

	it('is not asked for where no event is about it', async () => {
		const account = accountWith(range(1, 25));
		const { poll, settle } = watching(all, account, { events: new Set(['created']) });
		await poll();
		account.delete(13);
		const { requests } = await poll();
		expect(requests.filter((text) => text.startsWith('get'))).toEqual([]);
		expect(await settle()).toEqual([]);
	});

	it('that does not fit the filters is forgotten', async () => {
		const account = accountWith(range(1, 25));
		const { poll, settle } = watching(all, account, { fits: ({ id }) => id !== 13 });
		const { stored } = await poll();
		expect(stored.unfit).toBe('a');
		account.delete(13);
		account.delete(14);
		expect(await settle()).toEqual(['deleted 14']);
	});
});

describe('a link that another watch has seen', () => {
	const link = { id: 26 };

	it('is reported when it is deleted, although this watch has not read it', async () => {
		const { poll, settle } = watching(all, accountWith(range(1, 25)));
		await poll();
		const first = await poll(150, (watch) => watch.see?.(link, 26));
		expect([...first.reported, ...(await settle())]).toEqual(['deleted 26']);
	});

	it('is not known yet if it is below what was read', async () => {
		const { poll } = watching(all, accountWith(range(1, 25)));
		const { stored } = await poll(0, (watch) => watch.see?.(link, 26));
		expect(stored).toMatchObject({ ids: '', unread: null });
	});

	it.each([
		['that does not fit', all, false],
		['that may or may not match the filters', all, undefined],
		['of a list that links come into anywhere', off, true],
	])('is not known: one %s', async (_what, spec, fits) => {
		const { poll } = watching(spec, accountWith([]), { fits: () => fits });
		await poll();
		const { stored } = await poll(0, (watch) => watch.see?.(link, 26));
		expect(stored.ids).toBe('');
	});
});

describe('a disabled link', () => {
	it('is reported each time that it is disabled and enabled', async () => {
		const account = accountWith(range(1, 25));
		const { poll } = watching(off, account);
		await poll();
		for (let count = 0; count < 2; count += 1) {
			account.change(7, { disabled: true });
			expect((await poll()).reported).toEqual(['disabled 7']);
			account.change(7, { disabled: false });
			expect((await poll()).reported).toEqual(['enabled 7']);
		}
	});

	it('is not reported as enabled when it is deleted', async () => {
		const account = accountWith(range(1, 25));
		const { poll, settle } = watching(off, account);
		account.change(7, { disabled: true });
		await poll();
		account.delete(7);
		expect(await settle()).toEqual([]);
	});

	it.each<[off: number[], on: number[]]>([
		[[3, 4], []],
		[[3], [12]],
		[
			[1, 2, 5],
			[8, 14, 20],
		],
		[range(1, 5), range(6, 30)],
	])('is found when %j are disabled and %j enabled at once', async (disabled, enabled) => {
		const account = accountWith(range(1, 40));
		for (const id of range(6, 30)) account.change(id, { disabled: true });
		const { poll, settle } = watching(off, account);
		await poll();
		for (const id of disabled) account.change(id, { disabled: true });
		for (const id of enabled) account.change(id, { disabled: false });
		const expected = [
			...disabled.map((id) => `disabled ${id}`),
			...enabled.map((id) => `enabled ${id}`),
		];
		expect((await settle()).toSorted()).toEqual(expected.toSorted());
	});

	it('is reported when it fits the filters for the first time', async () => {
		let isFitting = false;
		const account = accountWith(range(1, 5));
		account.change(3, { disabled: true });
		const { poll } = watching(off, account, { fits: () => isFitting });
		await poll();
		isFitting = true;
		expect((await poll()).reported).toEqual(['disabled 3']);
		expect((await poll()).reported).toEqual([]);
	});

	it('is not reported if the event is not selected', async () => {
		const account = accountWith(range(1, 5));
		const { poll } = watching(off, account, { events: new Set(['enabled']) });
		await poll();
		account.change(3, { disabled: true });
		expect((await poll()).reported).toEqual([]);
		account.change(3, { disabled: false });
		expect((await poll()).reported).toEqual(['enabled 3']);
	});
});

it('tells apart by nothing more an event that happens once', async () => {
	const once: unknown[] = [];
	const account = accountWith(range(1, 5));
	account.change(2, { disabled: true });
	const report: WatchContext['report'] = (happening) => once.push(happening.once);
	const [deleted, disabled] = [
		watching(all, account, { report }),
		watching(off, account, { report }),
	];
	await deleted.poll();
	await disabled.poll();
	account.delete(5);
	account.change(2, { disabled: false });
	await deleted.poll();
	await disabled.poll();
	expect(once).toEqual(['', undefined]);
});

it.each<[stored: StoredWatch]>([
	[{ ids: 'g', unfit: '', next: 1 }],
	[{ ids: '', unfit: 'g', next: 1 }],
	[{ ids: '', unfit: '', next: 0 }],
	[{ ids: '', unfit: '', next: 1, unread: -1 }],
	[{ ids: '', unfit: '', next: 1, low: -1, high: 2 }],
	[{ ids: '', unfit: '', next: 1, low: 0, high: 0 }],
	[{ ids: '', unfit: '', next: 1, low: 0 }],
])('does not read the state %j', (stored) => {
	expect(() => members(all)(watchContext().context, stored)).toThrow(SyntaxError);
});

it('reads the state that it stores', () => {
	const { context } = watchContext();
	const stored = { ids: 'DD', unfit: 'C', next: 3, isEndDue: false, unread: 7, low: 1, high: 4 };
	expect(members(all)(context, stored).store()).toEqual(stored);
	const { low, high, ...rest } = stored;
	expect([low, high]).toEqual([1, 4]);
	expect(members(all)(context, { ...rest, isEndDue: true }).store()).toEqual({
		...rest,
		isEndDue: true,
	});
	expect(members(off)(context, rest).store()).toEqual(rest);
});
