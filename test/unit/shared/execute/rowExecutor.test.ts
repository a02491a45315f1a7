import { linkContract } from '../../../../nodes/Link/link.contract';
import { apiRequest } from '../../../../nodes/shared/contract/endpoints';
import type { Execution } from '../../../../nodes/shared/execute/execution';
import { rawOutput } from '../../../../nodes/shared/execute/options';
import { isFailed, type RowOutcome } from '../../../../nodes/shared/execute/outcome';
import type { Row } from '../../../../nodes/shared/execute/readRows';
import { executeRows } from '../../../../nodes/shared/execute/rowExecutor';
import type { OperationRun, Removal } from '../../../../nodes/shared/operations/types';
import { ServiceError } from '../../../../nodes/shared/transport/failures';
import {
	modelWorld,
	readSheet,
	executeRun,
	toldOf,
	type SheetRow,
} from '../../../support/modelRun.ts';
import {
	jsonAnswer,
	mostUnderWay,
	type Fault,
	type Journaled,
} from '../../../support/modelService.ts';
import { clientFor, linkLike, rowOf } from '../../../support/operationRun.ts';
import { runSettings } from '../../../support/runSettings.ts';

const url = (name: string) => `https://example.com/${name}`;

const create = (name: string, alias?: string, domainId: number | '' = 1): SheetRow => ({
	operation: 'create',
	parameters: {
		url: url(name),
		domainId,
		...(alias === undefined ? {} : { alias }),
	},
});

const upsert = (name: string, alias: string): SheetRow => ({
	operation: 'upsert',
	parameters: { url: url(name), domainId: 1, alias },
});

const update = (name: string, id: number): SheetRow => ({
	operation: 'update',
	parameters: { linkId: String(id), updateFields: { url: url(name) } },
});

const remove = (id: number): SheetRow => ({
	operation: 'delete',
	parameters: { linkId: String(id) },
});

const list: SheetRow = { operation: 'getAll', parameters: { returnAll: true } };

/** What goes wrong with the requests, one after another; the last one again and again if told. */
const inTurn =
	(faults: readonly (Fault | undefined)[], last?: Fault) =>
	({ number }: Journaled): Fault | undefined =>
		number <= faults.length ? faults[number - 1] : last;

const answered = (
	status: number,
	{ when = 'before' as 'after' | 'before', body = {}, headers = {} } = {},
): Fault => ({ kind: 'answer', when, answer: jsonAnswer(status, body, headers) });

const dropped = (when: 'after' | 'before'): Fault => ({ kind: 'drop', when });

const failureOf = (outcome: RowOutcome | undefined) =>
	outcome && isFailed(outcome) ? outcome.failure : undefined;

/** What failed, and what a person reads under it. */
const textsOf = (outcome: RowOutcome | undefined) => {
	const failure = failureOf(outcome);
	return `${failure?.message} ${failure?.advice}`;
};

const requestsOf = (journal: readonly Journaled[]) =>
	journal.map(({ method, path }) => `${method} ${path}`);

describe('a write whose answer was lost', () => {
	const endings: [string, Fault, number][] = [
		['maintenance', answered(503), 20_000],
		['refused connections', { kind: 'refuse' }, 20_000],
		['a limit that lasts too long', answered(429, { headers: { 'retry-after': '600' } }), 20_000],
		['a key that is revoked', answered(401), 20_000],
		['a refusal of the values', answered(422), 20_000],
	];

	it.each(endings)(
		'is unknown, not failed, when its repeats end in %s (update)',
		async (_name, last, maxWait) => {
			const { service, execute } = modelWorld({ fault: inTurn([dropped('after')], last) });
			const { id } = service.add({ alias: 'a', url: url('before') });
			const { outcomes } = await execute({ sheet: [update('after', id)], options: { maxWait } });
			expect(service.links.get(id)?.url).toBe(url('after'));
			expect(outcomes.map(toldOf)).toEqual(['unknown']);
		},
	);

	it.each(endings)(
		'is unknown, not failed, when its repeats end in %s (delete)',
		async (_name, last, maxWait) => {
			const { service, execute } = modelWorld({ fault: inTurn([dropped('after')], last) });
			const { id } = service.add({ alias: 'a', url: url('before') });
			const { outcomes } = await execute({ sheet: [remove(id)], options: { maxWait } });
			expect(service.links.size).toBe(0);
			expect(outcomes.map(toldOf)).toEqual(['unknown']);
		},
	);

	it('is unknown when the run is cancelled after a refusal of its repeat', async () => {
		const cancel = new AbortController();
		const limited = answered(429, { headers: { 'retry-after': '60' } });
		const { clock, service, execute } = modelWorld({ fault: inTurn([dropped('after')], limited) });
		const { id } = service.add({ alias: 'a', url: url('before') });
		void clock.sleep(10_000).then(() => cancel.abort());
		const { outcomes } = await execute({
			sheet: [update('after', id)],
			options: { signal: cancel.signal },
		});
		expect(service.links.get(id)?.url).toBe(url('after'));
		expect(outcomes.map(toldOf)).toEqual(['unknown']);
	});

	it.each(endings.slice(0, 4))(
		'is unknown when it arrives late and the repeat ends in %s (create)',
		async (_name, last, maxWait) => {
			const late: Fault = { kind: 'late', milliseconds: 120_000 };
			const { service, execute } = modelWorld({ fault: inTurn([late, undefined], last) });
			const { outcomes } = await execute({ sheet: [create('late', 'a')], options: { maxWait } });
			expect([...service.links.values()]).toMatchObject([{ alias: 'a', url: url('late') }]);
			expect(outcomes.map(toldOf)).toEqual(['unknown']);
		},
	);

	it('is unknown when it arrives late and another row stops the run meanwhile (create)', async () => {
		const fault = ({ method, path, number }: Journaled): Fault | undefined => {
			if (number === 1) return { kind: 'late', milliseconds: 120_000 };
			if (method === 'PUT') return { kind: 'answer', when: 'before', answer: jsonAnswer(422, {}) };
			return path === '/links' && method === 'POST'
				? answered(429, { headers: { 'retry-after': '30' } })
				: undefined;
		};
		const { service, execute } = modelWorld({ fault });
		const { id } = service.add({ alias: 'other', url: url('other') });
		const { outcomes } = await execute({
			sheet: [create('late', 'a'), update('refused', id)],
			options: { concurrency: 1 },
			continues: false,
		});
		expect(service.links.size).toBe(2);
		expect(toldOf(outcomes[0])).not.toBe('failed');
		expect(toldOf(outcomes[0])).not.toBe('not sent');
	});

	it('is found and adopted, or made again, when the service is there again', async () => {
		for (const when of ['after', 'before'] as const) {
			const { service, execute } = modelWorld({ fault: inTurn([dropped(when)]) });
			const { outcomes } = await execute({ sheet: [create('once', 'a')] });
			expect(outcomes.map(toldOf)).toEqual(['created']);
			expect(service.links.size).toBe(1);
		}
	});

	it('is made again at most once more, although it arrives late', async () => {
		const late: Fault = { kind: 'late', milliseconds: 200 };
		const { service, execute } = modelWorld({ fault: inTurn([late]) });
		const { outcomes } = await execute({ sheet: [create('late', 'a')] });
		expect(outcomes.map(toldOf)).toEqual(['created']);
		expect(service.links.size).toBe(1);
	});
});

