import type { IDataObject } from 'n8n-workflow';
import { linksOf, numbered, outcomesOf, row, rows } from '../../support/account.ts';
import { useScriptedSync } from '../../support/scriptedSync.ts';
import { jsonOf } from '../../support/service.ts';

const { current, sync, begin, writes } = useScriptedSync();
const continues = { onError: 'continueRegularOutput' } as const;

describe('how much a run may remove', () => {
	it.each<[number, number, IDataObject, RegExp | undefined]>([
		[
			51,
			100,
			{},
			/^51 of the 151 .* would be deleted, which is more than Max Removals \(50\) allows$/,
		],
		[50, 100, {}, undefined],
		[51, 49, { maxRemovals: 51 }, undefined],
		[1, 9, { maxRemovals: 0 }, /^1 of the 10 .* more than Max Removals \(0\) allows$/],
		[0, 9, { maxRemovals: 0, maxRemovalPercentage: 0 }, undefined],
		[
			1,
			9,
			{ maxRemovalPercentage: 0 },
			/^1 of the 10 .* more than Max Removal Percentage \(0%\) allows$/,
		],
		[2, 2, { maxRemovalPercentage: 50 }, undefined],
		[
			3,
			2,
			{ maxRemovalPercentage: 50 },
			/^3 of the 5 .* more than Max Removal Percentage \(50%\) allows$/,
		],
		[4, 0, { maxRemovals: 3 }, /^All 4 .* Max Removals \(3\)/],
	])('%d of those in no row and %d in rows, with %j', async (others, kept, options, message) => {
		const links = begin(linksOf(...numbered(others, 'other'), ...numbered(kept)));
		const items = [...numbered(kept), ...(kept === 0 ? rows('new') : [])];
		const result = await sync(items, { maxRemovalPercentage: 100, ...options, concurrency: 20 });
		if (message) {
			expect(result.error?.message).toMatch(message);
			expect(writes()).toEqual([]);
			expect(links).toHaveLength(others + kept);
		} else {
			expect(result.error?.message).toBeUndefined();
			expect(links).toHaveLength(kept);
		}
	});

	it('half of the scope and 50, unless told', async () => {
		const parameters = { options: {} };
		begin(linksOf(...rows('a', 'b', 'c')));
		expect((await sync(rows('a'), {}, { parameters })).error?.message).toMatch(
			/Percentage \(50%\)/,
		);
		const links = begin(linksOf(...rows('a', 'b')));
		expect(outcomesOf(await sync(rows('a'), {}, { parameters }))).toEqual(['unchanged', 'deleted']);
		expect(links).toHaveLength(1);
	});

	it('is told with the number and the first ten, also where the run goes on after errors', async () => {
		begin(linksOf(...numbered(12), row('kept')));
		const result = await sync(rows('kept'), { maxRemovals: 11 });
		expect(result.error?.message).toBe(
			'12 of the 13 links of the scope (Domain 1) are in no row and would be deleted, which is more than Max Removals (11) allows',
		);
		const told = String(result.error?.description);
		expect(told.match(/link-\d+ \(ID \d+\)/g)).toEqual(
			numbered(12)
				.toReversed()
				.slice(0, 10)
				.map(({ alias }, index) => `${String(alias)} (ID ${12 - index})`),
		);
		expect(told).toMatch(/ and 2 more\./);
		expect(result.error?.context.data).not.toHaveProperty('row');

		const items = [...rows('kept', 'new')];
		const going = await sync(items, { maxRemovals: 11 }, continues);
		expect(jsonOf(going)).toHaveLength(2);
		expect(jsonOf(going)[1]).toMatchObject({
			alias: 'new',
			error: expect.stringMatching(/^12 of the 13 links/),
			errorDetails: { description: expect.stringMatching(/link-12 \(ID 12\)/), retryable: false },
		});
		expect(writes()).toEqual([]);
	});

	it('counts what is switched off already neither as removed nor as a part of the scope', async () => {
		const off = numbered(6, 'off').map((one) => ({ ...one, disabled: 1 }));
		const links = begin(linksOf(...off, ...rows('a', 'b', 'c', 'd')));
		const parameters = { unmatchedLinks: 'disable' };
		const refused = await sync(rows('a'), { maxRemovalPercentage: 74 }, { parameters });
		expect(refused.error?.message).toMatch(/^3 of the 4 links/);
		expect(writes()).toEqual([]);
		const options = { maxRemovals: 3, maxRemovalPercentage: 75 };
		const result = await sync(rows('a'), options, { parameters });
		expect(outcomesOf(result)).toEqual(['unchanged', 'disabled', 'disabled', 'disabled']);
		expect(links.every(({ alias, disabled }) => (alias === 'a') !== (Number(disabled) === 1))).toBe(
			true,
		);
		current().requests.length = 0;
		await sync(rows('a'), { maxRemovals: 0 }, { parameters });
		expect(writes()).toEqual([]);
	});
});
