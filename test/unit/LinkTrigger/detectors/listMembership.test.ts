import type {
	Detector,
	DetectorContext,
	DetectorDefinition,
	StoredDetector,
} from '../../../../nodes/LinkTrigger/detectors/detector';
import { deletedLinks } from '../../../../nodes/LinkTrigger/detectors/deleted';
import { disabledLinks } from '../../../../nodes/LinkTrigger/detectors/disabled';
import type { PollAccount } from '../../../support/pollAccount.ts';
import {
	accountWith,
	detectorContext,
	plainLink,
	range,
	requestsTo,
} from '../../../support/pollReading.ts';

/** A detector through several polls, each in a new process. */
function polling(
	definition: DetectorDefinition,
	account: Pick<PollAccount, 'read'>,
	more: Partial<DetectorContext> = {},
) {
	let stored: StoredDetector | undefined;
	const poll = async (most = 150, observe: (detector: Detector) => void = () => undefined) => {
		const { context, reported } = detectorContext(more);
		const { requests, sent } = requestsTo(account, most);
		const detector = definition.create(context, stored);
		observe(detector);
		const error = await detector.poll?.(requests).catch((reason: unknown) => reason);
		stored = JSON.parse(JSON.stringify(detector.store())) as StoredDetector;
		return { reported, sent: sent.map((text) => text.replace('status=3 ', '')), error, stored };
	};
	/** Polls a number of times, and returns all that was reported. */
	const settle = async (polls = 12) => {
		const reported: string[] = [];
		for (let count = 0; count < polls; count += 1) reported.push(...(await poll()).reported);
		return reported;
	};
	return { poll, settle };
}

const [all, off] = [deletedLinks, disabledLinks];

/** What makes the list of all links one that links can come into anywhere. */
const filtered = { params: [['space_id', '1']] } as const;

/** Disabled links, with or without gaps between their IDs. */
const accountOff = (count: number, gap = 0) => {
	const account = accountWith([]);
	for (let id = 0; id < count; id += 1) account.create({ ...plainLink, disabled: true }, gap);
	return account;
};

describe('the first polls', () => {
	it('read a list of several pages from its end, and report nothing', async () => {
		const { poll } = polling(all, accountWith(range(1, 35)));
		const { sent, reported, stored } = await poll();
		expect(sent).toEqual(['asc 1', 'asc 4', 'asc 3', 'asc 2', 'asc 1']);
		expect(reported).toEqual([]);
		expect(stored).toEqual({ ids: 'DjB', unfit: '', last: 4, isEndDue: true });
	});

	it('read at most 20 pages each, and continue', async () => {
		const { poll } = polling(all, accountWith(range(1, 450)));
		const scanned = async () => (await poll()).stored;
		expect(await scanned()).toMatchObject({ next: 25, bound: 251, isBaseline: true });
		expect(await scanned()).toMatchObject({ next: 5, bound: 51, isBaseline: true });
		expect(await scanned()).not.toHaveProperty('isBaseline');
	});

	it('continue after a poll that was cut short', async () => {
		const { poll, settle } = polling(all, accountWith(range(1, 35)));
		const first = await poll(3);
		expect(first).toMatchObject({ error: expect.any(Error), stored: { next: 2, bound: 21 } });
		expect((await poll()).stored).not.toHaveProperty('isBaseline');
		expect(await settle()).toEqual([]);
	});

	it('report present links with Start From = All, for an event of coming in', async () => {
		const all15 = range(1, 15).map((id) => `disabled ${id}`);
		const reported = await polling(off, accountOff(15), { startsFromAll: true }).settle();
		expect(reported.toSorted()).toEqual(all15.toSorted());
		expect(await polling(all, accountOff(15), { startsFromAll: true }).settle()).toEqual([]);
		expect(await polling(off, accountOff(15)).settle()).toEqual([]);
	});

	it('read the page above again if links may have come in below', async () => {
		const { sent } = await polling(off, accountOff(25, 1)).poll();
		expect(sent).toEqual(['asc 1', 'asc 3', 'asc 2', 'asc 3', 'asc 1', 'asc 2']);
	});

	it('begin with the page above after a poll that was cut short if links may have come in below', async () => {
		const { poll } = polling(off, accountOff(35, 1));
		expect((await poll(3)).stored).toMatchObject({ next: 3, bound: 62 });
		expect((await poll()).sent.slice(0, 4)).toEqual(['asc 3', 'asc 4', 'asc 3', 'asc 4']);
	});

	it('miss no link that comes in below while the list is read', async () => {
		const account = accountWith(range(1, 30));
		for (const id of range(1, 30)) if (id % 3 !== 0) account.change(id, { disabled: true });
		let count = 0;
		const { poll, settle } = polling(off, {
			read: (url) => {
				const answer = account.read(url);
				count += 1;
				if (count === 2) for (const id of [3, 6, 9]) account.change(id, { disabled: true });
				return answer;
			},
		});
		const { reported, stored } = await poll();
		expect(stored).not.toHaveProperty('isBaseline');
		expect(reported).toEqual([]);
		expect(await settle()).toEqual([]);
		account.change(6, { disabled: false });
		expect(await settle()).toEqual(['enabled 6']);
	});
});

