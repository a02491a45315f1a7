import { mkdtempSync, writeFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parse } from 'flatted';
import type { IDataObject, INodeExecutionData, NodeExecutionHint } from 'n8n-workflow';
import { request } from 'undici';
import { startN8n, type N8nOptions, type RunningN8n } from '../../testkit/n8n/instance.ts';
import { pack } from '../../testkit/n8n/package.ts';
import { Rest, type Workflow } from '../../testkit/n8n/rest.ts';
import {
	startService,
	type RecordedRequest,
	type RunningService,
} from '../../testkit/service/index.ts';
import { freePorts } from '../../testkit/ports.ts';
import { projectRoot } from '../support/process.ts';

const apiKey = 'sync-key-0123456789';
const login = { email: 'sync@example.com', password: 'Sync-password-1' };
const folder = mkdtempSync(join(tmpdir(), 'sync-'));
const files = join(folder, 'files');
const sheet = join(files, 'sheet.csv');

let service: RunningService | undefined;
let n8n: RunningN8n | undefined;
let options: N8nOptions | undefined;
let credential = { id: '', name: '' };

const current = () => {
	if (!service || !options) throw new Error('nothing runs');
	return { service, options };
};

async function running(): Promise<Rest> {
	n8n ??= await startN8n(current().options);
	const rest = new Rest(n8n.url);
	await rest.logIn(login);
	return rest;
}

beforeAll(async () => {
	const [port = 0] = await freePorts(2);
	await mkdir(files);
	service = await startService({ strict: true, apiKeys: [apiKey] });
	const tarball = await pack(projectRoot, folder);
	options = { folder: join(folder, 'n8n'), tarball, port, files };
	n8n = await startN8n(options);
	const rest = new Rest(n8n.url);
	await rest.setUpOwner(login);
	const data = { baseUrl: service.url, apiKey };
	credential = await rest.addCredential('linkManagementApi', 'Sync', data);
});
beforeEach(() => current().service.clear());
afterAll(async () => {
	await n8n?.stop();
	await service?.stop();
	await rm(folder, { recursive: true, force: true });
});

/** A row of the sheet, by the names of its columns. */
interface SheetRow {
	alias: string;
	'Destination URL': string;
	expiration_date: string;
	expirationTime: string;
	notes: string;
}

const rowOf = (name: number | string): SheetRow => ({
	alias: `sheet-${name}`,
	'Destination URL': `https://example.com/offers/${name}`,
	expiration_date: '2099-12-31',
	expirationTime: '23:59',
	notes: `offer ${name}`,
});

const rowsOf = (count: number): SheetRow[] => Array.from({ length: count }, (_, i) => rowOf(i + 1));

/** Writes the sheet that the workflows read; its cells hold nothing that had to be quoted. */
function writeSheet(rows: readonly SheetRow[]): void {
	const lines = [Object.keys(rowOf(0)), ...rows.map((row) => Object.values(row))];
	writeFileSync(sheet, lines.map((cells) => `${cells.join()}\n`).join(''));
}

const node = (name: string, type: string, typeVersion: number, parameters: object) => ({
	id: name,
	name,
	type,
	typeVersion,
	position: [0, 0],
	parameters,
});

const to = (...nodes: string[]) => nodes.map((name) => ({ node: name, type: 'main', index: 0 }));

/** A node that brings the links of a scope in line with the rows. */
const syncNode = (parameters: object = {}) => ({
	...node('Links', 'n8n-nodes-link-management.link', 1, {
		resource: 'link',
		operation: 'sync',
		syncScope: {
			domainId: { __rl: true, mode: 'id', value: '1' },
			aliasStartsWith: 'sheet-',
		},
		unmatchedLinks: 'disable',
		mappingColumnMode: 'autoMapInputData',
		additionalFields: {},
		options: {},
		...parameters,
	}),
	credentials: { linkManagementApi: credential },
});

