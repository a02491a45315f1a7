import { sleep as wait, type INodeParameters } from 'n8n-workflow';
import type { Fault } from '../../../testkit/service/index.ts';
import { eightEvents } from '../../support/eventExamples.ts';
import { runNode } from '../../support/n8n.ts';
import { engines } from '../../support/pollingTrigger.ts';
import { apiKey } from '../../support/service.ts';
import { eventsOf, shortly, useTriggers } from '../../support/triggers.ts';

const { current, set, trigger, begun, sentBy, addLink, addLinks, change, remove, hook } =
	useTriggers();

/** Waits of a poll are short where its time is. */
const budget = 3000;

/** What the Link node says of the service now. */
const saidByNode = async (credential = {}) => {
	const { error } = await runNode({
		node: 'link',
		parameters: { operation: 'getAll' },
		credential: { baseUrl: current().url, apiKey, ...credential },
	});
	const { message = '', description } = error ?? {};
	return { message, description };
};

describe.each(engines)('in the %s engine', (engine) => {
	const wrongKey = { name: 'NodeApiError', httpCode: '401' };

	it.each<[string, object, object, number]>([
		[
			'a wrong key',
			{ apiKey: 'wrong-key-0123456789' },
			{ ...wrongKey, failure: { cause: 'credential-invalid' } },
			1,
		],
		['an unknown time zone of the account', { accountTimeZone: 'Berlin' }, {}, 0],
	])(
		'%s makes each activation fail, with the sentence of the Link node',
		async (_, credential, more, requests) => {
			const said = await saidByNode(credential);
			const node = trigger({ events: eightEvents }, { engine, credential });
			for (let tries = 0; tries < 3; tries += 1) {
				const { result, sent } = await sentBy(async () => await node.activate());
				expect(result.isEmitted).toBe(false);
				expect(result.error).toMatchObject({ ...said, ...more });
				expect(sent).toHaveLength(requests);
			}
		},
	);

	it('a wrong key makes a trigger forget nothing', async () => {
		addLinks(3);
		const parameters = { events: ['updated', 'clicksReached'], thresholds: '5' };
		const node = await begun(parameters, { engine }, 2);
		const { url: baseUrl } = current();
		node.save({ credential: { baseUrl, apiKey: 'wrong-key-0123456789' } });
		change(2, { clicks: 5, url: 'https://example.com/new' });
		for (let tries = 0; tries < 4; tries += 1) await node.activate('update');
		node.save({ credential: { baseUrl, apiKey } });
		const events = [await node.activate('update'), await node.poll()].flatMap(eventsOf);
		expect(events).toEqual(['clicksReached 2 5', 'updated 2']);
	});

	it.each([
		['an address that is none', { baseUrl: 'links.example' }, /^Base URL/],
		['an address where nothing answers', { baseUrl: 'http://127.0.0.1:9' }, /^Cannot connect to/],
		['the address of the web site', 'site', /HTTP 404|web page/],
	])('%s makes activation fail', async (_, given, sentence) => {
		const credential = given === 'site' ? { baseUrl: `${current().url}/blog` } : (given as object);
		const node = trigger({ events: ['created'] }, { engine, credential, budget: 6000 });
		const { error } = await node.activate();
		expect(error?.message).toMatch(sentence);
		expect(error?.description).toMatch(/credential/);
	});

	it('a wrong key makes activation fail also after an outage that was reported', async () => {
		const node = await begun({ events: ['created'] }, { engine, budget });
		addLink();
		set({ faults: [{ effect: { kind: 'status', status: 500 } }] });
		expect((await node.poll()).error).toBeDefined();
		set({ faults: [] });
		// What was in memory may have been stored, as n8n does at the end of a webhook of the same workflow.
		node.store(node.data);
		node.save({ credential: { baseUrl: current().url, apiKey: 'wrong-key-0123456789' } });
		expect((await node.activate()).error?.message).toMatch(/API key/);
	});
});

