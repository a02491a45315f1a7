import { thresholds } from '../../../../nodes/shared/poll/thresholds';
import { Rolling } from '../../../../nodes/shared/poll/rolling';
import type { Happening, StoredWatch, WatchContext } from '../../../../nodes/shared/poll/types';
import type { PollAccount } from '../../../support/pollAccount.ts';
import { accountWith, range, readingOf, watchContext } from '../../../support/pollReading.ts';

const spec = { event: 'clicksReached', key: 'clicks' };

/** The watch and its full scan through several polls, each in a new process. */
function watching(account: PollAccount, more: Partial<WatchContext> = {}) {
	let stored: StoredWatch | undefined;
	let scan: StoredWatch | undefined;
	const poll = async (most = 150) => {
		const happenings: Happening[] = [];
		const report = (happening: Happening) => happenings.push(happening);
		const { context } = watchContext({ thresholds: [100], report, ...more });
		const watch = thresholds(spec)(context, stored);
		const { reading, requests } = readingOf(account, most, (links) => {
			for (const link of links) watch.see?.(link, Number(link.id));
		});
		await watch.look?.(reading);
		const counted = [...requests];
		const { rolling } = watch;
		if (!rolling) throw new Error('There is no full scan');
		const scanner = new Rolling(context, [rolling], scan);
		await scanner.look(reading);
		stored = JSON.parse(JSON.stringify(watch.store())) as StoredWatch;
		scan = JSON.parse(JSON.stringify(scanner.store())) as StoredWatch;
		const reached = happenings.map(({ id, once }) => `${id} ${once}`);
		return { reached, happenings, counted, scanned: requests.slice(counted.length), stored };
	};
	return { poll };
}

const click = (account: PollAccount, clicks: number, ...ids: number[]) => {
	for (const id of ids) account.change(id, { clicks });
};

it('reports a link with the threshold that it has reached, once', async () => {
	const account = accountWith(range(1, 5));
	const { poll } = watching(account);
	expect((await poll()).reached).toEqual([]);
	click(account, 99, 2);
	expect((await poll()).reached).toEqual([]);
	click(account, 100, 3);
	expect((await poll()).happenings).toMatchObject([
		{
			...{ event: 'clicksReached', id: 3, once: '100', told: { threshold: 100 } },
			resource: { id: 3, clicks: 100 },
		},
	]);
	click(account, 50, 3);
	expect((await poll()).reached).toEqual([]);
	click(account, 150, 3);
	expect((await poll()).reached).toEqual([]);
});

it('reports each threshold', async () => {
	const account = accountWith(range(1, 5));
	const { poll } = watching(account, { thresholds: [10, 100, 1000] });
	await poll();
	click(account, 100, 4);
	expect((await poll()).reached).toEqual(['4 10', '4 100']);
	click(account, 5000, 4);
	expect((await poll()).reached).toEqual(['4 1000']);
});

it('does not report what was reached before the first polls', async () => {
	const account = accountWith(range(1, 35));
	click(account, 200, 3, 30);
	const { poll } = watching(account);
	expect((await poll()).reached).toEqual([]);
	click(account, 300, 3, 30);
	expect((await poll()).reached).toEqual([]);
	click(account, 300, 4);
	expect((await poll()).reached).toEqual(['4 100']);
});

it('reports what was reached before with Start From = All', async () => {
	const account = accountWith(range(1, 35));
	click(account, 200, 3, 30);
	const { poll } = watching(account, { startsFromAll: true });
	expect((await poll()).reached.toSorted()).toEqual(['3 100', '30 100']);
	expect((await poll()).reached).toEqual([]);
});

it('reports a link that is created after the beginning, although the first scan has not read all', async () => {
	const account = accountWith(range(1, 250));
	const { poll } = watching(account);
	const { stored } = await poll();
	expect(stored).toMatchObject({ thresholds: { 100: { base: 250, unread: 51 } } });
	account.create({ ...account.links.get(1), clicks: 100 } as never);
	click(account, 100, 40, 240);
	const second = await poll();
	expect(second.stored).toMatchObject({ thresholds: { 100: { unread: 0 } } });
	expect(second.reached).toEqual([]);
	// It is not known since when link 40 has that many clicks.
	expect((await poll()).reached.toSorted()).toEqual(['240 100', '251 100']);
});

describe('the list by clicks', () => {
	it('is read at the page on which those beyond a threshold end', async () => {
		const account = accountWith(range(1, 45));
		click(account, 200, ...range(1, 15));
		const { poll } = watching(account);
		await poll();
		expect((await poll()).counted).toEqual(['clicks desc 1', 'clicks desc 2']);
		expect((await poll()).counted).toEqual(['clicks desc 1', 'clicks desc 2']);
		click(account, 200, 20);
		expect(await poll()).toMatchObject({ reached: ['20 100'] });
	});

	it('is read once for thresholds that end on the same page', async () => {
		const account = accountWith(range(1, 15));
		const { poll } = watching(account, { thresholds: [100, 1000, 5000] });
		await poll();
		await poll();
		expect((await poll()).counted).toEqual(['clicks desc 1', 'clicks desc 1']);
	});

	it('is read until the page on which more of them end', async () => {
		const account = accountWith(range(1, 45));
		const { poll } = watching(account);
		await poll();
		await poll();
		click(account, 100, ...range(1, 25));
		const { counted, reached } = await poll();
		expect(counted).toEqual(['clicks desc 1', 'clicks desc 2', 'clicks desc 3']);
		expect(reached).toHaveLength(25);
	});

	it('is read backwards where fewer are beyond a threshold', async () => {
		const account = accountWith(range(1, 65));
		click(account, 200, ...range(1, 45));
		const { poll } = watching(account);
		await poll();
		await poll();
		for (const id of range(1, 40)) account.delete(id);
		const { counted, stored } = await poll();
		expect(counted).toEqual([
			'clicks desc 1',
			'clicks desc 5',
			'clicks desc 3',
			'clicks desc 2',
			'clicks desc 1',
		]);
		expect(stored).toMatchObject({ thresholds: { 100: { count: 5 } } });
		click(account, 200, 60);
		expect((await poll()).reached).toEqual(['60 100']);
	});

	it('is read backwards from the last page where the service counts pages', async () => {
		const account = accountWith(range(1, 65));
		click(account, 200, ...range(1, 65));
		const { poll } = watching(account);
		await poll();
		await poll();
		for (const id of range(1, 50)) account.delete(id);
		expect((await poll()).counted).toEqual(['clicks desc 1', 'clicks desc 7', 'clicks desc 2']);
	});

	it('is not counted before all links were read once', async () => {
		const { poll } = watching(accountWith(range(1, 5)));
		expect((await poll()).counted).toEqual([]);
		expect((await poll()).counted).toEqual(['clicks desc 1']);
	});

	it('is counted at once with Start From = All', async () => {
		const { poll } = watching(accountWith(range(1, 5)), { startsFromAll: true });
		expect((await poll()).counted).toEqual(['clicks desc 1']);
	});
});

