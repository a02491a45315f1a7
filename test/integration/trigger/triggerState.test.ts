import { createHash } from 'node:crypto';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { eventExamples } from '../../support/eventExamples.ts';
import { eventNames } from '../../support/eventNames.ts';
import { engines } from '../../support/pollingTrigger.ts';
import { apiKey, byId } from '../../support/service.ts';
import { eventsOf, shortly, useTriggers } from '../../support/triggers.ts';

const { current, trigger, begun, sentBy, addLink, addLinks, change, remove, attach, set, hook } =
	useTriggers();

const past = '2020-01-01T00:00:00.000000Z';
const allEvents: INodeParameters = { events: eventNames, thresholds: '5, 50' };

/** Each place in some JSON, as the names that lead to it. */
const placesIn = (value: unknown, path: string[] = []): string[][] =>
	typeof value === 'object' && value !== null
		? Object.entries(value).flatMap(([name, inner]) => [
				[...path, name],
				...placesIn(inner, [...path, name]),
			])
		: [];

/** A copy of some JSON with another value in one place; undefined takes it out. */
function withValue(data: IDataObject, path: string[], value: unknown): IDataObject {
	const copy = structuredClone(data);
	let at = copy;
	for (const name of path.slice(0, -1)) at = at[name] as IDataObject;
	const last = path.at(-1) ?? '';
	if (value === undefined) Reflect.deleteProperty(at, last);
	else at[last] = value as IDataObject;
	return copy;
}

/** What can stand in the place of anything. */
const absurd = [undefined, null, true, -1, 0, 1.5, 1e9, 2 ** 53 - 1, '', '!', '?????', [], {}];

/** What can stand in the place of a text as well. */
const absurdTexts = ['A', 'B_____H', '_'.repeat(12), 'x'.repeat(20_000)];

describe('a state that is broken', () => {
	/** Links with some of each kind, and the data of a trigger that has polled them, broken in each place in each way. */
	const brokenOnes = async (parameters: INodeParameters) => {
		const ids = addLinks(12);
		change(ids.slice(0, 2), { disabled: 1 });
		change(ids.slice(2, 4), { ends_at: past });
		change(ids.slice(4, 6), { clicks: 7 });
		const data = await (await begun(parameters, {}, 2)).data();
		return placesIn(data).flatMap((place) => {
			const now = place.reduce((at, name) => at[name] as IDataObject, data);
			const values = typeof now === 'string' ? [...absurd, ...absurdTexts] : absurd;
			return values.map((value) => ({
				told: `${place.join('.')} = ${JSON.stringify(value)?.slice(0, 30)}`,
				broken: withValue(data, place, value),
			}));
		});
	};

	it.each([
		['Created', { events: ['created'] }],
		['Clicks Reached', { events: ['clicksReached'], thresholds: '5' }],
		['Clicked', { events: ['clicked'] }],
		['Clicked of chosen links', { events: ['clicked'], linksToWatch: { links: [{ link: 12 }] } }],
		['Deleted', { events: ['deleted'] }],
		['Expired', { events: ['expired'] }],
		['Updated', { events: ['updated'] }],
	] as [string, INodeParameters][])(
		'anywhere makes no poll of %s fail, and the event is soon found again',
		async (_, parameters) => {
			const wrong: unknown[] = [];
			const note = (told: string, what: unknown) => wrong.push([told, what]);
			for (const { told, broken } of await brokenOnes(parameters)) {
				const node = trigger(parameters, { data: broken });
				const poll = async () => {
					const { events, error } = await node.poll();
					if (error) note(told, error.message);
					return shortly(events);
				};
				await poll();
				await poll();
				const isChosen = 'linksToWatch' in parameters;
				const id = isChosen ? 12 : addLink();
				const events = await poll();
				change(id, { clicks: 9, alias: `renamed-${id}`, ends_at: past });
				events.push(...(await poll()));
				if (isChosen) change(id, { clicks: 0 });
				else remove(id);
				events.push(...(await poll()));
				const found = events.filter((text) => text.split(' ')[1] === String(id));
				if (found.length !== 1) note(told, found);
			}
			expect(wrong).toEqual([]);
		},
		60_000,
	);

	it.each([
		['another version', { poll: { version: 1, startId: 'x', round: 0, watches: {} } }],
		['no version', { poll: { startId: 'x', round: 0, detectors: {} } }],
		['a text', { poll: '{"version":2}' }],
		['a list', { poll: [1, 2] }],
		['what another node keeps', { lastTimeChecked: '2026-01-01', poll: { cursor: 'abc' } }],
	] as [string, IDataObject][])('of %s starts over', async (_, data) => {
		addLinks(3);
		const node = trigger(allEvents, { data });
		expect(eventsOf(await node.activate())).toEqual([]);
		expect(eventsOf(await node.poll())).toEqual([]);
		addLink();
		expect(eventsOf(await node.poll())).toEqual(['created 4']);
	});

	it.each(engines)(
		'leaves other keys of the static data alone, in the %s engine',
		async (engine) => {
			const other = { lastTimeChecked: '2026-01-01', nested: { list: [1, { two: 2 }] } };
			const node = await begun({ events: ['created'] }, { engine, data: other });
			addLink();
			expect(eventsOf(await node.poll())).toEqual(['created 1']);
			expect(node.stored).toMatchObject(other);
			set({ faults: [{ effect: { kind: 'status', status: 404 } }] });
			expect((await node.poll()).error).toBeDefined();
			expect(await node.data()).toMatchObject(other);
		},
	);
});