describe('an answer that says it is one of success, and names an error status', () => {
	const statuses = [422, 429, 500, 503];

	const lie = (status: number, when: 'after' | 'before') =>
		answered(200, { when, body: { message: 'Quota exceeded.', status } });

	it.each(statuses)('%d does not double a create that has no alias', async (status) => {
		const { service, execute } = modelWorld({ fault: inTurn([lie(status, 'after')]) });
		const { outcomes } = await execute({ sheet: [create('once')] });
		expect(service.links.size).toBe(1);
		expect(outcomes.map(toldOf)).toEqual(['unknown']);
	});

	it.each(statuses)('%d is looked up for a create that has an alias', async (status) => {
		const { service, execute } = modelWorld({ fault: inTurn([lie(status, 'after')]) });
		const { outcomes } = await execute({ sheet: [create('once', 'a')] });
		expect(service.links.size).toBe(1);
		expect(outcomes.map(toldOf)).toEqual(['created']);
	});

	it('does not hide that nothing was created', async () => {
		const { service, execute } = modelWorld({ fault: inTurn([lie(422, 'before')]) });
		const { outcomes } = await execute({ sheet: [create('once', 'a')] });
		expect(service.links.size).toBe(0);
		expect(outcomes.map(toldOf)).toEqual(['failed']);
	});

	it('leaves an update unknown that it may have carried out', async () => {
		const { service, execute } = modelWorld({ fault: inTurn([lie(422, 'after')]) });
		const { id } = service.add({ alias: 'a', url: url('before') });
		const { outcomes } = await execute({ sheet: [update('after', id)] });
		expect(service.links.get(id)?.url).toBe(url('after'));
		expect(outcomes.map(toldOf)).toEqual(['unknown']);
	});

	it('leaves a delete unknown that it may have carried out', async () => {
		const { service, execute } = modelWorld({ fault: inTurn([lie(422, 'after')]) });
		const { id } = service.add({ alias: 'a', url: url('before') });
		const { outcomes } = await execute({ sheet: [remove(id)] });
		expect(service.links.size).toBe(0);
		expect(outcomes.map(toldOf)).toEqual(['unknown']);
	});
});

describe('rows on the same thing', () => {
	it('update one link in their order', async () => {
		const { service, execute } = modelWorld({
			latency: (random) => random() * 1000,
			fault: inTurn([dropped('before'), answered(500), undefined, answered(502)]),
		});
		const { id } = service.add({ alias: 'a', url: url('before') });
		const names = Array.from({ length: 12 }, (_, index) => `value-${index}`);
		const { outcomes } = await execute({
			sheet: names.map((name) => update(name, id)),
			options: { concurrency: 12 },
		});
		expect(outcomes.map(toldOf)).toEqual(names.map(() => 'updated'));
		expect(service.effects.map((effect) => effect.url)).toEqual(names.map(url));
	});

	it('create one alias once, and the first row wins', async () => {
		const { service, execute } = modelWorld({
			latency: (random) => random() * 1000,
			fault: inTurn([dropped('before')]),
		});
		const { outcomes } = await execute({
			// The service takes the domain of the first row for the second one.
			sheet: [create('first', 'a'), create('second', 'a', ''), create('third', 'A')],
		});
		expect(outcomes.map(toldOf)).toEqual(['created', 'failed', 'created']);
		expect([...service.links.values()].map((link) => link.url)).toEqual([
			url('first'),
			url('third'),
		]);
	});

	it('are not told to have created the same link twice', async () => {
		// The second row's request is lost, and what it looks for is what the first one made.
		const { service, execute } = modelWorld({ fault: inTurn([undefined, dropped('before')]) });
		const { outcomes } = await execute({ sheet: [create('same', 'a'), create('same', 'a', '')] });
		expect(service.links.size).toBe(1);
		expect(outcomes.map(toldOf)[0]).toBe('created');
		expect(outcomes.map(toldOf)[1]).not.toBe('created');
	});
});

