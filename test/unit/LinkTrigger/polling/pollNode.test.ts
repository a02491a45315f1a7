import { events } from '../../../../nodes/LinkTrigger/events';
import { pollNode } from '../../../../nodes/LinkTrigger/polling/pollNode';
import { fingerprint } from '../../../../nodes/LinkTrigger/polling/fingerprint';
import type { DetectorDefinition } from '../../../../nodes/LinkTrigger/detectors/detector';
import type { PollAccount, PollAnswer } from '../../../support/pollAccount.ts';
import {
	accountWith,
	byId,
	plainLink,
	pollContext,
	range,
	type PollSetting,
} from '../../../support/pollReading.ts';

// No deadline of a request outlasts a test.
beforeEach(
	() =>
		void jest.useFakeTimers({
			doNotFake: ['nextTick', 'performance', 'queueMicrotask', 'setImmediate'],
		}),
);
afterEach(() => void jest.useRealTimers());

const service = fingerprint('https://links.example/api/v1', 4);

let lastNode = 0;

/** A node with its static data, which polls an account. */
function nodeOn(account: Pick<PollAccount, 'read'>, setting: PollSetting = {}) {
	const staticData = {};
	lastNode += 1;
	const node = `node ${lastNode}`;
	const poll = async (more: PollSetting = {}) => {
		const parameters = { events: ['created'], ...setting.parameters, ...more.parameters };
		const all = { staticData, node, ...setting, ...more, parameters };
		const { context, requests } = pollContext(account, all);
		const output = await pollNode(context, events).catch((error: Error) => error);
		const items = Array.isArray(output) ? output[0]?.map(({ json }) => json) : undefined;
		return { output, items, requests };
	};
	return { poll, staticData };
}

const down = (statusCode = 401): Pick<PollAccount, 'read'> => ({
	read: (): PollAnswer => ({ statusCode, headers: {}, body: '{"message":"No."}' }),
});

/** An account that fails while a test tells it to. */
function failing() {
	const account = accountWith(range(1, 5));
	const state = { isDown: false };
	return {
		...{ account, state },
		read: (url: string) => (state.isDown ? down().read(url) : account.read(url)),
	};
}

it('returns one output with the events, and null where there are none', async () => {
	const account = accountWith(range(1, 5));
	const { poll, staticData } = nodeOn(account);
	expect((await poll()).output).toBeNull();
	expect(staticData).toMatchObject({ poll: { round: 0, detectors: { created: { highest: 5 } } } });
	account.create({ ...plainLink, alias: 'new' });
	const { items } = await poll();
	expect(items).toMatchObject([
		{ event: 'created', eventId: `created-${service}-6`, id: 6, alias: 'new' },
	]);
	expect(staticData).toMatchObject({ poll: { round: 1 } });
	expect((await poll()).output).toBeNull();
	expect(staticData).toMatchObject({ poll: { round: 1 } });
});

it('tells apart events of the same link by the round', async () => {
	const account = accountWith(range(1, 5));
	const { poll, staticData } = nodeOn(account, { parameters: { events: ['disabled', 'enabled'] } });
	await poll();
	const ids: unknown[] = [];
	for (const disabled of [true, false, true]) {
		account.change(3, { disabled });
		ids.push(...((await poll()).items ?? []).map(({ eventId }) => eventId));
	}
	const { startId } = (staticData as { poll: { startId: string } }).poll;
	expect(ids).toEqual([
		`disabled-${service}-3-${startId}-1`,
		`enabled-${service}-3-${startId}-2`,
		`disabled-${service}-3-${startId}-3`,
	]);
});

it('begins again if the filters are changed', async () => {
	const account = accountWith(range(1, 5));
	const { poll } = nodeOn(account);
	await poll();
	account.create(plainLink);
	const filters = { aliasStartsWith: 'a' };
	expect((await poll({ parameters: { filters } })).output).toBeNull();
	account.create(plainLink);
	expect((await poll({ parameters: { filters } })).items).toMatchObject([{ id: 7 }]);
});

