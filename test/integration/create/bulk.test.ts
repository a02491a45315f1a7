import type { IDataObject } from 'n8n-workflow';
import { faultMix } from '../../../testkit/service/faultMix.ts';
import { startService, type Fault } from '../../../testkit/service/index.ts';
import { apiKey, byId, jsonOf, pairsOf, useService, type Run } from '../../support/service.ts';

const { current, link, pixel } = useService();

const rowsOf = (count: number): IDataObject[] =>
	Array.from({ length: count }, (_, index) => ({
		alias: `row-${index}`,
		url: `https://example.com/${index}`,
	}));

const runOf =
	(operation: string) =>
	(run: Run, options: IDataObject = {}) =>
		link(operation, {
			...run,
			parameters: {
				...{ url: '={{ $json.url }}', domainId: byId(1), alias: '={{ $json.alias }}' },
				options: options as never,
				...run.parameters,
			},
		});
const create = runOf('create');
const upsert = runOf('upsert');

/** Alias and URL of every link that the service holds, oldest first. */
async function held(): Promise<unknown[]> {
	current().set({ faults: [], throttle: null });
	const all = await link('getAll', { parameters: { returnAll: true, sorting: { sort: 'asc' } } });
	return jsonOf(all).map(({ alias, url }) => ({ alias, url }));
}

/** In an order of their own, for concurrent creates may arrive in any. */
const sorted = (links: unknown[]) => links.map((one) => JSON.stringify(one)).toSorted();

const hintsOf = (result: Awaited<ReturnType<typeof link>>) =>
	(result.task.hints ?? []).map(({ message }) => message).join('\n');

describe('many creates against dropped connections, server errors and a throttle', () => {
	it('make exactly one link for each row', async () => {
		current().set({ faults: faultMix, throttle: { limit: 100, windowSeconds: 2 } });
		const items = rowsOf(300);
		const result = await create({ items }, { concurrency: 50 });
		expect(result.error).toBeUndefined();
		expect(jsonOf(result).map(({ alias, url }) => ({ alias, url }))).toEqual(items);
		expect(pairsOf(result)).toEqual(items.map((_, item) => ({ item })));
		expect(sorted(await held())).toEqual(sorted(items));
		expect(hintsOf(result)).toMatch(
			/^300 items: 300 created; \d+ waits? of \d+ seconds in total, \d+ retries\.$/,
		);
	});

	it('do so without an alias when the node makes one up', async () => {
		current().set({ faults: faultMix });
		const items = rowsOf(100).map(({ url }) => ({ url }));
		const parameters = { additionalFields: {} };
		const result = await create({ items, parameters }, { generateAlias: 12, concurrency: 20 });
		expect(jsonOf(result).map(({ url }) => url)).toEqual(items.map(({ url }) => url));
		expect(jsonOf(result).every(({ alias }) => /^[A-Za-z0-9]{12}$/.test(String(alias)))).toBe(true);
		expect(await held()).toHaveLength(100);
	});

	it('without an alias fail as unknown instead of guessing', async () => {
		current().set({ faults: [{ times: 1, effect: { kind: 'drop', when: 'after' } }] });
		const items = rowsOf(2).map(({ url }) => ({ url }));
		const parameters = { additionalFields: {} };
		const result = await create(
			{ items, parameters, onError: 'continueRegularOutput' },
			{ concurrency: 1 },
		);
		expect(jsonOf(result)).toMatchObject([
			{
				url: 'https://example.com/0',
				error: expect.stringMatching(/^Item 1: The connection .* broke/),
				errorDetails: {
					description: expect.stringMatching(
						/check there before you run this item again.*Generate Alias/,
					),
					outcome: 'unknown',
					retryable: false,
				},
			},
			{ url: 'https://example.com/1' },
		]);
		expect(await held()).toHaveLength(2);
	});
});

describe('a create whose answer was lost', () => {
	const lost: Fault[] = [
		{ on: { method: 'POST' }, times: 1, effect: { kind: 'drop', when: 'after' } },
	];

	it('is repeated when it turns out that it never arrived, after a time-out too', async () => {
		current().set({ faults: [{ on: { method: 'POST' }, times: 1, effect: { kind: 'hang' } }] });
		const result = await create({ items: rowsOf(1) }, { timeout: 0.3 });
		expect(jsonOf(result)).toMatchObject([{ alias: 'row-0' }]);
		expect(current().requests.map(({ method }) => method)).toEqual(['POST', 'GET', 'POST']);
		expect(current().counts().links).toBe(1);
	});

	it('is found by its name when it is a pixel', async () => {
		current().set({ faults: lost });
		const parameters = { name: 'Once', type: 'bing', value: 'v-1' };
		expect(jsonOf(await pixel('create', { parameters }))).toMatchObject([{ name: 'Once' }]);
		expect(current().counts().pixels).toBe(1);
	});
});

