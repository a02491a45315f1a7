import { sleep as wait, type IDataObject } from 'n8n-workflow';
import { hintsOf, outcomesOf, row, rows } from '../../support/account.ts';
import { sheetOn } from '../../support/mappedSheet.ts';
import {
	linkAs,
	oneOf,
	pageOf,
	useScriptedService,
	type Script,
} from '../../support/scriptedService.ts';
import { byId, jsonOf, useService, type Run } from '../../support/service.ts';

const { current, link } = useService();

const sheet = sheetOn(link, { concurrency: 1 });

/** Runs rows one after the other, so that it is clear which of them are done. */
const run = async (
	operation: string,
	items: IDataObject[],
	options: IDataObject = {},
	more: Run = {},
) =>
	await sheet(operation, items, {
		...more,
		parameters: { ...more.parameters, options: options as never },
	});

const told = ({ error }: Awaited<ReturnType<typeof link>>) => String(error?.description);

const links = () => current().counts().links;

/** The first request with a method succeeds, and then a number of them fail. */
const fault = (method: string, status: number, times = 1) => ({
	...{ on: { method }, skip: 1, times },
	effect: { kind: 'status' as const, status },
});

const refuseSecond = (method: string) => current().set({ faults: [fault(method, 403)] });

const onError = 'continueRegularOutput' as const;
const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 };

const createAgain =
	'Fix the failures, remove the items that the service has, and run the node again. If Alias is set in each item, you can switch Operation to Create or Update and keep all items instead: it changes the links that exist.';
const runAgain =
	'Fix the failures and run the node again with all items: items that are done do not change.';