it('shows an example in a test of the workflow, and remembers nothing', async () => {
	const { poll, staticData } = nodeOn(accountWith(range(1, 5)), { mode: 'manual' });
	expect((await poll()).items).toMatchObject([{ event: 'created', id: 5 }]);
	expect(staticData).toEqual({});
	const { output } = await nodeOn(accountWith([]), { mode: 'manual' }).poll();
	expect(output).toMatchObject({ failure: { cause: 'configuration-invalid' } });
});

it('does nothing while another poll of the node is at work', async () => {
	const account = accountWith(range(1, 5));
	// Both begin before the first poll ends.
	const node = nodeOn(account);
	const first = node.poll();
	// The same static data, and the same node with static data of its own.
	const inner = await node.poll({ node: 'another name' });
	const other = await node.poll({ staticData: {} });
	expect((await first).requests).toHaveLength(1);
	for (const { output, requests } of [inner, other]) {
		expect(output).toBeNull();
		expect(requests).toEqual([]);
	}
	expect((await node.poll()).requests).toHaveLength(1);
});

it('polls again after a poll that failed', async () => {
	const service = failing();
	const { poll } = nodeOn(service);
	service.state.isDown = true;
	await poll();
	service.state.isDown = false;
	expect(await poll()).toMatchObject({ output: null, requests: ['desc 1'] });
});

describe('a failure', () => {
	it.each(['activate', 'update'] as const)(
		'is thrown by a node that never polled: %s',
		async (activation) => {
			const { poll, staticData } = nodeOn(down());
			for (const output of [
				(await poll({ activation })).output,
				(await poll({ activation })).output,
			]) {
				expect(output).toMatchObject({ failure: { cause: 'credential-invalid' }, httpCode: '401' });
			}
			expect(staticData).toEqual({});
		},
	);

	it.each(['init', 'leadershipChange'] as const)(
		'is kept when n8n starts, and thrown by the next poll: %s',
		async (activation) => {
			const { poll } = nodeOn(down());
			expect((await poll({ activation })).output).toBeNull();
			expect((await poll()).output).toBeInstanceOf(Error);
			expect((await poll()).output).toBeNull();
		},
	);

	it('is thrown once until a poll succeeds', async () => {
		const service = failing();
		const { poll } = nodeOn(service);
		await poll();
		const outputs: unknown[] = [];
		for (const isDown of [true, true, false, true]) {
			service.state.isDown = isDown;
			outputs.push((await poll()).output);
		}
		expect(outputs).toEqual([expect.any(Error), null, null, expect.any(Error)]);
	});

	it('keeps what was known', async () => {
		const service = failing();
		const { poll } = nodeOn(service);
		await poll();
		service.account.create(plainLink);
		service.state.isDown = true;
		await poll();
		service.state.isDown = false;
		expect((await poll()).items).toMatchObject([{ id: 6 }]);
	});

	it('of one list does not hide the events of the others', async () => {
		const account = accountWith(range(1, 5));
		const read = (url: string) =>
			url.includes('status=2') ? down(400).read(url) : account.read(url);
		const { poll } = nodeOn({ read }, { parameters: { events: ['created', 'expired'] } });
		const first = await poll();
		expect(first.output).toMatchObject({ failure: { cause: 'temporarily-unavailable' } });
		account.create(plainLink);
		expect((await poll()).items).toMatchObject([{ event: 'created', id: 6 }]);
	});

	it('of one list is thrown every other time by polls with static data of their own', async () => {
		const account = accountWith(range(1, 5));
		const read = (url: string) =>
			url.includes('status=2') ? down(400).read(url) : account.read(url);
		const { poll } = nodeOn({ read }, { parameters: { events: ['created', 'expired'] } });
		const thrown: boolean[] = [];
		for (let count = 0; count < 4; count += 1) {
			thrown.push((await poll({ staticData: {} })).output instanceof Error);
		}
		expect(thrown).toEqual([true, false, true, false]);
	});

	it('of a setting is thrown before a request', async () => {
		const { output, requests } = await nodeOn(accountWith([]), {
			parameters: { events: [] },
		}).poll();
		expect(output).toMatchObject({
			message: 'Events is empty; choose at least one',
			failure: { cause: 'configuration-invalid' },
		});
		expect(requests).toEqual([]);
	});
});

