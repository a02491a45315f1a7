import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { sleep as wait, type INodeParameters } from 'n8n-workflow';
import type { Fault } from '../../../testkit/service/index.ts';
import { storedLinks } from '../../../testkit/service/storedLinks.ts';
import { hintsOf, rows } from '../../support/account.ts';
import { sheetOn } from '../../support/mappedSheet.ts';
import { linkAs, oneOf, pageOf, useScriptedService } from '../../support/scriptedService.ts';
import { byId, jsonOf, useService, type Run } from '../../support/service.ts';

const { current, link } = useService();

it('503 means that nothing was processed, so a create goes again, without an alias and with or without Retry-After', async () => {
	const refusal = { kind: 'status', status: 503 } as const;
	current().set({
		faults: [
			{ times: 1, effect: { ...refusal, retryAfter: '1' } },
			{ times: 2, effect: refusal },
		],
	});
	const parameters = { url: 'https://example.com/', domainId: byId(1) };
	const result = await link('create', { parameters });
	expect(jsonOf(result)).toMatchObject([{ id: 1 }]);
	expect(hintsOf(result)).toContain(', 3 retries.');
	expect(current().requests.map(({ status }) => status)).toEqual([503, 503, 503, 201]);
	expect(current().counts().links).toBe(1);
});

it('16 refusals and then an error of the server are outlived', async () => {
	const faults = [
		{ times: 16, effect: { kind: 'status', status: 429, retryAfter: '1' } as const },
		{ times: 1, effect: { kind: 'status', status: 500 } as const },
	];
	current().set({ faults });
	const result = await link('getAll', { parameters: { returnAll: true } });
	expect(result.error).toBeUndefined();
	const statuses = current().requests.map(({ status }) => status);
	expect(statuses).toEqual([...new Array<number>(16).fill(429), 500, 200]);
});

const slowly = (method: string): Fault => ({
	on: { method },
	times: 1,
	effect: { kind: 'latency', milliseconds: 300 },
});

const sheet = sheetOn(link);

const numbered = (count: number) =>
	Array.from({ length: count }, (_, index) => `https://example.com/${index}`);

const written = () =>
	current()
		.requests.filter(({ method }) => method !== 'GET')
		.map(({ body }) => new URLSearchParams(body).get('url'));

const heldUrls = () => storedLinks(current()).map(({ url }) => url);

it.each<[string, (id: number) => (number | string)[]]>([
	['by either', (id) => [id, 'https://short.example/one', id, 'https://short.example/one']],
	['of more rows than may wait', (id) => new Array<number>(120).fill(id)],
])('updates of one link in one run arrive in the order of the rows, %s', async (_, names) => {
	const [made] = jsonOf(await sheet('create', rows('one')));
	const named = names(Number(made?.id));
	const urls = numbered(named.length);
	const items = named.map((name, row) => ({ name, url: urls[row] }));
	current().requests.length = 0;
	// The service takes its time for the first one, so that the others would overtake it.
	current().set({ faults: [slowly('PUT')] });
	const result = await link('update', {
		items,
		parameters: { linkId: byId('={{ $json.name }}'), updateFields: { url: '={{ $json.url }}' } },
	});
	expect(result.error).toBeUndefined();
	expect(jsonOf(result).map(({ url }) => url)).toEqual(urls);
	expect(heldUrls()).toEqual([urls.at(-1)]);
	expect(written()).toEqual(urls);
});

it('two executions that create one alias give it to one of them, and the other one fails', async () => {
	const [one = '', two = ''] = numbered(2);
	current().set({ faults: [slowly('POST')] });
	const results = await Promise.all(
		[one, two].map(async (url) => await sheet('create', [{ alias: 'same', url }])),
	);
	const failed = results.filter(({ error }) => error !== undefined);
	expect(failed).toHaveLength(1);
	expect(failed[0]?.error?.message).toMatch(/^Item 1 \(same\): The service did not accept .*Alias/);
	const made = results.flatMap((result) => jsonOf(result));
	expect(made).toMatchObject([{ alias: 'same' }]);
	expect(heldUrls()).toEqual(made.map(({ url }) => url));
	// The second one waits until the first one has its answer.
	expect(written()).toHaveLength(2);
});

const scripted = useScriptedService();

const get = async (options: INodeParameters = {}, run: Run = {}) =>
	await scripted.link('get', { ...run, parameters: { linkId: byId('1'), options } });

