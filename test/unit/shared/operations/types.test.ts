import { requestsOfTarget } from '../../../../nodes/shared/operations/types';
import { rowOf } from '../../../support/operationRun.ts';

it.each<[parameters: object, count: number]>([
	[{ linkId: '1', updateFields: { alias: 'b' } }, 1],
	[{ linkId: { mode: 'url', value: 'https://short.example/b' }, updateFields: { alias: 'b' } }, 2],
	[{ linkId: '1', updateFields: { pixelIds: '1', pixelMode: 'add' } }, 2],
	[
		{
			linkId: { mode: 'url', value: 'https://short.example/b' },
			updateFields: { pixelIds: '1', pixelMode: 'add' },
		},
		3,
	],
])('expects the requests of the row %j: %d', (parameters, count) => {
	expect(requestsOfTarget(rowOf('update', parameters as never))).toBe(count);
});
