import type { IDataObject } from 'n8n-workflow';
import { IdList } from '../../../../nodes/LinkTrigger/polling/idList';
import { coverageOf, ListScan } from '../../../../nodes/LinkTrigger/polling/listScan';
import type { PollAccount } from '../../../support/pollAccount.ts';
import { accountWith, plainLink, range, requestsTo } from '../../../support/pollReading.ts';

/** A scan in one poll, and what it reads: `2 <21: 11-20`. */
function scanOf(account: Pick<PollAccount, 'read'>, stored?: IDataObject) {
	const scan = new ListScan(stored);
	const { requests, sent } = requestsTo(account);
	const list = new IdList(requests, []);
	const read = async (isNeeded = false) => await scan.read(list, () => isNeeded);
	const step = async (isNeeded = false) => {
		const page = await read(isNeeded);
		const isOver = scan.advance(page);
		const { number, ids, below, isContinuous } = page;
		const text = `${number} <${below}: ${ids[0] ?? ''}-${ids.at(-1) ?? ''}`;
		return `${text}${isContinuous ? '' : ' gap'}${isOver ? ' end' : ''}`;
	};
	return { scan, read, step, sent };
}

/** 35 odd IDs on four pages, so that a gap lies between two pages. */
const odd = range(1, 70).filter((id) => id % 2 === 1);

it('reads the pages from the last one to the first one, and begins again', async () => {
	const { step, scan, sent } = scanOf(accountWith(odd));
	expect(await step()).toBe('4 <Infinity: 61-69');
	expect(scan.store()).toEqual({ last: 4, next: 3, bound: 61 });
	expect(await step()).toBe('3 <61: 41-59');
	expect(await step()).toBe('2 <41: 21-39');
	expect(await step()).toBe('1 <21: 1-19 end');
	expect(scan.store()).toEqual({ last: 4 });
	expect(await step()).toBe('4 <Infinity: 61-69');
	expect(sent).toEqual(['asc 1', 'asc 4', 'asc 3', 'asc 2', 'asc 1', 'asc 4']);
});

it('reads the same page again until it may continue', async () => {
	const { read, step } = scanOf(accountWith(odd), { last: 4, next: 2, bound: 41 });
	expect((await read()).number).toBe(2);
	expect(await step()).toBe('2 <41: 21-39');
});

it('continues with the last page if the next one is beyond the end', async () => {
	const { step } = scanOf(accountWith(range(1, 15)), { last: 9, next: 8, bound: 81 });
	expect(await step()).toBe('2 <Infinity: 11-15');
});

it('begins a round on request', async () => {
	const { scan, step } = scanOf(accountWith(odd), { last: 4, next: 2, bound: 41 });
	scan.restart();
	expect(await step()).toBe('4 <Infinity: 61-69');
});

describe('if no link may lie between two pages', () => {
	it('reads the page above before and after a page', async () => {
		const { step, sent } = scanOf(accountWith(odd));
		expect(await step(true)).toBe('4 <Infinity: 61-69');
		expect(await step(true)).toBe('3 <61: 41-59');
		expect(sent).toEqual(['asc 1', 'asc 4', 'asc 3', 'asc 4']);
	});

	it('first reads the page above that another poll has read', async () => {
		const { step } = scanOf(accountWith(odd), { last: 4, next: 2, bound: 41 });
		expect(await step(true)).toBe('2 <41: 21-39 gap');
		expect(await step(true)).toBe('3 <41: 41-59');
		expect(await step(true)).toBe('2 <41: 21-39');
	});

	it('reads nothing again if the page overlaps what was read, or no ID lies between', async () => {
		const account = accountWith(range(1, 35));
		const { step, sent } = scanOf(account);
		await step(true);
		expect(await step(true)).toBe('3 <31: 21-30');
		account.delete(5);
		expect(await step(true)).toBe('2 <21: 12-21');
		expect(sent).toEqual(['asc 1', 'asc 4', 'asc 3', 'asc 2']);
	});

	it('reads the page above again after a link has come in below', async () => {
		const account = accountWith([...odd]);
		for (const id of [3, 5]) account.change(id, { isVisible: false });
		const { step } = scanOf(account);
		expect(await step(true)).toBe('4 <Infinity: 65-69');
		for (const id of [3, 5]) account.change(id, { isVisible: true });
		expect(await step(true)).toBe('3 <65: 41-59 gap');
		expect(await step(true)).toBe('4 <Infinity: 61-69');
		expect(await step(true)).toBe('3 <61: 41-59');
	});

	it('is not misled if another link leaves above at the same time', async () => {
		const account = accountWith(odd);
		account.change(3, { isVisible: false });
		const { step } = scanOf(account);
		expect(await step(true)).toBe('4 <Infinity: 63-69');
		account.change(3, { isVisible: true });
		account.delete(69);
		expect(await step(true)).toBe('3 <63: 41-59 gap');
	});
});

it.each<
	[what: string, number: number, ids: number[], isContinuous: boolean, from: number, to: number]
>([
	['up to the pages above', 2, [20, 30], true, 20, 39],
	['up to its end if a gap may follow', 2, [20, 30], false, 20, 30],
	['from 0 on the first page', 1, [20, 30], true, 0, 39],
	['of an empty list', 1, [], true, 0, 39],
	['up to its end if it overlaps the pages above', 2, [20, 50], true, 20, 50],
])('a page shows all IDs %s', (_what, number, ids, isContinuous, from, to) => {
	const page = { number, ids, isContinuous, below: 40, bound: 40 };
	const rest = { items: [], isLast: false, last: 9, total: 90, offset: 0 };
	expect(coverageOf({ ...page, ...rest })).toEqual({ from, to });
});

it('ends a round with an empty list, and finds the first link', async () => {
	const account = accountWith([]);
	const { step } = scanOf(account);
	expect(await step()).toBe('1 <Infinity: - end');
	account.create(plainLink);
	expect(await step()).toBe('1 <Infinity: 1-1 end');
});

it.each([[{ last: 0 }], [{ last: 1, next: 0 }], [{ last: 1, next: 2, bound: -1 }]])(
	'does not read the state %j',
	(stored) => {
		expect(() => new ListScan(stored)).toThrow(SyntaxError);
	},
);
