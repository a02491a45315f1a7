import type { INodeParameters } from 'n8n-workflow';
import type { Hooks, Settings } from '../../../testkit/service/index.ts';
import { eachLink } from '../../support/account.ts';
import { eightEvents, eventExamples, eventNames, past } from '../../support/eventExamples.ts';
import { byId } from '../../support/service.ts';
import { eventsOf, eventsOfPolls, shortly, useTriggers } from '../../support/triggers.ts';

const { set, trigger, begun, sentBy, addLink, addLinks, change, remove, hook } = useTriggers();

const allEvents: INodeParameters = { events: eightEvents, thresholds: '5, 50' };

/** Lets each event happen in an account of some hundred links, and gives what came of it. */
const happenings = async (count: number) => {
	const ids = addLinks(count);
	change(ids.slice(10, 130), { disabled: 1 });
	change(ids.slice(140, 260), { clicks: 70 });
	const node = await begun(allEvents, {}, 4);
	const at = (index: number) => ids[index] ?? 0;
	const id = addLink({ clicks: 7 });
	remove(at(50), at(300));
	change([at(20), at(100)], { disabled: 0 });
	change(at(5), { ends_at: past });
	change(at(6), { clicks: 51 });
	change(at(7), { disabled: 1 });
	change(at(290), { url: 'https://example.com/new' });
	const wanted = [
		...[`created ${id}`, `clicked ${id}`, `clicksReached ${id} 5`, `deleted ${at(50)}`],
		...[`deleted ${at(300)}`, `enabled ${at(20)}`, `enabled ${at(100)}`, `expired ${at(5)}`],
		...[`clicked ${at(6)}`, `clicksReached ${at(6)} 5`, `clicksReached ${at(6)} 50`],
		...[`disabled ${at(7)}`, ...[20, 100, 5, 7, 290].map((index) => `updated ${at(index)}`)],
	];
	// What comes in hides what leaves, until the page is read: there are 13 of them, if a page has 10 links.
	const seen = await eventsOfPolls(node, 14);
	expect(seen.toSorted()).toEqual(wanted.toSorted());
	expect(await node.pollAll()).toEqual([]);
};

// Of 400 links the last page is full.
it.each<[Settings['envelope'], number]>([
	['collection', 400],
	['flat', 350],
])(
	'a service with the envelope %s and %i links shows all events, once',
	async (envelope, count) => {
		set({ envelope });
		await happenings(count);
	},
);

type Meta = Record<string, unknown>;

const eachMeta = (changed: (meta: Meta) => Meta): Hooks => ({
	change: ({ meta, ...body }) => (meta ? { ...body, meta: changed(meta as Meta) } : body),
});

const isoNow = () => new Date().toISOString();

const asTexts = (meta: object) =>
	Object.fromEntries(Object.entries(meta).map(([name, value]) => [name, String(value)]));

/** What services do otherwise, without being wrong. */
const odd: Record<string, Hooks> = {
	'strings as numbers and IDs, and other fields in each answer': {
		change: ({ meta, ...body }) => ({
			...eachLink(({ id, clicks, disabled, ...link }) => ({
				...{ ...link, id: String(id), clicks: String(clicks), disabled: String(disabled) },
				...{ updated_at: isoNow(), last_rotation: Math.random() },
			}))(body),
			...(meta ? { meta: asTexts(meta) } : {}),
		}),
	},
	'true and false as disabled, and lists without pixels and targets': {
		change: (body) =>
			eachLink(({ pixels, country_target, ...link }) => ({
				...{ ...link, disabled: link.disabled === 1 },
				...(Array.isArray(body.data) ? {} : { pixels, country_target }),
			}))(body),
	},
	'10 links on a page': {
		query: (query) => (query.per_page ? { ...query, per_page: '10' } : query),
	},
};

it.each(Object.entries(odd))('a service with %s shows all events, once', async (_, hooks) => {
	hook(hooks);
	await happenings(350);
});

