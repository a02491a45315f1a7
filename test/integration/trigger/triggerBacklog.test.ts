import { LinkTrigger } from '../../../nodes/LinkTrigger/LinkTrigger.node';
import { PollAccount, plainLink as link, usualWays, type Ways } from '../../support/pollAccount.ts';
import { PollRun, type Engine } from '../../support/pollRun.ts';

/** A trigger for Link Created whose polls end after a number of requests, as if no more fit into their time. */
class LimitedTrigger {
	readonly account: PollAccount;

	/** IDs of the links that were reported. */
	readonly reported: number[] = [];

	/** The number of requests of each poll. */
	readonly sent: number[] = [];

	private readonly run: PollRun;

	private deadline = new AbortController();

	/** The requests before the poll that is under way. */
	private before = 0;

	constructor(engine: Engine, budget: number, ways: Partial<Ways> = {}, filters = {}) {
		this.account = new PollAccount({ ...usualWays, ...ways }, 1, () => undefined);
		const parameters = { events: ['created'], startFrom: 'now', filters };
		this.run = new PollRun(new LinkTrigger(), engine, parameters, (url) => {
			// This request gets its answer, and no other one leaves.
			if (this.account.requests - this.before >= budget - 1) this.deadline.abort();
			return this.account.read(url);
		});
		jest
			.spyOn(AbortSignal, 'timeout')
			.mockImplementation(() => (this.deadline = new AbortController()).signal);
	}

	/** Creates links with gaps between their IDs, as if other accounts created links too. Returns the IDs. */
	create(count: number, gap = 2): number[] {
		return Array.from({ length: count }, () => this.account.create(link, gap).id);
	}

	/** The IDs of all links, lowest first. */
	get ids(): number[] {
		return [...this.account.links.keys()];
	}

	private async noted(polling: ReturnType<PollRun['tick']>): Promise<void> {
		this.before = this.account.requests;
		const { items, error } = await polling;
		if (error) throw error;
		this.sent.push(this.account.requests - this.before);
		this.reported.push(...items.map(({ json }) => Number(json.id)));
	}

	/** Switches the workflow on, or starts n8n again: what was not saved is lost. */
	async start(mode?: 'init'): Promise<void> {
		await this.noted(this.run.activate(mode));
	}

	async poll(times = 1): Promise<void> {
		for (let count = 0; count < times; count += 1) await this.noted(this.run.tick());
	}
}

afterEach(() => jest.restoreAllMocks());

/** Accounts and the number of requests that fit into a poll, which ends after 18 seconds. */
const limits: [string, { links: number; budget: number; polls: number }][] = [
	['20,000 links at 2 s for an answer', { links: 20_000, budget: 9, polls: 8 }],
	['400 links at 4 s for an answer', { links: 400, budget: 5, polls: 8 }],
	['20,000 links at 10 requests a minute', { links: 20_000, budget: 10, polls: 8 }],
	['20,000 links at 2 requests a minute', { links: 20_000, budget: 2, polls: 24 }],
	['20,000 links at one request a minute', { links: 20_000, budget: 1, polls: 48 }],
];

const everyEngine = limits.flatMap(([name, limit]) =>
	(['classic', 'durable'] as const).map((engine) => [name, engine, limit] as const),
);

/** A link that the account deletes, or changes, among others. */
const someOf = (ids: readonly number[], index: number) => ids[(index * 37) % ids.length] ?? 0;

describe.each(everyEngine)('%s, in the %s engine', (_, engine, { links, budget, polls }) => {
	const begun = async () => {
		const trigger = new LimitedTrigger(engine, budget);
		trigger.create(links);
		await trigger.start();
		await trigger.poll();
		return trigger;
	};

	it('a backlog comes whole, oldest first, and then a poll makes one request', async () => {
		const trigger = await begun();
		const ids = trigger.create(450);
		await trigger.poll(polls);
		expect(trigger.reported).toEqual(ids);
		expect(Math.max(...trigger.sent)).toBe(budget);
		expect(trigger.sent.at(-1)).toBe(1);
	});

	it('a backlog comes whole after polls that n8n has not saved', async () => {
		const trigger = await begun();
		const ids = trigger.create(450);
		for (let round = 0; round < 4; round += 1) {
			await trigger.poll(Math.ceil(polls / 2));
			await trigger.start('init');
		}
		await trigger.poll(polls);
		expect(trigger.reported).toEqual(ids);
	});

	it('a backlog comes whole while links are created and deleted between the polls', async () => {
		const trigger = await begun();
		const old = trigger.ids;
		const created = trigger.create(450);
		const deleted = new Set<number>();
		const remove = (id: number) => {
			trigger.account.delete(id);
			deleted.add(id);
		};
		for (let round = 0; round < polls; round += 1) {
			await trigger.poll();
			if (round % 3 === 0) remove(someOf(old, round));
			if (round % 4 === 0) remove(someOf(created, round));
			created.push(...trigger.create(5));
		}
		await trigger.poll(2 * polls);
		const reported = new Set(trigger.reported);
		expect(trigger.reported).toEqual(created.filter((id) => reported.has(id)));
		expect(created.filter((id) => !reported.has(id) && !deleted.has(id))).toEqual([]);
	});

	it('a backlog comes whole after most of the older links were deleted', async () => {
		const trigger = await begun();
		const old = trigger.ids;
		const ids = trigger.create(450);
		await trigger.poll(Math.ceil(polls / 2));
		for (const id of old.slice(0, -150)) trigger.account.delete(id);
		await trigger.poll(polls);
		expect(trigger.reported).toEqual(ids);
	});
});

