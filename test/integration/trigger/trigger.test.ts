import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { eightEvents, eventExamples, eventNames, past } from '../../support/eventExamples.ts';
import { engines } from '../../support/pollingTrigger.ts';
import { byId } from '../../support/service.ts';
import { eventsOf, shortly, useTriggers } from '../../support/triggers.ts';

const { current, begun, sentBy, addLink, addLinks, change, remove, attach, hook } = useTriggers();

/** The names of Simplified, in their order. */
const simplified = [
	'id',
	'alias',
	'shortUrl',
	'url',
	'status',
	'clicks',
	'domain',
	'space',
	'expiresAt',
	'createdAt',
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
		for (let count = 0; count < 3; count += 1) expect(eventsOf(await node.poll())).toEqual([]);
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

	it('tells of an update which fields changed, with their new values', async () => {
		addLinks(2);
		change(2, { disabled: 1 });
		const node = await begun({ events: ['updated'] }, { engine });
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
		const node = await begun({ events: ['updated'] }, { engine });
		change(1, { clicks: 5, updated_at: '2031-01-01T00:00:00.000000Z' });
		change(2, { title: 'Read by the service', updated_at: '2031-01-01T00:00:00.000000Z' });
		expect(eventsOf(await node.poll())).toEqual([]);
	});

	it('gives the whole link with Raw, and what is chosen with Selected Fields', async () => {
		const raw = await begun({ events: ['created'], output: 'raw' }, { engine });
		const chosen = await begun(
			{ events: ['created'], output: 'selectedFields', outputFields: ['domainId', 'alias'] },
			{ engine },
		);
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
		const node = await begun(parameters, { engine });
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
			await begun({ events: ['created', 'deleted'] }, { engine }),
			await begun({ events: ['created'], output: 'raw' }, { engine }),
		];
		addLink();
		const [[event], [same]] = [(await one.poll()).events, (await other.poll()).events];
		expect(event?.eventId).toBe(same?.eventId);
		remove(1);
		const [gone] = (await one.poll()).events;
		expect(gone?.event).toBe('deleted');
		expect(gone?.eventId).not.toBe(event?.eventId);
	});
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
	const parameters = {
		events: ['created', 'deleted'],
		filters: { aliasStartsWith: 'link-' },
	};

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
		hook({
			change: (body) => ({
				...body,
				data: [body.data].flat().map((each) => ({ ...(each as IDataObject), space: undefined })),
			}),
		});
		const run = { engine, credential: { baseUrl: current().url } };
		const node = await begun({ events: ['created', 'deleted'], filters: { spaceId: '2' } }, run, 4);
		const { result, sent } = await sentBy(async () => await node.poll());
		expect(eventsOf(result)).toEqual([]);
		expect(sent).toHaveLength(2);
	});
});