const reading = [
	node('Start', 'n8n-nodes-base.manualTrigger', 1, {}),
	node('Read', 'n8n-nodes-base.readWriteFile', 1, {
		operation: 'read',
		fileSelector: sheet,
		options: {},
	}),
	node('Rows', 'n8n-nodes-base.extractFromFile', 1, { operation: 'csv', options: {} }),
];
const read = { Start: { main: [to('Read')] }, Read: { main: [to('Rows')] } };
const settings = { executionOrder: 'v1' };

/** A workflow that reads the sheet and syncs its rows. */
const syncSheet = (parameters?: object): Workflow => ({
	name: 'Sync the sheet',
	nodes: [...reading, syncNode(parameters)],
	connections: { ...read, Rows: { main: [to('Links')] } },
	settings,
});

/** What n8n stored about one run of a node. */
interface Task {
	data?: { main: (INodeExecutionData[] | null)[] };
	error?: { message: string; description?: string };
	hints?: NodeExecutionHint[];
}

interface Stored {
	resultData: { runData: Record<string, Task[]> };
}

async function finished(rest: Rest, executionId: string) {
	for (;;) {
		const execution = await rest.ended(executionId);
		if (execution) return execution;
		await wait(200);
	}
}

/** Runs a workflow to its end, and returns how it ended and each run of its Links node. */
async function run(
	workflow: Workflow,
	payload: object = { triggerToStartFrom: { name: 'Start' } },
) {
	const rest = await running();
	const { id } = await rest.addWorkflow(workflow, credential);
	const path = `/workflows/${id}/run`;
	const { executionId } = await rest.call<{ executionId: string }>('POST', path, payload);
	const { status, data } = await finished(rest, executionId);
	const { runData } = (parse(data) as Stored).resultData;
	const runs = (runData.Links ?? []).map(({ data: output, error, hints }) => ({
		items: output?.main[0] ?? [],
		error,
		hints: hints?.map(({ message }) => message) ?? [],
	}));
	return { status, runs, runData };
}

/** Runs the sheet, which must succeed, and returns what became of it. */
async function sync(rows: readonly SheetRow[], parameters?: object) {
	writeSheet(rows);
	current().service.requests.length = 0;
	const { status, runs } = await run(syncSheet(parameters));
	const [only, ...more] = runs;
	if (status !== 'success' || !only || more.length > 0) {
		throw new Error(`ended with ${status}: ${JSON.stringify(runs.map(({ error }) => error))}`);
	}
	return only;
}

/** Writes something into the account as another program would. */
async function create(fields: Record<string, string>): Promise<void> {
	const { statusCode, body } = await request(`${current().service.url}/api/v1/links`, {
		method: 'POST',
		headers: {
			accept: 'application/json',
			authorization: `Bearer ${apiKey}`,
			'content-type': 'application/x-www-form-urlencoded',
		},
		body: new URLSearchParams(fields).toString(),
	});
	await body.dump();
	expect(statusCode).toBe(201);
}

/** All links of the account. */
async function links(): Promise<IDataObject[]> {
	const held: IDataObject[] = [];
	for (let page = 1; ; page += 1) {
		const { body } = await request(
			`${current().service.url}/api/v1/links?per_page=100&page=${page}&sort=asc`,
			{ headers: { accept: 'application/json', authorization: `Bearer ${apiKey}` } },
		);
		const { data } = (await body.json()) as { data: IDataObject[] };
		held.push(...data);
		if (data.length < 100) return held;
	}
}

/** What the account holds, by alias and domain: the destination, and whether the link is on. */
const held = async () =>
	Object.fromEntries(
		(await links()).map(({ alias, domain, url, disabled }) => [
			`${(domain as IDataObject).id as number}/${alias as string}`,
			`${disabled === 1 ? 'off' : 'on'} ${url as string}`,
		]),
	);

/** What the account should hold of rows. */
const linksOf = (rows: readonly SheetRow[], state: 'off' | 'on' = 'on') =>
	Object.fromEntries(rows.map((row) => [`1/${row.alias}`, `${state} ${row['Destination URL']}`]));

/** The forms of the requests of a verb, in any order. */
const formsOf = (verb: string) =>
	current()
		.service.requests.filter(({ method }) => method === verb)
		.map(({ body }) => Object.fromEntries(new URLSearchParams(body)))
		.sort((one, other) => JSON.stringify(one).localeCompare(JSON.stringify(other)));

