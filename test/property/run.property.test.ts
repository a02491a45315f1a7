import { inspect, isDeepStrictEqual } from 'node:util';
import fc, { type Arbitrary } from 'fast-check';
import type { Parameters } from '../../nodes/shared/contract/types';
import { isFailed, type RowOutcome } from '../../nodes/shared/execute/outcome';
import { RateLimiter } from '../../nodes/shared/transport/limiter';
import { executeRun, readSheet } from '../support/simulatedRun.ts';
import { mostUnderWay, SimulatedService, type Journaled } from '../support/simulatedService.ts';
import {
	passingFaults,
	rarely,
	rejections,
	throttleOf,
	visibleFault,
} from '../support/randomFaults.ts';
import { VirtualClock } from '../../testkit/clock/virtualClock.ts';
import { casesOf, type Made } from '../support/randomTests.ts';

/** So many random cases, of one to three runs each, are executed. */
const cases = casesOf(600);

jest.setTimeout(30 * 60_000);

/** What a row asks for. There are few aliases and links, so that rows meet. */
type RowSpec =
	| { readonly operation: 'create'; readonly alias?: number }
	| { readonly operation: 'delete' | 'get'; readonly link: number }
	| { readonly operation: 'getAll' }
	| { readonly operation: 'update'; readonly link: number; readonly isByUrl: boolean }
	| {
			readonly operation: 'upsert';
			readonly alias: number;
			readonly domain?: 1 | 2;
			/** Rows with the same number here, alias and domain want the very same. */
			readonly like?: number;
	  };

/** A run has so many links from the beginning that rows name, and so many that upserts find by their alias. */
const namedLinks = 3;
const foundLinks = 2;

const alias = fc.nat(4);
const link = fc.nat(namedLinks - 1);

const rowSpec: Arbitrary<RowSpec> = fc.oneof(
	fc.record({ operation: fc.constant('create' as const), alias }, { requiredKeys: ['operation'] }),
	fc.record({ operation: fc.constantFrom('delete' as const, 'get' as const), link }),
	fc.record({ operation: fc.constant('getAll' as const) }),
	fc.record({ operation: fc.constant('update' as const), link, isByUrl: fc.boolean() }),
	fc.record(
		{
			operation: fc.constant('upsert' as const),
			alias,
			domain: fc.constantFrom(1 as const, 1 as const, 2 as const),
			like: fc.nat(1),
		},
		{ requiredKeys: ['operation', 'alias'] },
	),
);

/** One run of the node. */
const runSpec = fc.record({
	rows: fc.array(rowSpec, { minLength: 1, maxLength: 12, size: 'max' }),
	options: fc.record({
		concurrency: fc.integer({ min: 1, max: 6 }),
		pace: fc.constantFrom(0, 0, 0, 2000, 100),
		maxWait: fc.constantFrom(300_000, 0, 800, 5_000, 30_000, 300_000),
		timeout: fc.constantFrom(30_000, 300, 3_000),
	}),
	settings: fc.record({ ignoreMissing: fc.boolean() }),
	continues: fc.constantFrom(true, true, true, false),
	/** Virtual milliseconds at which it starts. */
	startsAt: fc.constantFrom(0, 0, 30, 700),
	/** Virtual milliseconds after which it is cancelled. */
	cancelAfter: rarely(fc.constantFrom(0, 40, 300, 3_000)),
});

type RunSpec = Made<typeof runSpec>;

