import fc, { type Arbitrary } from 'fast-check';
import type { UnmatchedAction, Parameters } from '../../nodes/shared/contract/types';
import { isEncoded } from '../../nodes/shared/contract/encodedRow';
import { EarlierTries, isFailed } from '../../nodes/shared/execute/outcome';
import { RateLimiter } from '../../nodes/shared/transport/limiter';
import { encodeOptions } from '../support/encodeRow.ts';
import { defaultOptions, executeRun, readSheet, type Outcomes } from '../support/simulatedRun.ts';
import { SimulatedService, type Fault, type StoredLink } from '../support/simulatedService.ts';
import {
	maybe,
	passingFaults,
	rarely,
	rejections,
	throttleOf,
	visibleFault,
} from '../support/randomFaults.ts';
import { VirtualClock } from '../../testkit/clock/virtualClock.ts';
import { casesOf, type Made } from '../support/randomTests.ts';

/** So many random cases, of up to four runs each, are executed. */
const cases = casesOf(60);

jest.setTimeout(30 * 60_000);

interface ScopeSpec {
	readonly domainId?: 1;
	readonly spaceId?: '1';
	readonly aliasStartsWith?: 's-';
}

const aliases = fc.constantFrom('s-1', 's-2', 's-3', 's-4', 'S-1', 'o-1', 'o-2');
const space = fc.constantFrom('1' as const, '2' as const);
const domain = fc.constantFrom(1 as const, 1 as const, 2 as const);
const fault: Arbitrary<Fault> = fc.oneof(...passingFaults, rejections);

const noLimits = { maxRemovals: 1000, maxRemovalPercentage: 100 };

const anyCase = fc.record({
	seed: fc.nat(),
	/** The links before the first run. There are few aliases and destinations, so that rows and links meet. */
	account: fc.array(
		fc.record({
			alias: aliases,
			domain,
			space: maybe(space),
			url: fc.nat(3),
			isDisabled: fc.boolean(),
		}),
		{ maxLength: 12, size: 'max' },
	),
	/** Links of another beginning, so that a list has several pages. */
	foreign: fc.oneof(
		{ weight: 14, arbitrary: fc.constant(0) },
		{ weight: 1, arbitrary: fc.nat(260) },
	),
	scope: fc.constantFrom<ScopeSpec>(
		{ domainId: 1 },
		{ spaceId: '1' },
		{ aliasStartsWith: 's-' },
		{ domainId: 1, spaceId: '1' },
		{ domainId: 1, aliasStartsWith: 's-' },
		{ domainId: 1, spaceId: '1', aliasStartsWith: 's-' },
	),
	rows: fc.array(
		fc.record({
			alias: aliases,
			/** Without one, the row leaves its domain to the scope where that has one. */
			domain: maybe(domain),
			space: maybe(space),
			url: fc.nat(3),
			disabled: rarely(fc.boolean()),
			/** Whether it cannot be sent. */
			isBad: fc.oneof(
				{ weight: 30, arbitrary: fc.constant(false) },
				{ weight: 1, arbitrary: fc.constant(true) },
			),
		}),
		{ minLength: 1, maxLength: 8, size: 'max' },
	),
	others: fc.constantFrom<UnmatchedAction>('delete', 'delete', 'disable', 'disable', 'keep'),
	limits: fc.constantFrom(
		...([noLimits, noLimits, noLimits, noLimits] as const),
		{ ...noLimits, maxRemovals: 1 },
		{ ...noLimits, maxRemovalPercentage: 40 },
	),
	options: fc.record({
		concurrency: fc.integer({ min: 1, max: 6 }),
		pace: fc.constantFrom(0, 0, 0, 100),
		maxWait: fc.constantFrom(300_000, 0, 800, 30_000, 300_000),
		timeout: fc.constantFrom(30_000, 300, 3_000),
	}),
	continues: fc.boolean(),
	/** How often n8n tries the node, as Retry On Fail does. */
	tries: fc.constantFrom(1 as const, 1 as const, 2 as const),
	/** Virtual milliseconds after which the first run is cancelled. */
	cancelAfter: rarely(fc.constantFrom(0, 40, 300, 3_000)),
	latency: fc.constantFrom(0, 50, 400),
	throttle: rarely(throttleOf(2, 0)),
	ignoredFilters: fc.constantFrom<readonly string[]>(
		[],
		[],
		['domain_id'],
		['space_id', 'search'],
		['domain_id', 'space_id', 'search'],
	),
	/** What goes wrong with each request of the first run, in the order in which they leave. */
	faults: fc.array(
		fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fault }),
		{ maxLength: 40, size: 'max' },
	),
});

