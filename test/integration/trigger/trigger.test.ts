import { createHash } from 'node:crypto';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { eachLink } from '../../support/account.ts';
import { eightEvents, eventExamples, eventNames, past } from '../../support/eventExamples.ts';
import { engines } from '../../support/pollingTrigger.ts';
import { apiKey, byId } from '../../support/service.ts';
import { eventsOf, eventsOfPolls, shortly, useTriggers } from '../../support/triggers.ts';

const { current, begun, sentBy, addLink, addLinks, change, remove, attach, hook, trigger, set } =
	useTriggers();

const simplified = [
	...['id', 'alias', 'shortUrl', 'url', 'status', 'clicks', 'domain', 'space'],
	...['expiresAt', 'createdAt'],
];

describe.each(engines)('in the %s engine', (engine) => {
	it.each(eventNames)('reports %s once, with the link', async (event) => {
		const { before, change: changed, extraFields = [] } = eventExamples[event];
		if (changed !== 'create') addLink(before);
		const node = await begun({ events: [event], thresholds: '100' }, { engine });
		if (changed === 'create') addLink({ alias: 'new' });
		else if (changed === 'delete') remove(1);
		else change(1, changed);
		const { events } = await node.poll();
		expect(shortly(events)).toEqual([event === 'clicksReached' ? `${event} 1 100` : `${event} 1`]);
		const [item = {}] = events;
		expect(Object.keys(item).slice(0, 2)).toEqual(['event', 'eventId']);
		expect(item.eventId).toEqual(expect.stringMatching(new RegExp(`^${event}-[\\w-]+$`)));
		const told = Object.keys(item).filter((name) => name !== 'event' && name !== 'eventId');
		const fields = simplified.filter((name) => !extraFields.includes(name));
		const gone = ['id', 'deleted', 'alias'];
		expect(told).toEqual(event === 'deleted' ? gone : [...extraFields, ...fields]);
		expect(await eventsOfPolls(node, 3)).toEqual([]);
		expect((await node.poll()).isEmitted).toBe(false);
	});

	it('reports all events of a poll together, and each once', async () => {
		const existing = eventNames.filter((event) => eventExamples[event].change !== 'create');
		const ids = new Map(existing.map((event) => [event, addLink(eventExamples[event].before)]));
		const node = await begun({ events: eventNames, thresholds: '50, 100' }, { engine });
		const expected = eventNames.flatMap((event) => {
			const { change: changed, alsoCauses = [] } = eventExamples[event];
			const id = ids.get(event) ?? addLink();
			if (changed === 'delete') remove(id);
			else if (changed !== 'create') change(id, changed);
			const thresholds = event === 'clicksReached' ? [' 50', ' 100'] : [''];
			return [
				...thresholds.map((threshold) => `${event} ${id}${threshold}`),
				...alsoCauses.map((other) => `${other} ${id}`),
			];
		});
		const { events, error } = await node.poll();
		expect(error).toBeUndefined();
		expect(shortly(events).sort()).toEqual(expected.sort());
		expect(new Set(events.map(({ eventId }) => eventId)).size).toBe(events.length);
		expect(await node.pollAll()).toEqual([]);
	});
});

it('tells of an update which fields changed, with their new values', async () => {
	addLinks(2);
	change(2, { disabled: 1 });
	const node = await begun({ events: ['updated'] });
	change(1, { url: 'https://example.com/new', space_id: 2, title: 'Another title' });
	attach(2, 3);
	const { events } = await node.poll();
	expect(events.map(({ id, changes }) => [id, changes])).toEqual([
		[1, { url: 'https://example.com/new', spaceId: 2 }],
		[2, { pixelIds: [3] }],
	]);
});

it('reports no clicks and no titles as updates', async () => {
	addLinks(2);
	const node = await begun({ events: ['updated'] });
	change(1, { clicks: 5, updated_at: '2031-01-01T00:00:00.000000Z' });
	change(2, { title: 'Read by the service', updated_at: '2031-01-01T00:00:00.000000Z' });
	expect(eventsOf(await node.poll())).toEqual([]);
});

it('gives the whole link with Raw, and what is chosen with Selected Fields', async () => {
	const raw = await begun({ events: ['created'], output: 'raw' });
	const chosen = await begun({
		events: ['created'],
		output: 'selectedFields',
		outputFields: ['domainId', 'alias'],
	});
	addLink({ alias: 'new' });
	const [item = {}] = (await raw.poll()).events;
	expect(item).toMatchObject({ event: 'created', id: 1, short_url: `${current().url}/s/new` });
	expect(item).toHaveProperty('pixels', []);
	const [few = {}] = (await chosen.poll()).events;
	expect(Object.keys(few)).toEqual(['event', 'eventId', 'domainId', 'alias']);
	expect(few).toMatchObject({ domainId: 1, alias: 'new' });
});