describe('the size of the state', () => {
	const sizeOf = async (parameters: INodeParameters, polls = 30) => {
		const node = trigger(parameters);
		await node.activate();
		for (let count = 0; count < polls; count += 1) eventsOf(await node.poll());
		return JSON.stringify(await node.data()).length;
	};

	it('is under 20 kB with 2,000 that are past a threshold, expired, and disabled', async () => {
		const ids = addLinks(6000);
		const every = (step: number, from = 0) => ids.filter((id) => id % 3 === from && id % step >= 0);
		change(every(3), { disabled: 1 });
		change(every(3, 1), { ends_at: past });
		change(every(3, 2), { clicks: 70 });
		const events = eventNames.filter((event) => !eventExamples[event].hasLargeState);
		expect(await sizeOf({ events, thresholds: '5, 50' })).toBeLessThan(20_000);
	});

	it.each([7_000, 10_000])('is under 500 kB with all events of %i links', async (count) => {
		addLinks(count);
		expect(await sizeOf(allEvents, 8)).toBeLessThan(500_000);
	});

	it('does not grow while links come and go', async () => {
		const node = await begun(allEvents, {}, 1);
		const sizes: number[] = [];
		for (let round = 0; round < 12; round += 1) {
			const ids = addLinks(150, { clicks: 60, disabled: 1, ends_at: past });
			await node.pollAll();
			remove(...ids);
			await node.pollAll();
			await node.pollAll();
			sizes.push(JSON.stringify(await node.data()).length);
		}
		expect(Math.max(...sizes.slice(6))).toBeLessThanOrEqual(Math.max(...sizes.slice(0, 6)) + 40);
	}, 120_000);
});

/** Each filter: the setting, and how link `id` comes to fit it. */
const filters: [string, INodeParameters, (id: number) => void][] = [
	['domainId', { domainId: byId(2) }, (id) => change(id, { domain_id: 2 })],
	['spaceId', { spaceId: byId('2') }, (id) => change(id, { space_id: 2 })],
	['pixelId', { pixelId: byId(3) }, (id) => attach(id, 3)],
	[
		'aliasStartsWith',
		{ aliasStartsWith: 'spring-' },
		(id) => change(id, { alias: `spring-${id}` }),
	],
	['plain number', { domainId: 2 }, (id) => change(id, { domain_id: 2 })],
	['expression', { spaceId: '={{ 1 + 1 }}' }, (id) => change(id, { space_id: 2 })],
	['text expression', { pixelId: '={{ "3" }}' }, (id) => attach(id, 3)],
	[
		'all together',
		{ domainId: byId(2), spaceId: 2, pixelId: '3', aliasStartsWith: 'spring-' },
		(id) => {
			change(id, { domain_id: 2, space_id: 2, alias: `spring-${id}` });
			attach(id, 3);
		},
	],
];

describe.each(filters)('the filter %s', (_, given, fit) => {
	it.each(engines)('lets through the events of what fits it, in the %s engine', async (engine) => {
		const ids = addLinks(240);
		const [one = 0, two = 0, three = 0, four = 0, five = 0] = ids;
		[one, two, three, four, five].forEach(fit);
		change(five, { disabled: 1 });
		change(ids[100] ?? 0, { disabled: 1 });
		const node = await begun({ ...allEvents, filters: given }, { engine }, 2);
		// Each also happens to a link that does not fit.
		for (const id of [one, ids[50] ?? 0]) change(id, { clicks: 7 });
		for (const id of [two, ids[51] ?? 0]) change(id, { ends_at: past });
		for (const id of [three, ids[52] ?? 0]) change(id, { disabled: 1 });
		for (const id of [five, ids[100] ?? 0]) change(id, { disabled: 0 });
		remove(four, ids[53] ?? 0);
		addLink();
		const created = addLink();
		fit(created);
		const events = [...eventsOf(await node.poll()), ...shortly(await node.pollAll())];
		expect(events.filter((text) => !text.startsWith('updated')).toSorted()).toEqual(
			[
				`clicked ${one}`,
				`clicksReached ${one} 5`,
				`created ${created}`,
				`deleted ${four}`,
				`disabled ${three}`,
				`enabled ${five}`,
				`expired ${two}`,
			].toSorted(),
		);
		expect(events.filter((text) => text.startsWith('updated')).toSorted()).toEqual(
			[`updated ${two}`, `updated ${three}`, `updated ${five}`].toSorted(),
		);
	});
});