type Case = Made<typeof anyCase>;

/** A link as this test compares it. */
const shown = ({ id, alias, domain, url, space, disabled }: StoredLink) => ({
	...{ id, alias, url, domain: domain.id, disabled: disabled === 1 },
	space: space === null ? undefined : String(space.id),
});

type Shown = ReturnType<typeof shown>;

const keyOf = ({ alias, domain }: Pick<Shown, 'alias' | 'domain'>) => `${domain}/${alias}`;

const byKey = <T extends Pick<Shown, 'alias' | 'domain'>>(links: readonly T[]): T[] =>
	links.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));

const urlOf = (url: number) => `https://example.com/${url}`;

const isWithin = (
	scope: ScopeSpec,
	{ domain, space, alias }: Pick<Shown, 'alias' | 'domain' | 'space'>,
) =>
	(scope.domainId === undefined || domain === scope.domainId) &&
	(scope.spaceId === undefined || space === scope.spaceId) &&
	alias.startsWith(scope.aliasStartsWith ?? '');

/** What the rows of a case mean, without what lies outside of the scope and all but the first of each link. */
function sheetOf({ rows, scope }: Case) {
	const taken = new Set<string>();
	return rows.flatMap((row) => {
		const domain = row.domain ?? scope.domainId ?? 1;
		const space = row.space ?? scope.spaceId;
		const meant = { ...row, domain, space };
		if (!isWithin(scope, meant) || taken.has(keyOf(meant))) return [];
		taken.add(keyOf(meant));
		return [meant];
	});
}

type SheetRow = ReturnType<typeof sheetOf>[number];

/** What the account has to be after a run without failures, and whether there can be one. */
function expectedOf(
	{ scope, others, limits }: Case,
	rows: readonly SheetRow[],
	before: readonly Shown[],
) {
	const rowOf = new Map(rows.map((row) => [keyOf(row), row]));
	// A link that differs from a row in case only may be the row's, where the service makes no difference.
	const folded = new Set(rows.map((row) => keyOf(row).toLowerCase()));
	const isDone = (link: Shown) => others === 'disable' && link.disabled;
	const inScope = before.filter((link) => isWithin(scope, link) && !isDone(link));
	const removed = inScope.filter(
		(link) => !folded.has(keyOf(link).toLowerCase()) && others !== 'keep',
	);
	const after = before.flatMap((link) => {
		const row = rowOf.get(keyOf(link));
		if (row && isWithin(scope, link)) {
			const disabled = row.disabled ?? (others === 'disable' ? false : link.disabled);
			return [{ ...link, url: urlOf(row.url), space: row.space ?? link.space, disabled }];
		}
		if (!removed.includes(link)) return [link];
		return others === 'delete' ? [] : [{ ...link, disabled: true }];
	});
	const known = new Set(before.map(keyOf));
	const made = rows
		.filter((row) => !known.has(keyOf(row)))
		.map(({ alias, domain, space, url, disabled = false }) => {
			return { id: -1, alias, domain, url: urlOf(url), space, disabled };
		});
	return {
		after: byKey([...after, ...made]),
		/** A row whose link lies outside. */
		hasConflict: before.some((link) => rowOf.has(keyOf(link)) && !isWithin(scope, link)),
		isRefused:
			rows.every(({ isBad }) => !isBad) &&
			(removed.length > limits.maxRemovals ||
				removed.length * 100 > limits.maxRemovalPercentage * inScope.length),
	};
}

const outcomesIn = ({ rows, removed }: Outcomes) => [...rows, ...removed];

const hasFailures = (executed: Outcomes) =>
	outcomesIn(executed).some((outcome) => outcome === undefined || isFailed(outcome));