it('gives of a deleted link its ID and alias, whatever the output is', async () => {
	addLinks(3);
	const parameters = { events: ['deleted'], output: 'selectedFields', outputFields: ['alias'] };
	const node = await begun(parameters);
	remove(2);
	const { events } = await node.poll();
	expect(events).toEqual([
		{
			...{ event: 'deleted', eventId: expect.any(String) as string, id: 2, deleted: true },
			alias: 'link-2',
		},
	]);
});

it('gives one eventId to one event, whoever reports it', async () => {
	const [one, other] = [
		await begun({ events: ['created', 'deleted'] }),
		await begun({ events: ['created'], output: 'raw' }),
	];
	addLink();
	const [[event], [same]] = [(await one.poll()).events, (await other.poll()).events];
	expect(event?.eventId).toBe(same?.eventId);
	remove(1);
	const [gone] = (await one.poll()).events;
	expect(gone?.event).toBe('deleted');
	expect(gone?.eventId).not.toBe(event?.eventId);
});

/** Each filter as the form and as an expression has it, and how a link comes to match it. */
it.each<[INodeParameters, (id: number) => void]>([
	[{ domainId: byId(2) }, (id) => change(id, { domain_id: 2 })],
	[{ spaceId: '={{ 1 + 1 }}' }, (id) => change(id, { space_id: 2 })],
	[{ pixelId: '={{ "3" }}' }, (id) => attach(id, 3)],
	[{ aliasStartsWith: 'spring-' }, (id) => change(id, { alias: `spring-${id}` })],
])('reports only events of links that match %j', async (filters, fit) => {
	const ids = addLinks(240);
	const [one = 0, two = 0, three = 0, four = 0] = [0, 50, 150, 239].map((index) => ids[index]);
	[one, two, three, four].forEach(fit);
	const node = await begun({ events: eightEvents, thresholds: '5', filters }, {}, 2);
	// Each also happens to a link that does not match.
	change([one, 30], { clicks: 7 });
	change([two, 31], { ends_at: past });
	change([three, 32], { disabled: 1 });
	remove(four, 33);
	addLink({ alias: 'old-spring-1' });
	const created = addLink();
	fit(created);
	const events = [...eventsOf(await node.poll()), ...shortly(await node.pollAll())];
	expect(events.toSorted()).toEqual([
		...[`clicked ${one}`, `clicksReached ${one} 5`, `created ${created}`, `deleted ${four}`],
		...[`disabled ${three}`, `expired ${two}`, `updated ${three}`, `updated ${two}`],
	]);
});

it('the earlier clicks of a link that starts to match the filters are not new', async () => {
	addLinks(3, { clicks: 7 });
	const node = await begun({ events: ['clicked'], filters: { spaceId: byId(2) } });
	change(2, { space_id: 2 });
	expect(eventsOf(await node.poll())).toEqual([]);
	change(2, { clicks: 9 });
	expect((await node.poll()).events).toMatchObject([{ id: 2, previousClicks: 7, newClicks: 2 }]);
});

it('reports a creation that a crash has lost again, with the same eventId', async () => {
	const node = await begun({ events: ['created'] });
	addLink();
	const { events } = await node.poll();
	// Stored before the execution was created.
	node.crash();
	expect(await node.pollAll()).toEqual([]);
	addLink();
	node.store({});
	node.save({ parameters: { events: ['created'], startFrom: 'all' } });
	const again = await node.activate();
	expect(again.events.map(({ eventId }) => eventId)).toContain(events[0]?.eventId);
});

