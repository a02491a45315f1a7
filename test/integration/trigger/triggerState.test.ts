import { createHash } from 'node:crypto';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { eventNames } from '../../support/eventNames.ts';
import { engines } from '../../support/pollingTrigger.ts';
import { apiKey, byId } from '../../support/service.ts';
import { eventsOf, shortly, useTriggers } from '../../support/triggers.ts';

const { current, trigger, begun, sentBy, addLink, addLinks, change, remove, attach, set, hook } =
	useTriggers();

const past = '2020-01-01T00:00:00.000000Z';
const allEvents: INodeParameters = { events: eventNames, thresholds: '5, 50' };

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
		credential?: { accountTimeZone?: string; baseUrl?: string; apiKey?: string },
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

	it('not where only the time zone of the account was changed', async () => {
		const { events, id } = await eventsAfter(some, some, { accountTimeZone: 'Asia/Tokyo' });
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
		Reflect.deleteProperty(data.poll as IDataObject, 'salt');
		const node = trigger(parameters, { engine, data });
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