it('one request is enough for a service with smaller pages', async () => {
	const trigger = new LimitedTrigger('classic', 1, { pageSize: 25 });
	trigger.create(300);
	await trigger.start();
	await trigger.poll();
	const ids = trigger.create(90);
	await trigger.poll(40);
	expect(trigger.reported).toEqual(ids);
});

it('a backlog without gaps between IDs takes one request for each page', async () => {
	const trigger = new LimitedTrigger('classic', 150);
	trigger.create(1050, 0);
	await trigger.start();
	const ids = trigger.create(800, 0);
	await trigger.poll();
	expect(trigger.reported).toEqual(ids);
	// The newest page, the search for page 11, and 9 pages.
	expect(trigger.sent.at(-1)).toBeLessThanOrEqual(1 + 5 + 9);
});

it('a backlog that begins with the first link of the account takes no search', async () => {
	const trigger = new LimitedTrigger('classic', 150);
	await trigger.start();
	const ids = trigger.create(800, 0);
	await trigger.poll();
	expect(trigger.reported).toEqual(ids);
	// The newest page, and 8 pages.
	expect(trigger.sent.at(-1)).toBe(1 + 8);
});

it.each([1, 150])(
	'a backlog ends behind a full last page, with %i requests a poll',
	async (budget) => {
		const trigger = new LimitedTrigger('classic', budget);
		trigger.create(300);
		await trigger.start();
		const ids = trigger.create(200);
		await trigger.poll(20);
		ids.push(...trigger.create(1));
		await trigger.poll();
		expect(trigger.reported).toEqual(ids);
		expect(trigger.sent.at(-1)).toBe(1);
	},
);

it('one new link more than a page has is a backlog', async () => {
	const trigger = new LimitedTrigger('classic', 150);
	trigger.create(300, 0);
	await trigger.start();
	const ids = trigger.create(101, 0);
	await trigger.poll();
	expect(trigger.reported).toEqual(ids);
});

it('a backlog goes on where all older links were deleted', async () => {
	const trigger = new LimitedTrigger('classic', 150);
	const old = trigger.create(1000);
	await trigger.start();
	const ids = trigger.create(2300);
	await trigger.poll();
	for (const id of old) trigger.account.delete(id);
	await trigger.poll(2);
	expect(trigger.reported).toEqual(ids);
});

it('the next backlog is found where the last one ended', async () => {
	const trigger = new LimitedTrigger('classic', 150);
	trigger.create(20_000);
	await trigger.start();
	for (let round = 0; round < 2; round += 1) {
		trigger.create(150);
		await trigger.poll();
	}
	expect(trigger.reported).toHaveLength(300);
	// The newest page, and three for each page that is not the first one.
	expect(trigger.sent.at(-1)).toBeLessThanOrEqual(1 + 7);
});

it('a backlog hands over 1,000 links a poll', async () => {
	const trigger = new LimitedTrigger('classic', 150);
	await trigger.start();
	const ids = trigger.create(2300);
	const counts: number[] = [];
	for (let poll = 0; poll < 3; poll += 1) {
		await trigger.poll();
		counts.push(trigger.reported.length);
	}
	expect(counts).toEqual([1000, 2000, 2300]);
	expect(trigger.reported).toEqual(ids);
	expect(Math.max(...trigger.sent)).toBeLessThanOrEqual(40);
});

it('a link of a backlog that fits the filters a moment later is reported', async () => {
	const trigger = new LimitedTrigger('classic', 150, {}, { pixelId: 1 });
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

it('a link of a backlog that becomes visible late is reported in order', async () => {
	const trigger = new LimitedTrigger('classic', 150);
	trigger.create(200);
	await trigger.start();
	const ids = trigger.create(150);
	const late = ids[95] ?? 0;
	trigger.account.change(late, { isVisible: false });
	const read = trigger.account.read.bind(trigger.account);
	let pages = 0;
	trigger.account.read = (url) => {
		// The page of this link was read, and is read again.
		if (url.includes('page=3') && (pages += 1) === 2) {
			trigger.account.change(late, { isVisible: true });
		}
		return read(url);
	};
	await trigger.poll(2);
	expect(pages).toBeGreaterThan(1);
	expect(trigger.reported).toEqual(ids);
});
