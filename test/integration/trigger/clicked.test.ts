import type { INodeParameters } from 'n8n-workflow';
import { isRecord } from '../../../nodes/shared/contract/values';
import { engines } from '../../support/pollingTrigger.ts';
import { eventsOf, useTriggers } from '../../support/triggers.ts';

const { current, begun, trigger, sentBy, addLink, addLinks, change, remove, set, hook } =
	useTriggers();

/** The parameters of Link Clicked for chosen links, as the form stores them. */
const chosen = (
	links: readonly (number | string)[],
	more: INodeParameters = {},
): INodeParameters => ({
	events: ['clicked'],
	linksToWatch: {
		links: links.map((value) => ({
			link: { __rl: true, mode: typeof value === 'string' ? 'url' : 'id', value },
		})),
	},
	...more,
});

describe.each(engines)('Link Clicked in the %s engine', (engine) => {
	it('reports how many clicks are new, with the link', async () => {
		addLinks(3, { clicks: 5 });
		const node = await begun({ events: ['clicked'] }, { engine });
		change(2, { clicks: 8 });
		const { events } = await node.poll();
		expect(events).toMatchObject([
			{ event: 'clicked', id: 2, clicks: 8, previousClicks: 5, newClicks: 3, alias: 'link-2' },
		]);
		expect(eventsOf(await node.poll())).toEqual([]);
	});

	it('adds clicks up until they reach Min New Clicks', async () => {
		addLink();
		const node = await begun({ events: ['clicked'], minNewClicks: 5 }, { engine });
		const seen: unknown[] = [];
		for (const clicks of [2, 4, 5, 9, 11, 3, 8]) {
			change(1, { clicks });
			seen.push(...(await node.poll()).events.map(({ newClicks }) => newClicks));
		}
		expect(seen).toEqual([5, 6, 5]);
	});

	it('loses no click through failed polls and a restart', async () => {
		addLinks(150);
		const node = await begun({ events: ['clicked'] }, { engine, budget: 1700 }, 2);
		set({ faults: [{ effect: { kind: 'status', status: 500 } }] });
		change(7, { clicks: 2 });
		await node.poll();
		change(7, { clicks: 3 });
		await node.poll();
		node.crash();
		set({ faults: [] });
		const events = [...(await node.poll()).events, ...(await node.poll()).events];
		expect(events).toMatchObject([{ id: 7, previousClicks: 0, newClicks: 3 }]);
	});

	it('reads each chosen link once per poll, and no list', async () => {
		addLinks(300);
		const node = await begun(chosen([7, 250, `${current().url}/s/link-9`]), { engine });
		change([7, 8, 9], { clicks: 1 });
		const { result, sent } = await sentBy(async () => await node.poll());
		expect(eventsOf(result)).toEqual(['clicked 7', 'clicked 9']);
		expect(sent).toEqual(['GET /links/7', 'GET /links/250', 'GET /links/9']);
	});

	it('reads 50 chosen links, at most five of them while the workflow is activated', async () => {
		const ids = addLinks(50);
		const node = trigger(chosen(ids), { engine });
		expect((await sentBy(async () => await node.activate())).sent).toHaveLength(5);
		// The durable engine does not store what a quiet activation has read.
		if (engine === 'durable') await node.poll();
		for (let count = 0; count < 2; count += 1) {
			expect((await sentBy(async () => await node.poll())).sent).toHaveLength(50);
		}
		change(ids, { clicks: 1 });
		expect(eventsOf(await node.poll())).toHaveLength(50);
	});

	it('shares the scan of Link Updated', async () => {
		const ids = addLinks(650);
		const scanned = async (events: string[]) => {
			const node = await begun({ events }, { engine }, 3);
			remove(ids.pop() ?? 0, ...ids.splice(300, 1));
			return (await sentBy(async () => await node.poll())).sent;
		};
		const [updated, both] = [await scanned(['updated']), await scanned(['clicked', 'updated'])];
		expect(both.filter((request) => request.includes('page='))).toHaveLength(7);
		expect(both).toHaveLength(updated.length);
		expect(await scanned(['clicked'])).toHaveLength(7);
	});

	it('warns once of a chosen link that was deleted, and reports the other links and events', async () => {
		addLinks(4);
		const parameters = chosen([1, 2], { events: ['clicked', 'created'] });
		const node = await begun(parameters, { engine });
		remove(2);
		const { error } = await node.poll();
		expect(error?.message).toBe('The node does not find these links of Links to Watch: 2');
		expect(error?.description).toMatch(/^They were deleted, .* Remove or correct them\./);
		for (let count = 0; count < 4; count += 1) expect(eventsOf(await node.poll())).toEqual([]);
		change(1, { clicks: 1 });
		const id = addLink();
		expect(eventsOf(await node.poll())).toEqual(['clicked 1', `created ${id}`]);
		remove(1);
		// The next warning names both links.
		expect((await node.poll()).error?.message).toMatch(/: 1, 2$/);
		expect(eventsOf(await node.poll())).toEqual([]);
	});

	it('warns of a deleted link in the next poll without events', async () => {
		addLinks(2);
		const node = await begun(chosen([1, 2]), { engine });
		remove(2);
		change(1, { clicks: 1 });
		expect(eventsOf(await node.poll())).toEqual(['clicked 1']);
		expect((await node.poll()).error?.message).toMatch(/: 2$/);
		expect(eventsOf(await node.poll())).toEqual([]);
	});

	it('continues with another key of the account after the link that was read last was deleted', async () => {
		addLinks(3);
		const node = await begun(chosen([1, 2, 3]), { engine });
		const second = 'second-key-0123456789';
		current().apiKeys.add(second);
		remove(3);
		change([1, 2], { clicks: 1 });
		node.save({ credential: { baseUrl: current().url, apiKey: second } });
		expect(eventsOf(await node.poll())).toEqual(['clicked 1', 'clicked 2']);
	});

	it('reads the links after links that cannot be read, in the same poll', async () => {
		addLinks(4);
		const node = await begun(chosen([1, 2, 3, 4]), { engine });
		const effect = { kind: 'status', status: 403 } as const;
		set({ faults: [1, 3].map((id) => ({ on: { path: new RegExp(`/${id}$`) }, effect })) });
		change([1, 2, 3, 4], { clicks: 2 });
		const { result, sent } = await sentBy(async () => await node.poll());
		expect(sent).toEqual([1, 2, 3, 4].map((id) => `GET /links/${id}`));
		expect(eventsOf(result)).toEqual(['clicked 2', 'clicked 4']);
		expect((await node.poll()).error?.message).toMatch(/\(HTTP 403\)$/);
		set({ faults: [] });
		expect(eventsOf(await node.poll())).toEqual(['clicked 1', 'clicked 3']);
		expect(eventsOf(await node.poll())).toEqual([]);
	});

	it('reads no other link if the service refuses the API key', async () => {
		addLinks(4);
		const node = await begun(chosen([1, 2, 3, 4]), { engine });
		set({ faults: [{ effect: { kind: 'status', status: 401 } }] });
		expect((await sentBy(async () => await node.poll())).sent).toEqual(['GET /links/1']);
	});

	it('reports nothing of another link than the chosen one', async () => {
		addLinks(3);
		const node = await begun(chosen([1, 2]), { engine });
		change(3, { clicks: 9 });
		const other = { data: { ...(await node.poll()).events[0], id: 3, clicks: 9 }, status: 200 };
		set({ faults: [{ on: { path: /\/2$/ }, effect: { kind: 'body', body: other } }] });
		const { error, events } = await node.poll();
		expect(events).toEqual([]);
		expect(error?.message).toBe('The service returned the link 3 instead of 2');
	});

	it.each<[clicks: unknown, events: string[]]>([
		['8', ['clicked 1']],
		[null, []],
		[-1, []],
		['many', []],
		[1.5, []],
	])('reads the clicks %j', async (clicks, expected) => {
		addLinks(2);
		const node = await begun(chosen([1, 2]), { engine });
		const body = { data: { id: 1, alias: 'link-1', url: 'https://example.com/', clicks } };
		set({ faults: [{ on: { path: /\/1$/ }, effect: { kind: 'body', body } }] });
		const polls = [await node.poll(), await node.poll()];
		expect(
			polls.flatMap(({ events }) =>
				events.map(({ event, id }) => `${String(event)} ${String(id)}`),
			),
		).toEqual(expected);
		const messages = polls.flatMap(({ error }) => error?.message ?? []);
		expect(messages).toEqual(
			expected.length > 0
				? []
				: [expect.stringMatching(/does not return the clicks of links as whole numbers/)],
		);
	});

	it('warns once of a link without clicks, whatever page of a long list shows it', async () => {
		addLinks(2350);
		const withoutClicks = (link: unknown) =>
			isRecord(link) && link.id === 220 ? { ...link, clicks: null } : link;
		const answered = (body: object & { data?: unknown }) => ({
			...body,
			data: Array.isArray(body.data) ? body.data.map(withoutClicks) : withoutClicks(body.data),
		});
		hook({ change: answered });
		const node = trigger({ events: ['clicked'] }, { engine });
		const polls = [await node.activate()];
		for (let count = 0; count < 8; count += 1) polls.push(await node.poll());
		expect(polls.flatMap(({ error }) => error?.message ?? [])).toEqual([
			'The service does not return the clicks of links as whole numbers',
		]);
		hook({});
		change(7, { clicks: 1 });
		const later = [await node.poll(), await node.poll(), await node.poll()];
		expect(later.flatMap(eventsOf)).toEqual(['clicked 7']);
	});

	it('refuses more than 50 links', async () => {
		const node = trigger(chosen(Array.from({ length: 51 }, (_, index) => index + 1)), { engine });
		const { result, sent } = await sentBy(async () => await node.activate());
		expect(result.error?.message).toMatch(
			/^Links to Watch has 51 links, but at most 50 are possible; remove some/,
		);
		expect(sent).toEqual([]);
	});
});