describe('a quiet poll', () => {
	it('reads one page, every other one the last page where new links come in', async () => {
		const { poll } = polling(all, accountWith(range(1, 25)));
		await poll();
		const polls: string[] = [];
		for (let count = 0; count < 8; count += 1) polls.push((await poll()).sent.join());
		expect(polls).toEqual([
			...['asc 3', 'asc 3', 'asc 3', 'asc 2', 'asc 3', 'asc 1', 'asc 3', 'asc 3'],
		]);
	});

	it('reads one page after the other of a list that links come into anywhere', async () => {
		const { poll } = polling(off, accountOff(25));
		await poll();
		const polls: string[] = [];
		for (let count = 0; count < 4; count += 1) polls.push((await poll()).sent.join());
		expect(polls).toEqual(['asc 3', 'asc 2', 'asc 1', 'asc 3']);
	});
});

describe('a deleted link', () => {
	it.each([1, 13, 25])('is reported at once: %d', async (id) => {
		const account = accountWith(range(1, 25));
		const { poll, settle } = polling(all, account);
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
		['exactly one page', range(11, 20), 0],
		['while as many are created', [3, 14, 30], 3],
		['while more are created', [3, 14, 30], 12],
	])('is reported once: %s', async (_what, deleted, count) => {
		for (const more of [{}, filtered]) {
			const account = accountWith(range(1, 35));
			for (const id of range(1, 35)) account.change(id, { space: 1 });
			const { poll, settle } = polling(all, account, more);
			await poll();
			for (const id of deleted) account.delete(id);
			for (let number = 0; number < count; number += 1) account.create({ ...plainLink, space: 1 });
			const reported = await settle();
			expect(reported.toSorted()).toEqual(deleted.map((id) => `deleted ${id}`).toSorted());
		}
	});

	it.each([3, 4, 5, 9])('is found by polls of %d requests', async (most) => {
		const account = accountWith(range(1, 95));
		const { poll } = polling(all, account);
		await poll();
		account.delete(48);
		const reported: string[] = [];
		for (let count = 0; count < 60; count += 1) reported.push(...(await poll(most)).reported);
		expect(reported).toEqual(['deleted 48']);
	});

	it('is looked for from the page that is next', async () => {
		const account = accountWith(range(1, 95));
		const { poll } = polling(all, account);
		await poll();
		account.delete(78);
		const { sent } = await poll();
		expect(sent).toEqual(['asc 10', 'asc 10', 'asc 9', 'asc 8', 'get 78']);
	});

	it('is looked for on 20 pages a poll at most', async () => {
		const account = accountWith(range(1, 450));
		const { poll } = polling(all, account);
		for (let count = 0; count < 4; count += 1) await poll();
		const deleted = range(1, 30).map((number) => number * 15);
		for (const id of deleted) account.delete(id);
		const first = await poll();
		// 20 pages of the scan, the last page, and its successor after the list has become shorter.
		expect(first.sent.filter((text) => text.startsWith('asc')).length).toBeLessThanOrEqual(22);
		const reported = [...first.reported];
		for (let count = 0; count < 2; count += 1) reported.push(...(await poll()).reported);
		expect(reported.toSorted()).toEqual(deleted.map((id) => `deleted ${id}`).toSorted());
	});

	it('at the border of two pages is asked for only if no link has come in below', async () => {
		const account = accountWith(range(1, 35));
		for (const id of range(1, 35)) account.change(id, { space: 1 });
		const { poll } = polling(all, account, filtered);
		for (let count = 0; count < 4; count += 1) await poll();
		account.delete(21);
		const sent = (await poll()).sent.map((text) => text.replace('space_id=1 ', ''));
		expect(sent.at(-1)).toBe('get 21');
		expect(sent.filter((text) => text.startsWith('get'))).toHaveLength(1);
	});

	it('is not read if no event is about it', async () => {
		const account = accountWith(range(1, 25));
		const { poll, settle } = polling(all, account, { events: new Set(['created']) });
		await poll();
		account.delete(13);
		const { sent } = await poll();
		expect(sent.filter((text) => text.startsWith('get'))).toEqual([]);
		expect(await settle()).toEqual([]);
	});

	it('that does not match the filters is forgotten', async () => {
		const account = accountWith(range(1, 25));
		const { poll, settle } = polling(all, account, { fits: ({ id }) => id !== 13 });
		const { stored } = await poll();
		expect(stored.unfit).toBe('a');
		account.delete(13);
		account.delete(14);
		expect(await settle()).toEqual(['deleted 14']);
	});
});