describe('a run that ends part way says what to do', () => {
	it('with Create or Update, after which each row has one link', async () => {
		await run('create', rows('c'));
		const stopped = await run('create', rows('a', 'b', 'c', 'd'));
		expect(stopped.error?.message).toMatch(/^Item 3 \(c\): .*HTTP 422.*Alias/);
		expect(told(stopped)).toMatch(
			/; use Create or Update to change it\. Items done: 1–2\. Items not sent: 4\. Items failed: 3\. /,
		);
		expect(told(stopped).endsWith(` ${createAgain}`)).toBe(true);
		const all = await run('upsert', rows('a', 'b', 'c', 'd'));
		expect(outcomesOf(all)).toEqual(['unchanged', 'unchanged', 'unchanged', 'created']);
		expect(links()).toBe(4);
	});

	it('with the rows that are left', async () => {
		const items = rows('a', 'b', 'c').map(({ url }) => ({ url: String(url) }));
		refuseSecond('POST');
		const stopped = await run('create', items, { generateAlias: 7 });
		expect(stopped.error?.message).toMatch(/^Item 2 \(\w{7}\): /);
		expect(
			told(stopped).endsWith(` Items done: 1. Items not sent: 3. Items failed: 2. ${createAgain}`),
		).toBe(true);
		await run('create', items.slice(1), { generateAlias: 7 });
		expect(links()).toBe(3);
	});

	it('after an invalid row', async () => {
		const result = await run('create', [row('a'), { url: 'no address' }], {}, { onError });
		expect(hintsOf(result)).toContain(`1 created, 1 failed. ${createAgain}`);
	});

	it('also if the names of another try cannot be read', async () => {
		await run('create', rows('z'));
		current().set({ faults: [fault('POST', 403), fault('GET', 401)] });
		const parameters = { domainId: byId('short.example') };
		const stopped = await run('create', rows('a', 'a', 'b', 'c'), {}, { parameters, settings });
		// The first row and its duplicate are done, so that they are not among the rows that cannot be sent.
		expect(stopped.error?.message).toBe('2 of 4 items cannot be sent');
		expect(told(stopped)).toMatch(
			/^Item 3 \(b\): .*did not accept the API key \(HTTP 401\); use the ID\.\nItem 4 \(c\): .*did not accept the API key \(HTTP 401\); use the ID\.\nNothing was sent in this try\. Items done: 1–2\. Items not sent: 3–4\.\n/,
		);
		expect(links()).toBe(2);
	});

	it('with the rows that are done if another try cannot read what all rows need', async () => {
		await run('create', rows('a', 'b', 'c'));
		current().set({ faults: [fault('PUT', 403), fault('GET', 403, Infinity)] });
		const items = rows('a', 'b', 'c').map((cells) => ({ ...cells, url: 'https://b.example' }));
		const stopped = await run('update', items, {}, { settings });
		expect(stopped.error?.message).toMatch(/^The service does not allow this .*HTTP 403/);
		expect(told(stopped)).toContain(' Items done: 1. Items failed: 2–3.');
	});

	it('with Ignore Missing for what is deleted already', async () => {
		const made = await run('create', rows('a', 'b'));
		const ids = [...jsonOf(made).map(({ id }) => ({ id })), { id: 999 }];
		const remove = async (options: IDataObject = {}) =>
			await run('delete', ids, options, { parameters: { linkId: byId('={{ $json.id }}') } });
		expect(told(await remove())).toMatch(
			/ Items done: 1–2\. Items failed: 3\. Fix the failures and run the node again with all items and Ignore Missing under Options: items that are done do not change\.$/,
		);
		expect(jsonOf(await remove({ ignoreMissing: true }))).toHaveLength(3);
	});

	it('without Ignore Missing if it is on', async () => {
		const made = await run('create', rows('a', 'b', 'c'));
		const ids = jsonOf(made).map(({ id }) => ({ id }));
		refuseSecond('DELETE');
		const parameters = { linkId: byId('={{ $json.id }}') };
		const stopped = await run('delete', ids, { ignoreMissing: true }, { parameters });
		expect(told(stopped).endsWith(` Items failed: 2. ${runAgain}`)).toBe(true);
		await run('delete', ids, { ignoreMissing: true }, { parameters });
		expect(links()).toBe(0);
	});

	it.each([
		['upsert', 'POST', {}],
		['sync', 'POST', { syncScope: { domainId: byId(1) }, unmatchedLinks: 'keep' }],
	])('of %s that it can be run again as it is', async (operation, method, more) => {
		refuseSecond(method);
		const parameters = more as Run['parameters'];
		const stopped = await run(operation, rows('a', 'b', 'c'), {}, { parameters });
		expect(told(stopped).endsWith(` Items failed: 2. ${runAgain}`)).toBe(true);
		const again = await run(operation, rows('a', 'b', 'c'), {}, { parameters });
		expect(outcomesOf(again)).toEqual(['unchanged', 'created', 'created']);
	});

	it('of Create or Update by ID that the items need the IDs of their links', async () => {
		refuseSecond('POST');
		const parameters = { matchBy: 'id' };
		const items = ['a', 'b'].map((name) => ({ id: '', url: `https://example.com/${name}` }));
		const stopped = await run('upsert', items, {}, { parameters });
		expect(told(stopped)).toMatch(/ enter the ID of each new link in its item, and run the node/);
	});

	it('of Update the same, and of Get that reading changes nothing', async () => {
		const made = await run('create', rows('a', 'b', 'c'));
		const ids = jsonOf(made).map(({ id }) => ({ id, disabled: true }));
		const parameters = { linkId: byId('={{ $json.id }}') };
		refuseSecond('PUT');
		const stopped = await run('update', ids, {}, { parameters });
		expect(told(stopped).endsWith(` Items failed: 2. ${runAgain}`)).toBe(true);
		refuseSecond('GET');
		const read = await run('get', ids, {}, { parameters });
		expect(told(read)).toMatch(
			/ Items failed: 2\. Fix the failures and run the node again: reading changes nothing\.$/,
		);
	});

	it('in the hint where the other rows went on', async () => {
		await run('create', rows('b'));
		const result = await run('create', rows('a', 'b', 'c'), {}, { onError });
		expect(jsonOf(result)[1]).toMatchObject({
			error: expect.stringMatching(/^Item 2 \(b\): .*Alias/),
			errorDetails: { description: expect.stringContaining('use Create or Update') },
		});
		expect(hintsOf(result).split('\n')[0]).toBe(`3 items: 2 created, 1 failed. ${createAgain}`);
	});
});