/** What this node cannot work with, and what it says. */
const unusable: Record<string, [Hooks, RegExp]> = {
	'IDs that are no numbers': [
		{ change: eachLink((link) => ({ ...link, id: `lnk_${String(link.id)}` })) },
		/IDs that are not whole numbers/,
	],
	'IDs that JSON would round': [
		{ change: eachLink((link) => ({ ...link, id: `90071992547409${String(link.id)}93` })) },
		/^The service has IDs that are not whole numbers up to 9007199254740991/,
	],
	'a list in the wrong order': [
		{
			change: ({ data, ...body }) => ({
				...{ ...body, data: Array.isArray(data) ? data.toReversed() : data },
			}),
		},
		/does not sort the list by ID/,
	],
	'lists that are never sorted': [
		{ query: ({ sort, sort_by, ...query }) => ({ ...query, sort_by: 'alias' }) },
		/does not sort the list/,
	],
	'a total of 0': [
		eachMeta((meta) => ({ ...meta, total: 0 })),
		/totals that contradict their entries/,
	],
	'empty lists whose total counts links': [
		{ change: (body) => ({ ...body, data: [] }) },
		/totals that contradict their entries/,
	],
	'lists without totals': [
		eachMeta(({ total, ...meta }) => meta),
		/^The lists of the service have no totals/,
	],
};

it.each(Object.entries(unusable))(
	'a service with %s is a clear error',
	async (_, [hooks, sentence]) => {
		addLinks(150, { clicks: 60, disabled: 1, ends_at: past });
		hook(hooks);
		for (const event of ['created', 'disabled', 'updated']) {
			const node = trigger({ events: [event] });
			const results = [await node.activate(), await node.poll()];
			expect(results[0]?.error?.message).toMatch(sentence);
			expect(results.flatMap(({ events }) => events)).toEqual([]);
		}
	},
);

it.each(['simple', 'bare'] as Settings['envelope'][])(
	'a service with the envelope %s, which has no totals, is a clear error',
	async (envelope) => {
		set({ envelope });
		addLinks(50, { clicks: 60, disabled: 1, ends_at: past });
		const { error, events } = await trigger(allEvents).activate();
		expect(error?.message).toMatch(/^The lists of the service have no totals/);
		expect(events).toEqual([]);
	},
);

describe('a service that ignores the page parameter', () => {
	it('is no error where all links stand on one page', async () => {
		set({ ignorePage: true });
		const ids = addLinks(60);
		const node = await begun(allEvents, {}, 2);
		remove(ids[5] ?? 0);
		const id = addLink({ clicks: 5 });
		change(ids[7] ?? 0, { disabled: 1 });
		expect(eventsOf(await node.poll()).toSorted()).toEqual(
			[
				...[`created ${id}`, `clicked ${id}`, `clicksReached ${id} 5`, `deleted ${ids[5] ?? 0}`],
				...[`disabled ${ids[7] ?? 0}`, `updated ${ids[7] ?? 0}`],
			].toSorted(),
		);
	});

	it.each(['collection', 'flat'] as Settings['envelope'][])(
		'is a clear error for what needs more pages, with the envelope %s, and reports nothing wrong',
		async (envelope) => {
			set({ ignorePage: true, envelope });
			addLinks(350, { clicks: 60 });
			for (const event of ['deleted', 'updated']) {
				const node = trigger({ events: [event] });
				const results = [await node.activate(), await node.poll(), await node.poll()];
				expect(results.flatMap(({ events }) => events)).toEqual([]);
				const [message] = results.flatMap(({ error }) => error?.message ?? []);
				expect([event, message]).toEqual([
					event,
					expect.stringMatching(/^The service ignores the page parameter/),
				]);
			}
		},
	);

	it('is a clear error for a backlog, and hands over no link twice', async () => {
		set({ ignorePage: true });
		addLinks(350);
		const node = await begun({ events: ['created'] });
		addLinks(180);
		const results = [await node.poll(), await node.poll()];
		expect(results[0]?.error?.message).toMatch(/^The service ignores the page parameter/);
		const events = results.flatMap((polled) => shortly(polled.events));
		expect(new Set(events).size).toBe(events.length);
	});
});

