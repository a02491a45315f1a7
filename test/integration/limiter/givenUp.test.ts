import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { sleep as wait, type INodeParameters } from 'n8n-workflow';
import { linkAs, oneOf, pageOf, useScriptedService } from '../../support/scriptedService.ts';
import { byId, jsonOf, type Run } from '../../support/service.ts';

const { current, link } = useScriptedService();

const get = async (options: INodeParameters = {}, run: Run = {}) =>
	await link('get', { ...run, parameters: { linkId: byId('1'), options } });

const create = async (options: INodeParameters = {}, run: Run = {}) => {
	const parameters = { url: 'https://example.com/', domainId: byId(1), alias: 'one', options };
	return await link('create', { ...run, parameters });
};

/** Sends a body that never ends, a byte at a time. */
const trickle = (response: ServerResponse) => {
	const sendMore = async () => {
		response.writeHead(200, { 'content-type': 'application/json' });
		while (!response.destroyed) {
			response.write(' ');
			await wait(10);
		}
	};
	void sendMore();
};

const mebibyte = Buffer.alloc(2 ** 20, ' ');

/** Sends a body of so many MB, compressed if asked for. Stops when the connection ends. */
const sendMegabytes =
	(count: number, isCompressed = false) =>
	(response: ServerResponse): void => {
		const encoding = isCompressed ? { 'content-encoding': 'gzip' } : {};
		response.writeHead(200, { 'content-type': 'application/json', ...encoding });
		const chunks = Readable.from(Array.from({ length: count }, () => mebibyte));
		const sending = isCompressed
			? pipeline(chunks, createGzip(), response)
			: pipeline(chunks, response);
		sending.catch(() => response.destroy());
	};

describe('a request that does not end in time', () => {
	it.each([
		['that trickles', trickle],
		['that never comes', 'hang' as const],
	])('is ended if it is a read with an answer %s, and retried only then', async (_, reaction) => {
		current().follow((_request, earlier) => (earlier < 2 ? reaction : oneOf(linkAs({}))));
		const result = await get({ timeout: 0.2 });
		expect(jsonOf(result)).toMatchObject([{ id: 1 }]);
		expect(current().requests).toHaveLength(3);
		expect(current().mostOpen).toBe(1);
		await current().allClosed();
	});

	it('is ended if it is a write, which is unknown and looked up after three time-outs', async () => {
		const since = Date.now();
		let lookedUpAfter = 0;
		current().follow(({ method }, earlier) => {
			if (earlier === 0) return trickle;
			lookedUpAfter = Date.now() - since;
			return method === 'GET' ? pageOf([linkAs({})]) : { status: 500 };
		});
		const result = await create({ timeout: 0.2 });
		expect(jsonOf(result)).toMatchObject([{ id: 1, alias: 'one' }]);
		expect(current().requests.map(({ method }) => method)).toEqual(['POST', 'GET']);
		expect(current().mostOpen).toBe(1);
		expect(lookedUpAfter).toBeGreaterThanOrEqual(800);
		await current().allClosed();
	});
});

describe('a run that is canceled', () => {
	it('ends a read', async () => {
		current().follow(() => trickle);
		await get({ timeout: 3600 }, { cancelAfter: 300 });
		const since = Date.now();
		await current().allClosed();
		expect(Date.now() - since).toBeLessThan(1_000);
		expect(current().requests).toHaveLength(1);
	});

	it('delays another write of the same link by at most 10 seconds', async () => {
		current().follow((_request, earlier) => (earlier === 1 ? trickle : oneOf(linkAs({}))));
		const parameters = { linkId: byId(1), updateFields: { url: 'https://example.com/' } };
		await link('update', { parameters });
		await link('update', { parameters, cancelAfter: 300 });
		const since = Date.now();
		expect(jsonOf(await link('update', { parameters }))).toMatchObject([{ id: 1 }]);
		expect(Date.now() - since).toBeGreaterThan(9_000);
		expect(Date.now() - since).toBeLessThan(11_000);
		expect(current().mostOpen).toBe(1);
	});

	it('lets a write finish until its deadline', async () => {
		let answeredAt = 0;
		let canceledAt = 0;
		let isLost = false;
		current().follow(async () => {
			await wait(600);
			answeredAt = Date.now();
			return (response) => {
				isLost = response.destroyed;
				response.end(JSON.stringify(oneOf(linkAs({})).body));
			};
		});
		await create({}, { cancelAfter: 200 });
		canceledAt = Date.now();
		await current().allClosed();
		expect(answeredAt).toBeGreaterThan(canceledAt);
		expect(isLost).toBe(false);
	});

	it('ends a write at its deadline', async () => {
		current().follow(() => trickle);
		await create({ timeout: 0.6 }, { cancelAfter: 200 });
		expect(current().open).toBe(1);
		await current().allClosed();
		expect(current().requests).toHaveLength(1);
	});
});

