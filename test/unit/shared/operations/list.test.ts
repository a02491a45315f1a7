import type { IDataObject } from 'n8n-workflow';
import { rowOf, runRows, type Answers } from '../../../support/operationRun.ts';

/** One page of the entries that the service has at that moment. */
interface Slice {
	readonly items: readonly IDataObject[];
	readonly page: number;
	readonly last: number;
	readonly total: number;
}

/** How a service wraps a page. */
type Envelope = (slice: Slice) => unknown;

const nextOf = ({ page, last }: Slice) => (page < last ? `https://x/?page=${page + 1}` : null);

const collection: Envelope = (slice) => ({
	data: slice.items,
	links: { next: nextOf(slice) },
	meta: { current_page: slice.page, last_page: slice.last, total: slice.total },
	status: 200,
});

const flat: Envelope = (slice) => ({
	...{ current_page: slice.page, data: slice.items, last_page: slice.last, links: [] },
	...{ next_page_url: nextOf(slice), total: slice.total },
});

const simple: Envelope = (slice) => ({
	...{ current_page: slice.page, data: slice.items, next_page_url: nextOf(slice) },
});

const nextOnly: Envelope = (slice) => ({ data: slice.items, links: { next: nextOf(slice) } });

const bare: Envelope = ({ items }) => items;

const envelopes: [string, Envelope][] = [
	['the resource collection', collection],
	['the flat paginator', flat],
	['the simple paginator', simple],
	['a next link alone', nextOnly],
	['a bare list', bare],
];

/** A service with a list that changes. */
interface Scenario {
	entries: IDataObject[];
	envelope: Envelope;
	/** The page size of a service that ignores the requested one. */
	size?: number;
	/** The page of a service that ignores the requested one. */
	page?: number;
	/** Called after the n-th request, counted from 1. */
	after?: (count: number, entries: IDataObject[]) => void;
}

const newestFirst = (count: number): IDataObject[] =>
	Array.from({ length: count }, (_, index) => ({ id: count - index }));

/** Lists links up to a limit; Infinity for Return All. */
async function listed(count: number, limit: number, more: Partial<Scenario> = {}, filters = {}) {
	const scenario: Scenario = { entries: newestFirst(count), envelope: collection, ...more };
	const pages: string[] = [];
	const answers: Answers = ({ params }) => {
		const { entries, envelope, after } = scenario;
		pages.push(`${params.page} of ${params.per_page}`);
		const size = scenario.size ?? Number(params.per_page);
		const page = scenario.page ?? Number(params.page);
		const items = entries.slice((page - 1) * size, page * size);
		const last = Math.max(1, Math.ceil(entries.length / size));
		const body = envelope({ items, page, last, total: entries.length });
		after?.(pages.length, entries);
		return { body };
	};
	const paging = limit === Infinity ? { returnAll: true } : { limit };
	const { results, sent } = await runRows([rowOf('getAll', { ...paging, filters })], answers);
	const [result] = results;
	const failure = result && 'failure' in result ? result.failure : undefined;
	const ids = result && 'resources' in result ? result.resources.map(({ id }) => id) : [];
	return { ids, failure, pages, sent };
}

const idsOf = (count: number, limit = count) =>
	newestFirst(count)
		.slice(0, limit)
		.map(({ id }) => id);

const pagesOf = (...numbers: number[]) => numbers.map((page) => `${page} of 100`);

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('the pages of a list', () => {
	it.each([
		[10, 10, 1],
		[11, 25, 1],
		[26, 50, 1],
		[51, 100, 1],
		[201, 100, 3],
		[Infinity, 100, 3],
	])('for a limit of %d have size %d and are %d', async (limit, size, count) => {
		const { ids, pages } = await listed(250, limit);
		expect(ids).toEqual(idsOf(250, limit));
		expect(pages).toEqual(upTo(count).map((page) => `${page} of ${size}`));
	});

	it('are all requested with the filters', async () => {
		const { sent } = await listed(250, Infinity, {}, { search: 'a b&c', searchBy: 'url' });
		expect(sent).toEqual([
			'GET /links search=a b&c search_by=url',
			...[2, 3].map((page) => `GET /links search=a b&c search_by=url page=${page}`),
		]);
	});

	it.each([
		[60, 100, 15, 4],
		[60, 31, 15, 3],
		[60, 5, 50, 1],
	])('of %d entries, up to %d, in pages of %d are %d', async (count, limit, size, pages) => {
		const result = await listed(count, limit, { size });
		expect(result.ids).toEqual(idsOf(count, limit));
		expect(result.pages).toHaveLength(pages);
	});
});

describe.each(envelopes)('a list in %s', (_name, envelope) => {
	it.each([0, 101, 199, 300])('of %d entries is read completely', async (count) => {
		const { ids, pages } = await listed(count, Infinity, { envelope });
		expect(ids).toEqual(idsOf(count));
		// Only a bare list does not show that a full page was the last one.
		const full = envelope === bare && count === 300 ? 1 : 0;
		expect(pages).toHaveLength(Math.max(1, Math.ceil(count / 100)) + full);
	});

	it('of 250 entries is read up to the limit 130', async () => {
		const { ids, pages } = await listed(250, 130, { envelope });
		expect(ids).toEqual(idsOf(250, 130));
		expect(pages).toHaveLength(2);
	});

	it('contains no entry twice after others were created', async () => {
		const { ids } = await listed(250, Infinity, {
			envelope,
			after: (count, entries) => {
				if (count === 1) entries.unshift(...[253, 252, 251].map((id) => ({ id })));
			},
		});
		expect(ids.filter((id) => Number(id) <= 250)).toEqual(idsOf(250));
		expect(new Set(ids).size).toBe(ids.length);
	});

	it('of a service that ignores the page is refused at its second page', async () => {
		const { failure, pages } = await listed(250, Infinity, { envelope, page: 1 });
		expect(failure).toMatchObject({
			message:
				'The service ignores the page parameter, so only the first page of the list can be read',
			advice: 'Turn off Return All and set Limit to 100 or less, or narrow the list with filters.',
		});
		expect(pages).toHaveLength(2);
		expect((await listed(250, 100, { envelope, page: 1 })).ids).toEqual(idsOf(250, 100));
	});
});