const create = async (options: INodeParameters = {}, run: Run = {}) => {
	const parameters = { url: 'https://example.com/', domainId: byId(1), alias: 'one', options };
	return await scripted.link('create', { ...run, parameters });
};

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
		scripted.current().follow((_request, earlier) => (earlier < 2 ? reaction : oneOf(linkAs({}))));
		const result = await get({ timeout: 0.2 });
		expect(jsonOf(result)).toMatchObject([{ id: 1 }]);
		expect(scripted.current().requests).toHaveLength(3);
		expect(scripted.current().mostOpen).toBe(1);
		await scripted.current().allClosed();
	});

	it('is ended if it is a write, which is unknown and looked up after three time-outs', async () => {
		const since = Date.now();
		let lookedUpAfter = 0;
		scripted.current().follow(({ method }, earlier) => {
			if (earlier === 0) return trickle;
			lookedUpAfter = Date.now() - since;
			return method === 'GET' ? pageOf([linkAs({})]) : { status: 500 };
		});
		const result = await create({ timeout: 0.2 });
		expect(jsonOf(result)).toMatchObject([{ id: 1, alias: 'one' }]);
		expect(scripted.current().requests.map(({ method }) => method)).toEqual(['POST', 'GET']);
		expect(scripted.current().mostOpen).toBe(1);
		expect(lookedUpAfter).toBeGreaterThanOrEqual(800);
		await scripted.current().allClosed();
	});
});

describe('a run that is canceled', () => {
	it('ends a read', async () => {
		scripted.current().follow(() => trickle);
		await get({ timeout: 3600 }, { cancelAfter: 300 });
		const since = Date.now();
		await scripted.current().allClosed();
		expect(Date.now() - since).toBeLessThan(1_000);
		expect(scripted.current().requests).toHaveLength(1);
	});

	it('delays another write of the same link by at most 10 seconds', async () => {
		scripted.current().follow((_request, earlier) => (earlier === 1 ? trickle : oneOf(linkAs({}))));
		const parameters = { linkId: byId(1), updateFields: { url: 'https://example.com/' } };
		await scripted.link('update', { parameters });
		await scripted.link('update', { parameters, cancelAfter: 300 });
		const since = Date.now();
		expect(jsonOf(await scripted.link('update', { parameters }))).toMatchObject([{ id: 1 }]);
		expect(Date.now() - since).toBeGreaterThan(9_000);
		expect(Date.now() - since).toBeLessThan(11_000);
		expect(scripted.current().mostOpen).toBe(1);
	});

	it('lets a write finish until its deadline', async () => {
		let answeredAt = 0;
		let canceledAt = 0;
		let isLost = false;
		scripted.current().follow(async () => {
			await wait(600);
			answeredAt = Date.now();
			return (response) => {
				isLost = response.destroyed;
				response.end(JSON.stringify(oneOf(linkAs({})).body));
			};
		});
		await create({}, { cancelAfter: 200 });
		canceledAt = Date.now();
		await scripted.current().allClosed();
		expect(answeredAt).toBeGreaterThan(canceledAt);
		expect(isLost).toBe(false);
	});

	it('ends a write at its deadline', async () => {
		scripted.current().follow(() => trickle);
		await create({ timeout: 0.6 }, { cancelAfter: 200 });
		expect(scripted.current().open).toBe(1);
		await scripted.current().allClosed();
		expect(scripted.current().requests).toHaveLength(1);
	});
});

it('a run that has failed ends the reads that it no longer needs', async () => {
	scripted.current().follow(async ({ query }) => {
		if (query.page === '1') return pageOf([linkAs({})], 1, 40);
		await scripted.current().arrivalOf(5);
		return query.page === '2' ? { status: 403 } : trickle;
	});
	const parameters = { returnAll: true, options: { concurrency: 4, timeout: 3600 } };
	const result = await scripted.link('getAll', { parameters });
	expect(result.error?.message).toMatch(/HTTP 403/);
	await scripted.current().allClosed();
});

it('an item that has failed ends the reads that it no longer needs', async () => {
	const counts: Record<string, number> = {};
	let open = -1;
	scripted.current().follow(async ({ query }) => {
		const page = String(query.page);
		counts[page] = (counts[page] ?? 0) + 1;
		const isSecondItem = counts[page] === 2;
		if (isSecondItem) await wait(1000);
		if (isSecondItem && page === '2') open = scripted.current().open;
		const last = isSecondItem ? 2 : 6;
		if (isSecondItem || page === '1') return pageOf([linkAs({ id: page })], Number(page), last);
		await scripted.current().arrivalOf(5);
		return page === '2' ? { status: 403 } : trickle;
	});
	const parameters = { returnAll: true, options: { concurrency: 4, timeout: 60 } };
	await scripted.link('getAll', { items: [{}, {}], parameters, onError: 'continueRegularOutput' });
	expect(open).toBe(1);
});

