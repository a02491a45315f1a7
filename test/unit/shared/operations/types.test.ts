import { rowByRow } from '../../../../nodes/shared/operations/types';
import { rowOf } from '../../../support/operationRun.ts';

const execute = async () => await Promise.resolve({ resources: [], outcome: 'read' as const });

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
	const begun = rowByRow(execute)();
	expect(begun.requestsFor(rowOf('update', parameters as never))).toBe(count);
	expect(begun.execute).toBe(execute);
});