describe('a link that has reached a threshold and is not on the page on which they end', () => {
	it('is looked for on the pages before', async () => {
		const account = accountWith(range(1, 65));
		click(account, 200, ...range(1, 45));
		const { poll } = watching(account);
		await poll();
		await poll();
		click(account, 5000, 60);
		const { reached, counted, stored } = await poll();
		expect(reached).toEqual(['60 100']);
		expect(counted).toEqual(['clicks desc 1', 'clicks desc 5']);
		expect(stored).toMatchObject({ rounds: 0, thresholds: { 100: { count: 46, hidden: 0 } } });
	});

	it('is found by a full scan if it is more than 20 pages before', async () => {
		const account = accountWith(range(1, 405));
		click(account, 200, ...range(106, 405));
		const { poll } = watching(account);
		for (let count = 0; count < 4; count += 1) await poll();
		click(account, 5000, 50);
		const { reached, counted, stored } = await poll();
		expect(counted).toHaveLength(21);
		expect(reached).toEqual([]);
		expect(stored).toMatchObject({ rounds: 2, thresholds: { 100: { count: 301, hidden: 1 } } });
		const later: string[] = [];
		for (let count = 0; count < 5; count += 1) later.push(...(await poll()).reached);
		expect(later).toEqual(['50 100']);
		expect((await poll()).stored).toMatchObject({ thresholds: { 100: { count: 301, hidden: 0 } } });
	});
});

it('does not read the state of something else', () => {
	const { context } = watchContext({ thresholds: [100] });
	for (const stored of [
		{ rounds: 0 },
		{ rounds: -1, thresholds: {} },
		{ rounds: 0, thresholds: { 100: 5 } },
		{ rounds: 0, thresholds: { 100: { reached: 'g' } } },
		{ rounds: 0, thresholds: { 100: { reached: '', hidden: -1 } } },
		{ rounds: 0, thresholds: { 100: { reached: '', base: -1 } } },
	]) {
		expect(() => thresholds(spec)(context, stored)).toThrow(SyntaxError);
	}
});

it('stores what it knows of each threshold', () => {
	const { context } = watchContext({ thresholds: [100, 1000] });
	const known = { reached: 'D' + 'C', count: 2, hidden: 1, base: 9, unread: null };
	const watch = thresholds(spec)(context, { rounds: 2, thresholds: { 100: known } });
	expect(watch.store()).toEqual({
		rounds: 2,
		thresholds: { 100: known, 1000: { reached: '', hidden: 0, base: null, unread: null } },
	});
	expect(watch.rolling).toMatchObject({ isNew: true, pages: 20 });
});

describe('the full scan', () => {
	const known = { reached: '', count: 0, hidden: 0, base: 9, unread: 0 };
	const begin = (more: object, rounds = 0) => {
		const { context } = watchContext({ thresholds: [100] });
		return thresholds(spec)(context, { rounds, thresholds: { 100: { ...known, ...more } } });
	};

	it.each([
		[{}, false, 1],
		[{ hidden: 1 }, false, 20],
		[{ unread: 3 }, false, 20],
		[{ unread: null }, true, 20],
	])('of the state %j is new: %p, and reads %d pages', (more, isNew, pages) => {
		expect(begin(more).rolling).toMatchObject({ isNew, pages });
	});

	it('ends the search for hidden links after two rounds', () => {
		const watch = begin({ hidden: 3 }, 2);
		watch.rolling?.endRound();
		expect(watch.store()).toMatchObject({ rounds: 1, thresholds: { 100: { hidden: 3 } } });
		watch.rolling?.endRound();
		expect(watch.store()).toMatchObject({ rounds: 0, thresholds: { 100: { hidden: 0 } } });
		watch.rolling?.endRound();
		expect(watch.store()).toMatchObject({ rounds: 0 });
	});

	it('counts a link that it finds as one of the hidden ones', () => {
		const watch = begin({ hidden: 1, count: 5 });
		watch.see?.({ id: 3, clicks: 100 }, 3);
		expect(watch.store()).toMatchObject({ thresholds: { 100: { hidden: 0, count: 5 } } });
		watch.see?.({ id: 4, clicks: '100' }, 4);
		expect(watch.store()).toMatchObject({ thresholds: { 100: { hidden: 0, count: 6 } } });
		watch.see?.({ id: 5, clicks: null }, 5);
		expect(watch.store()).toMatchObject({ thresholds: { 100: { count: 6 } } });
	});
});
