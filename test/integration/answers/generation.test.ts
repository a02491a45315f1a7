import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { createLinks, storedLinks } from '../../../testkit/service/storedLinks.ts';
import { unsupportedMessage } from '../../../nodes/shared/transport/generation';
import {
	linkAs,
	oneOf,
	pageOf,
	useScriptedService,
	type Reaction,
} from '../../support/scriptedService.ts';
import { rowsOf } from '../../support/numberedRows.ts';
import { apiKey, byId, continues, jsonOf, useService, type Run } from '../../support/service.ts';
import { PollingTrigger } from '../../support/pollingTrigger.ts';

const { current, link, load, pixel, search } = useService();

const create = { url: '={{ $json.url }}', domainId: byId(1) };
const byAlias = { ...create, alias: '={{ $json.alias }}' };
const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 };
const retried = { settings, retryOnFail: true };

const urlIn = (body: string) => /(?:^|&)url=([^&]*)/.exec(body)?.[1];

const sentBy = (...methods: string[]) =>
	current().requests.filter(({ method }) => methods.includes(method));

describe('a service of a later version', () => {
	beforeEach(() => current().set({ renamesFields: true }));

	const protectedFields = {
		password: 'secret-password',
		disabled: true,
		expiration: '2099-01-01',
		country: { rules: [{ key: 'DE', value: 'https://example.com/de' }] },
	};

	it('stores one link without its values, and the error names it', async () => {
		const parameters = { ...create, additionalFields: protectedFields };
		const result = await link('create', { items: rowsOf(1), parameters });
		expect(result.error?.message).toBe(unsupportedMessage);
		expect(result.error?.description).toMatch(
			/^The service has stored the link \(ID 1, http:.*\/s\/\S+\), but .* password, rules and expiration/,
		);
		expect(result.error).toMatchObject({ context: { data: { outcome: 'unknown' } } });
		const [link1] = storedLinks(current());
		expect(link1).toMatchObject({ password: false, disabled: 0, ends_at: null });
	});

	it('gets one of many creates, also from two runs and with Retry On Fail', async () => {
		const run = { items: rowsOf(30), parameters: create };
		const results = await Promise.all([
			link('create', { ...run, ...continues }),
			link('create', { ...run, ...retried }),
		]);
		expect(current().requests.map(({ method }) => method)).toEqual(['POST']);
		const items = jsonOf(results[0]);
		expect(items.map(({ error }) => error)).toEqual(
			items.map((_, row) => `Item ${row + 1}: ${unsupportedMessage}`),
		);
		const details = items.map(({ errorDetails }) => errorDetails);
		expect(details).toHaveLength(30);
		expect(details[0]).toMatchObject({ outcome: 'unknown', retryable: false });
		expect(details[29]).toMatchObject({
			...{ outcome: 'failed', retryable: false },
			description: expect.stringMatching(/^Nothing was sent\. /),
		});
		expect(results[1].error?.message).toContain(unsupportedMessage);
	});

	const writing: [operation: string, parameters: INodeParameters][] = [
		['create', create],
		['upsert', byAlias],
		['sync', { ...byAlias, syncScope: { domainId: byId(1) } }],
	];

	it.each(writing)('gets one write of %s, which is not repeated', async (operation, parameters) => {
		const result = await link(operation, { ...retried, items: rowsOf(10), parameters });
		const item = operation === 'create' ? 'Item 1' : 'Item 1 (row-1000)';
		expect(result.error?.message).toBe(`${item}: ${unsupportedMessage}`);
		expect(result.error?.description).toMatch(
			/\(ID 1, .* Items done: none\. Items not sent: 2–10\. Items unknown: 1\.$/,
		);
		expect(sentBy('POST', 'PUT')).toHaveLength(1);
		expect(storedLinks(current())).toHaveLength(1);
	});

	it('gets one update, which is not repeated', async () => {
		const ids = createLinks(current(), 10, (index) => `https://example.com/${index}`);
		const parameters = { linkId: byId('={{ $json.id }}'), updateFields: { disabled: true } };
		const updated = await link('update', {
			items: ids.map((id) => ({ id })),
			parameters,
			...retried,
		});
		expect(updated.error?.message).toBe(`Item 1: ${unsupportedMessage}`);
		expect(updated.error?.description).toContain('(ID 1, ');
		expect(sentBy('PUT')).toHaveLength(1);
	});

	it.each(writing.slice(1))('gets no write of %s if the list shows a link', async (...way) => {
		const [operation, parameters] = way;
		createLinks(current(), 3, (index) => `https://example.com/${index}`);
		current().requests.length = 0;
		const result = await link(operation, { items: rowsOf(10), parameters });
		expect(result.error?.message).toContain(unsupportedMessage);
		expect(sentBy('POST', 'PUT')).toEqual([]);
	});

	it('fails a read of a list or one link, the pickers and a poll', async () => {
		createLinks(current(), 1, () => 'https://example.com/');
		for (const envelope of ['collection', 'flat', 'simple', 'bare'] as const) {
			current().set({ envelope });
			const all = await link('getAll', { parameters: { returnAll: true } });
			expect(all.error?.message).toBe(unsupportedMessage);
		}
		const one = await link('get', { parameters: { linkId: byId(1) } });
		expect(one.error?.message).toBe(unsupportedMessage);
		for (const method of ['searchLinks', 'searchDomains', 'searchSpaces']) {
			await expect(search('link', method)).rejects.toThrow(unsupportedMessage);
		}
		const credential = { baseUrl: current().url, apiKey };
		const parameters = { events: ['linkCreated'] };
		const node = new PollingTrigger('classic', { node: 'linkTrigger', parameters, credential });
		const { error } = await node.activate();
		expect(error).toMatchObject({
			message: unsupportedMessage,
			failure: { cause: 'configuration-invalid' },
		});
	});

	it('gets pixels until it is recognized, and nothing afterwards', async () => {
		const items = [{ name: 'one' }, { name: 'two' }];
		const parameters = { name: '={{ $json.name }}', type: 'facebook', value: '1' };
		expect(jsonOf(await pixel('create', { items, parameters }))).toHaveLength(2);
		await link('create', { items: rowsOf(1), parameters: create });
		current().requests.length = 0;
		const results = [
			await pixel('create', { parameters: { ...parameters, name: 'three' } }),
			await link('delete', { parameters: { linkId: byId(1) } }),
		];
		for (const { error } of results) {
			expect(error?.message).toBe(unsupportedMessage);
			expect(error?.description).toMatch(/^Nothing was sent\. /);
		}
		await expect(load('link', 'getPixels')).rejects.toThrow(unsupportedMessage);
		expect(current().requests).toEqual([]);
	});
});

describe('until the process has seen a link of the account', () => {
	const scripted = useScriptedService();
	const run: Run = { items: rowsOf(3), parameters: create };

	const createsSent = () =>
		scripted.current().requests.filter(({ method, path }) => method === 'POST' && path === '/links')
			.length;

	/** A service whose creates wait until the test ends them, and show the given fields. */
	function slowCreates(fields: IDataObject = {}) {
		const ends: ((reaction?: Reaction) => void)[] = [];
		scripted.current().follow(async ({ method, path, body }, earlier) => {
			if (path === '/pixels') {
				return oneOf({ id: earlier, name: 'one', type: 'facebook', value: '1' });
			}
			if (method === 'DELETE') return { body: { id: 1, object: 'link', deleted: true } };
			if (method === 'GET') return pageOf([]);
			const answer = oneOf({ ...linkAs({ id: earlier + 1, url: urlIn(body) }), ...fields });
			return (await new Promise<Reaction | undefined>((end) => ends.push(end))) ?? answer;
		});
		return ends;
	}

	/** Lets all creates go once this number of requests has arrived, and expects that the run succeeds. */
	async function finish(running: ReturnType<typeof link>, ends: (() => void)[], arrivals: number) {
		await scripted.current().arrivalOf(arrivals);
		for (const end of ends) end();
		expect((await running).error).toBeUndefined();
	}

	it('one create is in flight over all runs, and then all are', async () => {
		const ends = slowCreates();
		const runs = [scripted.link('create', run), scripted.link('create', run)];
		await scripted.current().arrivalOf(1);
		// Requests that write no link are not held back, and show no link.
		await scripted.link('delete', { parameters: { linkId: byId(1) } });
		await scripted.pixel('create', { parameters: { name: 'one', type: 'facebook', value: '1' } });
		await scripted.link('getAll', { parameters: { returnAll: true } });
		expect(createsSent()).toBe(1);
		ends[0]?.();
		await scripted.current().arrivalOf(9);
		expect(ends).toHaveLength(6);
		for (const end of ends) end();
		for (const { error } of await Promise.all(runs)) expect(error).toBeUndefined();
		expect(scripted.current().requests).toHaveLength(9);
	});

	it.each<[what: string, fields: IDataObject]>([
		['neither name', { target_type: undefined }],
		['both names', { targets_type: null }],
	])('a link with %s lets all creates go', async (_what, fields) => {
		const ends = slowCreates(fields);
		const creating = scripted.link('create', run);
		await scripted.current().arrivalOf(1);
		ends[0]?.();
		await finish(creating, ends, 3);
	});

	it('a link that was read lets all creates go', async () => {
		scripted.current().follow(() => pageOf([linkAs({})]));
		await scripted.link('getAll');
		const ends = slowCreates();
		const creating = scripted.link('create', run);
		await finish(creating, ends, 3);
	});

	it.each<[what: string, reaction: Reaction]>([
		['is refused', { status: 422, body: { message: { url: ['No.'] } } }],
		['fails', { status: 500 }],
		['is dropped', 'drop'],
		['times out', 'hang'],
		['shows no link', { body: {} }],
	])('the next create goes alone if the first %s', async (_what, reaction) => {
		const ends = slowCreates();
		const options = { timeout: 500, maxWait: 0 };
		const creating = scripted.link('create', {
			...{ ...run, ...continues },
			parameters: { ...create, options },
		});
		await scripted.current().arrivalOf(1);
		ends[0]?.(reaction);
		await scripted.current().arrivalOf(2);
		expect(createsSent()).toBe(2);
		expect(scripted.current().mostUnderWay).toBe(1);
		ends[1]?.();
		await scripted.current().arrivalOf(3);
		ends[2]?.();
		expect(jsonOf(await creating).map(({ error }) => error === undefined)).toEqual([
			...[false, true, true],
		]);
	});

	it('a canceled run delays the creates of others for a short time', async () => {
		const ends = slowCreates();
		await scripted.link('create', { ...run, cancelAfter: 100 });
		expect(createsSent()).toBe(1);
		const creating = scripted.link('create', run);
		await scripted.current().arrivalOf(2);
		ends[1]?.();
		await finish(creating, ends, 4);
	});

	it('a create that waits ends with its run', async () => {
		const ends = slowCreates();
		const creating = scripted.link('create', run);
		await scripted.current().arrivalOf(1);
		await scripted.link('create', { ...run, cancelAfter: 100 });
		ends[0]?.();
		await finish(creating, ends, 3);
		expect(createsSent()).toBe(3);
	});
});
