import fc, { type Arbitrary } from 'fast-check';
import type { Parameters, UnmatchedAction } from '../../nodes/shared/contract/types';
import { RateLimiter } from '../../nodes/shared/transport/limiter';
import { encodeOptions } from '../support/encodeRow.ts';
import { executeRun, readSheet, toldOf, type SheetRow } from '../support/simulatedRun.ts';
import { SimulatedService } from '../support/simulatedService.ts';
import { VirtualClock } from '../../testkit/clock/virtualClock.ts';
import { casesOf, type Made } from '../support/randomTests.ts';

/** Number of random cases, of a plan and a run each. */
const cases = casesOf(120);

jest.setTimeout(30 * 60_000);

const operations = ['create', 'delete', 'disable', 'sync', 'update', 'upsert'] as const;
type Operation = (typeof operations)[number];

const maybe = <T>(value: Arbitrary<T>) => fc.option(value, { nil: undefined });
const aliases = fc.constantFrom('a', 'b', 'c', 'A', 'd');
const urls = fc.constantFrom('https://e.example/1', 'https://e.example/2', 'https://E.example/1');

const link = {
	alias: aliases,
	disabled: maybe(fc.boolean()),
	hour: maybe(fc.integer({ min: 9, max: 12 })),
	url: maybe(urls),
};

/** A row of any operation. There are few aliases, so that a row can depend on an earlier one. */
const rowSpec = fc.record({ ...link, newAlias: maybe(aliases), hasDomain: fc.boolean() });
type RowSpec = Made<typeof rowSpec>;

const anyCase = fc.record({
	seed: fc.nat(),
	account: fc.uniqueArray(fc.record(link), {
		selector: ({ alias }) => alias.toLowerCase(),
		maxLength: 4,
	}),
	rows: fc.array(rowSpec, { minLength: 1, maxLength: 6 }),
	operation: fc.constantFrom(...operations),
	unmatched: fc.constantFrom<UnmatchedAction>('delete', 'disable', 'keep'),
	concurrency: fc.constantFrom(1, 5),
});

const day = '2031-01-10';
const timeAt = (hour: number) => `${String(hour).padStart(2, '0')}:00`;

/** The fields of a row that has a value for them. */
const optional = ({ disabled, hour }: RowSpec): Parameters => ({
	...(disabled === undefined ? {} : { disabled }),
	...(hour === undefined ? {} : { expiration: `${day}T${timeAt(hour)}` }),
});

const domain = ({ hasDomain }: RowSpec): Parameters => (hasDomain ? { domainId: 1 } : {});

/** The parameters of a row, by its operation. Update, Disable and Delete find the link by its alias. */
const parametersOf: Readonly<Record<Operation, (row: RowSpec) => Parameters>> = {
	create: (row) => ({
		...{ alias: row.alias, url: row.url ?? 'https://e.example/', domainId: 1 },
		additionalFields: optional(row),
	}),
	delete: ({ alias }) => ({ linkId: { mode: 'alias', value: alias } }),
	disable: ({ alias }) => ({ linkId: { mode: 'alias', value: alias } }),
	sync: (row) => ({
		...{ alias: row.alias, url: row.url ?? 'https://e.example/', syncScope: { domainId: 1 } },
		additionalFields: optional(row),
	}),
	update: (row) => ({
		linkId: { mode: 'alias', value: row.alias },
		updateFields: {
			...{ url: row.url ?? 'https://e.example/', ...optional(row) },
			...(row.newAlias === undefined ? {} : { alias: row.newAlias }),
		},
	}),
	upsert: (row) => ({
		...{ alias: row.alias, url: row.url ?? 'https://e.example/', ...domain(row) },
		additionalFields: optional(row),
	}),
};

/** Update of a link from the form sends all fields, so only a dry run knows that nothing changes. */
const outcomeOf = (outcome: string) => (outcome === 'unchanged' ? 'updated' : outcome);

async function compare(given: Made<typeof anyCase>): Promise<void> {
	const { account, rows, seed, concurrency, ...spec } = given;
	const { operation, unmatched } = spec;
	const clock = new VirtualClock(seed, { hours: 12 });
	const service = new SimulatedService(clock, {
		seed,
		// The service has a default domain.
		takes: (form, link) => (link ? form : { domain_id: '1', ...form }),
	});
	for (const { alias, url = 'https://e.example/', disabled, hour } of account) {
		const expiry =
			hour === undefined ? {} : { expiration_date: day, expiration_time: timeAt(hour) };
		service.add({ alias, url, fields: { disabled: disabled ? '1' : '0', ...expiry } });
	}
	const isSync = operation === 'sync';
	const sheet = (): SheetRow[] =>
		rows.map((row) => ({ operation, parameters: parametersOf[operation](row) }));
	const limiter = new RateLimiter(clock);
	const run = async (isDryRun: boolean) =>
		await clock.run(async () => {
			const options = { ...encodeOptions, ...(isSync ? { unmatchedAction: unmatched } : {}) };
			const settings = { maxRemovalPercentage: 100, ignoreMissing: seed % 2 === 0 };
			const more = { isDryRun, settings, options: { concurrency } };
			const all = { rows: readSheet(sheet(), options), ...more };
			return await executeRun(service, limiter, all);
		});
	const told = ({ rows: outcomes, removed }: Awaited<ReturnType<typeof run>>) =>
		[...outcomes, ...removed].map((outcome) =>
			operation === 'update' ? outcomeOf(toldOf(outcome)) : toldOf(outcome),
		);

	const planned = told(await run(true));
	expect(service.effects).toEqual([]);
	const sent = service.journal.length;
	const done = told(await run(false));
	const isAccepted = service.journal
		.slice(sent)
		.every(({ method, status = 0 }) => method === 'GET' || status < 400);
	service.close();
	if (isAccepted) expect(planned).toEqual(done);
}

it('a plan has the outcomes of the run that follows, if the service accepts every write', async () => {
	await fc.assert(fc.asyncProperty(anyCase, compare), { numRuns: cases });
});