/** What a service can do wrong, and the cause that the durable engine gets. Random histories have the other faults. */
const outages: [string, Fault['effect'], string?][] = [
	['answers 500', { kind: 'status', status: 500 }],
	['is in maintenance for an hour', { kind: 'status', status: 503, retryAfter: '3600' }],
	['answers a login page', { kind: 'redirect', location: '/login' }],
	['sends half of its JSON', { kind: 'truncatedJson' }],
	['sends null entries', { kind: 'body', body: { data: [null] } }],
	['sends links without IDs', { kind: 'body', body: { data: [{}] } }],
	['says 404', { kind: 'status', status: 404 }],
	['refuses the plan', { kind: 'status', status: 403 }, 'credential-invalid'],
];

it.each(outages)(
	'of a service that %s, nothing is lost, and a poll fails as each engine needs it',
	async (_, effect, cause = 'temporarily-unavailable') => {
		for (const engine of engines) {
			const [id = 0] = addLinks(2);
			const node = await begun({ events: ['created', 'disabled', 'deleted'] }, { engine, budget });
			set({ faults: [{ effect }] });
			const { error } = await node.poll();
			expect(error?.message).toBeTruthy();
			expect(error?.description).toBeTruthy();
			expect(error?.failure).toEqual({ cause });
			change(id, { disabled: 1 });
			const second = await node.poll();
			if (engine === 'classic')
				expect(second).toEqual({ events: [], isEmitted: false, isSaved: false });
			else expect(second.error?.failure).toEqual({ cause });
			set({ faults: [] });
			expect(eventsOf(await node.poll())).toEqual([`disabled ${id}`]);
		}
	},
);

it('a key that was revoked while n8n was down fails one poll after the start', async () => {
	const node = await begun({ events: ['created'] });
	node.crash();
	current().apiKeys.clear();
	const errors = [(await node.activate('init')).error];
	for (let count = 0; count < 4; count += 1) errors.push((await node.poll()).error);
	const messages = errors.flatMap((error) => error?.message ?? []);
	expect(messages).toEqual(['The service did not accept the API key (HTTP 401)']);
});

it('an outage that no poll noticed is over when the service is there again', async () => {
	const node = await begun({ events: ['created'] });
	const { url } = current();
	await current().stop();
	const { error } = await node.poll();
	expect(error?.message).toBe(`Cannot connect to ${new URL(url).host}`);
	expect(await node.poll()).toEqual({ events: [], isEmitted: false, isSaved: false });
});

/** The time that n8n's durable engine gives a poll, in ms. */
const leaseTime = 36_000;

it("a service whose answers never come ends a poll within n8n's time, and loses nothing", async () => {
	addLinks(450);
	const node = await begun({ events: eightEvents, thresholds: '5' }, { engine: 'durable' }, 3);
	// At the first request, and at one in the middle.
	for (const skip of [0, 4]) {
		set({ faults: [{ effect: { kind: 'hang' }, skip }] });
		const givenUp = wait(leaseTime).then(() => 'given up' as const);
		expect(await Promise.race([node.poll(), givenUp])).not.toBe('given up');
		set({ faults: [{ effect: { kind: 'latency', milliseconds: 7_500 } }] });
		expect(await Promise.race([node.poll(), wait(leaseTime)])).toMatchObject({ events: [] });
	}
	set({ faults: [] });
	const id = addLink({ clicks: 9 });
	const seen = [...eventsOf(await node.poll()), ...shortly(await node.pollAll())];
	expect(seen.toSorted()).toEqual([`clicked ${id}`, `clicksReached ${id} 5`, `created ${id}`]);
});

it('a failed poll tells its wait, and no limit that the node cannot set', async () => {
	const node = await begun({ events: ['created'] }, { engine: 'durable' });
	set({ faults: [{ effect: { kind: 'status', status: 503 } }] });
	const { error } = await node.poll();
	expect(error).toMatchObject({
		description: expect.stringMatching(
			/ The service said: Service Unavailable\. The node waited \d seconds for the service to recover, in \d+ tries\.$/,
		),
	});
});

