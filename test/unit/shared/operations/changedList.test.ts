import type { IDataObject } from 'n8n-workflow';
import { paramsOf } from '../../../../nodes/shared/contract/encodedRow';
import { changedList } from '../../../../nodes/shared/operations/changedList';
import { linkLike, rowOf } from '../../../support/operationRun.ts';

/** The fields that an update of the pixels writes to a link. */
function written(pixelMode: string, pixelIds: string, link: IDataObject) {
	const row = rowOf('update', { linkId: '1', updateFields: { pixelMode, pixelIds } });
	const [change] = row.changes;
	if (!change) throw new Error('The row must change the pixels');
	return changedList(row, change, linkLike(link));
}

it('writes the whole list, or nothing if it stays the same', () => {
	const link = { pixels: [{ id: 1 }, { id: 2 }] };
	expect(paramsOf(written('add', '3', link)).map(([, text]) => text)).toEqual(['1', '2', '3']);
	expect(paramsOf(written('remove', '1', link)).map(([, text]) => text)).toEqual(['2']);
	expect(written('add', '2', link)).toEqual([]);
	expect(written('remove', '1', { pixels: [] })).toEqual([]);
});

it('clears the list with the last entry', () => {
	expect(written('remove', '1', { pixels: [{ id: 1 }] })).toMatchObject([
		{ values: [['[]', '']], cleared: true },
	]);
});

it.each<[form: string, pixels: unknown]>([
	['', undefined],
	['', { a: 1 }],
	[' in a known form', [1, ['x']]],
	['', [{ name: 'without an ID' }]],
])('needs a list that the service returns%s: %j', (form, pixels) => {
	expect(() => written('add', '3', { pixels } as IDataObject)).toThrow(
		expect.objectContaining({
			failure: {
				cause: 'rejected',
				message: `The service does not return the Pixels of the link${form}, so the node cannot add or remove values`,
				advice: 'Nothing was changed. Set Pixel Mode to Replace, and set all values of the link.',
			},
		}),
	);
});
