import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { IDataObject } from 'n8n-workflow';
import { Agent, request } from 'undici';
import { linkContract } from '../../../../nodes/Link/link.contract';
import type { Send } from '../../../../nodes/shared/transport/exchange';
import { encodeOptions } from '../../../support/encodeOptions.ts';
import { executeOn } from '../../../support/client.ts';
import { ServiceError } from '../../../../nodes/shared/transport/failures';
import { encodeRow } from '../../../../nodes/shared/contract/encodeRow';

/** One page of the entries that the service holds at that moment. */
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
	current_page: slice.page,
	data: slice.items,
	last_page: slice.last,
	links: [],
	next_page_url: nextOf(slice),
	total: slice.total,
});

const simple: Envelope = (slice) => ({
	current_page: slice.page,
	data: slice.items,
	next_page_url: nextOf(slice),
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

/** What the service holds and does; set anew for every test. */
interface Scene {
	entries: IDataObject[];
	envelope: Envelope;
	/** The page size of a service that does not heed the one asked for. */
	size?: number;
	/** The page of a service that does not heed the one asked for. */
	page?: number;
	/** What happens after the n-th request, counted from 1. */
	after?: (count: number) => void;
}

const scene: Scene = { entries: [], envelope: collection };
const targets: string[] = [];
const agent = new Agent();
let server: Server;
let root: string;

beforeAll(async () => {
	server = createServer((incoming, outgoing) => {
		const target = String(incoming.url);
		targets.push(target);
		const query = new URL(target, 'http://x').searchParams;
		const size = scene.size ?? Number(query.get('per_page') ?? 10);
		const page = scene.page ?? Number(query.get('page') ?? 1);
		const total = scene.entries.length;
		const items = scene.entries.slice((page - 1) * size, page * size);
		const last = Math.max(1, Math.ceil(total / size));
		outgoing.setHeader('Content-Type', 'application/json');
		outgoing.end(JSON.stringify(scene.envelope({ items, page, last, total })));
		scene.after?.(targets.length);
	});
	await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
	root = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;
});

afterAll(async () => {
	await agent.close();
	await new Promise((closed) => server.close(closed));
});

/** The entries of a service, newest first as it sends them: ids `count` down to 1. */
const newestFirst = (count: number): IDataObject[] =>
	Array.from({ length: count }, (_, index) => ({ id: count - index }));

function serve(count: number, given: Partial<Scene> = {}): void {
	targets.length = 0;
	Object.assign(scene, {
		entries: newestFirst(count),
		envelope: collection,
		size: undefined,
		page: undefined,
		after: undefined,
		...given,
	});
}

const send: Send = async ({ url, method, headers }) => {
	const answer = await request(url, { method, headers, dispatcher: agent });
	return { status: answer.statusCode, headers: {}, body: await answer.body.text() };
};

/** Lists links through the real client; `limit` Infinity stands for Return All. */
async function listed(limit: number, filters: IDataObject = {}): Promise<IDataObject[]> {
	const size = limit === Infinity ? { returnAll: true } : { limit };
	const row = encodeRow(
		{ contract: linkContract, operation: 'getAll', options: encodeOptions },
		{ ...size, filters },
	);
	if (!('contract' in row)) throw new Error(JSON.stringify(row));
	return await executeOn({ root, send }, row);
}

/** The error that a list fails with; one that succeeds fails the test. */
async function failureOf(limit: number): Promise<unknown> {
	return await listed(limit).then(
		(found) => new Error(`It found ${found.length} entries`),
		(error: unknown) => error,
	);
}

const idsOf = (entries: readonly IDataObject[]) => entries.map(({ id }) => id);

const targetOf = (page: number, size: number, filters = '') =>
	`/api/v1/links?${filters}per_page=${size}&page=${page}`;

describe('the pages of a list', () => {
	it.each([
		[1, 10, 1],
		[10, 10, 1],
		[11, 25, 1],
		[25, 25, 1],
		[26, 50, 1],
		[50, 50, 1],
		[51, 100, 1],
		[100, 100, 1],
		[101, 100, 2],
		[200, 100, 2],
		[201, 100, 3],
		[Infinity, 100, 3],
	])('for a limit of %d have size %d and are %d', async (limit, size, pages) => {
		serve(250);
		const found = await listed(limit);
		expect(idsOf(found)).toEqual(idsOf(newestFirst(250).slice(0, limit)));
		expect(targets).toEqual(Array.from({ length: pages }, (_, index) => targetOf(index + 1, size)));
	});

	it('are all asked for with the filters', async () => {
		serve(250);
		await listed(Infinity, { search: 'a b&c', searchBy: 'url', status: 2 });
		const filters = 'search=a+b%26c&search_by=url&status=2&';
		expect(targets).toEqual([1, 2, 3].map((page) => targetOf(page, 100, filters)));
	});

	it('are read on where the service gives smaller ones than asked for', async () => {
		serve(60, { size: 15 });
		expect(idsOf(await listed(100))).toEqual(idsOf(newestFirst(60)));
		expect(targets).toHaveLength(4);
		serve(60, { size: 15 });
		expect(idsOf(await listed(31))).toEqual(idsOf(newestFirst(60).slice(0, 31)));
		expect(targets).toHaveLength(3);
	});

	it('are cut at the limit where the service gives larger ones than asked for', async () => {
		serve(60, { size: 50 });
		expect(idsOf(await listed(5))).toEqual(idsOf(newestFirst(60).slice(0, 5)));
		expect(targets).toHaveLength(1);
	});
});

describe.each(envelopes)('a list in %s', (_name, envelope) => {
	it.each([101, 199, 201, 250, 300])('of %d entries is read whole', async (count) => {
		serve(count, { envelope });
		expect(idsOf(await listed(Infinity))).toEqual(idsOf(newestFirst(count)));
		// Only a bare list cannot tell that a full page was the last one.
		const pages = Math.ceil(count / 100) + (envelope === bare && count % 100 === 0 ? 1 : 0);
		expect(targets).toEqual(Array.from({ length: pages }, (_, index) => targetOf(index + 1, 100)));
	});

	it.each([0, 1, 9])('of %d entries takes one request', async (count) => {
		serve(count, { envelope });
		expect(idsOf(await listed(Infinity))).toEqual(idsOf(newestFirst(count)));
		expect(targets).toHaveLength(1);
	});

	it('shorter than the limit ends with its last entry', async () => {
		serve(130, { envelope });
		expect(idsOf(await listed(500))).toEqual(idsOf(newestFirst(130)));
		expect(targets).toHaveLength(2);
	});

	it('is cut at the limit, and not read beyond it', async () => {
		serve(250, { envelope });
		expect(idsOf(await listed(130))).toEqual(idsOf(newestFirst(250).slice(0, 130)));
		expect(targets).toHaveLength(2);
	});
});

describe('a bare list', () => {
	it.each([
		// A page that is as short as the smallest size may be a whole one.
		[10, 100, 2],
		[99, 100, 2],
		[100, 100, 2],
		// Sizes of the service's own.
		[40, 15, 3],
		[45, 15, 4],
		[8, 15, 1],
	])('of %d entries in pages of %d takes %d requests', async (count, size, requests) => {
		serve(count, { envelope: bare, size });
		expect(idsOf(await listed(Infinity))).toEqual(idsOf(newestFirst(count)));
		expect(targets).toHaveLength(requests);
	});
});

describe('a list that changes while it is read', () => {
	const create = () => scene.entries.unshift({ id: Number(scene.entries[0]?.id) + 1 });
	const remove = (index: number) => scene.entries.splice(index, 1);

	it.each(envelopes)(
		'in %s holds no entry twice after some were created',
		async (_name, envelope) => {
			serve(250, {
				envelope,
				after: (count) => {
					if (count === 1) for (let times = 0; times < 3; times += 1) create();
				},
			});
			const ids = idsOf(await listed(Infinity));
			expect(ids.filter((id) => Number(id) <= 250)).toEqual(idsOf(newestFirst(250)));
			expect(new Set(ids).size).toBe(ids.length);
		},
	);

	it('keeps what it read first of an entry that comes again', async () => {
		serve(150, {
			after: () => {
				create();
				scene.entries = scene.entries.map((entry) => ({ ...entry, clicks: targets.length }));
			},
		});
		scene.entries = scene.entries.map((entry) => ({ ...entry, clicks: 0 }));
		const first = (await listed(101)).find(({ id }) => id === 51);
		expect(first).toEqual({ id: 51, clicks: 0 });
	});

	it('is read although entries are created all the time, for none of those that were there is missed', async () => {
		serve(250, { after: create });
		const ids = idsOf(await listed(Infinity));
		expect(ids.filter((id) => Number(id) <= 250)).toEqual(idsOf(newestFirst(250)));
		expect(new Set(ids).size).toBe(ids.length);
		expect(targets).toHaveLength(3);
	});

	it.each([
		['on a page that was read', 0],
		['on the last page', 249],
	])('is read again after an entry was deleted %s', async (_where, index) => {
		serve(250, { after: (count) => count === 1 && remove(index) });
		const expected = idsOf(newestFirst(250).filter((_, position) => position !== index));
		expect(idsOf(await listed(Infinity))).toEqual(expected);
		expect(targets).toEqual([1, 2, 1, 2, 3].map((page) => targetOf(page, 100)));
	});

	it('is read again after the last page went away', async () => {
		serve(101, { after: (count) => count === 1 && remove(0) });
		expect(idsOf(await listed(Infinity))).toEqual(idsOf(newestFirst(100)));
		expect(targets).toEqual([1, 2, 1].map((page) => targetOf(page, 100)));
	});

	it('is read again after deletions on two walks, and then whole', async () => {
		serve(250, { after: (count) => (count === 1 || count === 4) && remove(0) });
		expect(idsOf(await listed(Infinity))).toEqual(idsOf(newestFirst(248)));
		expect(targets.map((target) => target.at(-1)).join('')).toBe('12123123');
	});

	it('is given up after three walks, with what to do', async () => {
		serve(250, { after: (count) => count % 2 === 1 && remove(0) });
		const error = await failureOf(Infinity);
		expect(error).toBeInstanceOf(ServiceError);
		expect(error).toHaveProperty(
			'failure',
			expect.objectContaining({
				message:
					'The list changed 3 times while the node read it, so the result would be incomplete',
				advice: expect.stringContaining('Run the node again while nothing is deleted'),
			}),
		);
		expect(targets.map((target) => target.at(-1)).join('')).toBe('121212');
	});

	it('never becomes whole where the service counts more than it shows', async () => {
		serve(30, { envelope: (slice) => collection({ ...slice, total: slice.total + 1 }) });
		expect(await failureOf(Infinity)).toMatchObject({
			message: 'The list changed 3 times while the node read it, so the result would be incomplete',
		});
		expect(targets).toHaveLength(3);
	});
});

describe('a service that ignores the page', () => {
	const ignored = {
		message:
			'The service ignores the page parameter, so only the first page of the list can be read',
		advice: 'Turn off Return All and set Limit to 100 or less, or narrow the list with filters.',
	};

	const several: [string, Envelope][] = [
		...envelopes,
		// Its counts stay right, only its entries do not.
		['a next link that never ends', ({ items }) => ({ data: items, links: { next: 'x' } })],
	];

	it.each(several)('is found out at its second page in %s', async (_name, envelope) => {
		serve(250, { envelope, page: 1 });
		const error = await failureOf(Infinity);
		expect(error).toBeInstanceOf(ServiceError);
		expect(error).toHaveProperty('failure', expect.objectContaining(ignored));
		expect(targets).toHaveLength(2);
	});

	it.each(several)('is good for its first page in %s', async (_name, envelope) => {
		serve(250, { envelope, page: 1 });
		expect(idsOf(await listed(100))).toEqual(idsOf(newestFirst(250).slice(0, 100)));
		expect(targets).toHaveLength(1);
	});

	const untold: [string, Envelope][] = [
		['a bare list', bare],
		['`data` alone', ({ items }) => ({ data: items })],
	];

	describe.each(untold)('in %s', (_name, envelope) => {
		it.each([11, 37, 99, 101, 250])(
			'gave all %d entries at once, because no page has so many',
			async (count) => {
				serve(count, { envelope, page: 1, size: 1000 });
				expect(idsOf(await listed(Infinity))).toEqual(idsOf(newestFirst(count)));
				expect(targets).toEqual([1, 2].map((page) => targetOf(page, 100)));
			},
		);

		it.each([10, 25, 50, 100])(
			'is found out where it gives %d entries, which may be one page of more',
			async (count) => {
				serve(count, { envelope, page: 1, size: 1000 });
				const error = await failureOf(Infinity);
				expect(error).toHaveProperty('failure', expect.objectContaining(ignored));
				expect(targets).toHaveLength(2);
			},
		);
	});

	it('is found out whatever the count where its envelope tells of more', async () => {
		serve(37, { envelope: ({ items }) => ({ data: items, links: { next: 'x' } }), page: 1 });
		expect(await failureOf(Infinity)).toHaveProperty('failure', expect.objectContaining(ignored));
	});

	it('is found out where entries come and go between its two first pages', async () => {
		serve(250, { page: 1, after: () => scene.entries.unshift({ id: 1000 + targets.length }) });
		expect(await failureOf(Infinity)).toHaveProperty('failure', expect.objectContaining(ignored));
	});
});

it.each<[unknown]>([[{}], [null], ['x'], [{ data: null }], [{ data: { id: 1 } }], [[1]], [[null]]])(
	'an answer that is no list, such as %j, is said to be none',
	async (body) => {
		serve(1, { envelope: () => body });
		const error = await failureOf(10);
		expect(error).toBeInstanceOf(ServiceError);
		expect(error).toHaveProperty(
			'failure',
			expect.objectContaining({
				message: 'The service did not return a list',
				advice: expect.stringContaining('Check Base URL'),
			}),
		);
	},
);