describe('a delete', () => {
	it.each([1, 2, 3, 4, 5])(
		'is done by the first of two rows that ask for it (seed %d)',
		async (seed) => {
			const { service, execute } = modelWorld({ seed, latency: (random) => random() * 1000 });
			const { id } = service.add({ alias: 'a', url: url('a') });
			const { outcomes } = await execute({ sheet: [remove(id), remove(id)] });
			expect(outcomes.map(toldOf)).toEqual(['deleted', 'failed']);
			expect(requestsOf(service.journal)).toEqual([`DELETE /links/${id}`, `DELETE /links/${id}`]);
		},
	);

	it.each([1, 2, 3, 4, 5])(
		'comes after the update of an earlier row, and before that of a later one (seed %d)',
		async (seed) => {
			const { service, execute } = modelWorld({ seed, latency: (random) => random() * 1000 });
			const { id } = service.add({ alias: 'a', url: url('a') });
			const { outcomes } = await execute({ sheet: [update('b', id), remove(id), update('c', id)] });
			expect(outcomes.map(toldOf)).toEqual(['updated', 'deleted', 'failed']);
		},
	);

	it('of what was never there has failed, unless that is to be ignored', async () => {
		const { execute } = modelWorld();
		const { outcomes } = await execute({ sheet: [remove(99)] });
		expect(outcomes.map(toldOf)).toEqual(['failed']);
		const ignoring = await execute({ sheet: [remove(99)], settings: { ignoreMissing: true } });
		expect(ignoring.outcomes.map(toldOf)).toEqual(['missing']);
	});

	it('is done when its answer was lost and its repeat finds nothing more', async () => {
		const { service, execute } = modelWorld({ fault: inTurn([dropped('after')]) });
		const { id } = service.add({ alias: 'a', url: url('a') });
		const { outcomes } = await execute({ sheet: [remove(id)] });
		expect(outcomes.map(toldOf)).toEqual(['deleted']);
		expect(service.journal.map(({ answer }) => answer?.status)).toEqual([undefined, 404]);
	});

	it('is not done when a refusal came before it was found missing', async () => {
		const limited = answered(429, { headers: { 'retry-after': '1' } });
		const { execute } = modelWorld({ fault: inTurn([limited]) });
		const { outcomes } = await execute({ sheet: [remove(99)] });
		expect(outcomes.map(toldOf)).toEqual(['failed']);
	});
});

it('creates without a domain in the only one that the links of the account have', async () => {
	const { service, execute } = modelWorld();
	service.add({ alias: 'there', url: url('there'), domain: 2 });
	const row: SheetRow = { operation: 'upsert', parameters: { url: url('new'), alias: 'new' } };
	const { outcomes } = await execute({ sheet: [row] });
	expect(outcomes.map(toldOf)).toEqual(['created']);
	expect([...service.links.values()].map(({ domain }) => domain)).toEqual([2, 2]);
});

describe('the end of a run', () => {
	it('keeps nothing of its pace for runs without one', async () => {
		const { clock, service, limiter, execute } = modelWorld({ latency: () => 0 });
		await execute({ sheet: [create('slow', 'slow')], options: { requestsPerMinute: 1 } });
		const { endedAt } = await execute({ sheet: [create('one', 'one'), create('two', 'two')] });
		expect(endedAt - 600_000).toBeLessThan(1000);
		expect(service.links.size).toBe(3);
		await clock.pass(61_000);
		expect(limiter.isIdle()).toBe(true);
	});
});

describe('a list that shrinks while it is read', () => {
	it.each([
		['before', 150],
		['after', 0],
	])(
		'is read again; a page asked ahead that failed %s that is asked no more',
		async (_name, slow) => {
			let hasFailed = false;
			const { service, execute } = modelWorld({
				latency: () => 100,
				fault: ({ params }) => {
					if (params.page === '2' && !hasFailed) {
						service.links.delete(1);
						return slow > 0 ? { kind: 'slow', milliseconds: slow } : undefined;
					}
					// The page after it is to be repeated, but the shrunk list shows that it is not wanted any longer.
					if (params.page !== '3' || hasFailed) return undefined;
					hasFailed = true;
					return answered(500);
				},
			});
			for (let number = 0; number < 450; number += 1) {
				service.add({ alias: `link-${number}`, url: url(`${number}`) });
			}
			const { outcomes } = await execute({ sheet: [list], options: { concurrency: 2 } });
			expect(outcomes.map(toldOf)).toEqual(['read']);
			const pages = service.journal.map(({ params }) => params.page);
			expect(pages.filter((page) => page === '3')).toHaveLength(2);
			expect(pages.at(-1)).toBe('5');
		},
	);
});

