import type { IDataObject } from 'n8n-workflow';
import { startService } from '../../../testkit/service/index.ts';
import { linkAs, oneOf, pageOf, useScriptedService } from '../../support/scriptedService.ts';
import { apiKey, byId, jsonOf, useService, type Run } from '../../support/service.ts';

const { current, link } = useService();
const scripted = useScriptedService();

const rowsOf = (count: number): IDataObject[] =>
	Array.from({ length: count }, (_, index) => ({ alias: `row-${index}` }));

const create = (options: IDataObject, more: Run = {}) => {
	const parameters = {
		url: 'https://example.com/',
		domainId: byId(1),
		alias: '={{ $json.alias }}',
		options: options as never,
	};
	return link('create', { ...more, parameters });
};

const refused = () => current().requests.filter(({ status }) => status === 429).length;

describe('503 means that nothing was processed', () => {
	it('so that a create goes again, with or without Retry-After, and needs no alias', async () => {
		const refusal = { kind: 'status', status: 503 } as const;
		current().set({
			faults: [
				{ times: 1, effect: { ...refusal, retryAfter: '1' } },
				{ times: 2, effect: refusal },
			],
		});
		const result = await create({});
		expect(result.error).toBeUndefined();
		expect(jsonOf(result)).toMatchObject([{ id: 1 }]);
		expect(current().requests.map(({ method, status }) => `${method} ${status}`)).toEqual([
			'POST 503',
			'POST 503',
			'POST 503',
			'POST 201',
		]);
		expect(current().counts().links).toBe(1);
	});
});

describe('Max Wait counts only what the service does not let through', () => {
	it('and not the pace that Requests Per Minute sets', async () => {
		const options = { requestsPerMinute: 600, concurrency: 50, maxWait: 2 };
		const result = await create(options, { items: rowsOf(80) });
		expect(result.error).toBeUndefined();
		expect(jsonOf(result).map(({ alias }) => alias)).toEqual(rowsOf(80).map(({ alias }) => alias));
		expect(current().requests).toHaveLength(80);
	});

	it('and not the time in line behind a limit of 10 requests a second', async () => {
		current().set({ throttle: { limit: 10, windowSeconds: 1 } });
		const options = { concurrency: 50, maxWait: 4 };
		const result = await create(options, { items: rowsOf(80) });
		expect(result.error).toBeUndefined();
		expect(current().counts().links).toBe(80);
		expect(current().requests.length - refused()).toBe(80);
	});

	it('so that 16 refusals and then an error of the server are outlived', async () => {
		const faults = [
			{ times: 16, effect: { kind: 'status', status: 429, retryAfter: '1' } as const },
			{ times: 1, effect: { kind: 'status', status: 500 } as const },
		];
		current().set({ faults });
		const result = await link('getAll', { parameters: { returnAll: true } });
		expect(result.error).toBeUndefined();
		expect(current().requests.map(({ status }) => status)).toEqual([
			...new Array<number>(16).fill(429),
			500,
			200,
		]);
	});
});

describe('no more requests than Concurrency are under way', () => {
	const concurrency = 4;
	const lastPage = 12;
	const soon = async () => await new Promise((resolve) => setTimeout(resolve, 15));
	const many = (number: number) =>
		Array.from({ length: 100 }, (_, index) => {
			const id = (number - 1) * 100 + index + 1;
			return linkAs({ id, alias: `a-${id}` });
		});

	it('while Get Many reads pages for several rows', async () => {
		scripted.current().follow(async ({ query }) => {
			await soon();
			return pageOf(many(Number(query.page)), Number(query.page), lastPage);
		});
		const result = await scripted.link('getAll', {
			items: rowsOf(concurrency),
			parameters: { returnAll: true, options: { concurrency } },
		});
		expect(jsonOf(result)).toHaveLength(concurrency * lastPage * 100);
		expect(scripted.current().mostUnderWay).toBe(concurrency);
	});

	it('while Create or Update looks for the links of several rows', async () => {
		scripted.current().follow(async ({ method, query, body }) => {
			await soon();
			if (method === 'GET') return pageOf(many(Number(query.page)), Number(query.page), lastPage);
			return oneOf(linkAs({ id: 9999, alias: new URLSearchParams(body).get('alias') }));
		});
		const result = await scripted.link('upsert', {
			items: rowsOf(concurrency * 2),
			parameters: {
				url: 'https://example.com/',
				domainId: byId(1),
				alias: '={{ $json.alias }}',
				options: { concurrency },
			},
		});
		expect(jsonOf(result).map(({ outcome }) => outcome)).toEqual(
			new Array(concurrency * 2).fill('created'),
		);
		expect(scripted.current().mostUnderWay).toBe(concurrency);
	});
});

describe('when a run has failed', () => {
	it('no page that was asked for ahead is asked for any more', async () => {
		const service = scripted.current();
		service.follow(async ({ query }) => {
			if (query.page === '1') return pageOf([linkAs({})], 1, 40);
			// The first page, and four that were asked for at once.
			await service.arrivalOf(5);
			return { status: query.page === '2' ? 403 : 500 };
		});
		const result = await scripted.link('getAll', {
			parameters: { returnAll: true, options: { concurrency: 4 } },
		});
		expect(result.error?.message).toMatch(/HTTP 403/);
		expect(service.requests).toHaveLength(5);
		// Those that met an error of the server would be repeated after half a second to a second each.
		await new Promise((resolve) => setTimeout(resolve, 3000));
		expect(service.requests).toHaveLength(5);
	});
});

describe('Timeout limits the whole answer', () => {
	it('also one of which a character comes now and then', async () => {
		scripted.current().follow(() => ({ ...oneOf(linkAs({})), drip: 50 }));
		const result = await scripted.link('create', {
			parameters: {
				url: 'https://example.com/',
				domainId: byId(1),
				options: { timeout: 0.4, maxWait: 0 },
			},
		});
		expect(result.error?.message).toMatch(/ did not respond in time/);
		expect(result.error?.context.data).toMatchObject({ outcome: 'unknown' });
	});
});

describe('a Retry-After that says nothing sensible counts as absent', () => {
	const values = [
		'soon',
		'',
		'-1',
		'0',
		'1e3',
		'1.5',
		'Thu, 01 Jan 1970 00:00:00 GMT',
		'2020-01-01',
		'86401',
		'99999999999999999999',
		new Date(Date.now() + 48 * 3_600_000).toUTCString(),
	];
	it.each([429, 503])(
		'with %d, and is waited for in growing pauses',
		async (status) => {
			const seen = await Promise.all(
				values.map(async (retryAfter) => {
					const service = await startService({ apiKeys: [apiKey] });
					service.set({ faults: [{ effect: { kind: 'status', status, retryAfter } }] });
					const result = await create({ maxWait: 1.5 }, { credential: { baseUrl: service.url } });
					await service.stop();
					return { retryAfter, requests: service.requests.length, error: result.error?.message };
				}),
			);
			// They leave at 0, after 0.25 to 0.5, and after 0.75 to 1.5 seconds.
			const isSpaced = ({ requests }: { requests: number }) => requests >= 2 && requests <= 4;
			expect(seen.filter((each) => !isSpaced(each))).toEqual([]);
			expect(seen.map(({ error }) => error)).toEqual(
				values.map(() => expect.stringContaining(`HTTP ${status}`)),
			);
		},
		30_000,
	);
});
