import { createHash } from 'node:crypto';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { eightEvents, past } from '../../support/eventExamples.ts';
import { engines } from '../../support/pollingTrigger.ts';
import { apiKey, byId } from '../../support/service.ts';
import { eventsOf, useTriggers } from '../../support/triggers.ts';

const { current, trigger, begun, sentBy, addLink, addLinks, change, remove, set, hook } =
	useTriggers();

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
	const eventsAfter = async (...[from, to, credential]: Parameters<typeof changed>) => {
		const node = await changed(from, to, credential);
		const events = eventsOf(await node.activate('update'));
		for (let count = 0; count < 3; count += 1) events.push(...eventsOf(await node.poll()));
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
		const seen = eventsOf(await node.activate('update'));
		for (let count = 0; count < 3; count += 1) seen.push(...eventsOf(await node.poll()));
		expect(seen).toEqual(['clicksReached 4 5']);
		// A link that has reached a higher threshold does not report the lower one, even after a reset of its clicks.
		change(2, { clicks: 0 });
		expect(eventsOf(await node.poll())).toEqual([]);
		change([2, 5], { clicks: 2 });
		expect(eventsOf(await node.poll())).toEqual(['clicksReached 5 2']);
	});

	it('to the key of another account, all events start over, and no old link is deleted', async () => {
		const node = await changed(some, some, { apiKey: secondKey });
		// The links of the other account have the same IDs, and were created at another time.
		const asOther = (link: unknown) => ({ ...(link as IDataObject), created_at: past });
		hook({
			change: (body: object & { data?: unknown }) => ({
				...body,
				data: Array.isArray(body.data) ? body.data.map(asOther) : asOther(body.data),
			}),
		});
		const events = eventsOf(await node.activate('update'));
		for (let count = 0; count < 3; count += 1) events.push(...eventsOf(await node.poll()));
		expect(events).toEqual([]);
	});

	it('of the key, a poll that cannot read the known links fails, and loses nothing', async () => {
		const node = await changed(some, some, { apiKey: secondKey });
		set({ faults: [{ effect: { kind: 'status', status: 500 } }] });
		expect((await node.activate('update')).error).toBeDefined();
		set({ faults: [] });
		const events = eventsOf(await node.activate('update'));
		events.push(...eventsOf(await node.poll()));
		expect(events.toSorted()).toEqual(noted);
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

describe('a state that is broken', () => {
	it.each<[string, IDataObject]>([
		['another version', { poll: { version: 3, startId: 'x', round: 0, detectors: {} } }],
		['a text', { poll: '{"version":4}' }],
		['the state of another node', { lastTimeChecked: '2026-01-01', poll: { cursor: 'abc' } }],
	])('by %s starts over', async (_, data) => {
		addLinks(3);
		const node = trigger(allEvents, { data });
		expect(eventsOf(await node.activate())).toEqual([]);
		expect(eventsOf(await node.poll())).toEqual([]);
		addLink();
		expect(eventsOf(await node.poll())).toEqual(['created 4']);
	});
});
