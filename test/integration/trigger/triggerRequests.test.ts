import { eightEvents } from '../../support/eventExamples.ts';
import { shortly, eventsOf, useTriggers } from '../../support/triggers.ts';
import { engines } from '../../support/pollingTrigger.ts';

const { trigger, begun, sentBy, addLink, addLinks, change, remove, current } = useTriggers();

const past = '2020-01-01T00:00:00.000000Z';

/** An account with some of everything: 650 links, on 7 pages. */
const account = () => {
	const ids = addLinks(650);
	change(ids.slice(10, 30), { disabled: 1 });
	change(ids.slice(100, 115), { ends_at: past });
	change(ids.slice(200, 350), { clicks: 150 });
	return ids;
};

describe.each(engines)('the requests of a quiet poll in the %s engine', (engine) => {
	beforeEach(account);

	const quiet = async (events: string[], more = {}) => {
		const node = await begun({ events, ...more }, { engine }, 12);
		const rounds: string[][] = [];
		for (let count = 0; count < 4; count += 1) {
			const { result, sent } = await sentBy(async () => await node.poll());
			expect(eventsOf(result)).toEqual([]);
			rounds.push(sent.toSorted());
		}
		return rounds;
	};

	const pages = [1, 2, 3, 4, 5, 6, 7].map((page) => `GET /links sort_by=id&sort=asc&page=${page}`);
	const states = [2, 3].map((status) => `GET /links status=${status}&sort_by=id&sort=asc&page=1`);
	const newest = 'GET /links sort_by=id&sort=desc&page=1';

	it.each<[string[], string[]]>([
		[['created'], [newest]],
		[['expired', 'disabled', 'enabled'], states],
		[['clicksReached', 'clicked', 'updated'], pages],
		[eightEvents, [newest, ...pages, ...states]],
	])('of %j are as the docs say', async (events, requests) => {
		for (const sent of await quiet(events, { thresholds: '100, 1000' })) {
			expect(requests).toEqual(expect.arrayContaining(sent));
			expect(new Set(sent).size).toBe(sent.length);
		}
	});

	it('of Link Deleted are the last page, and every other time another one', async () => {
		const polls = await quiet(['deleted']);
		for (const sent of polls) expect(pages).toEqual(expect.arrayContaining(sent));
		expect(polls.map(({ length }) => length)).toEqual(polls.map(() => 1));
		expect(polls.flat()).toContain(pages[6]);
		expect(new Set(polls.flat()).size).toBeGreaterThan(1);
	});
});

it('Updated reads at most 20 pages a poll, and all by and by', async () => {
	const ids = addLinks(2500);
	const node = await begun({ events: ['updated'] }, {}, 3);
	change([ids[0] ?? 0, ids[1200] ?? 0, ids[2499] ?? 0], { url: 'https://example.com/new' });
	const seen: string[] = [];
	const pages: string[] = [];
	for (let count = 0; count < 3; count += 1) {
		const { result, sent } = await sentBy(async () => await node.poll());
		expect(sent.length).toBeLessThanOrEqual(20);
		seen.push(...eventsOf(result));
		pages.push(...sent);
	}
	expect(seen.toSorted()).toEqual(['updated 1', 'updated 1201', 'updated 2500']);
	expect(new Set(pages).size).toBe(25);
});

it('reports a deletion among 5,000 links after three polls at most, with 20 pages a poll', async () => {
	const ids = addLinks(5000);
	const node = await begun({ events: ['deleted'] }, {}, 5);
	const nextPolls = async () => {
		const polls: string[][] = [];
		for (let count = 0; count < 3; count += 1) {
			const { result, sent } = await sentBy(async () => await node.poll());
			// 20 pages of the scan, the last page, and one that is read again because the list has become shorter.
			expect(sent.filter((request) => request.includes('page=')).length).toBeLessThanOrEqual(22);
			polls.push(eventsOf(result));
		}
		return polls.flat().toSorted();
	};
	for (const at of [2500, 1, 0, 4998, 3333]) {
		const id = ids[at] ?? 0;
		remove(id);
		expect(await nextPolls()).toEqual([`deleted ${id}`]);
		// The number of links agrees again, so a poll makes one request.
		expect((await sentBy(async () => await node.poll())).sent).toHaveLength(1);
	}
	const gone = [100, 1500, 2600, 2601, 4900].map((at) => ids[at] ?? 0);
	remove(...gone);
	expect(await nextPolls()).toEqual(gone.map((id) => `deleted ${id}`).toSorted());
});