it('a tool is told that it found nothing, and gets no advice for a sheet', async () => {
	const settings = { type: 'n8n-nodes-link-management.linkTool' };
	const parameters = { returnAll: true, filters: { search: 'nothing', searchBy: 'alias' } };
	expect(jsonOf(await link('getAll', { settings, parameters }))).toEqual([
		{ message: 'No link was found. Search for another text, or in another field.' },
	]);
	expect(jsonOf(await link('getAll', { parameters }))).toEqual([]);
	refuseSecond('POST');
	const stopped = await run('create', rows('a', 'b', 'c'), {}, { settings });
	expect(stopped.error?.message).toMatch(/ Items done: 1\. Items not sent: 3\. Items failed: 2\.$/);
	current().set({ faults: [{ on: { method: 'POST' }, effect: { kind: 'drop', when: 'after' } }] });
	const retried = { retryOnFail: true, settings: { ...settings, retryOnFail: true } };
	for (const onError of ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const) {
		const run = { ...retried, onError, parameters: { url: 'https://e.com' } };
		const unknown = jsonOf(await link('create', run));
		expect(unknown).toEqual([{ message: expect.stringContaining('may have processed') }]);
	}
});

describe('nothing is advised', () => {
	it('where nothing was done, but what may help where an alias is taken', async () => {
		await run('create', rows('a'));
		const stopped = await run('create', rows('a', 'b'));
		expect(told(stopped)).toMatch(
			/use Create or Update to change it\..*Items done: none\..*Items failed: 1\.$/,
		);
	});

	it('if what all rows need cannot be read', async () => {
		current().set({ faults: [{ on: { method: 'GET' }, effect: { kind: 'status', status: 403 } }] });
		const parameters = { syncScope: { domainId: byId(1) }, unmatchedLinks: 'keep' } as never;
		expect(told(await run('sync', rows('a', 'b'), {}, { parameters }))).not.toContain('Items');
		const result = await run('sync', rows('a', 'b'), {}, { parameters, onError });
		expect(jsonOf(result).map(({ error }) => error)).toEqual(
			[1, 2].map(() => expect.stringMatching(/^The list of the scope cannot be read/)),
		);
		expect(hintsOf(result)).not.toContain('again');
	});

	it('in a dry run', async () => {
		const items = [...rows('a'), { alias: 'b', url: 'no address' }];
		const result = await run('create', items, { dryRun: true }, { onError });
		expect(jsonOf(result)[1]?.error).toMatch(/^Item 2 \(b\): Destination URL /);
		expect(hintsOf(result)).not.toContain('again');
	});
});

const scripted = useScriptedService();

/** Rows that are created without an alias, so that nothing can be looked up; row 1 leads to the destination 1. */
const create = (rows: number, more: Run = {}) => {
	const items = Array.from({ length: rows }, (_, index) => ({ row: index + 1 }));
	const parameters = {
		url: '=https://example.com/{{ $json.row }}',
		domainId: byId(1),
		options: { concurrency: 5 },
		...more.parameters,
	};
	return scripted.link('create', { items, ...more, parameters });
};

/** Until a run has seen a link of the account, only one write is in flight. */
beforeEach(async () => {
	scripted.current().follow(() => pageOf([linkAs({ id: 99 })]));
	await scripted.link('getAll', {});
});

const rowOf = ({ body }: Parameters<Script>[0]) => Number(/example\.com\/(\d+)/.exec(body)?.[1]);

const refusal = { status: 422, body: { message: { url: ['The url is bad.'] }, status: 422 } };

/** Gives the row that stops the run the time to do so. */
const later = async () => await wait(250);