const verbs = () => [...new Set(current().service.requests.map(({ method }) => method))].sort();

const isWrite = ({ method }: RecordedRequest) => method !== 'GET';

/** How many items of each outcome there are, in the order of the items. */
function outcomesIn(items: readonly INodeExecutionData[]): string[] {
	const runs: { outcome: string; count: number }[] = [];
	for (const { json } of items) {
		const outcome = String(json.outcome);
		const last = runs.at(-1);
		if (last?.outcome === outcome) last.count += 1;
		else runs.push({ outcome, count: 1 });
	}
	return runs.map(({ outcome, count }) => `${count} ${outcome}`);
}

const taken =
	'Mapped columns: alias, Destination URL, expiration_date, expirationTime. Ignored columns: notes.';

it('keeps the links of a scope as the sheet has them: filled, unchanged, changed, shrunk and filled again', async () => {
	await create({ domain_id: '1', alias: 'sheet-old', url: 'https://example.com/old' });
	await create({ domain_id: '1', alias: 'sheet-1', url: 'https://example.com/before' });
	await create({ domain_id: '1', alias: 'poster-1', url: 'https://example.com/poster' });
	await create({ domain_id: '2', alias: 'sheet-1', url: 'https://example.com/elsewhere' });
	const outside = {
		'1/poster-1': 'on https://example.com/poster',
		'2/sheet-1': 'on https://example.com/elsewhere',
	};
	const rows = rowsOf(249);

	const filled = await sync(rows);
	const [first] = current().service.requests;
	expect(Object.fromEntries(new URLSearchParams(first?.query))).toMatchObject({
		domain_id: '1',
		search: 'sheet-',
		search_by: 'alias',
		per_page: '100',
	});
	expect(formsOf('POST')).toHaveLength(248);
	expect(formsOf('POST')).toContainEqual({
		url: 'https://example.com/offers/7',
		domain_id: '1',
		alias: 'sheet-7',
		disabled: '0',
		expiration_date: '2099-12-31',
		expiration_time: '23:59',
	});
	expect(formsOf('PUT')).toEqual([
		{ disabled: '1' },
		{
			expiration_date: '2099-12-31',
			expiration_time: '23:59',
			url: 'https://example.com/offers/1',
		},
	]);
	expect(verbs()).toEqual(['GET', 'POST', 'PUT']);
	expect(await held()).toEqual({
		...outside,
		...linksOf(rows),
		'1/sheet-old': 'off https://example.com/old',
	});
	expect(outcomesIn(filled.items)).toEqual(['1 updated', '248 created', '1 disabled']);
	expect(filled.items.slice(0, -1).map(({ json, pairedItem }) => [json.alias, pairedItem])).toEqual(
		rows.map(({ alias }, item) => [alias, { item }]),
	);
	expect(
		filled.items.slice(-1).map(({ json, pairedItem }) => [json.alias, pairedItem ?? []]),
	).toEqual([['sheet-old', []]]);
	expect(filled.hints).toEqual([
		expect.stringMatching(
			/^249 items: 248 created, 1 updated[,;].* 1 link that is no longer in the rows was disabled/,
		),
		taken,
	]);

	const unchanged = await sync(rows);
	expect(current().service.requests.filter(isWrite)).toEqual([]);
	expect(current().service.requests).toHaveLength(3);
	expect(outcomesIn(unchanged.items)).toEqual(['249 unchanged']);
	expect(unchanged.hints).toEqual(['Nothing was changed. 249 items: 249 unchanged.', taken]);

	const moved = { 'Destination URL': 'https://example.com/moved' };
	const edited = rows
		.slice(20)
		.map((row, index) => (index < 3 ? { ...row, ...moved } : row))
		.concat(rowOf('new'));
	const changed = await sync(edited);
	expect(formsOf('POST').map(({ alias }) => alias)).toEqual(['sheet-new']);
	expect(formsOf('PUT')).toEqual([
		...Array<object>(20).fill({ disabled: '1' }),
		...Array<object>(3).fill({ url: 'https://example.com/moved' }),
	]);
	const state = {
		...outside,
		...linksOf(edited),
		...linksOf(rows.slice(0, 20), 'off'),
		'1/sheet-old': 'off https://example.com/old',
	};
	expect(await held()).toEqual(state);
	expect(outcomesIn(changed.items)).toEqual([
		'3 updated',
		'226 unchanged',
		'1 created',
		'20 disabled',
	]);
	expect(changed.items.slice(230).flatMap(({ pairedItem }) => pairedItem ?? [])).toEqual([]);

	await sync(edited);
	expect(current().service.requests.filter(isWrite)).toEqual([]);
	expect(await held()).toEqual(state);

	const again = await sync(rows);
	expect(again.hints[0]).toMatch(
		/^249 items: 23 updated, 226 unchanged[,;].* 1 link that is no longer in the rows was disabled; 20 switched on again/,
	);
	expect(await held()).toEqual({
		...outside,
		...linksOf(rows),
		'1/sheet-new': 'off https://example.com/offers/new',
		'1/sheet-old': 'off https://example.com/old',
	});
});

