import type { IDataObject } from 'n8n-workflow';
import { IdList, idNumber } from '../../../../nodes/LinkTrigger/polling/idList';
import { accountWith, pagesOf, range, requestsTo } from '../../../support/pollReading.ts';
import type { PollAccount } from '../../../support/pollAccount.ts';

/** The list of an account, and the requests for it. */
function listOf(account: Pick<PollAccount, 'read'>) {
	const { requests, sent } = requestsTo(account);
	return { list: new IdList(requests, []), sent };
}

const links = (...ids: unknown[]) => ids.map((id) => ({ id }) as IDataObject);

it.each<[id: unknown, number: number]>([
	[0, 0],
	[7, 7],
	['7', 7],
	[2 ** 51, 2 ** 51],
])('reads the ID %p', (id, number) => {
	expect(idNumber({ id } as IDataObject)).toBe(number);
});

it.each<[id: unknown, message: string, advice: string]>([
	[
		2 ** 51 + 1,
		'The service has IDs above 2251799813685248, which the trigger cannot store',
		'The trigger cannot work with this service. Read the list on a schedule instead.',
	],
	...[-1, 0.5, 'b6f1', '', null, undefined].map((id): [unknown, string, string] => [
		id,
		'The service has IDs that are not whole numbers',
		'The trigger recognizes new links by their increasing IDs, so it cannot work with this service.',
	]),
])('refuses the ID %p', (id, message, advice) => {
	expect(() => idNumber({ id } as IDataObject)).toThrow(
		expect.objectContaining({ failure: { cause: 'rejected', message, advice } }),
	);
});

/** A page as an answer with totals. */
const answer = (data: IDataObject[], number = 1, last = 1) => ({
	data,
	meta: {
		current_page: number,
		last_page: last,
		total: number < last ? last * data.length : (last - 1) * 10 + data.length,
	},
});

describe('a page', () => {
	it('has its IDs, the lowest first, and what the service counts', async () => {
		const { list, sent } = listOf(accountWith(range(1, 25)));
		expect(await list.read(2)).toMatchObject({
			...{ number: 2, ids: range(11, 20), isLast: false, total: 25, last: 3, offset: 10 },
		});
		expect(await list.read(3)).toMatchObject({
			...{ number: 3, ids: range(21, 25), isLast: true, total: 25, last: 3, offset: 20 },
		});
		expect(await list.read(4)).toMatchObject({ ids: [], isLast: true, total: 25, last: 3 });
		expect(sent).toEqual(['asc 2', 'asc 3', 'asc 4']);
	});

	it('of a list without entries is the last one', async () => {
		const { list } = listOf(accountWith([]));
		expect(await list.read(1)).toMatchObject({ ids: [], isLast: true, total: 0, last: 1 });
	});

	it.each<[ids: number[]]>([[[2, 1]], [[1, 1]], [[1, 3, 2]]])(
		'with the IDs %j is refused',
		async (ids) => {
			const { list } = listOf(pagesOf(answer(links(...ids))));
			await expect(list.read(1)).rejects.toMatchObject({
				failure: {
					message: 'The service does not sort the list by ID',
					advice:
						'The trigger needs this order to detect changes, so it cannot work with this service.',
				},
			});
		},
	);

	it('of the newest links is asked for with the highest ID first', async () => {
		const { list, sent } = listOf(accountWith(range(1, 25)));
		const { ids, items } = await list.read(1, 'desc');
		expect(ids).toEqual(range(16, 25));
		expect(items.map(({ id }) => id)).toEqual(ids);
		expect(sent).toEqual(['desc 1']);
		const { list: unsorted } = listOf(pagesOf(answer(links(1, 2))));
		await expect(unsorted.read(1, 'desc')).rejects.toMatchObject({
			message: 'The service does not sort the list by ID',
		});
	});
});

describe('a service that ignores the page asked for', () => {
	const failure = {
		message:
			'The service ignores the page parameter, so only the first page of the list can be read',
		advice: 'Narrow the list with Filters until it fits on one page.',
	};

	it('is noticed by the number of the page', async () => {
		const { list } = listOf(pagesOf(answer(links(1, 2), 1, 3)));
		await expect(list.read(2)).rejects.toMatchObject({ failure });
	});

	it('is noticed by the entries of another page', async () => {
		const { list } = listOf(
			pagesOf(answer(links(1, 2), 1, 3), answer(links(1, 2), 1, 3), answer(links(1, 2), 2, 3)),
		);
		await list.read(1);
		await list.read(1);
		await expect(list.read(2)).rejects.toMatchObject({ failure });
	});

	it('is not what two empty pages show, or the same page in the other order', async () => {
		const { list } = listOf(accountWith([]));
		await list.read(2);
		await list.read(3);
		const { list: other } = listOf(accountWith([1]));
		await other.read(1, 'desc');
		expect((await other.read(1)).ids).toEqual([1]);
	});

	it('is not what a page shows after exactly one page of links was deleted', async () => {
		const account = accountWith(range(1, 50));
		const { list } = listOf(account);
		expect((await list.read(3)).ids).toEqual(range(21, 30));
		for (const id of range(1, 10)) account.delete(id);
		expect((await list.read(2)).ids).toEqual(range(21, 30));
	});
});

describe('the last page', () => {
	it.each<[count: number, guess: number, requests: string]>([
		[0, 1, 'asc 1'],
		[25, 3, 'asc 3'],
		[25, 1, 'asc 1, asc 3'],
		[95, 2, 'asc 2, asc 10'],
		[25, 9, 'asc 9, asc 3'],
	])('of %d links, beginning at %d, is found', async (count, guess, requests) => {
		const { list, sent } = listOf(accountWith(range(1, count)));
		const page = await list.readLast(guess);
		expect(page.ids.at(-1)).toBe(count === 0 ? undefined : count);
		expect(page).toMatchObject({ isLast: true, total: count });
		expect(sent.join(', ')).toBe(requests);
	});

	it.each<[counts: number[], guess: number, last: number, requests: string]>([
		[[25, 35], 1, 35, 'asc 1, asc 3, asc 4'],
		[[45, 25], 1, 25, 'asc 1, asc 5, asc 3'],
		[[25, 0], 1, 0, 'asc 1, asc 3, asc 1'],
	])('of a list that changes is found: %j', async (counts, guess, last, requests) => {
		let request = -1;
		const { list, sent } = listOf({
			read: (url) => {
				request += 1;
				const count = counts[Math.min(request, counts.length - 1)] ?? 0;
				return accountWith(range(1, count)).read(url);
			},
		});
		expect((await list.readLast(guess)).ids.at(-1) ?? 0).toBe(last);
		expect(sent.join(', ')).toBe(requests);
	});
});