describe('Concurrency', () => {
	const many = (count: number) => {
		const world = modelWorld({ latency: (random) => 50 + random() * 100 });
		for (let number = 0; number < count; number += 1) {
			world.service.add({ alias: `link-${number}`, url: url(`${number}`) });
		}
		return world;
	};

	it('holds for the pages of Get Many', async () => {
		const { service, execute } = many(950);
		const { outcomes } = await execute({ sheet: [list, list, list], options: { concurrency: 3 } });
		expect(outcomes.map(toldOf)).toEqual(['read', 'read', 'read']);
		expect(service.journal).toHaveLength(30);
		expect(mostUnderWay(service.journal)).toBe(3);
	});

	it('holds for what Create or Update looks up, page by page', async () => {
		const { service, execute } = many(450);
		const sheet = Array.from({ length: 6 }, (_, row) => upsert(`new-${row}`, `link-${row}`));
		const { outcomes } = await execute({ sheet, options: { concurrency: 4 } });
		expect(outcomes.map(toldOf)).toEqual(sheet.map(() => 'updated'));
		expect(mostUnderWay(service.journal)).toBe(4);
	});

	it('holds for requests that are repeated, too', async () => {
		const { service, execute } = modelWorld({
			latency: (random) => random() * 300,
			fault: (_request, random) =>
				random() < 0.4 ? answered(random() < 0.5 ? 500 : 503) : undefined,
		});
		const sheet = Array.from({ length: 100 }, (_, row) => create(`${row}`, `alias-${row}`));
		const { outcomes } = await execute({ sheet, options: { concurrency: 3 } });
		expect(outcomes.map(toldOf)).toEqual(sheet.map(() => 'created'));
		expect(mostUnderWay(service.journal)).toBe(3);
	});
});

describe('a row that has failed for good', () => {
	it('lets no page leave any more that was asked ahead', async () => {
		const { clock, service, limiter } = modelWorld({
			latency: () => 100,
			fault: ({ params }) => {
				if (params.page === '2') return answered(403);
				if (params.page === '1') return undefined;
				// The later pages are under way when the row fails, and are given up after that; the other rows go on.
				return { kind: 'slow', milliseconds: 'page' in params ? 900 : 400 };
			},
		});
		for (let number = 0; number < 950; number += 1) {
			service.add({ alias: `link-${number}`, url: url(`${number}`) });
		}
		let failedAt = Infinity;
		await clock.run(
			async () =>
				await executeRun(service, limiter, {
					rows: readSheet([list, ...Array.from({ length: 30 }, (_, row) => create(`${row}`))]),
					options: { concurrency: 4, timeout: 700 },
					onEnd: () => {
						failedAt = Math.min(failedAt, clock.now());
					},
				}),
		);
		await clock.pass(600_000);
		const late = service.journal
			.filter(({ leftAt, params }) => 'page' in params && leftAt > failedAt)
			.map(({ params, leftAt }) => `page ${String(params.page)} at ${leftAt}`);
		expect(failedAt).toBeLessThan(1000);
		expect(late).toEqual([]);
	});

	it('stops the run at once, with On Error set to stop', async () => {
		const limited = answered(429, { headers: { 'retry-after': '120' } });
		const { service, execute } = modelWorld({
			fault: ({ method }) => (method === 'GET' ? answered(401) : limited),
			latency: () => 100,
		});
		const sheet = [create('one', 'one'), list, create('two', 'two')];
		const { outcomes, endedAt } = await execute({ sheet, continues: false });
		expect(outcomes.map(toldOf)).toEqual(['not sent', 'failed', 'not sent']);
		expect(endedAt).toBeLessThan(1000);
		expect(service.journal.filter(({ leftAt }) => leftAt > endedAt)).toEqual([]);
	});
});

describe('a refusal for too many requests', () => {
	const limited = answered(429, { headers: { 'retry-after': '1' } });

	it.each([
		['an update', 1],
		['a create that can be looked up', 0],
	])('uses up no try: %s succeeds after 16 of them and one failure', async (_name, links) => {
		const { service, execute } = modelWorld({
			fault: inTurn([...new Array<Fault>(16).fill(limited), answered(500)]),
		});
		const { id } = service.add({ alias: 'a', url: url('before') });
		const row = links ? update('after', id) : create('after', 'new');
		const { outcomes } = await execute({ sheet: [row] });
		expect(outcomes.map(toldOf)).toEqual([links ? 'updated' : 'created']);
	});

	it('is borne as long as Max Wait says, and the row says how long and what for', async () => {
		const { service, execute } = modelWorld({ fault: () => limited, latency: () => 0 });
		const { id } = service.add({ alias: 'a', url: url('before') });
		const { outcomes, endedAt } = await execute({
			sheet: [update('after', id)],
			options: { maxWait: 20_000 },
		});
		expect(outcomes.map(toldOf)).toEqual(['failed']);
		expect(endedAt).toBe(20_000);
		expect(textsOf(outcomes[0])).toMatch(
			/This item waited 20 seconds for the service's rate limit to end, and cannot wait longer \(Max Wait of 20 seconds\)/,
		);
	});

	it('says so for a row that was never sent', async () => {
		const { execute, service } = modelWorld({
			fault: inTurn([answered(429, { headers: { 'retry-after': '90' } })]),
		});
		const sheet = [create('one', 'one'), create('two', 'two')];
		const { outcomes } = await execute({ sheet, options: { maxWait: 60_000, concurrency: 1 } });
		expect(outcomes.map(toldOf)).toEqual(['failed', 'failed']);
		expect(textsOf(outcomes[1])).toMatch(
			/would have to wait longer than its Max Wait of 60 seconds for the service's rate limit.*Nothing was sent.*waited 0 seconds.*It lasts another 90 seconds/,
		);
		expect(service.journal).toHaveLength(1);
	});

	it('tells a person who waits for a list how long it lasts', async () => {
		const { clock, limiter, service } = modelWorld({
			fault: inTurn([answered(429, { headers: { 'retry-after': '42' } })]),
			latency: () => 0,
		});
		await clock.run(async () => {
			const run = executeRun(service, limiter, { rows: readSheet([create('one', 'one')]) });
			await clock.sleep(2_000);
			const editor = executeRun(service, limiter, {
				rows: readSheet([list]),
				options: { isInteractive: true, maxWait: 3_000, concurrency: 1 },
			});
			expect(textsOf((await editor)[0])).toMatch(/40 seconds/);
			expect(clock.now()).toBe(2_000);
			expect((await run).map(toldOf)).toEqual(['created']);
		});
	});
});