/** Some runs on one service, which share a rate limiter. */
const anyCase = fc.record({
	seed: fc.nat(),
	runs: fc.oneof(
		{ weight: 3, arbitrary: fc.array(runSpec, { minLength: 1, maxLength: 1 }) },
		{ weight: 1, arbitrary: fc.array(runSpec, { minLength: 2, maxLength: 3 }) },
	),
	/** Milliseconds that a request and its answer take at most. */
	latency: fc.constantFrom(0, 50, 400),
	throttle: fc.option(throttleOf(1, 0, 0, 1), { nil: undefined }),
	/** What goes wrong with each request, in the order in which they leave. */
	faults: fc.array(
		fc.oneof(
			{ weight: 24, arbitrary: fc.constant(undefined) },
			...passingFaults.map((arbitrary) => ({ weight: 1, arbitrary })),
			{ weight: 1, arbitrary: rejections },
		),
		{ maxLength: 60, size: 'max' },
	),
	/** What goes wrong with all requests after those. */
	tail: rarely(fc.oneof(...passingFaults, rejections)),
	/** Links that stay the same, so that a list has several pages. They take as much time as many cases. */
	others: fc.oneof(
		{ weight: 39, arbitrary: fc.constant(0) },
		{ weight: 1, arbitrary: fc.nat(350) },
	),
});

/** Whether nobody can know from its answer what a request did. */
function isAmbiguous({ fault, leftAt, endedAt = Infinity }: Journaled, timeout: number): boolean {
	if (endedAt - leftAt >= timeout) return true;
	if (!fault || fault.kind === 'refuse' || fault.kind === 'slow') return false;
	if (fault.kind !== 'status') return true;
	return fault.status === 200 || (fault.status >= 500 && fault.status !== 503);
}

/** The destination that a row gives its link: no other row of any run has it, but those that want the very same. */
function urlOf(run: number, row: number, spec: RowSpec): string {
	const isLike = spec.operation === 'upsert' && spec.like !== undefined;
	const name = isLike ? `${spec.alias}-${spec.domain ?? 'any'}-${spec.like}` : row;
	return `https://example.com/run-${run}/${name}`;
}

/** What happened to one run, ready to be looked at. */
class Execution {
	readonly name: string;

	/** IDs of the links that its rows name. */
	private readonly named: number[];

	private readonly urls: string[];

	private outcomes: readonly (RowOutcome | undefined)[] = [];

	startedAt = 0;

	endedAt = 0;

	private readonly run: number;

	readonly spec: RunSpec;

	private readonly service: SimulatedService;

	private readonly clock: VirtualClock;

	/** IDs of the links that nobody changes. */
	private readonly others: readonly number[];

	constructor(
		run: number,
		spec: RunSpec,
		service: SimulatedService,
		clock: VirtualClock,
		others: readonly number[],
	) {
		this.run = run;
		this.others = others;
		this.spec = spec;
		this.service = service;
		this.clock = clock;
		this.name = `run ${run}`;
		this.named = Array.from({ length: namedLinks }, (_, number) => {
			const name = `named-${run}-${number}`;
			return service.add({ alias: name, url: `https://example.com/${name}` });
		});
		this.urls = spec.rows.map((row, index) => urlOf(run, index, row));
		for (let number = 0; number < foundLinks; number += 1) {
			// Some rows find what they want as it is already.
			const spec = { operation: 'upsert', alias: number, domain: 1, like: 0 } as const;
			service.add({ alias: this.aliasOf(number), url: urlOf(run, 0, spec) });
		}
	}

	private aliasOf(alias: number) {
		return `alias-${this.run}-${alias}`;
	}

	private parametersOf(spec: RowSpec, index: number): Parameters {
		const url = this.urls[index];
		switch (spec.operation) {
			case 'create': {
				const alias = spec.alias === undefined ? '' : this.aliasOf(spec.alias);
				return { url, domainId: 1, alias };
			}
			case 'upsert':
				return { url, domainId: spec.domain ?? '', alias: this.aliasOf(spec.alias) };
			case 'update': {
				const value = `https://links.example/s/named-${this.run}-${spec.link}`;
				const linkId = spec.isByUrl
					? { __rl: true, mode: 'url', value }
					: String(this.named[spec.link]);
				return { linkId, updateFields: { url } };
			}
			case 'getAll':
				return { returnAll: true };
			default:
				return { linkId: String(this.named[spec.link]) };
		}
	}

