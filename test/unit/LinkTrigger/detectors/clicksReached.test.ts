import { clicksReached } from '../../../../nodes/LinkTrigger/detectors/clicksReached';
import type {
	DetectorContext,
	StoredDetector,
	TriggerEvent,
} from '../../../../nodes/LinkTrigger/detectors/detector';
import { FullScan } from '../../../../nodes/LinkTrigger/polling/fullScan';
import type { PollAccount } from '../../../support/pollAccount.ts';
import {
	accountWith,
	detectorContext,
	plainLink,
	range,
	requestsTo,
} from '../../../support/pollReading.ts';

/** The detector and its full scan through several polls, each in a new process. */
function polling(account: Pick<PollAccount, 'read'>, more: Partial<DetectorContext> = {}) {
	let stored: StoredDetector | undefined;
	let scanned: StoredDetector | undefined;
	const poll = async (most = 150) => {
		const events: TriggerEvent[] = [];
		const report = (event: TriggerEvent) => events.push(event);
		const { context } = detectorContext({ thresholds: [100], report, ...more });
		const detector = clicksReached.create(context, stored);
		const { requests, sent } = requestsTo(account, most, (links) => {
			for (const link of links) detector.observe?.(link, Number(link.id));
		});
		await detector.poll?.(requests);
		const counted = [...sent];
		const fullScan = new FullScan(context, [detector], scanned);
		await fullScan.poll(requests);
		stored = JSON.parse(JSON.stringify(detector.store())) as StoredDetector;
		scanned = JSON.parse(JSON.stringify(fullScan.store())) as StoredDetector;
		const reached = events.map(({ id, once }) => `${id} ${once}`);
		return { reached, events, counted, scanned: sent.slice(counted.length), stored };
	};
	return { poll };
}

const click = (account: PollAccount, clicks: number, ...ids: number[]) => {
	for (const id of ids) account.change(id, { clicks });
};

it('reports a link with the threshold that it has reached, once', async () => {
	const account = accountWith(range(1, 5));
	const { poll } = polling(account);
	expect((await poll()).reached).toEqual([]);
	click(account, 99, 2);
	expect((await poll()).reached).toEqual([]);
	click(account, 100, 3);
	expect((await poll()).events).toMatchObject([
		{
			...{ event: 'clicksReached', id: 3, once: '100', extra: { threshold: 100 } },
			link: { id: 3, clicks: 100 },
		},
	]);
	click(account, 50, 3);
	expect((await poll()).reached).toEqual([]);
	click(account, 150, 3);
	expect((await poll()).reached).toEqual([]);
});

it('reports each threshold', async () => {
	const account = accountWith(range(1, 5));
	const { poll } = polling(account, { thresholds: [10, 100, 1000] });
	await poll();
	click(account, 100, 4);
	expect((await poll()).reached).toEqual(['4 10', '4 100']);
	click(account, 5000, 4);
	expect((await poll()).reached).toEqual(['4 1000']);
});

it('does not report what was reached before the first polls', async () => {
	const account = accountWith(range(1, 35));
	click(account, 200, 3, 30);
	const { poll } = polling(account);
	expect((await poll()).reached).toEqual([]);
	click(account, 300, 3, 30);
	expect((await poll()).reached).toEqual([]);
	click(account, 300, 4);
	expect((await poll()).reached).toEqual(['4 100']);
});

it('reports what was reached before with Start From = All', async () => {
	const account = accountWith(range(1, 35));
	click(account, 200, 3, 30);
	const { poll } = polling(account, { startsFromAll: true });
	expect((await poll()).reached.toSorted()).toEqual(['3 100', '30 100']);
	expect((await poll()).reached).toEqual([]);
});

it('reports a link that is created after the beginning, although the first scan has not read all', async () => {
	const account = accountWith(range(1, 250));
	const { poll } = polling(account);
	const { stored } = await poll();
	expect(stored).toMatchObject({ thresholds: { 100: { base: 250, unread: 51 } } });
	account.create({ ...plainLink, clicks: 100 });
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
		const { poll } = polling(account);
		await poll();
		expect((await poll()).counted).toEqual(['clicks desc 1', 'clicks desc 2']);
		expect((await poll()).counted).toEqual(['clicks desc 1', 'clicks desc 2']);
		click(account, 200, 20);
		expect(await poll()).toMatchObject({ reached: ['20 100'] });
	});

	it('is read once for thresholds that end on the same page', async () => {
		const account = accountWith(range(1, 15));
		const { poll } = polling(account, { thresholds: [100, 1000, 5000] });
		await poll();
		await poll();
		expect((await poll()).counted).toEqual(['clicks desc 1']);
	});

	it('is read until the page on which more of them end', async () => {
		const account = accountWith(range(1, 45));
		const { poll } = polling(account);
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
		const { poll } = polling(account);
		await poll();
		await poll();
		for (const id of range(1, 40)) account.delete(id);
		const { counted, stored } = await poll();
		expect(counted).toEqual(['clicks desc 1', 'clicks desc 5', 'clicks desc 3', 'clicks desc 2']);
		expect(stored).toMatchObject({ thresholds: { 100: { count: 5 } } });
		click(account, 200, 60);
		expect((await poll()).reached).toEqual(['60 100']);
	});

	it('is read backwards from the last page where the service counts pages', async () => {
		const account = accountWith(range(1, 65));
		click(account, 200, ...range(1, 65));
		const { poll } = polling(account);
		await poll();
		await poll();
		for (const id of range(1, 50)) account.delete(id);
		expect((await poll()).counted).toEqual(['clicks desc 1', 'clicks desc 7', 'clicks desc 2']);
	});

	it('is not counted before all links were read once', async () => {
		const { poll } = polling(accountWith(range(1, 5)));
		expect((await poll()).counted).toEqual([]);
		expect((await poll()).counted).toEqual(['clicks desc 1']);
	});

	it('is counted at once with Start From = All', async () => {
		const { poll } = polling(accountWith(range(1, 5)), { startsFromAll: true });
		expect((await poll()).counted).toEqual(['clicks desc 1']);
	});
});