it('ends in the state of the sheet when it is run again after n8n was killed in the middle', async () => {
	const { service: target } = current();
	for (const row of rowsOf(40)) {
		await create({
			domain_id: '1',
			alias: row.alias,
			url: 'https://example.com/before',
			expiration_date: '2099-12-31',
			expiration_time: '23:59',
		});
	}
	// 30 of those that are there change, 220 are created, and 10 are in no row.
	const rows = rowsOf(260).slice(10);
	writeSheet(rows);
	target.set({ faults: [{ effect: { kind: 'latency', milliseconds: 20 } }] });
	target.requests.length = 0;
	const killAfter = 1 + Math.floor(Math.random() * 258);
	const writes = () => target.requests.filter(isWrite).length;
	const first = await running();
	const { id } = await first.addWorkflow(syncSheet(), credential);
	await first.start(id, 'Start');
	while (writes() < killAfter) await wait(5);
	await n8n?.kill();
	n8n = undefined;
	const atKill = await held();

	target.requests.length = 0;
	const second = await running();
	const { status } = await finished(second, await second.start(id, 'Start'));
	const end = { ...linksOf(rows), ...linksOf(rowsOf(10), 'off') };
	for (const row of rowsOf(10)) end[`1/${row.alias}`] = 'off https://example.com/before';
	expect({ killAfter, status, held: await held(), count: target.counts().links }).toEqual({
		killAfter,
		status: 'success',
		held: end,
		count: 260,
	});
	// What the first run had done is not done again.
	const made = formsOf('POST').map(({ alias }) => `1/${alias}`);
	expect({ killAfter, again: made.filter((key) => key in atKill) }).toEqual({
		killAfter,
		again: [],
	});
});