describe('On Error: Stop Workflow names each row', () => {
	it('those under way too, as done, failed, not sent or unknown', async () => {
		scripted.current().follow(async (request) => {
			await scripted.current().arrivalOf(5);
			const row = rowOf(request);
			if (row === 3) return refusal;
			await later();
			if (row === 4) return 'drop';
			return row === 5 ? refusal : oneOf(linkAs({ id: row, url: `https://example.com/${row}` }));
		});
		const result = await create(8);
		expect(result.error?.message).toMatch(/^Item 3: .*HTTP 422/);
		expect(result.error?.description).toMatch(
			/ Items done: 1–2\. Items not sent: 6–8\. Items failed: 3, 5\. Items unknown: 4\. Fix the failures, remove the items that the service has, and run the node again\. If Alias is set in each item, you can switch Operation to Create or Update and keep all items instead: it changes the links that exist\.$/,
		);
		expect(scripted.current().requests).toHaveLength(5);
	});

	it('a write that waits to be repeated is unknown', async () => {
		scripted.current().follow(async ({ path }, earlier) => {
			await scripted.current().arrivalOf(2);
			if (path === '/links/2') return earlier < 2 ? { status: 500 } : oneOf(linkAs({ id: 2 }));
			await later();
			return refusal;
		});
		const result = await scripted.link('update', {
			items: [{ id: 1 }, { id: 2 }],
			parameters: { linkId: byId('={{ $json.id }}'), updateFields: { disabled: true } },
		});
		expect(result.error?.message).toMatch(/^Item 1: /);
		expect(result.error?.description).toMatch(
			/ Items done: none\. Items failed: 1\. Items unknown: 2\. Fix the failures and run the node again with all items: items that are done do not change\.$/,
		);
		expect(scripted.current().requests).toHaveLength(2);
	});

	it('a create that waits to be looked for is unknown', async () => {
		scripted.current().follow(async (request, earlier) => {
			if (request.method === 'GET') return earlier < 3 ? { status: 500 } : pageOf([]);
			if (rowOf(request) === 2) return earlier < 2 ? 'drop' : oneOf(linkAs({ id: 2 }));
			// Both creates, and the first look for the second one.
			await scripted.current().arrivalOf(3);
			await later();
			return refusal;
		});
		const result = await create(2, { parameters: { alias: '=row-{{ $json.row }}' } });
		expect(result.error?.message).toMatch(/^Item 1 \(row-1\): /);
		expect(result.error?.description).toMatch(
			/ Items done: none\. Items failed: 1\. Items unknown: 2\. Fix the failures, remove the items that the service has, and run the node again\. If Alias is set in each item, you can switch Operation to Create or Update and keep all items instead: it changes the links that exist\.$/,
		);
		expect(scripted.current().requests).toHaveLength(3);
	});
});

it.each([
	['a rate limit', { status: 429, headers: { 'retry-after': '2' } }],
	['maintenance', { status: 503, headers: { 'retry-after': '2' } }],
	['a service that is away', { status: 503 }],
])('On Error: Stop Workflow does not wait for %s to end', async (_, answer) => {
	scripted.current().follow(async (request, earlier) => {
		await scripted.current().arrivalOf(2);
		if (rowOf(request) === 2) return earlier < 2 ? answer : oneOf(linkAs({ id: 2 }));
		await later();
		return refusal;
	});
	const result = await create(2);
	expect(result.error?.message).toMatch(/^Item 1: .*HTTP 422/);
	expect(result.error?.description).toMatch(
		/ Items done: none\. Items not sent: 2\. Items failed: 1\.$/,
	);
	expect(scripted.current().requests.map(rowOf).toSorted()).toEqual([1, 2]);
	// As long as the service told, and longer than the first pause where it told nothing.
	await wait(2500);
	expect(scripted.current().requests).toHaveLength(2);
});

/** Operations, and the number of reads of the first try. */
const operations: [operation: string, reads: number][] = [
	['update', 2],
	['upsert', 2],
	['sync', 1],
	['disable', 2],
];

/** Runs two tries: the service stores the write of the first row, but its response is cut. Then it refuses all reads. */
async function twoTries(operation: string, reads: number, more: Run = {}) {
	const both = sheetOn(link);
	const rowsOn = (host: string) =>
		['a', 'b'].map((alias) => ({ alias, url: `https://${host}.example/${alias}` }));
	await both('create', rowsOn('old'));
	current().set({
		faults: [
			{ on: { method: 'PUT', path: /1$/ }, effect: { kind: 'truncatedJson' } },
			{ on: { method: 'GET' }, skip: reads, effect: { kind: 'status', status: 401 } },
		],
	});
	return await both(operation, rowsOn('new'), {
		parameters: { unmatchedLinks: 'keep', options: { maxWait: 0 } },
		settings,
		...more,
	});
}

describe.each(operations)('a second try of %s that fails before it writes', (...given) => {
	it('tells the item whose first write may be stored as unknown', async () => {
		const result = await twoTries(...given, { onError });
		expect(jsonOf(result)[0]).toMatchObject({ errorDetails: { outcome: 'unknown' } });
	});

	it('names the item as unknown if it stops', async () => {
		expect(told(await twoTries(...given))).toMatch(/Items unknown: 1\./);
	});
});