	async execute(limiter: RateLimiter): Promise<void> {
		const { rows, options, settings, continues, startsAt, cancelAfter } = this.spec;
		const { clock } = this;
		await clock.sleep(startsAt);
		this.startedAt = clock.now();
		const sheet = rows.map((spec, index) => ({
			operation: spec.operation,
			parameters: this.parametersOf(spec, index),
		}));
		const cancel = new AbortController();
		if (cancelAfter !== undefined) void clock.sleep(cancelAfter).then(() => cancel.abort());
		const { rows: outcomes } = await executeRun(this.service, limiter, {
			rows: readSheet(sheet),
			options: { ...options, signal: cancel.signal },
			settings,
			continues,
			name: this.name,
		});
		this.outcomes = outcomes;
		this.endedAt = clock.now();
	}

	/** Compares what is told of the run with what happened at the service. */
	check(): void {
		const requests = this.service.journal.filter(({ client }) => client === this.name);
		const { concurrency, timeout } = this.spec.options;
		ensure(mostUnderWay(requests, timeout) <= concurrency, requests);
		ensure(
			requests.every(({ leftAt }) => leftAt <= this.endedAt),
			requests,
		);
		ensure(this.outcomes.length === this.spec.rows.length, this.outcomes);
		const { continues, cancelAfter } = this.spec;
		if (continues && cancelAfter === undefined) {
			ensure(!this.outcomes.includes(undefined), this.outcomes);
		}
		for (const [index, spec] of this.spec.rows.entries()) this.checkRow(index, spec, requests);
		this.checkOrder();
	}

	private checkRow(index: number, spec: RowSpec, requests: readonly Journaled[]): void {
		const outcome = this.outcomes[index];
		const told = stateOf(outcome);
		const url = this.urls[index];
		const id = 'link' in spec ? this.named[spec.link] : undefined;
		const effects = this.service.effects.filter((effect) =>
			spec.operation === 'delete'
				? effect.kind === 'deleted' && effect.id === id
				: effect.url === url,
		);
		const row = {
			index,
			...spec,
			told,
			failure: outcome && isFailed(outcome) && outcome.failure,
			effects,
		};

		if (told === 'unknown') {
			const own = requests.filter(
				({ method, path, params }) =>
					method !== 'GET' &&
					(spec.operation === 'delete' ? path === `/links/${id}` : params.url === url),
			);
			const wasLost = own.some((request) => isAmbiguous(request, this.spec.options.timeout));
			// A run that is canceled does not wait for its writes.
			const wasLeft = own.some(({ endedAt = Infinity }) => endedAt >= this.endedAt);
			const isExplained = wasLost || (this.spec.cancelAfter !== undefined && wasLeft);
			ensure(isExplained, row);
		}
		// A link is deleted once, and whose row it was shows only if no other row deletes the same.
		const shares = spec.operation === 'delete' && this.deletesOf(spec.link).length > 1;
		if (told === 'failed' && !shares) ensure(effects.length === 0, row);
		if (shares && effects.length > 0) this.checkDeleted(spec.link);
		if (told !== 'done') return;
		if (!outcome || isFailed(outcome)) return;
		const { resources, outcome: word } = outcome.result;
		if (spec.operation === 'getAll') {
			const ids = new Set(resources.map((resource) => Number(resource.id)));
			ensure(ids.size === resources.length, row);
			ensure(
				this.others.every((other) => ids.has(other)),
				row,
			);
		} else if (spec.operation === 'get') {
			ensure(resources.length === 1 && resources[0]?.id === id, row);
		} else if (spec.operation === 'delete') {
			ensure(!this.service.link(id), row);
			ensure(word !== 'missing' || this.spec.settings.ignoreMissing, row);
		} else {
			ensure(resources.length === 1 && resources[0]?.url === url, row);
			if (word === 'unchanged') return;
			const kind = word === 'created' ? 'created' : 'updated';
			ensure(
				effects.some((effect) => effect.kind === kind),
				row,
			);
			ensure(
				effects.some((effect) => effect.id === resources[0]?.id),
				row,
			);
		}
	}