it('advises to enter the ID if too many links contain the alias of a chosen short URL', async () => {
	const id = addLink({ alias: 'axi' });
	addLinks(2100, {}, 'axis');
	const node = trigger(chosen([`${current().url}/s/axi`]));
	await node.activate();
	const warning = (await node.poll()).error;
	expect(warning?.message).toMatch(
		/^The node does not find these links of Links to Watch: .*\/axi$/,
	);
	expect(warning?.description).toMatch(/If more than 2,000 links .*, enter the ID of the link/);
	node.save({ parameters: chosen([id]) });
	expect(eventsOf(await node.poll())).toEqual([]);
	change(id, { clicks: 1 });
	expect(eventsOf(await node.poll())).toEqual([`clicked ${id}`]);
});

it('shows a chosen link as a test event, whatever the filters are', async () => {
	addLinks(9, { clicks: 90 });
	change(3, { clicks: 0 });
	change(4, { clicks: 5 });
	const filters = { spaceId: { __rl: true, mode: 'id', value: '2' } };
	const links = [99, 3, `${current().url}/s/link-4`, 5];
	const node = trigger(chosen(links, { filters, minNewClicks: 2 }));
	const { events, error } = await node.test();
	expect(error).toBeUndefined();
	expect(events).toMatchObject([{ event: 'clicked', id: 4, previousClicks: 3, newClicks: 2 }]);
	expect(events[0]).not.toHaveProperty('hint');
	for (const id of [3, 99]) {
		const [newest] = (await trigger(chosen([id], { filters })).test()).events;
		expect(newest).toMatchObject({
			...{ event: 'clicked', id: 9, test: true },
			hint: 'No link is an example of Link Clicked, so this is your newest link. Check that the links in Links to Watch exist, open one of them, or set a lower number in Min New Clicks.',
		});
	}
});

it('reports alias and short URL of the newest 5,000 links after their deletion', async () => {
	const ids = addLinks(5200);
	const node = await begun({ events: ['deleted'] }, {}, 5);
	const gone = [0, 199, 200, 5199].map((at) => ids[at] ?? 0);
	remove(...gone);
	const events = [];
	for (let count = 0; count < 4; count += 1) events.push(...(await node.poll()).events);
	const shown = new Map(events.map(({ id, alias, shortUrl }) => [id, [alias, shortUrl]]));
	const fields = (id: number) => [`link-${id}`, `${current().url}/s/link-${id}`];
	expect(gone.map((id) => shown.get(id))).toEqual([
		[undefined, undefined],
		[undefined, undefined],
		fields(201),
		fields(5200),
	]);
});
