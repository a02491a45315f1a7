import { mergeList } from '../../../../nodes/shared/contract/listChanges';
import { paramsOf } from '../../../../nodes/shared/contract/encodedRow';
import { rowOf } from '../../../support/operationRun.ts';

const ids = (text: string) => (text.match(/\d/g) ?? []).map((id) => ['[]', id] as const);

it.each<[mode: 'add' | 'remove', before: string, changed: string, after: string | undefined]>([
	['add', '', '1', '1'],
	['add', '12', '324', '1234'],
	['add', '12', '21', undefined],
	['remove', '123', '2', '13'],
	['remove', '1', '1', ''],
	['remove', '1', '2', undefined],
])('%s: of %j and %j', (mode, before, changed, after) => {
	const merged = mergeList({ mode, values: ids(changed) }, ids(before));
	expect(merged).toEqual(after === undefined ? undefined : ids(after));
});

it('takes pixels with a mode out of the fields of a row, and only of an update', () => {
	const pixels = { pixelIds: '5', pixelMode: 'remove', disabled: true };
	const row = rowOf('update', { linkId: '1', updateFields: pixels });
	expect(paramsOf(row.fields)).toEqual([['disabled', '1']]);
	expect(row.changes.map(({ mode, field }) => [mode, field.name])).toEqual([
		['remove', 'pixelIds'],
	]);
	const replaced = rowOf('update', {
		linkId: '1',
		updateFields: { ...pixels, pixelMode: 'replace' },
	});
	expect(replaced.changes).toEqual([]);
});
