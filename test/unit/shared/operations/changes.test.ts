import { changesFor, readsFirst } from '../../../../nodes/shared/operations/changes';
import { linkLike, rowOf } from '../../../support/operationRun.ts';

const update = (updateFields: object) => rowOf('update', { linkId: '1', updateFields } as never);

const pixels = (pixelIds: string, mode: string) => update({ pixelIds, pixelMode: mode });

const held = (...ids: number[]) => linkLike({ pixels: ids.map((id) => ({ id })) });

it('reads first only if the fields depend on the resource', () => {
	expect(readsFirst(update({ alias: 'b' }))).toBe(false);
	expect(readsFirst(pixels('1', 'add'))).toBe(true);
});

it.each<[mode: 'add' | 'remove', given: string, before: number[], after: string[] | undefined]>([
	['add', '3', [1, 2], ['1', '2', '3']],
	['add', '2', [1, 2], undefined],
	['remove', '2', [1, 2], ['1']],
	['remove', '3', [1, 2], undefined],
])('with the mode %s, the pixels %j and %j become %j', (mode, given, before, after) => {
	const [change] = changesFor(pixels(given, mode), held(...before));
	expect(change?.values.map(([, text]) => text)).toEqual(after);
	expect(change?.cleared).toBeUndefined();
});

it('clears a list from which the last value is removed', () => {
	const [change, ...others] = changesFor(pixels('1', 'remove'), held(1));
	expect(others).toEqual([]);
	expect(change).toMatchObject({ cleared: true, field: { name: 'pixelIds' } });
	expect(change?.values).toEqual(change?.field.wire.empty);
});

it('writes the other fields of the row as well', () => {
	const row = update({ alias: 'b', pixelIds: '3', pixelMode: 'add' });
	expect(changesFor(row, held(1)).map(({ field }) => field.name)).toEqual(['alias', 'pixelIds']);
});

it('fails if the service does not show the list', () => {
	expect(() => changesFor(pixels('1', 'add'), linkLike({ pixels: undefined }))).toThrow(
		expect.objectContaining({
			failure: {
				cause: 'rejected',
				message:
					'The service does not return the Pixels of the link, so the node cannot add or remove values',
				advice: expect.stringMatching(/^Nothing was changed\. Set .+ to Replace/),
			},
		}),
	);
});