/** Executes a case, and compares what the service holds with what it has to. */
async function tryOut(given: Case): Promise<void> {
	const { seed, account, foreign, scope, others, limits, options, latency, throttle } = given;
	const clock = new VirtualClock(seed, { hours: 12 });
	let isFaulty = true;
	const service = new SimulatedService(clock, {
		seed,
		latency: (random) => random() * latency,
		throttle,
		ignoredFilters: given.ignoredFilters,
		fault: (request) =>
			isFaulty ? visibleFault(given.faults[request.number - 1], request) : undefined,
	});
	for (const link of new Map(account.map((one) => [keyOf(one), one])).values()) {
		const { alias, domain, space, url, isDisabled } = link;
		const fields = { disabled: isDisabled ? '1' : '0', ...(space ? { space_id: space } : {}) };
		service.add({ alias, domain, url: urlOf(url), fields });
	}
	for (let number = 0; number < foreign; number += 1) {
		service.add({ alias: `far-${number}`, domain: 2, url: urlOf(0) });
	}
	const held = () => byKey([...service.links.values()].map(shown));
	const before = held();
	const sheet = sheetOf(given);
	if (sheet.length === 0) return;
	const expected = expectedOf(given, sheet, before);
	const isWhole = sheet.every(({ isBad }) => !isBad);
	const rows = readSheet(
		sheet.map(({ alias, domain, space, url, disabled, isBad }) => {
			const isDomainGiven = scope.domainId === undefined || seed % 2 === 0;
			const additionalFields: Parameters = {
				...(isDomainGiven ? { domainId: domain } : {}),
				...(space !== undefined && (scope.spaceId === undefined || seed % 3 === 0)
					? { spaceId: space }
					: {}),
				...(disabled === undefined ? {} : { disabled }),
			};
			const parameters = {
				syncScope: scope,
				alias,
				url: isBad ? 'nowhere' : urlOf(url),
				additionalFields,
			};
			return { operation: 'sync' as const, parameters };
		}),
		{ ...encodeOptions, unmatchedAction: others },
	);
	expect(rows.every(({ encoded }) => isEncoded(encoded))).toBe(isWhole);

	const limiter = new RateLimiter(clock);
	const continues = given.continues || !isWhole;
	let remembered = new EarlierTries();
	const cancel = new AbortController();
	const run = async (more: Partial<Parameters> & { readonly signal?: AbortSignal } = {}) =>
		await executeRun(service, limiter, {
			rows,
			settings: limits,
			continues,
			options: { ...options, ...more },
			earlier: remembered,
		});
	const executed = await clock.run(async () => {
		const { cancelAfter } = given;
		if (cancelAfter !== undefined) void clock.sleep(cancelAfter).then(() => cancel.abort());
		let one = await run({ signal: cancel.signal });
		const isTriedAgain = given.tries === 2 && !continues && !cancel.signal.aborted;
		if (isTriedAgain && hasFailures(one)) one = await run({ signal: cancel.signal });
		return one;
	});
	const inRows = new Set(sheet.map(keyOf));
	const linkOf = new Map([...before, ...held()].map((link) => [link.id, link]));

	// What lies outside is never changed, whatever happens.
	const outside = (links: readonly Shown[]) => {
		const ids = new Set(before.filter((link) => !isWithin(scope, link)).map(({ id }) => id));
		return links.filter(({ id }) => ids.has(id));
	};
	expect(outside(held())).toEqual(outside(before));
	// Nothing is removed before all rows went through, nor what a row asks for.
	const removals = service.effects.filter(({ kind, id, request }) => {
		const link = linkOf.get(id);
		const isOfRow = link !== undefined && inRows.has(keyOf(link));
		if (kind === 'deleted') expect(isOfRow).toBe(false);
		return kind === 'deleted' || (!isOfRow && request.method === 'PUT');
	});
	const isDone = executed.rows.every((outcome) => outcome && !isFailed(outcome));
	if (!isDone || !isWhole || others === 'keep') expect(removals).toEqual([]);
	if (expected.isRefused) expect(service.effects).toEqual([]);
	const isGood = isWhole && !expected.hasConflict && !expected.isRefused;
	const withoutIds = (links: readonly Shown[]) => links.map((link) => ({ ...link, id: 0 }));
	const expectMatch = () => expect(withoutIds(held())).toEqual(withoutIds(expected.after));
	// A cancelled run is not told of, so that it may end between two removals.
	if (!hasFailures(executed) && !cancel.signal.aborted) {
		expect(isGood).toBe(true);
		// What comes late is what the run has done already.
		expectMatch();
	}

	// What comes late comes now; then the same again, without faults.
	await clock.pass(10 * 60_000);
	expect(outside(held())).toEqual(outside(before));
	isFaulty = false;
	remembered = new EarlierTries();
	const patient = { ...defaultOptions, concurrency: options.concurrency };
	const again = await clock.run(async () => await run(patient));
	expect(outside(held())).toEqual(outside(before));
	expect({ isGood, failed: hasFailures(again) }).toEqual({ isGood, failed: !isGood });
	if (!isGood) return;
	expectMatch();

	// And once more, which writes nothing.
	const { length } = service.effects;
	remembered = new EarlierTries();
	const third = await clock.run(async () => await run(patient));
	expect(hasFailures(third)).toBe(false);
	expect(service.effects).toHaveLength(length);
	service.close();
}

it('makes the scope as the rows say, whatever goes wrong, and nothing else', async () => {
	await fc.assert(fc.asyncProperty(anyCase, tryOut), { numRuns: cases });
});