it('an alias that only contains the beginning does not fit', async () => {
	const parameters = { ...allEvents, filters: { aliasStartsWith: 'spring-' } };
	const inner = addLink({ alias: 'old-spring-1' });
	const upper = addLink({ alias: 'SPRING-1' });
	const node = await begun(parameters, {}, 2);
	change([inner, upper], { clicks: 90, disabled: 1, ends_at: past });
	addLink({ alias: 'new-spring-2' });
	expect(eventsOf(await node.poll())).toEqual([]);
	remove(inner, upper);
	expect(eventsOf(await node.poll())).toEqual([]);
	addLink({ alias: 'spring-3' });
	expect(eventsOf(await node.poll())).toEqual(['created 4']);
});

it('a link that a filter loses or gains is neither created nor deleted', async () => {
	addLinks(5);
	change(1, { space_id: 2 });
	const parameters = { events: ['created', 'deleted'], filters: { spaceId: byId(2) } };
	const node = await begun(parameters, {}, 2);
	change(1, { space_id: 1 });
	change(2, { space_id: 2 });
	expect(eventsOf(await node.poll())).toEqual([]);
	remove(1);
	expect(eventsOf(await node.poll())).toEqual([]);
	remove(2);
	expect(eventsOf(await node.poll())).toEqual(['deleted 2']);
});