describe('Max Wait counts for all requests of a row together', () => {
	const limitedFor = (seconds: number) =>
		answered(429, { headers: { 'retry-after': String(seconds) } });
	const unavailable = answered(503);
	const options = { maxWait: 60_000, concurrency: 1 };
	const latency = () => 0;

	it('so that limits of 40 seconds on its look-up and on its create are too much', async () => {
		const fault = inTurn([limitedFor(40), undefined, limitedFor(40)]);
		const { service, execute } = modelWorld({ fault, latency });
		const { outcomes, endedAt } = await execute({ sheet: [upsert('new', 'new')], options });
		expect(outcomes.map(toldOf)).toEqual(['failed']);
		expect(requestsOf(service.journal)).toEqual(['GET /links', 'GET /links', 'POST /links']);
		expect(endedAt).toBe(40_000);
		expect(textsOf(outcomes[0])).toMatch(
			/This item waited 40 seconds for the service's rate limit to end, and cannot wait longer \(Max Wait of 60 seconds\)\. It lasts another 40 seconds/,
		);
	});

	it('so that limits of 25 seconds on its look-up and on its create are not', async () => {
		const fault = inTurn([limitedFor(25), undefined, limitedFor(25)]);
		const { execute } = modelWorld({ fault, latency });
		const { outcomes, endedAt } = await execute({ sheet: [upsert('new', 'new')], options });
		expect(outcomes.map(toldOf)).toEqual(['created']);
		expect(endedAt).toBe(50_000);
	});

	it('also for a row that is let through after another one', async () => {
		const fault = ({ method, number }: Journaled) =>
			number <= 2 || method === 'POST' ? limitedFor(40) : undefined;
		const { execute } = modelWorld({ fault, latency });
		const sheet = [upsert('one', 'one'), upsert('two', 'two')];
		const { outcomes, endedAt } = await execute({ sheet, options: { ...options, concurrency: 2 } });
		expect(outcomes.map(toldOf)).toEqual(['failed', 'failed']);
		expect(endedAt).toBe(40_000);
	});

	it('so that a limit and then an outage share it', async () => {
		const fault = inTurn([limitedFor(40), undefined], { kind: 'refuse' });
		const { execute } = modelWorld({ fault, latency });
		const { outcomes, endedAt } = await execute({ sheet: [upsert('new', 'new')], options });
		expect(outcomes.map(toldOf)).toEqual(['failed']);
		expect(endedAt).toBeGreaterThan(50_000);
		expect(endedAt).toBeLessThanOrEqual(60_000);
		expect(textsOf(outcomes[0])).toMatch(/This item waited \d+ seconds for the service to recover/);
	});

	it('so that an outage and then another one share it', async () => {
		const outage = new Array<Fault>(7).fill(unavailable);
		const fault = inTurn([...outage, undefined], unavailable);
		const { service, execute } = modelWorld({ fault, latency });
		const { outcomes, endedAt } = await execute({ sheet: [upsert('new', 'new')], options });
		expect(outcomes.map(toldOf)).toEqual(['failed']);
		expect(requestsOf(service.journal)).toContain('POST /links');
		expect(endedAt).toBeLessThanOrEqual(60_000);
	});

	it('with the look-ups after a create whose answer was lost', async () => {
		// Each create fails, and each look-up after it is refused for a while before it finds nothing.
		const fault = ({ method, number }: Journaled) =>
			method === 'POST' ? answered(500) : number % 3 === 2 ? limitedFor(15) : undefined;
		const { service, execute } = modelWorld({ fault, latency });
		const { outcomes, endedAt } = await execute({ sheet: [create('new', 'new')], options });
		expect(outcomes.map(toldOf)).toEqual(['unknown']);
		expect(endedAt).toBeLessThanOrEqual(60_000);
		expect(service.journal.filter(({ method }) => method === 'POST').length).toBeGreaterThan(2);
	});

	it('and once for requests that wait at the same time', async () => {
		const { service, execute } = modelWorld({
			fault: ({ number }) => (number === 2 ? limitedFor(40) : undefined),
			latency,
		});
		for (let count = 0; count < 600; count += 1)
			service.add({ alias: `link-${count}`, url: url('before') });
		const { outcomes, endedAt } = await execute({
			sheet: [list],
			options: { ...options, concurrency: 5 },
		});
		expect(outcomes.map(toldOf)).toEqual(['read']);
		expect(endedAt).toBe(40_000);
	});

	it('and not with further pages of a list, however long that is', async () => {
		const { service, execute } = modelWorld({
			throttle: { limit: 6, window: 60_000 },
			latency,
		});
		for (let count = 0; count < 6000; count += 1)
			service.add({ alias: `link-${count}`, url: url('before') });
		const { outcomes } = await execute({ sheet: [list], options: { ...options, maxWait: 90_000 } });
		expect(outcomes.map(toldOf)).toEqual(['read']);
		expect(service.journal.filter(({ answer }) => answer?.status === 200)).toHaveLength(60);
	});

	it('and not with what is read before all rows', async () => {
		const fault = ({ method, number }: Journaled) =>
			number === 1 || (method === 'POST' && number === 3) ? limitedFor(40) : undefined;
		const { service, execute } = modelWorld({ fault, latency });
		const sheet = Array.from({ length: 6 }, (_, row) => upsert(`new-${row}`, `link-${row}`));
		const { outcomes, endedAt } = await execute({ sheet, options });
		expect(requestsOf(service.journal).slice(0, 4)).toEqual([
			...['GET /links', 'GET /links', 'POST /links', 'POST /links'],
		]);
		expect(outcomes.map(toldOf)).toEqual(sheet.map(() => 'created'));
		expect(endedAt).toBe(80_000);
	});

	it('says so if an earlier request has used it up', async () => {
		const fault = inTurn([limitedFor(60), undefined], unavailable);
		const { execute } = modelWorld({ fault, latency });
		const { outcomes } = await execute({ sheet: [upsert('new', 'new')], options });
		expect(textsOf(outcomes[0])).toMatch(
			/This item waited 60 seconds for the service, over all its requests \(Max Wait of 60 seconds\)/,
		);
	});
});