	/** The rows that delete a link. */
	private deletesOf(link: number): number[] {
		return this.spec.rows.flatMap((row, index) =>
			row.operation === 'delete' && row.link === link ? [index] : [],
		);
	}

	/** Where a link was deleted, not all of the rows that were to delete it say that they failed. */
	private checkDeleted(link: number): void {
		const told = this.deletesOf(link).map((index) => stateOf(this.outcomes[index]));
		ensure(
			told.some((state) => state !== 'failed'),
			{ link, told },
		);
	}

	/** No row made two links, and rows on one link had their effects in the order of the rows. */
	private checkOrder(): void {
		const rowsOn = new Map<number, number[]>();
		const created = new Map<string, number>();
		for (const { kind, id, url = '' } of this.service.effects) {
			const row = this.urls.indexOf(url);
			if (row < 0) continue;
			rowsOn.set(id, [...(rowsOn.get(id) ?? []), row]);
			if (kind === 'created') created.set(url, (created.get(url) ?? 0) + 1);
		}
		for (const [url, count] of created) ensure(count === 1, { url, count });
		for (const [id, rows] of rowsOn) {
			const inOrder = rows.toSorted((one, other) => one - other);
			ensure(isDeepStrictEqual(rows, inOrder), { id, rows });
		}
	}
}

/** Throws if a condition is not met. Half the time of this test would go into Jest's matchers. */
function ensure(isMet: boolean, details: object): void {
	if (!isMet) throw new Error(inspect(details, { depth: 6 }));
}

/** Returns what the node reports about a row. A row that did not start was not sent, so it counts as failed. */
function stateOf(outcome: RowOutcome | undefined): 'done' | 'failed' | 'unknown' {
	if (!outcome) return 'failed';
	if (!isFailed(outcome)) return 'done';
	return outcome.failure.outcome === 'unknown' ? 'unknown' : 'failed';
}

/** The requests of the runs with Requests Per Minute, while one of them lasts, are apart by what that one asks for. */
function checkPaces(executions: readonly Execution[], { journal }: SimulatedService): void {
	const paced = executions.filter(({ spec }) => spec.options.pace > 0);
	const names = paced.map(({ name }) => name);
	for (const { spec, startedAt, endedAt } of paced) {
		const sent = journal
			.filter(
				({ client, leftAt }) => names.includes(client) && leftAt > startedAt && leftAt < endedAt,
			)
			.map(({ leftAt }) => leftAt);
		for (const [index, at] of sent.slice(1).entries()) {
			expect(at - (sent[index] ?? 0)).toBeGreaterThan(spec.options.pace - 0.001);
		}
	}
}

/** Executes a case, and compares what is told with what happened. */
async function tryOut(given: Made<typeof anyCase>): Promise<void> {
	const { seed, runs, latency, throttle, faults, tail } = given;
	const clock = new VirtualClock(seed, { hours: 12 });
	const service = new SimulatedService(clock, {
		seed,
		latency: (random) => random() * latency,
		throttle,
		// The service has a default domain.
		takes: (form, link) => (link ? form : { domain_id: '1', ...form }),
		fault: (request) =>
			visibleFault(request.number <= faults.length ? faults[request.number - 1] : tail, request),
	});
	const limiter = new RateLimiter(clock);
	const others = Array.from({ length: given.others }, (_, number) => {
		return service.add({ alias: `other-${number}`, url: 'https://example.com/other' });
	});
	const executions = runs.map((run, index) => new Execution(index, run, service, clock, others));
	await clock.run(
		async () => await Promise.all(executions.map(async (one) => await one.execute(limiter))),
	);
	const sent = service.journal.length;
	// What comes late comes now, and nothing leaves any more.
	await clock.pass(10 * 60_000);
	expect(service.journal).toHaveLength(sent);
	for (const execution of executions) execution.check();
	checkPaces(executions, service);
	service.close();
}

it('tells of each row what the service did for it, whatever goes wrong', async () => {
	await fc.assert(fc.asyncProperty(anyCase, tryOut), { numRuns: cases });
});