describe.each(engines)('what is changed starts over, and only that, in the %s engine', (engine) => {
	/** What happens to all that is known: a link is new, one is gone, one is off, and one is past 5 clicks. */
	const happen = () => {
		const id = addLink({ domain_id: 2 });
		remove(2);
		change(3, { disabled: 1 });
		change(4, { clicks: 6 });
		return { id };
	};
	const some = { events: ['created', 'deleted', 'disabled'] };

	beforeEach(() => void addLinks(8, { domain_id: 2 }));

	/** The events after the workflow was saved with these changes, activation included. */
	const eventsAfter = async (
		from: INodeParameters,
		to: INodeParameters,
		credential?: { baseUrl?: string; apiKey?: string },
	) => {
		const node = await begun(from, { engine }, 2);
		if (engine === 'classic') {
			// What was only in memory is not saved by switching a workflow off.
			addLink({ domain_id: 2 });
			expect((await node.poll()).events).toHaveLength(1);
		}
		const { id } = happen();
		node.save({
			parameters: to,
			credential: { baseUrl: current().url, apiKey, ...credential },
		});
		const events = eventsOf(await node.activate('update'));
		for (let count = 0; count < 3; count += 1) events.push(...eventsOf(await node.poll()));
		return { events: events.toSorted(), id, node };
	};

	it('not where nothing was changed', async () => {
		const { events, id } = await eventsAfter(some, some);
		expect(events).toEqual([`created ${id}`, 'deleted 2', 'disabled 3']);
	});

	it('not where only the output was changed', async () => {
		const { events, id } = await eventsAfter(some, { ...some, output: 'raw', startFrom: 'all' });
		expect(events).toEqual([`created ${id}`, 'deleted 2', 'disabled 3']);
	});

	it('an event that was added begins, the others go on', async () => {
		const more = { events: [...some.events, 'clicksReached', 'expired'], thresholds: '5' };
		const { events, id, node } = await eventsAfter(some, more);
		expect(events).toEqual([`created ${id}`, 'deleted 2', 'disabled 3']);
		change(5, { clicks: 5, ends_at: past });
		expect(eventsOf(await node.poll()).toSorted()).toEqual(['clicksReached 5 5', 'expired 5']);
	});

	it('a threshold that was added begins, the others go on', async () => {
		const events = ['clicksReached'];
		change(1, { clicks: 3 });
		const node = await begun({ events, thresholds: '5' }, { engine }, 2);
		change(2, { clicks: 6 });
		change(3, { clicks: 6 });
		expect(eventsOf(await node.poll()).toSorted()).toEqual([
			'clicksReached 2 5',
			'clicksReached 3 5',
		]);
		change(4, { clicks: 6 });
		node.save({ parameters: { events, thresholds: '2, 5' } });
		const seen = eventsOf(await node.activate('update'));
		for (let count = 0; count < 3; count += 1) seen.push(...eventsOf(await node.poll()));
		expect(seen).toEqual(['clicksReached 4 5']);
		change(5, { clicks: 2 });
		expect(eventsOf(await node.poll())).toEqual(['clicksReached 5 2']);
	});

	it('other filters start over for all', async () => {
		const { events, node } = await eventsAfter(some, { ...some, filters: { domainId: byId(2) } });
		expect(events).toEqual([]);
		const next = addLink({ domain_id: 2 });
		addLink({ domain_id: 1 });
		remove(5);
		expect(eventsOf(await node.poll()).toSorted()).toEqual([`created ${next}`, 'deleted 5']);
	});

	it('the same filter, chosen in another way, goes on', async () => {
		const { events, id } = await eventsAfter(
			{ ...some, filters: { domainId: byId('2') } },
			{ ...some, filters: { domainId: '={{ 2 }}' } },
		);
		expect(events).toEqual([`created ${id}`, 'deleted 2', 'disabled 3']);
	});

	it('the filters in another order go on', async () => {
		change([1, 2, 3], { space_id: 1 });
		const one = { domainId: byId(2), spaceId: byId(1) };
		const other = { spaceId: byId(1), domainId: byId(2) };
		const node = await begun({ ...some, filters: one }, { engine }, 2);
		addLink({ domain_id: 2, space_id: 1 });
		expect(eventsOf(await node.poll())).toEqual(['created 9']);
		remove(2);
		node.save({ parameters: { ...some, filters: other } });
		const seen = [...eventsOf(await node.activate('update')), ...eventsOf(await node.poll())];
		expect(seen).toEqual(['deleted 2']);
	});

	it('another key of the same account goes on', async () => {
		current().apiKeys.add('second-key-0123456789');
		const { events, id, node } = await eventsAfter(some, some, { apiKey: 'second-key-0123456789' });
		expect(events).toEqual([`created ${id}`, 'deleted 2', 'disabled 3']);
		// The key is known from then on.
		const { sent } = await sentBy(async () => await node.poll());
		expect(sent.filter((request) => /links\/\d/.test(request))).toEqual([]);
	});

	it('another key of an account with other links starts over', async () => {
		current().apiKeys.add('second-key-0123456789');
		const node = await begun(some, { engine }, 2);
		addLink({ domain_id: 2 });
		expect((await node.poll()).events).toHaveLength(1);
		happen();
		// The links of the other account have the same IDs, and were created at another time.
		const change = (body: object & { data?: unknown }) => {
			const other = (link: unknown) => ({ ...(link as IDataObject), created_at: past });
			return {
				...body,
				data: Array.isArray(body.data) ? body.data.map(other) : other(body.data),
			};
		};
		hook({ change });
		node.save({
			parameters: some,
			credential: { baseUrl: current().url, apiKey: 'second-key-0123456789' },
		});
		const events = eventsOf(await node.activate('update'));
		for (let count = 0; count < 3; count += 1) events.push(...eventsOf(await node.poll()));
		expect(events).toEqual([]);
	});

	it('another key, while the known links cannot be read, fails and keeps what is known', async () => {
		current().apiKeys.add('second-key-0123456789');
		const node = await begun(some, { engine }, 2);
		addLink({ domain_id: 2 });
		expect((await node.poll()).events).toHaveLength(1);
		const { id } = happen();
		node.save({
			parameters: some,
			credential: { baseUrl: current().url, apiKey: 'second-key-0123456789' },
		});
		set({ faults: [{ effect: { kind: 'status', status: 500 } }] });
		expect((await node.activate('update')).error).toBeDefined();
		set({ faults: [] });
		const events = eventsOf(await node.activate('update'));
		for (let count = 0; count < 3; count += 1) events.push(...eventsOf(await node.poll()));
		expect(events.toSorted()).toEqual([`created ${id}`, 'deleted 2', 'disabled 3']);
	});

	it('another address starts over, the same one written in another way does not', async () => {
		const baseUrl = current().url.replace('127.0.0.1', 'localhost');
		expect((await eventsAfter(some, some, { baseUrl })).events).toEqual([]);
		const { events } = await eventsAfter(some, some, { baseUrl: `${current().url}/` });
		expect(events.filter((text) => text.startsWith('created'))).toHaveLength(1);
	});

	it('what was changed and changed back, while nothing polled, goes on', async () => {
		const { node } = await eventsAfter(some, some);
		const id = addLink();
		node.save({ parameters: { events: ['expired'] } });
		node.save({ parameters: some });
		expect([...eventsOf(await node.activate()), ...eventsOf(await node.poll())]).toEqual([
			`created ${id}`,
		]);
	});
});

