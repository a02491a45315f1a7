import type { IDataObject } from 'n8n-workflow';
import { linkAs, oneOf, pageOf, useScriptedService } from '../../support/scriptedService.ts';
import { byId, jsonOf, type Run } from '../../support/service.ts';

const { current, link, search } = useScriptedService();

const update = async (ids: readonly number[], requests: IDataObject = {}, more: Run = {}) =>
	await link('update', {
		items: ids.map((id) => ({ id })),
		parameters: {
			linkId: byId('={{ $json.id }}'),
			updateFields: { url: '=https://example.com/{{ $json.id }}' },
			options: { maxWait: 60, ...requests } as never,
		},
		onError: 'continueRegularOutput',
		...more,
	});

const idOf = (path: string) => Number(path.split('/').at(-1));

const updated = (path: string) =>
	oneOf(linkAs({ id: idOf(path), url: `https://example.com/${idOf(path)}` }));

/** Refuses the first requests, and then accepts all. Returns the times of the requests in ms, and what they asked for. */
function refuseFirst(count: number, seconds: number) {
	const sent: { at: number; what: string }[] = [];
	const since = Date.now();
	current().follow(async ({ method, path }, earlier) => {
		const what = method === 'GET' ? 'list' : String(idOf(path));
		sent.push({ at: Date.now() - since, what });
		// The other requests are queued in the meantime.
		if (earlier === 0) await new Promise((resolve) => setTimeout(resolve, 1000));
		if (earlier < count) return { status: 429, headers: { 'retry-after': String(seconds) } };
		return method === 'GET' ? pageOf([linkAs({})]) : updated(path);
	});
	return sent;
}

const range = (count: number, from = 1) => Array.from({ length: count }, (_, at) => from + at);

describe('a pause of the service', () => {
	it('is waited for once by all executions, and then tested by the first request alone', async () => {
		const sent = refuseFirst(1, 20);
		const alone = { concurrency: 1 };
		const first = update([1], alone);
		await current().arrivalOf(1);
		const others = [update([2], alone), update([3], alone)];
		for (const result of await Promise.all([first, ...others])) {
			expect(jsonOf(result)[0]).not.toHaveProperty('error');
			expect(result.task.hints?.[0]?.message).toMatch(/1 wait of 20 seconds in total/);
		}
		const order = sent.map(({ what }) => what);
		expect(order.slice(0, 2)).toEqual(['1', '1']);
		expect(order.slice(2).toSorted()).toEqual(['2', '3']);
		const [, probe] = sent;
		expect(probe?.at).toBeGreaterThanOrEqual(21_000);
		expect(probe?.at).toBeLessThan(22_000);
	});

	it('counts for Max Wait from when a row was queued', async () => {
		refuseFirst(1, 20);
		const first = update([1]);
		await current().arrivalOf(1);
		await new Promise((resolve) => setTimeout(resolve, 15_000));
		const late = await update([2], { maxWait: 10 });
		expect(jsonOf(late)[0]).not.toHaveProperty('error');
		await first;
	});

	it('does not delay a user who opens a list behind the rows', async () => {
		const sent = refuseFirst(1, 2);
		const rows = update(range(4), { concurrency: 4 });
		await current().arrivalOf(1);
		// The service has refused the first row, and the others are queued.
		await new Promise((resolve) => setTimeout(resolve, 1500));
		await search('link', 'searchLinks');
		await rows;
		expect(sent.map(({ what }) => what)).toEqual(['1', 'list', '1', '2', '3', '4']);
	});

	it('that exceeds Max Wait fails the rows at once, and those of other executions wait', async () => {
		const sent = refuseFirst(1, 30);
		const patient = update([1]);
		await current().arrivalOf(1);
		const since = Date.now();
		const [failed] = jsonOf(await update([2], { maxWait: 10 }));
		expect(Date.now() - since).toBeLessThan(2_000);
		expect(failed).toMatchObject({
			error: expect.stringMatching(/would have to wait longer than its Max Wait of 10 seconds/),
			errorDetails: { outcome: 'failed', retryable: true },
		});
		expect(jsonOf(await patient)[0]).not.toHaveProperty('error');
		expect(sent.map(({ what }) => what)).toEqual(['1', '1']);
	});

	it('is forgotten when the last execution has failed, so that the next one asks again', async () => {
		const sent = refuseFirst(1, 3600);
		expect(jsonOf(await update([1]))[0]).toHaveProperty('error');
		expect(jsonOf(await update([1]))[0]).not.toHaveProperty('error');
		expect(sent).toHaveLength(2);
	});

	it('does not add up over the pages of a list', async () => {
		current().follow(({ query }, earlier) => {
			if (earlier % 2 === 0) return { status: 429, headers: { 'retry-after': '6' } };
			const page = Number(query.page);
			return pageOf([linkAs({ id: page })], page, 3);
		});
		const options = { concurrency: 1, maxWait: 10 };
		const list = await link('getAll', { parameters: { returnAll: true, options } });
		expect(jsonOf(list)).toHaveLength(3);
	});

	it('does not add up over the rows that are looked up before the first write', async () => {
		current().follow(({ method, path }, earlier) => {
			if (method !== 'GET') return updated(path);
			if (earlier % 2 === 0) return { status: 429, headers: { 'retry-after': '6' } };
			return oneOf(linkAs({ id: idOf(path) }));
		});
		const items = [1, 2].map((id) => ({ id, url: `https://example.com/${id}` }));
		const options = { concurrency: 1, maxWait: 10 };
		const mapped = { mappingColumnMode: 'autoMapInputData', matchBy: 'id', options } as never;
		expect((await link('update', { items, parameters: mapped })).error).toBeUndefined();
	});

	it('adds up for a request that is refused again and again', async () => {
		const sent = refuseFirst(9, 6);
		expect(jsonOf(await update([1], { maxWait: 20 }))[0]).toHaveProperty('error');
		expect(sent).toHaveLength(4);
	});

	it('adds up for a row over its requests', async () => {
		const updateWithin = async (maxWait: number) => {
			// Each request of the row is refused once: the look-up by alias, and the update.
			current().follow(({ method, path }, earlier) => {
				if (earlier % 2 === 0) return { status: 429, headers: { 'retry-after': '6' } };
				return method === 'GET' ? pageOf([linkAs({})]) : updated(path);
			});
			const linkId = { __rl: true, mode: 'alias', value: 'one' };
			const updateFields = { url: 'https://example.com/1' };
			return await link('update', { parameters: { linkId, updateFields, options: { maxWait } } });
		};
		expect((await updateWithin(10)).error?.message).toMatch(/too many requests/);
		expect(jsonOf(await updateWithin(20))).toMatchObject([{ id: 1 }]);
	});
});