describe('a link that has reached a threshold and is not on the page on which they end', () => {
	it('is looked for on the pages before', async () => {
		const account = accountWith(range(1, 65));
		click(account, 200, ...range(1, 45));
		const { poll } = polling(account);
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
		const { poll } = polling(account);
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
	const { context } = detectorContext({ thresholds: [100] });
	for (const stored of [
		{ thresholds: {} },
		{ rounds: 0 },
		{ rounds: -1, thresholds: {} },
		{ rounds: 0, thresholds: { 100: 5 } },
		{ rounds: 0, thresholds: { 100: { reached: 'g' } } },
		{ rounds: 0, thresholds: { 100: { reached: '', hidden: -1 } } },
		{ rounds: 0, thresholds: { 100: { reached: '', base: -1 } } },
	]) {
		expect(() => clicksReached.create(context, stored)).toThrow(SyntaxError);
	}
});

it('stores what it knows of each threshold', () => {
	const { context } = detectorContext({ thresholds: [100, 1000] });
	const known = { reached: 'D' + 'C', count: 2, hidden: 1, base: 9, unread: null };
	const detector = clicksReached.create(context, { rounds: 2, thresholds: { 100: known } });
	expect(detector.store()).toEqual({
		rounds: 2,
		thresholds: { 100: known, 1000: { reached: '', hidden: 0, base: null, unread: null } },
	});
	expect(detector.scan).toMatchObject({ isNew: true, needsContinuity: true, pages: 20 });
});

describe('the full scan', () => {
	const known = { reached: '', count: 0, hidden: 0, base: 9, unread: 0 };
	const begin = (more: object, rounds = 0) => {
		const { context } = detectorContext({ thresholds: [100] });
		return clicksReached.create(context, { rounds, thresholds: { 100: { ...known, ...more } } });
	};

	it.each([
		[{}, false, 1],
		[{ hidden: 1 }, false, 20],
		[{ unread: 3 }, false, 20],
		[{ unread: null }, true, 20],
	])('of the state %j is new: %p, and reads %d pages', (more, isNew, pages) => {
		expect(begin(more).scan).toMatchObject({ isNew, pages });
	});

	it('ends the search for hidden links after two rounds', () => {
		const detector = begin({ hidden: 3 }, 2);
		detector.scan?.endRound?.();
		expect(detector.store()).toMatchObject({ rounds: 1, thresholds: { 100: { hidden: 3 } } });
		detector.scan?.endRound?.();
		expect(detector.store()).toMatchObject({ rounds: 0, thresholds: { 100: { hidden: 0 } } });
		detector.scan?.endRound?.();
		expect(detector.store()).toMatchObject({ rounds: 0 });
	});

	it('counts a link that it finds as one of the hidden ones', () => {
		const detector = begin({ hidden: 1, count: 5 });
		detector.observe?.({ id: 3, clicks: 100 }, 3);
		expect(detector.store()).toMatchObject({ thresholds: { 100: { hidden: 0, count: 5 } } });
		detector.observe?.({ id: 4, clicks: '100' }, 4);
		expect(detector.store()).toMatchObject({ thresholds: { 100: { hidden: 0, count: 6 } } });
		detector.observe?.({ id: 5, clicks: null }, 5);
		expect(detector.store()).toMatchObject({ thresholds: { 100: { count: 6 } } });
	});
});

it.each([[undefined], [null], ['1,234'], [1.5], [{}]])('refuses the clicks %p', async (clicks) => {
	const meta = { current_page: 1, last_page: 1, total: 1 };
	const body = JSON.stringify({ data: [{ id: 1, clicks }], meta });
	const read = () => ({ statusCode: 200, headers: {}, body });
	for (const startsFromAll of [true, false]) {
		await expect(polling({ read }, { startsFromAll }).poll()).rejects.toMatchObject({
			failure: {
				message: 'The service does not return the clicks of links as whole numbers',
				advice: 'Clicks Reached cannot work with this service. Remove this event.',
			},
		});
	}
});

describe('with a filter that links come to match', () => {
	const params = [['space_id', '1']] as const;

	/** 35 links that match a filter and 5 that do not, of which some come to match with a request of the first scan. */
	const accountThat = (request: number, ...coming: number[]) => {
		const account = accountWith(range(1, 80).filter((id) => id % 2 === 0));
		for (const id of account.links.keys()) account.change(id, { space: id > 10 ? 1 : 2 });
		click(account, 200, ...range(12, 80));
		let count = 0;
		const read = (url: string) => {
			const answer = account.read(url);
			count += 1;
			if (count === request) for (const id of coming) account.change(id, { space: 1 });
			return answer;
		};
		return { account, read };
	};

	it.each([1, 2, 3, 4, 5, 6, 7])(
		'reports no link that was above the threshold, if others come in after request %d',
		async (request) => {
			const { account, read } = accountThat(request, 2, 4, 6);
			const { poll } = polling({ read }, { params });
			const reached: string[] = [];
			for (let count = 0; count < 8; count += 1) reached.push(...(await poll()).reached);
			expect(reached).toEqual([]);
			click(account, 200, 2);
			for (let count = 0; count < 8; count += 1) reached.push(...(await poll()).reached);
			expect(reached).toEqual(['2 100']);
		},
	);
});