it('a service that ignores its filters reports no link that does not match', async () => {
	const ids = addLinks(150);
	const [one = 0, two = 0, three = 0] = ids.slice(99);
	change([...ids.slice(0, 5), two], { space_id: 2 });
	hook({ query: ({ space_id, ...query }) => query });
	const node = await begun({ ...allEvents, filters: { spaceId: byId(2) } }, {}, 3);
	change([one, two], { clicks: 6, disabled: 1 });
	remove(1, three);
	addLink();
	const id = addLink({ space_id: 2 });
	const seen = [...eventsOf(await node.poll()), ...shortly(await node.pollAll())];
	expect(seen.toSorted()).toEqual(
		[
			...[`created ${id}`, 'deleted 1', `clicked ${two}`, `clicksReached ${two} 5`],
			...[`disabled ${two}`, `updated ${two}`],
		].toSorted(),
	);
});

it.each(['disabled', 'enabled', 'expired'])(
	'a service that ignores the filter by state is a clear error for %s',
	async (event) => {
		addLinks(20);
		hook({ query: ({ status, ...query }) => query });
		const { events, error } = await trigger({ events: [event] }).activate();
		expect(events).toEqual([]);
		expect(error?.message).toMatch(/ignores the status filter/);
	},
);

it.each([undefined, '1,234'])('a service with the clicks %p is a clear error', async (clicks) => {
	addLinks(20);
	const node = await begun({ events: ['clicksReached'], thresholds: '5' }, {}, 2);
	change(3, { clicks: 1234 });
	hook({ change: eachLink((link) => ({ ...link, clicks })) });
	const { error, events } = await node.poll();
	expect(events).toEqual([]);
	expect(error?.message).toBe('The service does not return the clicks of links as whole numbers');
	hook({});
	expect(eventsOf(await node.poll())).toEqual(['clicksReached 3 5']);
});

it('a service that does not show the space reports no link outside of it', async () => {
	addLinks(20, { space_id: 2 });
	const node = await begun({ events: ['created'], filters: { spaceId: byId(2) } });
	addLink({ space_id: 1 });
	const id = addLink({ space_id: 2 });
	hook({ change: eachLink(({ space, ...link }) => link) });
	const { error, events } = await node.poll();
	expect(events).toEqual([]);
	expect(error?.message).toBe(
		'The service does not return the fields of new links that Filters needs',
	);
	hook({});
	expect(eventsOf(await node.poll())).toEqual([`created ${id}`]);
});

it.each([
	[['clicked', 'clicksReached', 'deleted'], 3],
	[['deleted', 'clicksReached', 'clicked'], 3],
	[['clicked', 'clicksReached'], 1],
])('a link that only the list lacks causes no event: %j, for %d polls', async (events, polls) => {
	const [id = 0] = addLinks(3, { clicks: 12 });
	const node = await begun({ events, thresholds: '10' }, {}, 3);
	hook({
		change: (body, { path, query }) => {
			if (path !== '/links' || query.status) return body;
			const { data, meta } = body as { data: { id: number }[]; meta: { total: number } };
			const rest = data.filter((link) => link.id !== id);
			return { data: rest, meta: { ...meta, total: meta.total - 1 } };
		},
	});
	for (let poll = 0; poll < polls; poll += 1) {
		const { sent, result } = await sentBy(async () => await node.poll());
		expect(eventsOf(result)).toEqual([]);
		expect(sent.length).toBeLessThan(7);
	}
	hook({});
	change(id, { clicks: 13 });
	expect(eventsOf(await node.poll())).toEqual([`clicked ${id}`]);
});