describe.each(engines)('what the state has of the account, in the %s engine', (engine) => {
	const parameters = { events: ['created', 'deleted'], filters: { domainId: byId(2) } };

	interface Stored {
		readonly salt: string;
		readonly scope: string;
		readonly key: string;
	}

	const stored = async () =>
		(await (await begun(parameters, { engine })).data()).poll as unknown as Stored;

	beforeEach(() => void addLinks(8, { domain_id: 2 }));

	it('is a digest with a salt, of which no two nodes have the same', async () => {
		const states = [await stored(), await stored()];
		const root = `${current().url}/api/v1`;
		for (const { salt, scope, key } of states) {
			const hash = (...texts: string[]) =>
				createHash('sha256').update(JSON.stringify(texts)).digest('base64').replace('=', '');
			expect(scope).toBe(hash(salt, root, 'domainId 2'));
			expect(key).toBe(hash(salt, root, apiKey));
		}
		expect(new Set(states.flatMap(({ scope, key }) => [scope, key])).size).toBe(4);
	});

	it('counts the same for a key that was pasted with a line break', async () => {
		const node = await begun(parameters, { engine });
		const id = addLink({ domain_id: 2 });
		node.save({ parameters, credential: { baseUrl: current().url, apiKey: `${apiKey}\n` } });
		const { result, sent } = await sentBy(async () => await node.activate('update'));
		if (engine === 'classic') expect(eventsOf(result)).toEqual([`created ${id}`]);
		expect(sent.filter((request) => /links\/\d/.test(request))).toEqual([]);
	});

	it('starts over if the salt is gone', async () => {
		const data = await (await begun(parameters, { engine })).data();
		addLink({ domain_id: 2 });
		remove(3);
		const broken = withValue(data, ['poll', 'salt'], undefined);
		const node = trigger(parameters, { engine, data: broken });
		expect([...eventsOf(await node.activate()), ...shortly(await node.pollAll())]).toEqual([]);
	});
});

describe.each(engines)('a workflow that is switched off, in the %s engine', (engine) => {
	it('goes on where it left off', async () => {
		addLinks(20);
		const node = await begun(allEvents, { engine }, 2);
		addLink();
		expect(eventsOf(await node.poll())).toEqual(['created 21']);
		node.crash();
		remove(3);
		change(4, { clicks: 51 });
		change(5, { disabled: 1 });
		const id = addLink();
		const seen = [...eventsOf(await node.activate()), ...shortly(await node.pollAll())];
		expect(seen.toSorted()).toEqual(
			[
				'clicked 4',
				'clicksReached 4 5',
				'clicksReached 4 50',
				`created ${id}`,
				'deleted 3',
				'disabled 5',
				'updated 5',
			].toSorted(),
		);
	});
});

describe('polls that overlap in the classic engine', () => {
	it('report nothing twice, and the second one makes no request', async () => {
		addLinks(30);
		const node = await begun(allEvents, {}, 2);
		set({ faults: [{ effect: { kind: 'latency', milliseconds: 30 } }] });
		const id = addLink();
		remove(4);
		change(5, { disabled: 1 });
		const { result, sent } = await sentBy(
			async () => await Promise.all([node.poll(), node.poll(), node.poll()]),
		);
		const alone = await sentBy(async () => await node.poll());
		const wanted = [`created ${id}`, 'deleted 4', 'disabled 5', 'updated 5'];
		expect(result.flatMap(eventsOf).toSorted()).toEqual(wanted.toSorted());
		expect(result.filter(({ isEmitted }) => isEmitted)).toHaveLength(1);
		expect(sent.length).toBeLessThan(alone.sent.length * 2);
		expect(eventsOf(alone.result)).toEqual([]);
	});

	it('leave no lock behind where the first one fails', async () => {
		const node = await begun({ events: ['created'] });
		set({ faults: [{ effect: { kind: 'status', status: 404 } }] });
		const both = await Promise.all([node.poll(), node.poll()]);
		expect(both.filter(({ error }) => error)).toHaveLength(1);
		set({ faults: [] });
		addLink();
		expect(eventsOf(await node.poll())).toEqual(['created 1']);
	});
});