it.each<[budget: number | undefined, milliseconds: number]>([
	[undefined, 18_000],
	[36_000, 18_000],
	[60_000, 18_000],
	[10_000, 5_000],
])('with the budget %p of n8n sends requests for %d ms', async (budget, milliseconds) => {
	const timeout = jest.spyOn(AbortSignal, 'timeout');
	const { context } = pollContext(accountWith([]), { parameters: { events: ['created'] }, budget });
	if (budget === undefined) Object.assign(context, { getPollBudgetMs: undefined });
	await pollNode(context, events);
	expect(timeout).toHaveBeenCalledWith(milliseconds);
	timeout.mockRestore();
});

it('waits for a rate limit for 14 % of the budget at most', async () => {
	const limit = (seconds: string) => ({
		read: () => ({ statusCode: 429, headers: { 'retry-after': seconds }, body: '{}' }),
	});
	const began = performance.now();
	const { output, requests } = await nodeOn(limit('2'), { budget: 10_000 }).poll();
	expect(output).toBeNull();
	expect(requests).toHaveLength(1);
	expect(performance.now() - began).toBeLessThan(1_000);
});

it('numbers events of the same kind and link of one poll', async () => {
	const event = { event: 'disabled', id: 3, link: { id: 3 } };
	const detector: DetectorDefinition = {
		name: 'disabled',
		create: ({ report }) => ({
			poll: async () => {
				for (const id of [3, 4, 3, 3]) report({ ...event, id });
				await Promise.resolve();
			},
			store: () => ({}),
		}),
	};
	const { context, staticData } = pollContext(accountWith([]), {
		parameters: { events: ['disabled'] },
	});
	const definitions = events.map((one) => (one.value === 'disabled' ? { ...one, detector } : one));
	const output = await pollNode(context, definitions);
	const { startId } = staticData.poll as { startId: string };
	expect(output?.[0]?.map(({ json }) => json.eventId)).toEqual([
		`disabled-${service}-3-${startId}-1`,
		`disabled-${service}-4-${startId}-1`,
		`disabled-${service}-3-${startId}-1-2`,
		`disabled-${service}-3-${startId}-1-3`,
	]);
});

it('runs the detector that two events share once', async () => {
	const { poll } = nodeOn(accountWith([]), { parameters: { events: ['disabled', 'enabled'] } });
	expect((await poll()).requests).toEqual(['status=3 asc 1']);
});

it('shows links that do not show what the filters need to no detector, unless their list is filtered', async () => {
	const account = accountWith(range(1, 3));
	for (const id of range(1, 3)) account.change(id, { clicks: 200, space: id < 3 ? 1 : 2 });
	const read = (url: string) => {
		const answer = account.read(url);
		return { ...answer, body: answer.body.replaceAll(/"space":(null|\{[^}]*\})/g, '"any":0') };
	};
	const filters = { spaceId: byId(1) };
	const parameters = { thresholds: '100', startFrom: 'all', filters };
	const { poll } = nodeOn({ read }, { parameters: { ...parameters, events: ['clicksReached'] } });
	expect((await poll()).items).toMatchObject([{ id: 2 }, { id: 1 }]);
	const both = nodeOn(
		{ read },
		{ parameters: { ...parameters, events: ['clicksReached', 'created'] } },
	);
	expect(
		(await both.poll()).items?.map(({ event, id }) => `${String(event)} ${String(id)}`),
	).toEqual(['clicksReached 2', 'clicksReached 1']);
});
