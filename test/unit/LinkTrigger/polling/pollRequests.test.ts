import type { IDataObject } from 'n8n-workflow';
import { OutOfRequests, PollRequests } from '../../../../nodes/LinkTrigger/polling/pollRequests';
import { ApiClient } from '../../../../nodes/shared/transport/client';
import { defaultOptions } from '../../../support/modelLoad.ts';
import { modelWorld } from '../../../support/modelRun.ts';
import { jsonAnswer, type Fault } from '../../../support/modelService.ts';
import { accountWith, pagesOf, range, requestsTo } from '../../../support/pollReading.ts';

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
	const requests = new PollRequests(client, 10, () => undefined);
	return { clock, service, read: async () => await requests.page([], 1) };
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

describe('the requests of a poll', () => {
	it('end when the poll has made all that it may', async () => {
		const { requests } = requestsTo(accountWith(range(1, 5)), 2);
		await requests.page([], 1);
		await requests.get(1);
		expect(requests.remaining).toBe(0);
		await expect(requests.page([], 1)).rejects.toThrow(OutOfRequests);
		await expect(requests.get(1)).rejects.toThrow(
			'The poll has reached its max number of requests',
		);
	});

	it('show all links that they read', async () => {
		const read: unknown[] = [];
		const { requests, sent } = requestsTo(accountWith([3, 5]), 9, (links) =>
			read.push(links.map(({ id }) => id)),
		);
		await requests.page([], 1);
		expect(await requests.get(5)).toMatchObject({ id: 5 });
		expect(await requests.get(4)).toBeUndefined();
		expect(read).toEqual([[3, 5].reverse(), [5]]);
		expect(sent).toEqual(['page 1', 'get 5', 'get 4']);
	});

	it('know whether the service has applied the filters', async () => {
		const filters = [['space_id', '1']] as const;
		const read: boolean[] = [];
		const { client } = requestsTo(accountWith([3]));
		const requests = new PollRequests(client, 9, (_, isFiltered) => read.push(isFiltered), filters);
		await requests.page([], 1);
		await requests.page([['sort', 'asc'], ...filters], 1);
		await requests.get(3);
		expect(read).toEqual([false, true, false]);
	});

	it('know the size of a full page', async () => {
		const { requests } = requestsTo(accountWith(range(1, 25)));
		await requests.page([], 3);
		expect(requests.pageSize).toBe(100);
		await requests.page([], 1);
		expect(requests.pageSize).toBe(10);
	});

	it('throw what is no missing link', async () => {
		const { requests } = requestsTo({
			read: () => ({ statusCode: 403, headers: {}, body: '{"message":"No."}' }),
		});
		await expect(requests.get(5)).rejects.toMatchObject({ failure: { statusCode: 403 } });
	});
});

describe('a list', () => {
	const data = (count: number) => Array.from({ length: count }, (_, id) => ({ id: id + 1 }));
	const pageOf = async (body: unknown, number = 1) =>
		await requestsTo(pagesOf(body)).requests.page([], number);
	const meta = (current_page: number, last_page: number, total: number) => ({
		meta: { current_page, last_page, total },
	});

	it.each<[what: string, body: unknown]>([
		['a bare array', data(5)],
		['a simple paginator', { data: data(5), current_page: 1, next_page_url: null }],
		['links to the next page only', { data: data(5), links: { next: null } }],
		['no total', { data: data(5), meta: { current_page: 1, last_page: 1 } }],
		['no number of the last page', { data: data(5), meta: { current_page: 1, total: 5 } }],
		['no number of the page', { data: data(5), meta: { last_page: 1, total: 5 } }],
		['a total that is no number', { data: data(5), ...meta(1, 1, NaN) }],
	])('with %s is refused', async (_what, body) => {
		await expect(pageOf(body)).rejects.toMatchObject({
			failure: {
				message: 'The lists of the service have no totals',
				advice: expect.stringMatching(/^The trigger needs current_page, last_page and total/),
			},
		});
	});

	it.each<[what: string, body: IDataObject, number: number]>([
		['a total that is too low', { data: data(5), ...meta(1, 1, 4) }, 1],
		['more pages than entries', { data: data(10), ...meta(1, 3, 20) }, 1],
		['fewer pages than entries', { data: data(10), ...meta(1, 2, 25) }, 1],
		['an empty page before the last one', { data: [], ...meta(2, 3, 25) }, 2],
	])('with %s is refused', async (_what, body, number) => {
		await expect(pageOf(body, number)).rejects.toMatchObject({
			failure: {
				message: 'The totals of a list contradict its entries',
				advice: expect.stringMatching(/Ask the service why/),
			},
		});
	});

	it('has the number of entries before a page', async () => {
		const offset = async (body: IDataObject, number: number) => (await pageOf(body, number)).offset;
		expect(await offset({ data: data(10), ...meta(2, 3, 25) }, 2)).toBe(10);
		expect(await offset({ data: data(5), ...meta(3, 3, 25) }, 3)).toBe(20);
		expect(await offset({ data: [], ...meta(5, 3, 25) }, 5)).toBe(25);
	});

	it('without entries has one page', async () => {
		expect(await pageOf({ data: [], ...meta(1, 0, 0) })).toMatchObject({ last: 1, total: 0 });
	});
});