it.each<[event: string, columns: Record<string, number | string>]>([
	['clicked', {}],
	['clicksReached', {}],
	['created', {}],
	['deleted', {}],
	['disabled', { disabled: 1 }],
	['enabled', { disabled: 1 }],
	['expired', { ends_at: past }],
	['expired', { expiration_clicks: 12 }],
	['updated', {}],
])('a list that lacks links causes and hides no event: %s %j', async (event, columns) => {
	const ids = addLinks(5, { ...columns, clicks: 12 });
	const node = await begun({ events: [event], thresholds: '10' }, {}, 3);
	const showFor = (most: number, kept: readonly number[] = []) => {
		let lists = 0;
		hook({
			change: (body) => {
				if (!Array.isArray(body.data) || (lists += 1) > most) return body;
				const data = (body.data as { id: number }[]).filter(({ id }) => kept.includes(id));
				return { data, meta: { current_page: 1, last_page: 1, total: data.length } };
			},
		});
	};
	for (const kept of [[], [1, 3]]) {
		const newest = ids.pop() ?? 0;
		remove(newest);
		change(2, { url: `https://example.com/${newest}` });
		showFor(event.startsWith('click') && kept.length === 0 ? 2 : 1, kept);
		const seen = [await node.poll(), await node.poll(), await node.poll(), await node.poll()];
		expect(seen.flatMap(({ events }) => shortly(events))).toEqual(
			event === 'deleted' ? [`deleted ${newest}`] : event === 'updated' ? ['updated 2'] : [],
		);
	}
	// A link may enter the list right after it was read, so the poll reads it twice.
	showFor(1);
	const { error, ...quiet } = await node.poll();
	expect([error, quiet.events]).toEqual([undefined, []]);
	showFor(Infinity);
	const empty = await node.poll();
	expect(empty.events).toEqual([]);
	hook({});
	expect(eventsOf(await node.poll())).toEqual([]);
	change(ids, { clicks: 13 });
	const wanted = event === 'clicked' ? ids.map((id) => `clicked ${id}`) : [];
	expect(eventsOf(await node.poll())).toEqual(wanted);
	expect(empty.error?.message).toEqual(
		event === 'created'
			? undefined
			: expect.stringMatching(
					/^The service returned an empty list of \w+ links, although the link \d belongs to it$/,
				),
	);
});

describe('Fetch Test Event', () => {
	it.each(eventNames)('shows the newest link for %s, as the event would', async (event) => {
		const { before, change: changed } = eventExamples[event];
		addLinks(40, before);
		const parameters = { events: [event], thresholds: '100, 1000' };
		const { result, sent } = await sentBy(async () => await trigger(parameters).test());
		const [item = {}] = result.events;
		expect(result.events).toHaveLength(1);
		expect(sent).toHaveLength(1);
		expect(item).toMatchObject({ event, id: 40, test: true });
		// The same names as a real event has, and the mark.
		const real = await begun(parameters, {}, 2);
		if (changed === 'create') addLink();
		else if (changed === 'delete') remove(7);
		else change(8, changed);
		const [happened = {}] = (await real.poll()).events;
		const names = Object.keys(item).filter((name) => name !== 'test');
		expect(names.toSorted()).toEqual(Object.keys(happened).toSorted());
		expect(item.eventId).not.toBe(happened.eventId);
	});

	it.each([
		['without a link', 0],
		['with filters that no link matches', 30],
	])('fails %s, and says what to do', async (_, count) => {
		addLinks(count);
		const node = trigger({ events: ['created'], filters: { spaceId: byId(2) } });
		const { error, isEmitted } = await node.test();
		expect(isEmitted).toBe(false);
		expect(error?.name).toBe('NodeOperationError');
		expect(error?.message).toBe('No link matches the filters');
		expect(error?.description).toMatch(/Create one, or change Filters\./);
	});

	it('shows the newest link that matches the filters, for the first of several events', async () => {
		addLinks(60, {}, 'old-spring');
		const id = addLink({ alias: 'spring-1' });
		addLinks(30, {}, 'old-spring');
		const filters = { aliasStartsWith: 'spring-' };
		const node = trigger({ events: ['disabled', 'created'], filters });
		expect((await node.test()).events).toMatchObject([
			{ event: 'created', id, alias: 'spring-1', test: true },
		]);
	});

	it('neither knows nor changes what the active workflow knows', async () => {
		addLinks(3);
		const node = await begun(allEvents);
		const id = addLink();
		const before = node.data;
		expect((await node.test()).events).toHaveLength(1);
		expect(node.data).toEqual(before);
		expect(eventsOf(await node.poll())).toEqual([`created ${id}`]);
	});

	it('says what is wrong with the key, and with the service', async () => {
		const node = trigger({ events: ['created'] }, { credential: { apiKey: 'wrong-key' } });
		expect((await node.test()).error?.message).toMatch(/API key/);
		set({ faults: [{ effect: { kind: 'html' } }] });
		expect((await trigger({ events: ['created'] }).test()).error?.message).toMatch(/web page/);
		set({ faults: [{ effect: { kind: 'status', status: 429, retryAfter: '60' } }] });
		const { error } = await trigger({ events: ['created'] }).test();
		expect(error?.message).toMatch(/another 60 seconds|too many requests/);
	});
});