describe('waiting', () => {
	it('outlives a service that is away for a while', async () => {
		const port = Number(new URL(current().url).port);
		const first = await startService({ port: 0, apiKeys: [apiKey] });
		const own = Number(new URL(first.url).port);
		expect(own).not.toBe(port);
		first.set({ faults: [{ effect: { kind: 'latency', milliseconds: 20 } }] });
		const running = create(
			{ items: rowsOf(100), credential: { baseUrl: first.url } },
			{ concurrency: 2 },
		);
		await new Promise((resolve) => setTimeout(resolve, 400));
		await first.stop();
		await new Promise((resolve) => setTimeout(resolve, 3000));
		const second = await startService({ port: own, apiKeys: [apiKey] });
		const result = await running;
		expect(result.error).toBeUndefined();
		expect(jsonOf(result)).toHaveLength(100);
		await second.stop();
	});

	it('ends for every row where nothing ever answered, and hands on its columns', async () => {
		const result = await create(
			{
				items: rowsOf(30),
				credential: { baseUrl: 'http://127.0.0.1:9' },
				onError: 'continueRegularOutput',
			},
			{ maxWait: 1 },
		);
		expect(jsonOf(result)).toHaveLength(30);
		expect(jsonOf(result)[29]).toMatchObject({
			alias: 'row-29',
			errorDetails: { retryable: true, outcome: 'failed' },
		});
	});

	it('ends when the execution is cancelled', async () => {
		current().set({ throttle: { limit: 1, windowSeconds: 1 } });
		await create({ items: rowsOf(10), cancelAfter: 500 }).catch(() => undefined);
		const sent = current().requests.length;
		expect(sent).toBeGreaterThan(0);
		// Two more windows open, in which the node would go on.
		await new Promise((resolve) => setTimeout(resolve, 2500));
		expect(current().requests.length).toBe(sent);
	});
});

describe('Create or Update', () => {
	it('sends a password again, whatever it is, since the service shows none', async () => {
		const parameters = { additionalFields: { password: '1' } };
		await upsert({ items: rowsOf(1), parameters });
		const again = await upsert({ items: rowsOf(1), parameters });
		expect(jsonOf(again)).toMatchObject([{ outcome: 'updated' }]);
		expect(current().requests.at(-1)?.body).toBe('password=1');
	});

	it('matches the whole alias on its own domain, and pixels by name', async () => {
		await create({ items: [{ alias: 'row-01', url: 'https://example.com/longer' }] });
		await create({ items: rowsOf(1), parameters: { domainId: byId(2) } });
		expect(jsonOf(await upsert({ items: rowsOf(1) }))).toMatchObject([{ outcome: 'created' }]);
		expect(current().counts().links).toBe(3);
		const parameters = { name: 'P', type: 'bing', value: 'v' };
		expect(jsonOf(await pixel('upsert', { parameters }))).toMatchObject([{ outcome: 'created' }]);
		expect(
			jsonOf(await pixel('upsert', { parameters: { ...parameters, type: 'quora' } })),
		).toMatchObject([{ outcome: 'updated' }]);
		expect(current().counts().pixels).toBe(1);
	});

	it('never takes an HTTP error for "not found"', async () => {
		current().set({ faults: [{ on: { method: 'GET' }, effect: { kind: 'status', status: 404 } }] });
		const result = await upsert({ items: rowsOf(1) });
		expect(result.error?.message).toMatch(/HTTP 404/);
		expect(current().counts().links).toBe(0);
	});
});

describe('rows', () => {
	it('whose outcome is unknown are not sent again by Retry On Fail', async () => {
		const effect = { kind: 'drop', when: 'after' } as const;
		for (const options of [{}, { generateAlias: 6, maxWait: 0 }]) {
			current().set({
				faults: [
					{ on: { method: 'POST' }, times: 1, effect },
					{ on: { method: 'GET' }, effect: { kind: 'status', status: 500 } },
				],
			});
			const before = current().counts().links;
			const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 };
			const parameters = { additionalFields: {} };
			const run = { items: [{ url: 'https://example.com/' }], parameters, settings };
			const result = await create(run, { concurrency: 1, ...options });
			expect(result.error?.context).toMatchObject({ data: { outcome: 'unknown' } });
			expect(current().counts().links).toBe(before + 1);
		}
	});

	it('that succeeded are not sent again by Retry On Fail', async () => {
		current().set({
			faults: [
				{ on: { method: 'POST' }, skip: 2, times: 1, effect: { kind: 'status', status: 403 } },
			],
		});
		const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 };
		const items = rowsOf(5).map(({ url }) => ({ url }));
		const parameters = { additionalFields: {} };
		const result = await create({ items, parameters, settings }, { concurrency: 1 });
		expect(result.error).toBeUndefined();
		expect(jsonOf(result)).toHaveLength(5);
		expect(current().counts().links).toBe(5);
	});
});