it('a run that has failed ends the reads that it no longer needs', async () => {
	current().follow(async ({ query }) => {
		if (query.page === '1') return pageOf([linkAs({})], 1, 40);
		await current().arrivalOf(5);
		return query.page === '2' ? { status: 403 } : trickle;
	});
	const parameters = { returnAll: true, options: { concurrency: 4, timeout: 3600 } };
	const result = await link('getAll', { parameters });
	expect(result.error?.message).toMatch(/HTTP 403/);
	await current().allClosed();
});

it('an item that has failed ends the reads that it no longer needs', async () => {
	const counts: Record<string, number> = {};
	let open = -1;
	current().follow(async ({ query }) => {
		const page = String(query.page);
		counts[page] = (counts[page] ?? 0) + 1;
		const isSecondItem = counts[page] === 2;
		if (isSecondItem) await wait(1000);
		if (isSecondItem && page === '2') open = current().open;
		const last = isSecondItem ? 2 : 6;
		if (isSecondItem || page === '1') return pageOf([linkAs({ id: page })], Number(page), last);
		await current().arrivalOf(5);
		return page === '2' ? { status: 403 } : trickle;
	});
	const parameters = { returnAll: true, options: { concurrency: 4, timeout: 60 } };
	await link('getAll', { items: [{}, {}], parameters, onError: 'continueRegularOutput' });
	expect(open).toBe(1);
});

describe('an answer of more than 32 MB', () => {
	const message = /returned more than 32 MB$/;

	it.each([false, true])('fails a read, and is not read to its end (gzip: %s)', async (isGzip) => {
		current().follow(() => sendMegabytes(2000, isGzip));
		const result = await get();
		expect(result.error?.message).toMatch(message);
		expect(current().requests).toHaveLength(1);
		await current().allClosed();
	});

	it('leaves an update unknown, and is not asked for again', async () => {
		current().follow(() => sendMegabytes(40));
		const updateFields = { url: 'https://example.com/new' };
		const result = await link('update', { parameters: { linkId: byId('1'), updateFields } });
		expect(result.error?.message).toMatch(message);
		expect(result.error?.context.data).toMatchObject({ outcome: 'unknown' });
		expect(current().requests).toHaveLength(1);
	});

	it('makes a create be looked up', async () => {
		current().follow(({ method }) =>
			method === 'POST' ? sendMegabytes(40, true) : pageOf([linkAs({})]),
		);
		expect(jsonOf(await create())).toMatchObject([{ id: 1 }]);
		expect(current().requests.map(({ method }) => method)).toEqual(['POST', 'GET']);
	});

	it('is one of 33 MB, and not one of 31 MB', async () => {
		const body = JSON.stringify(oneOf(linkAs({})).body);
		const padded = (count: number) => (response: ServerResponse) => {
			response.writeHead(200, { 'content-type': 'application/json' });
			response.end(Buffer.concat([Buffer.from(body), Buffer.alloc(count * 2 ** 20, ' ')]));
		};
		current().follow((_, earlier) => padded(earlier === 0 ? 31 : 33));
		expect(jsonOf(await get())).toMatchObject([{ id: 1 }]);
		expect((await get()).error?.message).toMatch(message);
	});
});
