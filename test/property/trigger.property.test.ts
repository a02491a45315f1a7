import fc, { type Arbitrary } from 'fast-check';
import type { EventName } from '../../nodes/LinkTrigger/events';
import {
	eventExamples,
	eventNames,
	linkChanges,
	type LinkChangeName,
	type Operation,
	type Pick,
} from '../support/eventExamples.ts';
import {
	pollFaults,
	PollHistory,
	type History,
	type Meeting,
	type Step,
} from '../support/pollHistory.ts';
import { PollOracle } from '../support/pollOracle.ts';
import { casesOf } from '../support/randomTests.ts';

/** Number of histories of each event. */
const numRuns = casesOf(16);

jest.setTimeout(6 * 60 * 60_000);

const few: Arbitrary<number> = fc.oneof(
	{ weight: 6, arbitrary: fc.constantFrom(1, 1, 1, 2, 3) },
	{ weight: 2, arbitrary: fc.integer({ min: 4, max: 9 }) },
	{ weight: 1, arbitrary: fc.integer({ min: 10, max: 30 }) },
);

const place = fc.oneof(
	fc.constantFrom(0, 0.25, 0.5, 0.75, 0.999),
	fc.integer({ min: 0, max: 999 }).map((number) => number / 1000),
);

const pick: Arbitrary<Pick> = fc.record({
	from: place,
	count: few,
	stride: fc.constantFrom(1, 1, 1, 2, 7),
});

const gap = fc.constantFrom(0, 0, 0, 3, 50, 1000);

type Kind = Operation['kind'];

const someLinks = { count: few, like: fc.nat(23), gap };

/** What each kind of operation has, apart from changes of links. */
const fields: Record<Exclude<Kind, LinkChangeName>, Record<string, Arbitrary<unknown>>> = {
	create: someLinks,
	delete: { pick },
	hold: { ...someLinks, count: fc.constantFrom(1, 1, 2, 5) },
	pass: { minutes: fc.constantFrom(1, 5, 40) },
	replace: { pick },
	show: {},
	swap: { pick, other: place, threshold: fc.constantFrom(0, 100, 1000) },
};

const kinds = [...Object.keys(linkChanges), ...Object.keys(fields)] as Kind[];

const isChange = (kind: Kind): kind is LinkChangeName => Object.hasOwn(linkChanges, kind);

const operationOf = (kind: Kind) =>
	fc.record({
		kind: fc.constant(kind),
		...(isChange(kind) ? { pick, value: fc.nat(59) } : fields[kind]),
	}) as unknown as Arbitrary<Operation>;

function operationFor(events: readonly EventName[]): Arbitrary<Operation> {
	const favoured = events.flatMap((event) => eventExamples[event].operations);
	return fc.oneof(
		{ weight: 3, arbitrary: fc.oneof(...favoured.map(operationOf)) },
		{ weight: 1, arbitrary: fc.oneof(...kinds.map(operationOf)) },
	);
}

const fault = fc.constantFrom(...pollFaults, 500, 502);

const none = <T>(): Arbitrary<T[]> => fc.constant([]);

function meetingsOf(operation: Arbitrary<Operation>, isFaulty: boolean): Arbitrary<Meeting[]> {
	const some = fc.oneof(none<Operation>(), fc.array(operation, { minLength: 1, maxLength: 3 }));
	const meeting = fc.record({
		request: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 14 })),
		before: some,
		after: some,
		fault: isFaulty ? fc.option(fault, { nil: undefined }) : fc.constantFrom(undefined, 'overlap'),
	});
	return fc.array(meeting, { minLength: 1, maxLength: 3 });
}

function stepsFor(operation: Arbitrary<Operation>): Arbitrary<Step[]> {
	const quiet = none<Meeting>();
	const meetings = fc.oneof(
		{ weight: 4, arbitrary: quiet },
		{ weight: 3, arbitrary: meetingsOf(operation, false) },
		{ weight: 2, arbitrary: meetingsOf(operation, true) },
	);
	const kind = <K extends Step['kind']>(name: K) => fc.constant(name);
	const isAbandoned = fc.constantFrom(...Array<boolean>(7).fill(false), true);
	const milliseconds = fc.constantFrom(-4e10, -3_600_000, 3_600_000, 4e10);
	const some = fc.array(operation, { minLength: 1, maxLength: 4 });
	const step: Arbitrary<Step> = fc.oneof(
		{ weight: 8, arbitrary: fc.record({ kind: kind('do'), operations: some }) },
		{ weight: 8, arbitrary: fc.record({ kind: kind('poll'), meetings, isAbandoned }) },
		{ weight: 1, arbitrary: fc.record({ kind: kind('restart'), isStart: fc.boolean(), meetings }) },
		{ weight: 1, arbitrary: fc.record({ kind: kind('settle') }) },
		{ weight: 1, arbitrary: fc.record({ kind: kind('clock'), milliseconds }) },
	);
	// Nothing is sure before the trigger has once seen everything.
	const settled: Arbitrary<Step[]> = fc.constantFrom<Step[]>(
		[{ kind: 'settle' }],
		[{ kind: 'settle' }],
		[],
	);
	const steps = fc.array(step, { minLength: 2, maxLength: 12, size: 'max' });
	return fc.tuple(settled, steps).map(([first, rest]) => [...first, ...rest]);
}

