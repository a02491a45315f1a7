import fc from 'fast-check';
import { jsonOf, pairsOf } from '../support/service.ts';
import { hintsOf, messageOf, useColumns, type Cells } from '../support/columns.ts';
import { casesOf } from '../support/randomTests.ts';

/** So many random sheets are executed for each setting. */
const cases = casesOf(25);

jest.setTimeout(10 * 60_000);

const { current, link, mapped, madeLink } = useColumns();

const blank = fc.constantFrom<unknown>(
	'',
	' ',
	'\u00A0',
	'\uFEFF',
	'\u200B',
	null,
	undefined,
	[],
	{},
);

/** An empty row as one of several nodes gives it. */
const emptyRow = fc.oneof(
	fc.constant<Cells>({}),
	fc.dictionary(fc.constantFrom('alias', 'url', 'Notes', 'space', 'pixels'), blank),
	fc.record({ Nr: fc.nat(), alias: blank, url: blank }),
);

/** A row of a sheet: whether it has values, and what an empty one has. */
const rows = fc.array(fc.record({ isFilled: fc.boolean(), empty: emptyRow }), {
	minLength: 2,
	maxLength: 8,
});

const sheetOf = (spec: readonly { isFilled: boolean; empty: Cells }[], hasNumbers: boolean) =>
	spec.map(({ isFilled, empty }, index): Cells => {
		const cells = isFilled
			? { alias: `row-${index}`, url: `https://example.com/${index}`, Nr: index }
			: empty;
		return hasNumbers ? { row_number: index + 2, ...cells } : cells;
	});

const aliases = async () =>
	jsonOf(await link('getAll', { parameters: { returnAll: true, output: 'raw' } }))
		.filter(({ disabled }) => !disabled)
		.map(({ alias }) => String(alias))
		.sort();

const ways = [
	['create', undefined],
	['upsert', undefined],
	['sync', 'keep'],
	['sync', 'disable'],
	['sync', 'delete'],
] as const;

describe.each(ways)('%s with Unmatched Links = %s', (operation, others) => {
	it('writes each filled row, nothing for an empty one, and removes nothing because of one', async () => {
		await fc.assert(
			fc.asyncProperty(rows, fc.boolean(), fc.boolean(), async (spec, hasNumbers, continues) => {
				current().clear();
				await madeLink('old');
				const sheet = sheetOf(spec, hasNumbers);
				const filled = spec.flatMap(({ isFilled }, index) => (isFilled ? [index] : []));
				const options = { maxRemovalPercentage: 100 };
				const parameters = {
					inputsToIgnore: 'Nr',
					options,
					...(others ? { unmatchedLinks: others } : {}),
				};
				const run = continues ? ({ onError: 'continueRegularOutput' } as const) : {};
				const result = await mapped(operation, sheet, parameters, run);
				const noun = hasNumbers ? 'row' : 'item';
				const removes = others === 'disable' || others === 'delete';
				const hasGap = spec.some(
					({ isFilled }, index) => !isFilled && index < (filled.at(-1) ?? -1),
				);
				const written = filled.map((index) => `row-${index}`);
				if (removes && hasGap) {
					expect(`${messageOf(result)}${JSON.stringify(jsonOf(result))}`).toMatch(
						`empty, but ${noun}s after`,
					);
					expect(await aliases()).toEqual(['old']);
					return;
				}
				expect(result.error).toBeUndefined();
				const kept = removes && filled.length > 0 ? [] : ['old'];
				expect(await aliases()).toEqual([...kept, ...written].sort());
				const pairs = pairsOf(result).filter((pair) => pair && !Array.isArray(pair));
				expect(pairs).toEqual(filled.map((item) => ({ item })));
				const count = spec.length - filled.length;
				const skipped = new RegExp(`${count} empty ${noun}s? (was|were) skipped`);
				expect(hintsOf(result).some((hint) => skipped.test(hint))).toBe(count > 0);
			}),
			{ numRuns: cases },
		);
	});
});