describe('an answer of more than 32 MB', () => {
	const message = /returned more than 32 MB$/;

	it.each([false, true])('fails a read, and is not read to its end (gzip: %s)', async (isGzip) => {
		scripted.current().follow(() => sendMegabytes(2000, isGzip));
		const result = await get();
		expect(result.error?.message).toMatch(message);
		expect(scripted.current().requests).toHaveLength(1);
		await scripted.current().allClosed();
	});

	it('leaves an update unknown, and is not asked for again', async () => {
		scripted.current().follow(() => sendMegabytes(40));
		const updateFields = { url: 'https://example.com/new' };
		const result = await scripted.link('update', {
			parameters: { linkId: byId('1'), updateFields },
		});
		expect(result.error?.message).toMatch(message);
		expect(result.error?.context.data).toMatchObject({ outcome: 'unknown' });
		expect(scripted.current().requests).toHaveLength(1);
	});

	it('is one of 33 MB, and not one of 31 MB', async () => {
		const body = JSON.stringify(oneOf(linkAs({})).body);
		const padded = (count: number) => (response: ServerResponse) => {
			response.writeHead(200, { 'content-type': 'application/json' });
			response.end(Buffer.concat([Buffer.from(body), Buffer.alloc(count * 2 ** 20, ' ')]));
		};
		scripted.current().follow((_, earlier) => padded(earlier === 0 ? 31 : 33));
		expect(jsonOf(await get())).toMatchObject([{ id: 1 }]);
		expect((await get()).error?.message).toMatch(message);
	});
});

const update = async (id: string, options: object, cancelAfter?: number) => {
	const updateFields = { url: `https://example.com/${id}` };
	const parameters = { linkId: byId(id), updateFields, options: { ...options } };
	return await scripted.link('update', { parameters, cancelAfter });
};

describe('a row on a link that another execution works on', () => {
	/** Starts an execution that works on the link until it is released. */
	async function holdLink() {
		let release: () => void = () => undefined;
		const released = new Promise<void>((resolve) => (release = resolve));
		scripted.current().follow(async (_, earlier) => {
			if (earlier === 0) await released;
			return oneOf(linkAs({ url: 'https://example.com/1' }));
		});
		const first = update('1', {});
		await scripted.current().arrivalOf(1);
		return { first, release };
	}

	it('fails after Max Wait, and a later one still waits for the first', async () => {
		const { first, release } = await holdLink();
		const last = update('1', {});
		const waiting = await update('1', { maxWait: 1 });
		expect(waiting.error?.message).toBe(
			'Another execution is still changing the same resource, after Max Wait of 1 second',
		);
		expect(waiting.error?.description).toMatch(/^Nothing was written for this item\./);
		expect(scripted.current().requests).toHaveLength(1);
		release();
		expect(jsonOf(await first)).toMatchObject([{ id: 1 }]);
		expect(jsonOf(await last)).toMatchObject([{ id: 1 }]);
		expect(scripted.current().requests).toHaveLength(2);
	});

	it('sends nothing after a cancel', async () => {
		const { first, release } = await holdLink();
		await update('1', {}, 200);
		release();
		await first;
		await update('1', {});
		expect(scripted.current().requests).toHaveLength(2);
	});
});

it('Requests Per Minute of one run stalls no other run', async () => {
	scripted.current().follow(({ path }) => {
		const id = Number(path.split('/').at(-1));
		return oneOf(linkAs({ id, url: `https://example.com/${id}` }));
	});
	const stalled = scripted.link('update', {
		items: [{ id: 1 }, { id: 2 }],
		parameters: {
			linkId: byId('={{ $json.id }}'),
			updateFields: { url: '=https://example.com/{{ $json.id }}' },
			options: { requestsPerMinute: 1 },
		},
		cancelAfter: 3000,
	});
	await scripted.current().arrivalOf(1);
	for (const id of ['3', '4', '5']) expect(jsonOf(await update(id, {}))).toHaveLength(1);
	expect(scripted.current().requests).toHaveLength(4);
	await stalled;
});

describe('a list that never ends', () => {
	beforeEach(() => {
		scripted.current().follow(({ query }) => {
			const from = Number(query.page) * 1000;
			const items = Array.from({ length: Number(query.per_page) }, (_, index) => ({
				id: from + index,
				name: `Pixel ${from + index}`,
				type: 'facebook',
			}));
			return pageOf(items, Number(query.page), Number(query.page) + 1);
		});
	});

	it('fills a multi-select with 5,000 entries', async () => {
		expect(await scripted.load('link', 'getPixels')).toHaveLength(5000);
		expect(scripted.current().requests).toHaveLength(50);
	});

	it.each([
		[
			'Spring',
			...([
				100,
				'Pixels "Spring" cannot be looked up, because the list of pixels could not be read: it has more than 100 pages; use the ID',
			] as const),
		],
		['Pixel 1005', 101, undefined],
	])('finds the name %s only as far as it is read', async (name, requests, message) => {
		const parameters = {
			url: 'https://example.com/',
			domainId: byId(1),
			additionalFields: { pixelIds: [name] },
		};
		const result = await scripted.link('create', { parameters });
		expect(scripted.current().requests).toHaveLength(requests);
		const last = scripted.current().requests.at(-1);
		if (message === undefined) expect(last?.body).toMatch(/pixel_ids\[0?\]=1005/);
		else expect(result.error?.message).toBe(message);
	});
});