describe.each(engines)('a link that only another event has read, in the %s engine', (engine) => {
	const parameters = { events: ['created', 'deleted'], filters: { aliasStartsWith: 'link-' } };

	/** A trigger that cannot read the list of Link Deleted, which alone is filtered by alias, until `mend` is called. */
	const withoutList = async () => {
		const run = { engine, credential: { baseUrl: current().url } };
		const node = await begun(parameters, run, 2);
		hook({
			answer: ({ query }) =>
				query.search === undefined ? undefined : { status: 404, body: { message: 'Error' } },
		});
		const mend = () => {
			hook({});
		};
		return { node, mend };
	};

	it.each([2, 150])('is reported as deleted, also where %i are new', async (count) => {
		addLinks(120);
		const { node, mend } = await withoutList();
		const ids = addLinks(count);
		const created = shortly((await node.poll()).events);
		expect(created).toEqual(ids.map((id) => `created ${id}`));
		remove(...ids);
		mend();
		const deleted = shortly([...(await node.pollAll()), ...(await node.pollAll())]);
		expect(deleted.toSorted()).toEqual(ids.map((id) => `deleted ${id}`).toSorted());
	});

	it('costs nothing where the service does not show what the filters look at', async () => {
		addLinks(120, { space_id: 2 });
		addLinks(5, { space_id: 1 });
		hook({ change: eachLink((link) => ({ ...link, space: undefined })) });
		const run = { engine, credential: { baseUrl: current().url } };
		const node = await begun({ events: ['created', 'deleted'], filters: { spaceId: '2' } }, run, 4);
		const { result, sent } = await sentBy(async () => await node.poll());
		expect(eventsOf(result)).toEqual([]);
		expect(sent).toHaveLength(2);
	});
});

const allEvents: INodeParameters = { events: eightEvents, thresholds: '5, 50' };
const secondKey = 'second-key-0123456789';

describe.each(engines)('after a change, in the %s engine', (engine) => {
	const some = { events: ['created', 'deleted', 'disabled'] };
	const inDomain = (domain: unknown, rest = {}) => ({
		...some,
		filters: { domainId: domain, ...rest } as INodeParameters,
	});

	interface Credential {
		accountTimeZone?: string;
		baseUrl?: string;
		apiKey?: string;
	}

	beforeEach(() => {
		addLinks(8, { domain_id: 2, space_id: 1 });
		current().apiKeys.add(secondKey);
	});

	/** The trigger with other settings, after each of its events has happened. */
	const changed = async (from: INodeParameters, to: INodeParameters, credential?: Credential) => {
		const node = await begun(from, { engine }, 2);
		// What the classic engine knows is saved with an event.
		addLink({ domain_id: 2, space_id: 1 });
		expect((await node.poll()).events).toHaveLength(1);
		addLink({ domain_id: 2, space_id: 1 });
		remove(2);
		change(3, { disabled: 1 });
		change(4, { clicks: 6 });
		const { url } = current();
		node.save({ parameters: to, credential: { baseUrl: url, apiKey, ...credential } });
		return node;
	};

	/** The events of an activation and three polls. */
	const afterUpdate = async (node: ReturnType<typeof trigger>) => [
		...eventsOf(await node.activate('update')),
		...(await eventsOfPolls(node, 3)),
	];

	const eventsAfter = async (...[from, to, credential]: Parameters<typeof changed>) => {
		const node = await changed(from, to, credential);
		const events = await afterUpdate(node);
		return { node, events: events.toSorted() };
	};

	const noted = ['created 10', 'deleted 2', 'disabled 3'];

	const same = () => ({});

	it.each<[string, INodeParameters, INodeParameters, (url: string) => Credential]>([
		['of nothing', some, some, same],
		['of the time zone', some, some, () => ({ accountTimeZone: 'Asia/Tokyo' })],
		['of the output', some, { ...some, output: 'raw', startFrom: 'all' }, same],
		['of the key', some, some, () => ({ apiKey: secondKey })],
		['to the same key with a line break', some, some, () => ({ apiKey: `${apiKey}\n` })],
		['to the same address with a slash', some, some, (url) => ({ baseUrl: `${url}/` })],
		['to the same filter as an expression', inDomain(byId('2')), inDomain('={{ 2 }}'), same],
		[
			'of the order of the filters',
			inDomain(2, { spaceId: 1 }),
			{ ...some, filters: { spaceId: 1, domainId: 2 } },
			same,
		],
	])('%s, all events continue', async (_, from, to, credential) => {
		const { node, events } = await eventsAfter(from, to, credential(current().url));
		expect(events).toEqual(noted);
		// A new key is known from then on.
		const { sent } = await sentBy(async () => await node.poll());
		expect(sent.filter((request) => /links\/\d/.test(request))).toEqual([]);
	});

	it.each<[string, INodeParameters, (url: string) => Credential]>([
		['filters', inDomain(byId(2)), same],
		['address', some, (url) => ({ baseUrl: url.replace('127.0.0.1', 'localhost') })],
	])('of the %s, all events start over', async (_, to, credential) => {
		const { node, events } = await eventsAfter(some, to, credential(current().url));
		expect(events).toEqual([]);
		addLink({ domain_id: 2 });
		remove(5);
		expect(eventsOf(await node.poll()).toSorted()).toEqual(['created 11', 'deleted 5']);
	});

	it('of the events, the new ones start and the others continue', async () => {
		const more = { events: [...some.events, 'clicksReached', 'expired'], thresholds: '5' };
		const { node, events } = await eventsAfter(some, more);
		expect(events).toEqual(noted);
		change(5, { clicks: 5, ends_at: past });
		expect(eventsOf(await node.poll()).toSorted()).toEqual(['clicksReached 5 5', 'expired 5']);
	});

	it('of the events, one that was removed and is added again starts over', async () => {
		const both = { events: ['clicked', 'clicksReached'], thresholds: '5' };
		const node = await begun(both, { engine });
		node.save({ parameters: { ...both, events: ['clicksReached'] } });
		change(1, { clicks: 6 });
		const seen = [await node.activate('update'), await node.poll()];
		node.save({ parameters: both });
		seen.push(await node.activate('update'), await node.poll());
		expect(seen.flatMap(eventsOf)).toEqual(['clicksReached 1 5']);
	});

	it('of the thresholds, the new ones start and the others continue', async () => {
		const events = ['clicksReached'];
		change(1, { clicks: 3 });
		const node = await begun({ events, thresholds: '5' }, { engine }, 2);
		change([2, 3], { clicks: 6 });
		expect(eventsOf(await node.poll())).toEqual(['clicksReached 2 5', 'clicksReached 3 5']);
		change(4, { clicks: 6 });
		node.save({ parameters: { events, thresholds: '2, 5' } });
		expect(await afterUpdate(node)).toEqual(['clicksReached 4 5']);
		// A link that has reached a higher threshold does not report the lower one, even after a reset of its clicks.
		change(2, { clicks: 0 });
		expect(eventsOf(await node.poll())).toEqual([]);
		change([2, 5], { clicks: 2 });
		expect(eventsOf(await node.poll())).toEqual(['clicksReached 5 2']);
	});

	it('to the key of another account, all events start over, and no old link is deleted', async () => {
		const node = await changed(some, some, { apiKey: secondKey });
		// The links of the other account have the same IDs, and were created at another time.
		hook({ change: eachLink((link) => ({ ...link, created_at: past })) });
		expect(await afterUpdate(node)).toEqual([]);
	});

	it('of the key, a poll that cannot read the known links fails, and loses nothing', async () => {
		const node = await changed(some, some, { apiKey: secondKey });
		set({ faults: [{ effect: { kind: 'status', status: 500 } }] });
		expect((await node.activate('update')).error).toBeDefined();
		set({ faults: [] });
		expect((await afterUpdate(node)).toSorted()).toEqual(noted);
	});
});