describe('rows that may not be the whole sheet', () => {
	const loop = node('Loop', 'n8n-nodes-base.splitInBatches', 3, { batchSize: 5, options: {} });
	const looped = (parameters?: object): Workflow & { pinData: object } => ({
		name: 'Sync in a loop',
		pinData: {},
		nodes: [...reading, loop, syncNode(parameters)],
		connections: {
			...read,
			Rows: { main: [to('Loop')] },
			Loop: { main: [[], to('Links')] },
			Links: { main: [to('Loop')] },
		},
		settings,
	});
	const refusal = (reason: string): object =>
		expect.objectContaining({
			message: expect.stringMatching(`^Unmatched Links must be Keep here, because ${reason}`),
			description: expect.stringMatching(/^Nothing was sent\./),
		});
	const inLoop = 'the node is in a loop, which passes only some of the items at a time';

	it('are refused in a loop, unless the others are kept', async () => {
		writeSheet(rowsOf(12));
		const { status, runs } = await run(looped());
		expect(status).toBe('error');
		expect(runs.map(({ error }) => error)).toEqual([refusal(inLoop)]);
		expect(current().service.requests).toEqual([]);

		const kept = await run(looped({ unmatchedLinks: 'keep' }));
		expect(kept.status).toBe('success');
		expect(kept.runs.map(({ items }) => outcomesIn(items))).toEqual([
			['5 created'],
			['5 created'],
			['2 created'],
		]);
		expect(await held()).toEqual(linksOf(rowsOf(12)));
	});

	it('are refused in a loop that is executed step by step', async () => {
		await sync(rowsOf(12));
		current().service.requests.length = 0;
		const upTo = (nodeName: string) => ({ destinationNode: { nodeName, mode: 'inclusive' } });
		const { runData } = await run(looped(), {
			triggerToStartFrom: { name: 'Start' },
			...upTo('Loop'),
		});
		expect(Object.keys(runData)).toEqual(['Start', 'Read', 'Rows', 'Loop']);
		const { status, runs } = await run(looped(), { runData, ...upTo('Links') });
		expect(runs.map(({ items, error }) => error ?? outcomesIn(items))).toEqual([refusal(inLoop)]);
		expect(status).toBe('error');
		expect(current().service.requests).toEqual([]);
	});

	it('are refused where they come from two nodes, which n8n runs the node for one after the other', async () => {
		writeSheet(rowsOf(12));
		const twice = ['Rows 1', 'Rows 2'].map((name) =>
			node(name, 'n8n-nodes-base.extractFromFile', 1, { operation: 'csv', options: {} }),
		);
		const { status, runs } = await run({
			name: 'Sync two sheets',
			nodes: [...reading.slice(0, 2), ...twice, syncNode()],
			connections: {
				Start: { main: [to('Read')] },
				Read: { main: [to('Rows 1', 'Rows 2')] },
				'Rows 1': { main: [to('Links')] },
				'Rows 2': { main: [to('Links')] },
			},
			settings,
		});
		expect(status).toBe('error');
		expect(runs.map(({ error }) => error?.message)).toEqual([
			expect.stringMatching(/"Rows 1".* the node runs once for each/),
		]);
		expect(current().service.requests).toEqual([]);
	});

	it('are refused in a second run of one execution', async () => {
		writeSheet(rowsOf(12));
		const isFirstHalf = {
			leftValue: '={{ $itemIndex }}',
			rightValue: 6,
			operator: { type: 'number', operation: 'lt' },
		};
		const half = node('Half', 'n8n-nodes-base.if', 2.2, {
			conditions: { options: { version: 2 }, combinator: 'and', conditions: [isFirstHalf] },
			options: {},
		});
		const { status, runs } = await run({
			name: 'Sync both halves',
			nodes: [...reading, half, syncNode()],
			connections: {
				...read,
				Rows: { main: [to('Half')] },
				Half: { main: [to('Links'), to('Links')] },
			},
			settings,
		});
		expect(status).toBe('error');
		expect(runs.map(({ items, error }) => error ?? outcomesIn(items))).toEqual([
			['6 created'],
			refusal('the node has already run in this execution'),
		]);
		expect(current().service.requests.filter(isWrite)).toHaveLength(6);
	});
});

describe('what follows the node', () => {
	const beside = node('Beside', 'n8n-nodes-base.set', 3.4, {
		mode: 'raw',
		jsonOutput: "={{ { ...$('Rows').item.json, short_url: $json.shortUrl } }}",
		options: {},
	});
	const followed = (): Workflow => ({
		name: 'Sync and go on',
		nodes: [...reading, syncNode(), beside],
		connections: { ...read, Rows: { main: [to('Links')] }, Links: { main: [to('Beside')] } },
		settings,
	});

	it.each([1, 3])('never finds a row for what is in none, with %s rows', async (count) => {
		await sync([...rowsOf(count), rowOf('old')]);
		writeSheet(rowsOf(count));
		const { status, runs, runData } = await run(followed());
		expect(outcomesIn(runs[0]?.items ?? [])).toEqual([`${count} unchanged`, '1 disabled']);
		expect({ status, message: runData.Beside?.[0]?.error?.message }).toEqual({
			status: 'error',
			message: expect.stringMatching(/^Paired item data for item from node 'Links' is unavailable/),
		});
	});
});
