import { linkContract } from '../../../../nodes/Link/link.contract';
import { byRank, isEnd, OutOfRequests, Reading } from '../../../../nodes/shared/poll/reading';
import { ApiClient } from '../../../../nodes/shared/transport/client';
import { defaultOptions } from '../../../support/modelLoad.ts';
import { modelWorld } from '../../../support/modelRun.ts';
import { jsonAnswer, type Fault } from '../../../support/modelService.ts';
import { accountWith, pagesOf, range, readingOf } from '../../../support/pollReading.ts';

const limited: Fault = {
	kind: 'answer',
	when: 'before',
	answer: jsonAnswer(429, {}, { 'retry-after': '3' }),
};

/** A poll, which waits 5 seconds at most for each request. */
function begin(fault: (number: number) => Fault | undefined, signal?: AbortSignal) {
	const { clock, limiter, service } = modelWorld({
		fault: ({ number }) => fault(number),
		latency: () => 0,
	});
	const options = { ...defaultOptions, concurrency: 1, maxWait: 5_000, isPoll: true, signal };
	const client = new ApiClient(service.as('poll'), limiter, options);
	const reading = new Reading(client, linkContract, 10, () => undefined);
	const listing = { path: linkContract.path, params: [] };
	return { clock, service, read: async () => await reading.page(listing, 1, 100) };
}

it('waits for each request of a poll as long as it may', async () => {
	const { clock, service, read } = begin((number) => (number % 2 === 1 ? limited : undefined));
	await clock.run(async () => {
		for (let count = 0; count < 4; count += 1) await read();
	});
	expect(service.journal).toHaveLength(8);
	expect(clock.now()).toBe(12_000);
});

it('waits no longer than the poll has time', async () => {
	const deadline = new AbortController();
	const { clock, read } = begin(() => limited, deadline.signal);
	await clock.run(async () => {
		void clock.sleep(2_000).then(() => deadline.abort());
		await expect(read()).rejects.toMatchObject({ failure: { cause: 'ended' } });
	});
	expect(clock.now()).toBe(2_000);
});

describe('the end of a list', () => {
	const items = (length: number) => Array.from({ length }, (_, id) => ({ id }));

	it.each<[length: number, more: boolean | undefined, isLast: boolean]>([
		[0, true, true],
		[0, undefined, true],
		[5, true, false],
		[5, false, true],
		[5, undefined, true],
		[10, undefined, false],
		[100, undefined, false],
		[100, false, true],
	])('at a page of %d links with `more` %p is %p', (length, more, isLast) => {
		expect(isEnd({ items: items(length), more })).toBe(isLast);
	});
});

describe('the requests of a poll', () => {
	const listing = { path: '/links', params: [] };

	it('end when the poll has made all that it may', async () => {
		const { reading } = readingOf(accountWith(range(1, 5)), 2);
		await reading.page(listing, 1, 100);
		await reading.get(1);
		expect(reading.left).toBe(0);
		await expect(reading.page(listing, 1, 100)).rejects.toThrow(OutOfRequests);
		await expect(reading.get(1)).rejects.toThrow('The poll has made all requests that it may');
	});

	it('show all that they read', async () => {
		const read: unknown[] = [];
		const { reading, requests } = readingOf(accountWith([3, 5]), 9, (links) =>
			read.push(links.map(({ id }) => id)),
		);
		await reading.page(listing, 1, 100);
		expect(await reading.get(5)).toMatchObject({ id: 5 });
		expect(await reading.get(4)).toBeUndefined();
		expect(read).toEqual([[3, 5].reverse(), [5]]);
		expect(requests).toEqual(['page 1', 'get 5', 'get 4']);
	});

	it('throw what is no missing link', async () => {
		const { reading } = readingOf({
			read: () => ({ statusCode: 403, headers: {}, body: '{"message":"No."}' }),
		});
		await expect(reading.get(5)).rejects.toMatchObject({ failure: { statusCode: 403 } });
	});
});

describe('work by ranks', () => {
	const listing = { path: '/links', params: [] };

	it('begins again with the pages that the service gives', async () => {
		const { reading } = readingOf(accountWith(range(1, 25)));
		const sizes: number[] = [];
		await byRank(async (size) => {
			sizes.push(size);
			await reading.page(listing, 1, size);
		});
		expect(sizes).toEqual([100, 10]);
	});

	it('fails where the pages have different sizes', async () => {
		const page = (length: number) => ({
			data: Array.from({ length }, (_, id) => ({ id })),
			links: { next: 'next' },
		});
		const { reading } = readingOf(pagesOf(page(50), page(25)));
		const work = byRank(async (size) => {
			await reading.page(listing, 1, size);
		});
		await expect(work).rejects.toMatchObject({
			failure: {
				message: 'The pages of a list have different sizes',
				advice:
					'The trigger cannot read this list. Ask the service why a page before the last one has fewer entries.',
			},
		});
	});

	it('throws what the work throws', async () => {
		const broken = async () => await Promise.reject(new TypeError('broken'));
		await expect(byRank(broken)).rejects.toThrow(new TypeError('broken'));
	});
});
