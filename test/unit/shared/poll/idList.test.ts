import type { IDataObject } from 'n8n-workflow';
import { IdList, idNumber, onList } from '../../../../nodes/shared/poll/idList';
import { accountWith, pagesOf, range, readingOf } from '../../../support/pollReading.ts';
import type { PollAccount } from '../../../support/pollAccount.ts';

const listing = { path: '/links', params: [] };

/** The list of an account, and the requests for it. */
function listOf(account: Pick<PollAccount, 'read'>, size = 10) {
	const { reading, requests } = readingOf(account);
	return { list: new IdList(reading, listing, size), requests };
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
		'The service has IDs that are no whole numbers',
		'The trigger tells new ones from old ones by their numbers, so it cannot work with this service.',
	]),
])('refuses the ID %p', (id, message, advice) => {
	expect(() => idNumber({ id } as IDataObject)).toThrow(
		expect.objectContaining({ failure: { cause: 'rejected', message, advice } }),
	);
});

it.each([
	[0, 1],
	[1, 1],
	[10, 1],
	[11, 2],
	[20, 2],
	[21, 3],
])('knows that rank %d is on page %d', (rank, page) => {
	expect(listOf(accountWith([])).list.pageOf(rank)).toBe(page);
});

describe('a page', () => {
	it('has its IDs, the lowest first, and what the service counts', async () => {
		const { list, requests } = listOf(accountWith(range(1, 25)));
		expect(await list.read(2)).toMatchObject({
			...{ number: 2, ids: range(11, 20), isLast: false, mayBeLast: false, total: 25, last: 3 },
		});
		expect(await list.read(3)).toMatchObject({
			...{ number: 3, ids: range(21, 25), isLast: true, mayBeLast: true, total: 25, last: 3 },
		});
		expect(requests).toEqual(['asc 2', 'asc 3']);
	});

	it.each(['simple', 'bare'] as const)('is counted where a %s list ends', async (envelope) => {
		const { list } = listOf(accountWith(range(1, 25), { envelope }));
		const whole = { isLast: false, mayBeLast: envelope === 'bare', total: undefined };
		expect(await list.read(1)).toMatchObject({ ids: range(1, 10), ...whole, last: undefined });
		expect(await list.read(3)).toMatchObject({
			ids: range(21, 25),
			isLast: true,
			total: 25,
			last: 3,
		});
		expect(await list.read(4)).toMatchObject({ ids: [], isLast: true, total: undefined });
	});

	it('of a list without entries counts none', async () => {
		const { list } = listOf(accountWith([], { envelope: 'simple' }));
		expect(await list.read(1)).toMatchObject({ ids: [], isLast: true, total: 0, last: 1 });
	});

	it.each<[ids: number[]]>([[[2, 1]], [[1, 1]], [[1, 3, 2]]])(
		'with the IDs %j is refused',
		async (ids) => {
			const { list } = listOf(pagesOf(links(...ids)));
			await expect(list.read(1)).rejects.toMatchObject({
				failure: {
					message: 'The service does not sort the list by ID',
					advice:
						'The trigger needs this order to notice what changed, so it cannot work with this service.',
				},
			});
		},
	);

	it('of the newest links has the highest ID first', async () => {
		const { list, requests } = listOf(accountWith(range(1, 25)));
		expect((await list.readNewest()).items.map(({ id }) => id)).toEqual(range(16, 25).reverse());
		expect(requests).toEqual(['desc 1']);
		await expect(listOf(pagesOf(links(1, 2))).list.readNewest()).rejects.toMatchObject({
			message: 'The service does not sort the list by ID',
		});
	});

	it('is still the same if it begins with the same link', async () => {
		const account = accountWith(range(1, 25));
		const { list } = listOf(account);
		const page = await list.read(2);
		account.delete(12);
		expect(await list.isStillAt(page)).toBe(true);
		account.delete(5);
		expect(await list.isStillAt(page)).toBe(false);
	});
});