describe('a link that another detector has read', () => {
	const link = { id: 26 };

	it('is reported when it is deleted, although this detector has not read it', async () => {
		const { poll, settle } = polling(all, accountWith(range(1, 25)));
		await poll();
		const first = await poll(150, (detector) => detector.observe?.(link, 26));
		expect([...first.reported, ...(await settle())]).toEqual(['deleted 26']);
	});

	it('is not known yet if it is below what was read', async () => {
		const { poll } = polling(all, accountWith(range(1, 25)));
		const { stored } = await poll(0, (detector) => detector.observe?.(link, 26));
		expect(stored).toMatchObject({ ids: '', isBaseline: true });
	});

	it.each([
		['that does not match the filters', all, false],
		['that may or may not match the filters', all, undefined],
		['of a list that links come into anywhere', off, true],
	])('is not known: one %s', async (_what, definition, fits) => {
		const { poll } = polling(definition, accountWith([]), { fits: () => fits });
		await poll();
		const { stored } = await poll(0, (detector) => detector.observe?.(link, 26));
		expect(stored.ids).toBe('');
	});
});

describe('a disabled link', () => {
	it('is reported each time that it is disabled and enabled', async () => {
		const account = accountWith(range(1, 25));
		const { poll } = polling(off, account);
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
		const { poll, settle } = polling(off, account);
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
		const { poll, settle } = polling(off, account);
		await poll();
		for (const id of disabled) account.change(id, { disabled: true });
		for (const id of enabled) account.change(id, { disabled: false });
		const expected = [
			...disabled.map((id) => `disabled ${id}`),
			...enabled.map((id) => `enabled ${id}`),
		];
		expect((await settle()).toSorted()).toEqual(expected.toSorted());
	});

	it('is reported when it matches the filters for the first time', async () => {
		let isFitting = false;
		const account = accountWith(range(1, 5));
		account.change(3, { disabled: true });
		const { poll } = polling(off, account, { fits: () => isFitting });
		await poll();
		isFitting = true;
		expect((await poll()).reported).toEqual(['disabled 3']);
		expect((await poll()).reported).toEqual([]);
	});

	it('is not reported if the event is not selected', async () => {
		const account = accountWith(range(1, 5));
		const { poll } = polling(off, account, { events: new Set(['enabled']) });
		await poll();
		account.change(3, { disabled: true });
		expect((await poll()).reported).toEqual([]);
		account.change(3, { disabled: false });
		expect((await poll()).reported).toEqual(['enabled 3']);
	});
});

it('marks an event that can happen once', async () => {
	const once: unknown[] = [];
	const account = accountWith(range(1, 5));
	account.change(2, { disabled: true });
	const report: DetectorContext['report'] = (event) => once.push(event.once);
	const [deleted, disabled] = [
		polling(all, account, { report }),
		polling(off, account, { report }),
	];
	await deleted.poll();
	await disabled.poll();
	account.delete(5);
	account.change(2, { disabled: false });
	await deleted.poll();
	await disabled.poll();
	expect(once).toEqual(['', undefined]);
});

it.each<[stored: StoredDetector]>([
	[{ ids: 'g', unfit: '', last: 1 }],
	[{ ids: '', unfit: 'g', last: 1 }],
	[{ ids: '', unfit: '', last: 0 }],
	[{ ids: '', unfit: '', last: 1, next: 0 }],
	[{ ids: '', unfit: '', last: 1, next: 1, bound: -1 }],
])('does not read the state %j', (stored) => {
	expect(() => all.create(detectorContext().context, stored)).toThrow(SyntaxError);
});

it('reads the state that it stores', () => {
	const { context } = detectorContext();
	const stored = { ids: 'DD', unfit: 'C', last: 4, next: 3, bound: 7, isBaseline: true };
	expect(all.create(context, stored).store()).toEqual(stored);
	expect(all.create(context, { ...stored, isEndDue: true }).store()).toEqual({
		...stored,
		isEndDue: true,
	});
	expect(off.create(context, stored).store()).toEqual(stored);
});