it('a row that waits for its retry lets the next row start', async () => {
	const order: number[] = [];
	current().follow(({ path }, earlier) => {
		order.push(idOf(path));
		return earlier === 0 ? { status: 502 } : updated(path);
	});
	await update([1, 2], { concurrency: 1 });
	expect(order).toEqual([1, 2, 1]);
});

it('a write that is refused after a lost response is unknown', async () => {
	current().follow((_, earlier) => ({ status: earlier === 0 ? 502 : 403 }));
	const [item] = jsonOf(await update([1]));
	expect(item).toMatchObject({ errorDetails: { outcome: 'unknown' } });
});

it('Concurrency limits the requests of its own execution', async () => {
	let reads = 0;
	let mostReads = 0;
	current().follow(async ({ method, path, query }) => {
		reads += method === 'GET' ? 1 : 0;
		mostReads = Math.max(mostReads, reads);
		await new Promise((resolve) => setTimeout(resolve, 50));
		reads -= method === 'GET' ? 1 : 0;
		const items = range(100, Number(query.page) * 100).map((id) => linkAs({ id }));
		return method === 'GET' ? pageOf(items, Number(query.page), 8) : updated(path);
	});
	const parameters = { returnAll: true, options: { concurrency: 2 } };
	const list = link('getAll', { items: [{}, {}], parameters });
	await Promise.all([list, update(range(40, 2000), { concurrency: 6 })]);
	expect(mostReads).toBe(2);
	expect(current().mostUnderWay).toBe(6);
});

describe('retries follow the health of the service', () => {
	/** The service fails all requests but the first one, for a time in ms. Returns the number of requests in it, and the times of later ones. */
	async function outage(lasts: number, rows: number) {
		let since = 0;
		let during = 0;
		const after: number[] = [];
		current().follow(({ path }, earlier) => {
			since ||= Date.now();
			const at = Date.now() - since;
			if (earlier > 0 && at < lasts) {
				during += 1;
				return { status: 502 };
			}
			if (earlier > 0) after.push(at);
			return updated(path);
		});
		await update([1000]);
		const result = await update(range(rows), { maxWait: 300 });
		return { during, after, items: jsonOf(result) };
	}

	it('so that an outage of a minute gets few requests, and loses nothing', async () => {
		const { during, items } = await outage(60_000, 100);
		expect(items.filter((item) => 'error' in item)).toEqual([]);
		// With delays that grew row by row, each of 55 rows sent about 12 requests.
		expect(during).toBeLessThanOrEqual(500);
	});

	it('so that one success shortens the delays of all others to about a second', async () => {
		const { after, items } = await outage(15_000, 20);
		expect(items.filter((item) => 'error' in item)).toEqual([]);
		expect(after).toHaveLength(20);
		expect(Math.max(...after) - Math.min(...after)).toBeLessThan(2_000);
	});

	it('and no other wait ends early', async () => {
		current().follow(async ({ path }, earlier) => {
			if (idOf(path) === 1) await new Promise((resolve) => setTimeout(resolve, 5_000));
			return idOf(path) === 2 && earlier < 3 ? { status: 502 } : updated(path);
		});
		await update([3]);
		const first = update([1]);
		await current().arrivalOf(2);
		// While the second execution waits for the link, the third one fails and recovers.
		const results = await Promise.all([first, update([1], { maxWait: 20 }), update([2])]);
		expect(results.flatMap(jsonOf).filter((item) => 'error' in item)).toEqual([]);
		expect(current().requests.map(({ path }) => idOf(path))).toEqual([3, 1, 2, 2, 1]);
	});

	it('so that rows that fail at random go on within about a second', async () => {
		const order: number[] = [];
		current().follow(async ({ path }) => {
			const id = idOf(path);
			order.push(id);
			await new Promise((resolve) => setTimeout(resolve, 200));
			const tries = order.filter((each) => each === id).length;
			return id <= 50 && id % 10 === 0 && tries <= 5 ? { status: 502 } : updated(path);
		});
		const result = await update(range(100), { concurrency: 2 });
		expect(jsonOf(result).filter((item) => 'error' in item)).toEqual([]);
		expect(order).toHaveLength(125);
		// With delays that grew row by row, row 50 came last: six seconds after all others.
		expect(order.slice(-5).filter((id) => id <= 50)).toEqual([]);
	});
});