const filters = fc.oneof(
	{ weight: 5, arbitrary: fc.constant({}) },
	{
		weight: 3,
		arbitrary: fc.constantFrom(
			{ domainId: 1 },
			{ spaceId: 1 },
			{ pixelId: 1 },
			{ aliasStartsWith: 'spring-' },
			{ domainId: 1, spaceId: 2 },
			{ pixelId: 2, aliasStartsWith: 'a-' },
		),
	},
);

/** Pages of 10 links make lists of many pages out of few links: the service caps the 100 that the trigger asks for. */
const pageSizes = fc.constantFrom(10, 10, 10, 10, 10, 10, 10, 100);

/** Number of links before the trigger is switched on, by the size of the pages. */
const sizeFor = (pageSize: number): Arbitrary<number> => {
	const pages = [1, 2].flatMap((count) => [-1, 0, 1].map((more) => count * pageSize + more));
	return fc.oneof(
		{ weight: 2, arbitrary: fc.integer({ min: 0, max: 6 }) },
		{ weight: 2, arbitrary: fc.constantFrom(...pages, 3 * pageSize) },
		{ weight: 3, arbitrary: fc.integer({ min: pageSize - 1, max: 4 * pageSize }) },
		// The first poll reads up to five pages.
		{ weight: 2, arbitrary: fc.integer({ min: 50, max: 90 }) },
	);
};

/** How many requests polls can make, by turns. Most have all the time that they need. */
const budgets = fc.oneof(
	{ weight: 2, arbitrary: none<number>() },
	{
		weight: 1,
		arbitrary: fc.array(fc.constantFrom(1, 2, 3, 5, 9), { minLength: 1, maxLength: 3 }),
	},
);

/** The account as it is before the trigger is switched on. */
const beforeOn = (pageSize: number): Arbitrary<Operation[]> =>
	fc.tuple(
		fc.record({
			kind: fc.constant('create' as const),
			count: sizeFor(pageSize),
			like: fc.nat(23),
			gap,
		}),
	);

function historyOf(someEvents: Arbitrary<readonly EventName[]>): Arbitrary<History> {
	return fc.tuple(someEvents, pageSizes).chain(([events, pageSize]) => {
		const operation = operationFor(events);
		return fc.record({
			engine: fc.constantFrom('classic' as const, 'durable' as const),
			watched: fc.record({
				events: fc.constant(events),
				thresholds: fc.constantFrom([100], [100, 1000], [6, 100, 1000]),
				minNewClicks: fc.constantFrom(1, 1, 1, 2, 10, 96),
				startFrom: fc.constantFrom('now' as const, 'now' as const, 'all' as const),
				filters,
			}),
			pageSize: fc.constant(pageSize),
			before: beforeOn(pageSize),
			budgets,
			activation: fc.oneof(
				{ weight: 3, arbitrary: none<Meeting>() },
				{ weight: 1, arbitrary: meetingsOf(operation, true) },
			),
			steps: stepsFor(operation),
		});
	});
}

const play = async (history: History) => await new PollHistory(history).play();

const check = async (events: Arbitrary<readonly EventName[]>) =>
	await fc.assert(fc.asyncProperty(historyOf(events), play), { numRuns });

it.each(eventNames)('loses no %s and reports none twice, whatever happens', async (event) => {
	const alone = fc.constant([event]);
	// A link that was reported as created must be reported as deleted.
	await check(
		event === 'deleted' ? fc.oneof(alone, fc.constant<EventName[]>(['created', event])) : alone,
	);
});

it('loses no event and reports none twice where several are asked for', async () => {
	await check(
		fc.oneof(
			fc.constant(eventNames),
			fc.constant<EventName[]>(['disabled', 'enabled']),
			fc.subarray(eventNames, { minLength: 2 }),
		),
	);
});

it('the oracle has a rule for each event, and throws on an unknown event', () => {
	const oracleFor = (events: readonly EventName[]) =>
		new PollOracle({
			...{ events, thresholds: [100], minNewClicks: 1, startFrom: 'now', filters: {} },
			remembered: 90,
		});
	expect(() => oracleFor(eventNames)).not.toThrow();
	expect(() => oracleFor(['opened' as EventName])).toThrow('no rule for the event opened');
});
