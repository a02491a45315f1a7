import type { IDataObject } from 'n8n-workflow';
import { LinkTrigger } from '../../../nodes/LinkTrigger/LinkTrigger.node';
import { eightEvents, eventNames, past, plainLink as link } from '../../support/eventExamples.ts';
import { PollAccount } from '../../support/pollAccount.ts';
import { PollRun } from '../../support/pollRun.ts';
import { eventsOf, eventsOfPolls, shortly, useTriggers } from '../../support/triggers.ts';

const { trigger, begun, sentBy, addLink, addLinks, change, remove } = useTriggers();

/** An account with some of everything: 650 links, on 7 pages. */
const account = () => {
	const ids = addLinks(650);
	change(ids.slice(10, 30), { disabled: 1 });
	change(ids.slice(100, 115), { ends_at: past });
	change(ids.slice(200, 350), { clicks: 150 });
	return ids;
};

describe('the requests of a quiet poll', () => {
	beforeEach(account);

	const quiet = async (events: string[], more = {}) => {
		const node = await begun({ events, ...more }, {}, 12);
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
	for (const at of [2500, 0]) {
		const id = ids[at] ?? 0;
		remove(id);
		expect(await nextPolls()).toEqual([`deleted ${id}`]);
		// The number of links agrees again, so a poll makes one request.
		expect((await sentBy(async () => await node.poll())).sent).toHaveLength(1);
	}
	const gone = [100, 2600, 2601, 4900].map((at) => ids[at] ?? 0);
	remove(...gone);
	expect(await nextPolls()).toEqual(gone.map((id) => `deleted ${id}`).toSorted());
});

describe('the first polls', () => {
	it('activation makes at most five requests', async () => {
		addLinks(1500, { clicks: 500 });
		change([5, 6, 7], { disabled: 1 });
		change([8, 9], { ends_at: past });
		const node = trigger({ events: eightEvents, thresholds: '100, 1000, 5000' });
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
		const node = await begun({ events: ['deleted', 'updated', 'clicksReached'] }, {}, 2);
		// The highest IDs are read first.
		remove(ids[3450] ?? 0);
		change(ids[3460] ?? 0, { url: 'https://example.com/new', clicks: 100 });
		const events = shortly([...(await node.pollAll()), ...(await node.pollAll())]);
		events.push(...(await eventsOfPolls(node, 6)));
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
			seen.push(...(await eventsOfPolls(node, 2)));
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

/** An active trigger of Link Created without links, the IDs that it reported, and the number of requests of each poll. */
function createdTrigger(filters = {}) {
	const account = new PollAccount();
	const parameters = { events: ['created'], startFrom: 'now', filters };
	const run = new PollRun(new LinkTrigger(), 'classic', parameters, (url) => account.read(url));
	const reported: number[] = [];
	const sent: number[] = [];
	const noted = async (polling: () => ReturnType<PollRun['poll']>) => {
		const before = account.requests;
		const { events, error } = await polling();
		if (error) throw error;
		sent.push(account.requests - before);
		reported.push(...events.map(({ id }) => Number(id)));
	};
	/** Creates links with gaps between their IDs, as if other accounts created links too. Returns the IDs. */
	const create = (count: number, gap = 2): number[] =>
		Array.from({ length: count }, () => account.create(link, gap).id);
	const start = async () => await noted(async () => await run.activate());
	const poll = async () => await noted(async () => await run.poll());
	return { account, reported, sent, create, start, poll };
}

/** What a backlog costs: links before it and in it, gaps between IDs, and the requests of its poll. */
const costs: [string, number, number, number, number][] = [
	// The newest page, the search for page 11, and 9 pages.
	['without gaps between IDs', 1050, 800, 0, 1 + 5 + 9],
	// The newest page, and 8 pages.
	['that begins with the first link of the account', 0, 800, 0, 1 + 8],
	['of one link more than a page has', 300, 101, 0, 1 + 3],
	['after a full last page', 300, 200, 2, 1 + 7],
];

it.each(costs)('a backlog %s takes few requests', async (_, before, links, gap, most) => {
	const trigger = createdTrigger();
	trigger.create(before, gap);
	await trigger.start();
	const ids = trigger.create(links, gap);
	await trigger.poll();
	expect(trigger.sent.at(-1)).toBeLessThanOrEqual(most);
	ids.push(...trigger.create(1, gap));
	await trigger.poll();
	expect(trigger.reported).toEqual(ids);
	expect(trigger.sent.at(-1)).toBe(1);
});

it('a backlog reports 1,000 links a poll, also where all older links were deleted', async () => {
	const trigger = createdTrigger();
	const old = trigger.create(1000);
	await trigger.start();
	const ids = trigger.create(2300);
	const counts: number[] = [];
	for (let poll = 0; poll < 3; poll += 1) {
		await trigger.poll();
		counts.push(trigger.reported.length);
		for (const id of old) trigger.account.delete(id);
	}
	expect(counts).toEqual([1000, 2000, 2300]);
	expect(trigger.reported).toEqual(ids);
	expect(Math.max(...trigger.sent)).toBeLessThanOrEqual(40);
});

it('a link of a backlog that fits the filters a moment later is reported', async () => {
	const trigger = createdTrigger({ pixelId: 1 });
	trigger.create(200);
	await trigger.start();
	const ids = trigger.create(150);
	// The pages begin at 201 and at 301, and the first one is read twice, because a gap lies between them.
	const [late = 0, next = 0] = ids.slice(90);
	trigger.account.change(next, { pixels: [1] });
	await trigger.poll();
	expect(trigger.reported).toEqual([next]);
	trigger.account.change(late, { pixels: [1] });
	await trigger.poll();
	expect(trigger.reported).toEqual([next, late]);
	// One that the poll after that has judged as well does not become new.
	trigger.account.change(ids.at(-1) ?? 0, { pixels: [1] });
	await trigger.poll();
	expect(trigger.reported).toEqual([next, late]);
});

/** Each place in some JSON, as the names that lead to it. */
const placesIn = (value: unknown, path: string[] = []): string[][] =>
	typeof value === 'object' && value !== null
		? Object.entries(value).flatMap(([name, inner]) => [
				[...path, name],
				...placesIn(inner, [...path, name]),
			])
		: [];

/** A copy of some JSON with another value in one place; undefined removes it. */
function withValue(data: IDataObject, path: string[], value: unknown): IDataObject {
	const copy = structuredClone(data);
	let at = copy;
	for (const name of path.slice(0, -1)) at = at[name] as IDataObject;
	const last = path.at(-1) ?? '';
	if (value === undefined) Reflect.deleteProperty(at, last);
	else at[last] = value as IDataObject;
	return copy;
}

const absurd = [undefined, true, -1, 2 ** 53 - 1, {}, '!', '_'.repeat(12)];

// The state outside `parts` is the same for all events.
it.each([
	['created', 'poll.'],
	['clicked', 'poll.parts.'],
	['deleted', 'poll.parts.'],
	['updated', 'poll.parts.'],
])(
	'a broken state of %s makes no poll fail, and its events are soon found again',
	async (event, place) => {
		const parameters = { events: [event], thresholds: '5' };
		const account = new PollAccount();
		for (let index = 0; index < 12; index += 1) {
			const endsAt = index === 3 ? -1 : undefined;
			account.create({ ...link, disabled: index < 2, endsAt, clicks: index > 9 ? 7 : 0 });
		}
		const runWith = (data: object) => {
			const run = new PollRun(new LinkTrigger(), 'durable', parameters, (url) => account.read(url));
			run.store(data);
			return run;
		};
		const first = runWith({});
		await first.poll();
		account.change(account.create(link).id, {
			clicks: 7,
			endsAt: -1,
			url: 'https://example.com/1',
		});
		await first.poll();
		const places = placesIn(first.data).filter((path) => `${path.join('.')}.`.startsWith(place));
		expect(places.length).toBeGreaterThan(3);
		for (const path of places) {
			for (const value of absurd) {
				const run = runWith(withValue(first.data, path, value));
				const found: unknown[] = [];
				const poll = async () => {
					const { events, error } = await run.poll();
					expect([path, value, error]).toEqual([path, value, undefined]);
					found.push(...events.filter((event) => event.id === id).map((each) => each.event));
				};
				let id = -1;
				await poll();
				await poll();
				({ id } = account.create(link));
				await poll();
				account.change(id, { clicks: 9, endsAt: -1, url: 'https://example.com/1' });
				await poll();
				account.delete(id);
				await poll();
				expect([path, value, found]).toEqual([path, value, [event]]);
			}
		}
	},
);

it('the state does not grow while links come and go', async () => {
	const account = new PollAccount();
	const parameters = { events: eventNames, thresholds: '5, 50' };
	const run = new PollRun(new LinkTrigger(), 'classic', parameters, (url) => account.read(url));
	await run.activate();
	const sizes: number[] = [];
	for (let round = 0; round < 8; round += 1) {
		for (let count = 0; count < 150; count += 1) {
			account.create({ ...link, clicks: 60, disabled: true, endsAt: -1 });
		}
		for (let count = 0; count < 3; count += 1) await run.poll();
		for (const id of account.links.keys()) account.delete(id);
		for (let count = 0; count < 6; count += 1) await run.poll();
		sizes.push(JSON.stringify(run.data).length);
	}
	expect(Math.max(...sizes.slice(4))).toBeLessThanOrEqual(Math.max(...sizes.slice(0, 4)) + 40);
});

it('a link that returns to its list between two requests is not reported again', async () => {
	const account = new PollAccount();
	const { id } = account.create({ ...link, disabled: true });
	const parameters = { events: ['disabled', 'enabled'] };
	let isListed = true;
	const run = new PollRun(new LinkTrigger(), 'durable', parameters, (url) => {
		// The list lacks the link, and the next request finds it disabled again.
		account.change(id, { disabled: isListed || !url.includes('status=3') });
		return account.read(url);
	});
	for (let count = 0; count < 3; count += 1) await run.poll();
	isListed = false;
	expect((await run.poll()).events).toEqual([]);
	isListed = true;
	for (let count = 0; count < 3; count += 1) expect((await run.poll()).events).toEqual([]);
});

it('a link that moves to a page that was read already is not reported', async () => {
	const account = new PollAccount(10);
	for (let id = 1; id <= 25; id += 1) account.create({ ...link, disabled: id > 1 });
	const run = new PollRun(new LinkTrigger(), 'classic', { events: ['disabled'] }, (url) => {
		// Link 1 enters the first page, so that link 21 moves from the second page to the third.
		if (url.endsWith('page=2')) account.change(1, { disabled: true });
		return account.read(url);
	});
	const polls = [await run.activate()];
	for (let count = 0; count < 6; count += 1) polls.push(await run.poll());
	expect(polls.flatMap(({ events }) => events)).toEqual([]);
});