describe('a service that ignores the page asked for', () => {
	const failure = {
		message:
			'The service ignores the page parameter, so only the first page of the list can be read',
		advice: 'Narrow the list with Filters until it fits on one page.',
	};

	it('is noticed by the number of the page', async () => {
		const body = { data: links(1, 2), meta: { current_page: 1, last_page: 3 } };
		await expect(listOf(pagesOf(body), 1).list.read(2)).rejects.toMatchObject({ failure });
	});

	it('is noticed by the IDs of another page', async () => {
		const { list } = listOf(pagesOf(links(1, 2), links(1, 2), links(1, 2)), 1);
		await list.read(1);
		await list.read(1);
		await expect(list.read(2)).rejects.toMatchObject({ failure });
	});

	it('is not what two empty pages show, or the same page in the other order', async () => {
		const { list } = listOf(pagesOf([], [], links(1), links(1)), 1);
		await list.read(1);
		await list.read(2);
		await list.readNewest();
		expect((await list.read(2)).ids).toEqual([1]);
	});
});

describe('the last page', () => {
	it.each<
		[envelope: 'bare' | 'collection' | 'simple', count: number, guess: number, requests: string]
	>([
		['collection', 0, 1, 'asc 1'],
		['collection', 25, 3, 'asc 3'],
		['collection', 25, 1, 'asc 1, asc 3'],
		['collection', 25, 0, 'asc 1, asc 3'],
		['collection', 95, 2, 'asc 2, asc 10'],
		['collection', 25, 9, 'asc 9, asc 3'],
		['simple', 25, 3, 'asc 3'],
		['simple', 25, 1, 'asc 1, asc 2, asc 4, asc 3'],
		['simple', 25, 9, 'asc 9, asc 4, asc 2, asc 3'],
		['simple', 95, 1, 'asc 1, asc 2, asc 4, asc 8, asc 16, asc 12, asc 10'],
		['bare', 25, 1, 'asc 1, asc 2, asc 4, asc 3'],
		['bare', 20, 2, 'asc 2, asc 4, asc 3, asc 2'],
		['bare', 10, 1, 'asc 1, asc 2, asc 1'],
	])(
		'of a %s list of %d links, beginning at %d, is found',
		async (envelope, count, guess, sent) => {
			const { list, requests } = listOf(accountWith(range(1, count), { envelope }));
			const page = await list.readLast(guess);
			expect(page.ids.at(-1)).toBe(count === 0 ? undefined : count);
			expect(page).toMatchObject({ isLast: true, total: count });
			expect(requests.join(', ')).toBe(sent);
		},
	);

	it('is found although links are deleted while it is looked for', async () => {
		const account = accountWith(range(1, 40), { envelope: 'simple' });
		const { list } = listOf({
			read: (url) => {
				const answer = account.read(url);
				for (const id of range(1, 15)) account.delete(id);
				return answer;
			},
		});
		expect((await list.readLast(4)).ids.at(-1)).toBe(40);
	});
});

describe('the last page of a list that changes while it is looked for', () => {
	/** A list whose number of links changes with each request. */
	const changing = (envelope: 'bare' | 'simple', ...counts: readonly number[]) => {
		let request = -1;
		return listOf({
			read: (url) => {
				request += 1;
				const count = counts[Math.min(request, counts.length - 1)] ?? 0;
				return accountWith(range(1, count), { envelope }).read(url);
			},
		});
	};

	it.each<[counts: number[], guess: number, ids: number[], requests: string]>([
		// The page before an empty one has grown full, so that there is another one behind it.
		[[15, 25], 3, [21, 25], 'asc 3, asc 1, asc 2, asc 3'],
		[[20, 30, 30], 3, [21, 30], 'asc 3, asc 1, asc 2, asc 3'],
		[[10, 45], 2, [41, 45], 'asc 2, asc 1, asc 2, asc 4, asc 8, asc 6, asc 5'],
		[[40, 5], 2, [1, 5], 'asc 2, asc 4, asc 3, asc 2, asc 1'],
	])('is found: %j', async (counts, guess, ids, sent) => {
		const { list, requests } = changing('simple', ...counts);
		const page = await list.readLast(guess);
		expect([page.ids[0], page.ids.at(-1)]).toEqual(ids);
		expect(page.isLast).toBe(true);
		expect(requests.join(', ')).toBe(sent);
	});
});

it('works on a list by ranks, with pages as the service gives them', async () => {
	const { reading, requests } = readingOf(accountWith(range(1, 25)));
	const sizes: number[] = [];
	await onList(reading, listing, async (list) => {
		sizes.push(list.size);
		await list.read(1);
	});
	expect(sizes).toEqual([100, 10]);
	expect(requests).toEqual(['asc 1', 'asc 1']);
	expect(new IdList(reading, listing).size).toBe(1);
});