describe('an outage', () => {
	it.each([
		['refused connections', { kind: 'refuse' } as const],
		['maintenance', answered(503)],
		[
			'maintenance with an unreadable Retry-After',
			answered(503, { headers: { 'retry-after': '-1' } }),
		],
	])('of %s is borne as long as Max Wait says, with growing pauses', async (_name, last) => {
		const { service, execute } = modelWorld({ fault: inTurn([undefined], last), latency: () => 0 });
		const { id } = service.add({ alias: 'a', url: url('before') });
		const { outcomes, endedAt } = await execute({
			sheet: [update('first', id), update('after', id)],
			options: { maxWait: 60_000, concurrency: 1 },
		});
		expect(outcomes.map(toldOf)).toEqual(['updated', 'failed']);
		expect(endedAt).toBeGreaterThan(45_000);
		expect(endedAt).toBeLessThanOrEqual(60_000);
		expect(service.journal.length).toBeLessThan(20);
		expect(textsOf(outcomes[1])).toMatch(
			/This item waited \d+ seconds for the service to recover, in \d+ tries \(Max Wait of 60 seconds\)/,
		);
	});

	it('in which nothing is answered at all lasts no longer than Max Wait and the last time-out', async () => {
		const { service, execute } = modelWorld({
			fault: inTurn([undefined], { kind: 'hang', when: 'before' }),
			latency: () => 0,
		});
		const { id } = service.add({ alias: 'a', url: url('before') });
		const { outcomes, endedAt } = await execute({
			sheet: [update('first', id), update('after', id)],
			options: { maxWait: 40_000, timeout: 30_000, concurrency: 1 },
		});
		expect(outcomes.map(toldOf)).toEqual(['updated', 'unknown']);
		expect(endedAt).toBeLessThanOrEqual(70_000);
	});

	it('is no reason to wait where nothing ever answered', async () => {
		const { service, execute } = modelWorld({
			fault: () => ({ kind: 'refuse' }),
			latency: () => 0,
		});
		const sheet = Array.from({ length: 500 }, (_, row) => create(`${row}`, `alias-${row}`));
		const { outcomes, endedAt } = await execute({ sheet });
		expect(outcomes.map(toldOf)).toEqual(sheet.map(() => 'failed'));
		expect(endedAt).toBeLessThanOrEqual(5_000);
		// A few tries of the rows that began before the first one gave up, and one of each other row.
		expect(service.journal.length).toBeLessThanOrEqual(500 + 3 * 60);
	});

	it('costs each row of a run one try only, once a row was given up', async () => {
		const { service, execute } = modelWorld({
			fault: inTurn([undefined], answered(500)),
			latency: () => 0,
		});
		const { id } = service.add({ alias: 'a', url: url('before') });
		const others = Array.from({ length: 100 }, (_, row) =>
			service.add({ alias: `other-${row}`, url: url('before') }),
		);
		const { outcomes } = await execute({
			sheet: [update('first', id), ...others.map((link) => update('after', link.id))],
			options: { maxWait: 10_000, concurrency: 1 },
		});
		expect(outcomes.map(toldOf)).toEqual(['updated', ...others.map(() => 'unknown')]);
		// Those that had begun before wait for their own repeats.
		const tries = others.map(
			(link) => service.journal.filter(({ path }) => path === `/links/${link.id}`).length,
		);
		expect(tries.at(-1)).toBe(1);
	});

	it('in which every try fails is tolerated for 15 retries', async () => {
		const { service, execute } = modelWorld({
			fault: inTurn([undefined], answered(500)),
			latency: () => 0,
		});
		const { id } = service.add({ alias: 'a', url: url('before') });
		const { outcomes } = await execute({
			sheet: [update('first', id), update('after', id)],
			options: { maxWait: 3_600_000 },
		});
		expect(outcomes.map(toldOf)).toEqual(['updated', 'unknown']);
		expect(service.journal).toHaveLength(1 + 16);
	});

	it('is over as soon as something succeeds: then failures are repeated again', async () => {
		// The second row is given up after five seconds at most; the sixtieth request leaves after eleven.
		const { service, execute } = modelWorld({
			fault: ({ path, number }) =>
				number === 60 || (path === '/links/1' && number > 1) ? answered(500) : undefined,
			latency: () => 200,
		});
		const links = Array.from({ length: 80 }, (_, row) =>
			service.add({ alias: `${row}`, url: url('before') }),
		);
		const ids = links.map(({ id }) => id);
		const { outcomes } = await execute({
			sheet: [update('first', 1), update('bad', 1), ...ids.slice(1).map((id) => update('ok', id))],
			options: { concurrency: 1, maxWait: 5_000 },
		});
		const told = outcomes.map(toldOf);
		expect(told[1]).toBe('unknown');
		expect(told.filter((each) => each === 'updated')).toHaveLength(80);
	});
});