it.each([
	// A page that is as short as the smallest size may be a whole one.
	[10, 100, 2],
	[99, 100, 2],
	// Sizes of the service's own.
	[40, 15, 3],
	[45, 15, 4],
	[8, 15, 1],
])('a bare list of %d in pages of %d takes %d requests', async (count, size, pages) => {
	const result = await listed(count, Infinity, { envelope: bare, size });
	expect(result.ids).toEqual(idsOf(count));
	expect(result.pages).toHaveLength(pages);
});

describe('a list that changes while the node reads it', () => {
	const remove = (index: number) => (entries: IDataObject[]) => void entries.splice(index, 1);

	it.each<[string, number, number[], number[], number]>([
		['a deletion on a page that was read', 250, [1], [1, 2, 1, 2, 3], 0],
		['a deletion on the last page', 250, [1], [1, 2, 1, 2, 3], 249],
		['the end of the last page', 101, [1], [1, 2, 1], 0],
		['deletions during two reads', 250, [1, 4], [1, 2, 1, 2, 3, 1, 2, 3], 0],
	])('is read again after %s', async (_what, count, at, numbers, index) => {
		const after: Scenario['after'] = (number, entries) => {
			if (at.includes(number)) remove(index)(entries);
		};
		const { ids, pages } = await listed(count, Infinity, { after });
		expect(ids).toHaveLength(count - at.length);
		expect(new Set(ids).size).toBe(count - at.length);
		expect(pages).toEqual(pagesOf(...numbers));
	});

	it('fails after three reads', async () => {
		const after: Scenario['after'] = (number, entries) => {
			if (number % 2 === 1) remove(0)(entries);
		};
		const { failure, pages } = await listed(250, Infinity, { after });
		expect(failure).toMatchObject({
			message: 'The list changed 3 times while the node read it, so the result would be incomplete',
			advice: expect.stringContaining('Run the node again while nothing is deleted'),
		});
		expect(pages).toEqual(pagesOf(1, 2, 1, 2, 1, 2));
	});

	it('fails if the service counts more than it returns', async () => {
		const envelope: Envelope = (slice) => collection({ ...slice, total: slice.total + 1 });
		expect((await listed(30, Infinity, { envelope })).failure?.message).toMatch(/changed 3 times/);
	});

	it('fails if a page is empty although another one follows', async () => {
		const envelope: Envelope = (slice) =>
			simple({ ...slice, ...(slice.page === 2 && { items: [] }) });
		expect((await listed(250, Infinity, { envelope })).failure?.message).toMatch(/changed 3 times/);
	});

	it('is refused if the service ignores the page', async () => {
		const after: Scenario['after'] = (number, entries) => {
			entries.unshift({ id: 1000 + number });
		};
		const { failure } = await listed(250, Infinity, { page: 1, after });
		expect(failure?.message).toMatch(/^The service ignores the page parameter/);
	});
});

describe.each<[string, Envelope]>([
	['a bare list', bare],
	['`data` alone', ({ items }) => ({ data: items })],
])('a service that ignores the page, and returns %s', (_name, envelope) => {
	it.each([
		[11, true],
		[99, true],
		[250, true],
		[10, false],
		[50, false],
		[100, false],
	])('of %d entries: whether these are all is %p', async (count, isAll) => {
		const result = await listed(count, Infinity, { envelope, page: 1, size: 1000 });
		expect(result.ids).toEqual(isAll ? idsOf(count) : []);
		expect(result.failure === undefined).toBe(isAll);
		expect(result.pages).toEqual(pagesOf(1, 2));
	});
});

it('refuses a list whose next link never ends', async () => {
	const envelope: Envelope = ({ items }) => ({ data: items, links: { next: 'x' } });
	for (const count of [37, 250]) {
		const { failure } = await listed(count, Infinity, { envelope, page: 1 });
		expect(failure?.message).toMatch(/^The service ignores the page parameter/);
	}
});

it.each<[unknown]>([
	...[[null], [{ data: { id: 1 } }], [{ data: 'nothing' }], [[1]], [[null]]],
	...[[[{ ok: false }]], [{ data: [{ id: 1 }, { message: 'Quota exceeded.' }] }]],
] as [unknown][])('says that %j is no list', async (body) => {
	expect((await listed(1, 10, { envelope: () => body })).failure).toMatchObject({
		message: 'The service did not return a list',
		advice: expect.stringContaining('Check Base URL'),
	});
});

it('refuses a list with an ID that JSON has rounded', async () => {
	const { failure } = await listed(1, 10, { envelope: () => [{ id: 1 }, { id: 2 ** 60 }] });
	expect(failure?.message).toMatch(/^The service has IDs above 9007199254740991/);
});