it.each(engines)('a limit is no error, and loses nothing, in the %s engine', async (engine) => {
	addLinks(250);
	const node = await begun({ events: eightEvents, thresholds: '5' }, { engine, budget: 6000 }, 2);
	for (const [skip, retryAfter] of ['60', 'soon'].entries()) {
		set({ faults: [{ effect: { kind: 'status', status: 429, retryAfter }, skip }] });
		const id = addLink({ clicks: 7 });
		const seen = [await node.poll(), await node.poll()].flatMap(eventsOf);
		set({ faults: [] });
		seen.push(...shortly(await node.pollAll()), ...shortly(await node.pollAll()));
		expect(seen.toSorted()).toEqual([`clicked ${id}`, `clicksReached ${id} 5`, `created ${id}`]);
	}
});

it.each(engines)('if one list fails, the others continue, in the %s engine', async (engine) => {
	addLinks(10);
	const run = { engine, credential: { baseUrl: current().url }, budget };
	const node = await begun({ events: eightEvents, thresholds: '5' }, run);
	hook({
		answer: ({ query }) =>
			query.status === '3' ? { status: 500, body: { message: 'Server Error' } } : undefined,
	});
	change(3, { disabled: 1 });
	const id = addLink({ clicks: 9 });
	remove(5);
	expect(shortly((await node.poll()).events).toSorted()).toEqual([
		`clicked ${id}`,
		`clicksReached ${id} 5`,
		`created ${id}`,
		'deleted 5',
		'updated 3',
	]);
	await node.poll();
	const more = addLink();
	expect(shortly((await node.poll()).events)).toEqual([`created ${more}`]);
	hook({});
	expect(eventsOf(await node.poll())).toEqual(['disabled 3']);
});

it.each<[INodeParameters, RegExp]>([
	[{ events: '' }, /^Events is empty; choose at least one$/],
	[
		{ events: ['craeted'] },
		/^Events "craeted" is not one of the allowed values; use .*, clicked \(Link Clicked\),/,
	],
	[{ events: '={{ {} }}' }, /^Events/],
	[{ thresholds: ' , ' }, /^Thresholds is empty; choose at least one$/],
	[{ thresholds: '100, abc' }, /^Thresholds "abc" is not a whole number of at least 1; enter/],
	[{ thresholds: '1,000' }, /^Thresholds "000" is not a whole number/],
	...['0', '1.5', '9'.repeat(20), '={{ [[100], 5] }}'].map(
		(thresholds): [INodeParameters, RegExp] => [{ thresholds }, /^Thresholds/],
	),
	[
		{ events: ['clicked'], minNewClicks: 0 },
		/^Min New Clicks 0 is not a whole number of at least 1/,
	],
	[{ startFrom: 'yesterday' }, /^Start From "yesterday" is not one of the allowed values; use all/],
	[{ output: 'everything' }, /^Output "everything" is not one of the allowed values; use raw/],
	[{ output: 'selectedFields', outputFields: ['colour'] }, /^Fields.*"colour"/],
	[{ filters: { domainId: { __rl: true, mode: 'list', value: '' } } }, /^Domain is part of the/],
	[{ filters: { aliasStartsWith: '' } }, /^Alias Starts With is part of the filters and empty/],
	[{ filters: { spaceId: 'Marketing' } }, /^Space "Marketing" is not an ID; choose the space/],
])('the settings %j make each poll fail, without a request', async (parameters, sentence) => {
	const right = { events: ['created', 'clicksReached'], thresholds: '5' };
	const wrong = { ...right, ...parameters };
	const { result, sent } = await sentBy(async () => await trigger(wrong).activate());
	expect(sent).toEqual([]);
	expect(result.error?.name).toBe('NodeOperationError');
	expect(result.error?.message).toMatch(sentence);
	expect((await trigger(wrong).test()).error?.message).toMatch(sentence);
	const active = await begun(right, { engine: 'durable' });
	active.save({ parameters: wrong });
	expect((await active.poll()).error?.message).toMatch(sentence);
});