describe('Timeout', () => {
	it('makes a write that was given up unknown, also where its answer drips in later', async () => {
		const slow: Fault = { kind: 'slow', milliseconds: 60_000 };
		const { service, execute } = modelWorld({ fault: inTurn([slow]), latency: () => 0 });
		const { outcomes, endedAt } = await execute({
			sheet: [create('slow')],
			options: { timeout: 5_000 },
		});
		expect(outcomes.map(toldOf)).toEqual(['unknown']);
		expect(endedAt).toBe(5_000);
		expect(service.links.size).toBe(1);
	});
});

it('makes every request of a run in the order of its rows', async () => {
	const { service, execute } = modelWorld({ latency: () => 100 });
	const names = Array.from({ length: 40 }, (_, row) => `row-${row}`);
	await execute({ sheet: names.map((name) => create(name, name)) });
	expect(service.journal.map(({ params }) => params.alias)).toEqual(names);
	expect(requestsOf(service.journal)).toEqual(names.map(() => 'POST /links'));
});

/** Executes rows with a scripted operation, and returns the summary and the outcomes in the order in which the rows ended. */
async function executeScripted(
	rows: readonly Row[],
	run: Partial<OperationRun> = {},
	execution: Partial<Execution> = {},
) {
	const { client, sent } = clientFor(() => ({ body: { data: linkLike() } }), { concurrency: 1 });
	const ended: RowOutcome[] = [];
	const operation: Execution['operation'] = () => ({
		recovery: 'Run the node again.',
		execute: async (_requests, row) =>
			await Promise.resolve({ resources: [linkLike({ id: row.id })], outcome: 'updated' }),
		...run,
	});
	const summary = await executeRows([...rows], {
		...{ contract: linkContract, operation, settings: runSettings(), items: rows.length },
		connect: async () => await Promise.resolve(client),
		...{ isDryRun: false, continues: true, output: rawOutput },
		finalOutcomes: new Map<number, RowOutcome>(),
		onEnd: (outcome) => ended.push(outcome),
		...execution,
	});
	client.close();
	return { summary, ended, sent, client, indexes: ended.map(({ index }) => index) };
}

const rowAt = (index: number, more: Partial<Row> = {}): Row => ({
	index,
	encoded: rowOf('update', { linkId: `${index}`, updateFields: { disabled: true } }),
	...more,
});

const failing = async (): Promise<never> =>
	await Promise.reject(
		new ServiceError({ cause: 'rejected', message: 'Refused', advice: 'Correct it.' }),
	);

describe('a row that repeats an earlier row', () => {
	const rows = () => [rowAt(5), rowAt(6, { duplicateOf: 5 }), rowAt(7)];

	it('has its result, without another request', async () => {
		const executed: unknown[] = [];
		const { ended } = await executeScripted(
			rows(),
			{
				execute: async (_requests, { id }) => {
					executed.push(id);
					return await Promise.resolve({ resources: [linkLike({ id })], outcome: 'updated' });
				},
			},
			{ output: ({ id }) => ({ id }) },
		);
		expect(executed).toEqual(['5', '7']);
		const byIndex = ended.toSorted((a, b) => a.index - b.index);
		expect(byIndex).toMatchObject([
			{ index: 5, result: { resources: [{ id: '5' }] } },
			{ index: 6, isDuplicate: true, result: { resources: [{ id: '5' }], outcome: 'updated' } },
			{ index: 7, result: { resources: [{ id: '7' }] } },
		]);
	});

	it('fails with it', async () => {
		const { ended } = await executeScripted(rows().slice(0, 2), { execute: failing });
		expect(ended).toMatchObject([
			{ index: 5, failure: { message: 'Refused' } },
			{ index: 6, failure: { message: 'Refused' } },
		]);
		expect(ended[1]).not.toHaveProperty('result');
	});
});

describe('a row that must not be written', () => {
	const problem = { field: 'Alias', key: 'alias', what: 'is wrong' };
	const problemsOf: OperationRun['problemsOf'] = ({ id }) => (id === '2' ? [problem] : []);
	const rows = () => [rowAt(1), rowAt(2), rowAt(3)];

	it('stops the run before its first write', async () => {
		const { ended, summary } = await executeScripted(rows(), { problemsOf }, { continues: false });
		expect(ended).toMatchObject([{ index: 2, failure: { message: 'Alias is wrong' } }]);
		expect(summary.refused).toMatchObject([{ index: 2, encoded: [problem] }]);
	});

	it('fails alone if the run continues', async () => {
		const { ended, summary } = await executeScripted(rows(), { problemsOf });
		expect(ended.map((outcome) => [outcome.index, isFailed(outcome)])).toEqual(
			expect.arrayContaining([
				[1, false],
				[2, true],
				[3, false],
			]),
		);
		expect(summary.refused).toEqual([]);
	});

	it('does not stop a run that has written it before', async () => {
		const done: RowOutcome = { index: 2, result: { resources: [], outcome: 'updated' } };
		const execution = { continues: false, finalOutcomes: new Map([[2, done]]) };
		const { ended, summary } = await executeScripted(rows(), { problemsOf }, execution);
		expect(ended.map(isFailed)).toEqual([false, false, false]);
		expect(ended).toContain(done);
		expect(summary.refused).toEqual([]);
	});
});

