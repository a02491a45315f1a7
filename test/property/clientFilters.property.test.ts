import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { linkLike, rowOf, runRows, type Answers } from '../support/operationRun.ts';
import { casesOf } from '../support/randomTests.ts';

const numRuns = casesOf(300);

const hour = 60 * 60 * 1000;
const start = Date.parse('2026-01-01T00:00:00Z');

/** What is true of a link; undefined if the service does not show it. */
interface Truth {
	/** Hours after the start. */
	readonly created?: number;
	readonly expires?: number | null;
	readonly clicks?: number;
	readonly hasPassword?: boolean;
}

const hours = fc.integer({ min: 0, max: 40 });
const rarely = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: undefined, freq: 12 });

const truth = (): fc.Arbitrary<Truth> =>
	fc.record({
		created: fc.option(hours, { nil: undefined, freq: 100 }),
		expires: rarely(fc.option(hours)),
		clicks: rarely(fc.integer({ min: 0, max: 6 })),
		hasPassword: rarely(fc.boolean()),
	});

/** The same moment in several spellings. */
const spelled = (at: number | undefined, id: number) => {
	if (at === undefined) return [undefined, null, 'unknown', 5][id % 4];
	const text = new Date(start + at * hour).toISOString();
	return [text, text.replace('.000Z', '.000000Z'), text.replace('.000Z', '+00:00')][id % 3];
};

const linkOf = ({ created, expires, clicks, hasPassword }: Truth, id: number): IDataObject => ({
	...linkLike({ id, alias: `a-${id}`, clicks: clicks ?? '1,234' }),
	password: hasPassword ?? null,
	created_at: spelled(created, id),
	ends_at: expires === null ? null : (spelled(expires, id) ?? 'unknown'),
});

const filters = fc.record(
	{
		createdAfter: hours,
		createdBefore: hours,
		expiresBefore: hours,
		clicksAtLeast: fc.integer({ min: 0, max: 6 }),
		clicksAtMost: fc.integer({ min: 0, max: 6 }),
		hasPassword: fc.boolean(),
	},
	{ requiredKeys: [] },
);

type Filters = typeof filters extends fc.Arbitrary<infer T> ? T : never;

const dates = ['createdAfter', 'createdBefore', 'expiresBefore'];

/** The values as the form has them. */
const formOf = (set: Filters) =>
	Object.fromEntries(
		Object.entries(set).map(([name, value]) => [
			name,
			dates.includes(name) ? new Date(start + Number(value) * hour).toISOString() : value,
		]),
	);

/** The results of all filters, as the documentation describes them. */
const results = (set: Filters, { created, expires, clicks, hasPassword }: Truth) => {
	const decide = <T, U>(
		bound: T | undefined,
		value: U | undefined,
		test: (a: T, b: U) => boolean,
	) => (bound === undefined ? true : value === undefined ? undefined : test(bound, value));
	return [
		decide(set.createdAfter, created, (bound, at) => at >= bound),
		decide(set.createdBefore, created, (bound, at) => at < bound),
		decide(set.expiresBefore, expires, (bound, at) => at !== null && at < bound),
		decide(set.clicksAtLeast, clicks, (bound, count) => count >= bound),
		decide(set.clicksAtMost, clicks, (bound, count) => count <= bound),
		decide(set.hasPassword, hasPassword, (bound, has) => has === bound),
	];
};

const isLeftOut = (set: Filters) => (of: Truth) =>
	results(set, of).includes(undefined) && !results(set, of).includes(false);

/** Whether no link shows the value of a filter that leaves out a link. */
const isUndecidable = (set: Filters, all: readonly Truth[]) =>
	results(set, {}).some(
		(_, at) => all.every((of) => results(set, of)[at] === undefined) && all.some(isLeftOut(set)),
	);

/** Answers with pages of a size that the service chooses, at most. */
const pagesOf =
	(links: readonly IDataObject[], most: number): Answers =>
	({ params }) => {
		const size = Math.min(most, Number(params.per_page));
		const page = Number(params.page);
		const meta = {
			...{ current_page: page, total: links.length },
			last_page: Math.max(1, Math.ceil(links.length / size)),
		};
		return { body: { data: links.slice((page - 1) * size, page * size), meta } };
	};

const cases = fc.record({
	truths: fc.array(truth(), { maxLength: 40 }),
	set: filters,
	most: fc.constantFrom(1, 3, 10, 100),
	order: fc.constantFrom('asc', 'desc', 'clicks'),
	limit: fc.option(fc.integer({ min: 1, max: 12 })),
});

const isAscending = (a: Truth, b: Truth) => (a.created ?? 0) - (b.created ?? 0);

it('the filters return what an oracle returns, whatever the order and the pages of the list', async () => {
	let early = 0;
	await fc.assert(
		fc.asyncProperty(cases, async ({ truths, set, most, order, limit }) => {
			// IDs increase with the date created, unless another order is asked for. Unknown dates come anywhere.
			const known = truths.filter(({ created }) => created !== undefined).sort(isAscending);
			let next = 0;
			const placed =
				order === 'clicks'
					? truths
					: truths.map((of) => (of.created === undefined ? of : (known[next++] ?? of)));
			const numbered = placed.map((of, index) => ({ of, link: linkOf(of, index + 1) }));
			const listed = order === 'desc' ? numbered.toReversed() : numbered;
			const sorting = order === 'clicks' ? { sortBy: 'clicks' } : { sort: order };
			const row = rowOf('getAll', {
				...{ filters: formOf(set), sorting },
				...(limit === null ? { returnAll: true } : { returnAll: false, limit }),
			});
			const links = listed.map(({ link }) => link);
			const { results: found, sent } = await runRows([row], pagesOf(links, most));
			const matching = listed.filter(({ of }) => results(set, of).every((one) => one === true));
			const expected = matching.slice(0, limit ?? Infinity).map(({ link }) => link.id);
			const [result] = found;
			if (expected.length === 0 && result && !('resources' in result)) {
				// It may fail only on links that it read.
				const size = Math.min(most, 100);
				const read = listed.slice(0, sent.length * size).map(({ of }) => of);
				expect(isUndecidable(set, read)).toBe(true);
				return;
			}
			expect(result && 'resources' in result && result.resources.map(({ id }) => id)).toEqual(
				expected,
			);
			if (limit === null && sent.length < Math.ceil(listed.length / most)) early += 1;
		}),
		{ numRuns },
	);
	// The cases include lists that end early.
	expect(early).toBeGreaterThan(numRuns / 100);
});