describe.each(engines)('the first polls in the %s engine', (engine) => {
	it('activation makes at most five requests', async () => {
		addLinks(1500, { clicks: 500 });
		change([5, 6, 7], { disabled: 1 });
		change([8, 9], { ends_at: past });
		const node = trigger({ events: eightEvents, thresholds: '100, 1000, 5000' }, { engine });
		const { result, sent } = await sentBy(async () => await node.activate());
		expect(eventsOf(result)).toEqual([]);
		expect(sent.length).toBeLessThanOrEqual(5);
		// What is there already is never reported, in whatever pieces it is read.
		for (let count = 0; count < 8; count += 1) {
			const next = await sentBy(async () => await node.poll());
			expect(eventsOf(next.result)).toEqual([]);
			expect(next.sent.length).toBeLessThanOrEqual(150);
		}
		const { sent: quiet } = await sentBy(async () => await node.poll());
		expect(quiet.length).toBeLessThanOrEqual(23);
	});

	it('a baseline in pieces reports what happens to the part that was read', async () => {
		const ids = addLinks(3500);
		const node = await begun({ events: ['deleted', 'updated', 'clicksReached'] }, { engine }, 2);
		// The highest IDs are read first.
		remove(ids[3450] ?? 0);
		change(ids[3460] ?? 0, { url: 'https://example.com/new', clicks: 100 });
		const events = shortly([...(await node.pollAll()), ...(await node.pollAll())]);
		for (let count = 0; count < 6; count += 1) events.push(...eventsOf(await node.poll()));
		expect(events.filter((event) => event.startsWith('deleted'))).toEqual(['deleted 3451']);
		expect(events.filter((event) => event.startsWith('updated'))).toEqual(['updated 3461']);
		expect(events.filter((event) => event.startsWith('clicks'))).toEqual([
			'clicksReached 3461 100',
		]);
	});
});

it.each(['updated', 'deleted'])(
	'a mass deletion that %s asks about holds up no other event',
	async (event) => {
		const ids = addLinks(1200);
		const node = await begun({ events: ['created', event] }, {}, 3);
		// Not at the borders of pages.
		remove(...ids.slice(150, 850));
		const seen: string[] = [];
		for (let count = 0; count < 4; count += 1) {
			const id = addLink();
			for (let poll = 0; poll < 2; poll += 1) seen.push(...eventsOf(await node.poll()));
			expect(seen).toContain(`created ${id}`);
		}
		seen.push(...shortly(await node.pollAll()), ...shortly(await node.pollAll()));
		const gone = seen.filter((text) => text.startsWith('deleted'));
		expect(gone).toHaveLength(event === 'deleted' ? 700 : 0);
		expect(new Set(gone).size).toBe(gone.length);
		const { sent } = await sentBy(async () => await node.poll());
		expect(sent.length).toBeLessThanOrEqual(8);
	},
);

it('all requests are reads that ask for JSON, with the key', async () => {
	account();
	const node = await begun({ events: eightEvents, thresholds: '100' });
	remove(40);
	current().requests.length = 0;
	await node.poll();
	expect(current().requests.length).toBeGreaterThan(5);
	for (const { method, headers, status, body } of current().requests) {
		expect([method, body]).toEqual(['GET', '']);
		expect([200, 404]).toContain(status);
		expect(headers).toMatchObject({
			accept: 'application/json',
			authorization: 'Bearer test-key-0123456789',
		});
	}
});