describe('resources that are in no row', () => {
	const removalOf = (id: string, executed: string[] = []): Removal => ({
		resource: { name: id, data: {} },
		execute: async () => {
			executed.push(id);
			return await Promise.resolve({ resources: [{ id }], outcome: 'deleted' });
		},
	});
	const removing = (executed?: string[]): Partial<OperationRun> => ({
		removals: () => [removalOf('8', executed), removalOf('9', executed)],
		notes: () => ['A note'],
	});
	const kept = 'Nothing was removed, because not all items succeeded';

	it('are removed after all rows, with indexes after those of the items', async () => {
		const { ended, summary } = await executeScripted([rowAt(0)], removing());
		expect(ended).toMatchObject([
			{ index: 0, ids: ['0'] },
			{ index: 1, removed: { name: '8' }, result: { outcome: 'deleted' } },
			{ index: 2, removed: { name: '9' } },
		]);
		expect(summary).toMatchObject({ notes: ['A note'] });
	});

	it.each<[what: string, rows: Row[], run: Partial<OperationRun>]>([
		['fails', [rowAt(0), rowAt(1)], { execute: failing }],
		['is invalid', [rowAt(0), rowAt(1, { encoded: [] })], {}],
	])('are kept if a row %s', async (_what, rows, run) => {
		const executed: string[] = [];
		const { ended, summary } = await executeScripted(rows, { ...removing(executed), ...run });
		expect(ended).toHaveLength(2);
		expect(executed).toEqual([]);
		expect(summary.notes).toEqual(['A note', kept]);
	});

	it('are not removed by a run without rows', async () => {
		const executed: string[] = [];
		expect((await executeScripted([], removing(executed))).ended).toEqual([]);
		expect(executed).toEqual([]);
	});

	it('are removed by another try of a run whose rows are all done', async () => {
		const done: RowOutcome = { index: 0, result: { resources: [], outcome: 'updated' } };
		const execution = () => ({ finalOutcomes: new Map([[0, done]]) });
		const executed: string[] = [];
		await executeScripted([rowAt(0)], removing(executed), execution());
		expect(executed).toEqual(['8', '9']);
		const { ended } = await executeScripted([rowAt(0)], removing(), {
			...execution(),
			connect: async () => await Promise.reject(new Error('No credential')),
		});
		expect(ended).toEqual([
			done,
			{ index: 1, failure: expect.objectContaining({ message: 'No credential' }) },
		]);
	});
});

describe('the outcomes of a run', () => {
	it('that another try must not repeat are kept, except those of a dry run', async () => {
		const finalOutcomes = new Map<number, RowOutcome>();
		const rows = () => [rowAt(0), rowAt(1)];
		await executeScripted(rows(), {}, { finalOutcomes, isDryRun: true });
		expect(finalOutcomes.size).toBe(0);
		await executeScripted(
			rows(),
			{
				execute: async (_requests, { id }) =>
					id === '1' ? await failing() : { resources: [], outcome: 'updated' },
			},
			{ finalOutcomes },
		);
		expect([...finalOutcomes.keys()]).toEqual([0]);
	});

	it('of all rows are failures if the node cannot connect', async () => {
		const { ended } = await executeScripted(
			[rowAt(0), rowAt(1)],
			{},
			{
				connect: async () => await Promise.reject(new Error('No credential')),
			},
		);
		const failure = {
			cause: 'rejected',
			message: 'No credential',
			advice: 'Check the credential and the settings of the node.',
		};
		expect(ended).toMatchObject([
			{ index: 0, failure },
			{ index: 1, failure },
		]);
	});

	it('of all rows are one failure of the run if what they need cannot be read', async () => {
		const { ended, summary } = await executeScripted([rowAt(0), rowAt(1)], {
			prepare: failing,
		});
		const failure = { message: 'Refused', isRunLevel: true };
		expect(ended).toMatchObject([
			{ index: 0, failure },
			{ index: 1, failure },
		]);
		expect(summary.notes).toEqual([]);
	});

	it('are unknown if n8n fails after a write', async () => {
		const { ended } = await executeScripted([rowAt(0), rowAt(1)], {
			execute: async (requests, row) => {
				if (row.id === '0') throw new Error('n8n failed');
				await requests.request(apiRequest(linkContract, 'create', [['url', url('x')]]));
				throw 'n8n failed';
			},
		});
		expect(ended).toMatchObject([
			{ failure: { message: 'n8n failed' } },
			{ failure: { message: 'n8n failed', outcome: 'unknown', isUnknownCreate: true } },
		]);
		expect(ended[0]).not.toMatchObject({ failure: { outcome: 'unknown' } });
	});

	it('end with the row that stops the run', async () => {
		const { indexes } = await executeScripted(
			[rowAt(0), rowAt(1)],
			{ execute: failing },
			{ continues: false },
		);
		expect(indexes).toEqual([0]);
	});
});

it('masks the passwords of a row in the messages about it', async () => {
	const row = rowOf('update', { linkId: '1', updateFields: { password: 'open sesame' } });
	const texts: string[] = [];
	await executeScripted([rowAt(0), { index: 1, encoded: row }], {
		execute: async (requests) => {
			texts.push(requests.secrets.text('It was open sesame'));
			return await Promise.resolve({ resources: [], outcome: 'updated' });
		},
	});
	expect(texts).toEqual(['It was open sesame', 'It was [password]']);
});