describe.each(engines)('in the %s engine', (engine) => {
	it('the state has only digests of the account, with a salt of its own', async () => {
		const root = `${current().url}/api/v1`;
		const filters = { domainId: byId(2) };
		const digests = new Set<unknown>();
		for (let count = 0; count < 2; count += 1) {
			const node = await begun({ events: ['created'], filters }, { engine });
			const { salt, scope, key } = node.data.poll as IDataObject;
			const hash = (...texts: unknown[]) =>
				createHash('sha256').update(JSON.stringify(texts)).digest('base64').replace('=', '');
			expect(scope).toBe(hash(salt, root, 'domainId 2'));
			expect(key).toBe(hash(salt, root, apiKey));
			digests.add(scope).add(key);
			expect(JSON.stringify(node.data)).not.toContain(apiKey);
		}
		expect(digests.size).toBe(4);
	});

	it('other keys of the static data stay', async () => {
		const other = { lastTimeChecked: '2026-01-01', nested: { list: [1, { two: 2 }] } };
		const node = await begun({ events: ['created'] }, { engine, data: other });
		addLink();
		expect(eventsOf(await node.poll())).toEqual(['created 1']);
		expect(node.stored).toMatchObject(other);
		set({ faults: [{ effect: { kind: 'status', status: 404 } }] });
		expect((await node.poll()).error).toBeDefined();
		expect(node.data).toMatchObject(other);
	});
});

it.each<[string, IDataObject]>([
	['another version', { poll: { version: 3, startId: 'x', round: 0, detectors: {} } }],
	['a text', { poll: '{"version":4}' }],
	['the state of another node', { lastTimeChecked: '2026-01-01', poll: { cursor: 'abc' } }],
])('a state that is broken by %s starts over', async (_, data) => {
	addLinks(3);
	const node = trigger(allEvents, { data });
	expect(eventsOf(await node.activate())).toEqual([]);
	expect(eventsOf(await node.poll())).toEqual([]);
	addLink();
	expect(eventsOf(await node.poll())).toEqual(['created 4']);
});
