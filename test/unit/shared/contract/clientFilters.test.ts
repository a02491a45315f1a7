import { linkContract } from '../../../../nodes/Link/link.contract';
import { encodeRow } from '../../../../nodes/shared/contract/encodeRow';
import { isEncoded } from '../../../../nodes/shared/contract/encodedRow';
import { pixelContract } from '../../../../nodes/Pixel/pixel.contract';
import { encodeOptions } from '../../../support/encodeOptions.ts';
import { rowOf } from '../../../support/operationRun.ts';

const namesIn = ({ filters }: ReturnType<typeof rowOf>) =>
	filters.map(({ property, value }) => [property.name, value]);

const getMany = (filters: object) => rowOf('getAll', { returnAll: true, filters: { ...filters } });

it('returns the filters that the row sets, with their tests', () => {
	const row = getMany({ clicksAtMost: 5, createdAfter: '', hasPassword: false, status: 1 });
	expect(namesIn(row)).toEqual([
		['clicksAtMost', 5],
		['hasPassword', false],
	]);
	expect(row.filters.map(({ passes }) => passes({ clicks: 6, password: false }))).toEqual([
		false,
		true,
	]);
	// The service does not have them, so the node does not send them.
	expect(row.fields.map(({ field }) => field.name)).toEqual(['status']);
});

it('returns none for another operation, and for a resource without such filters', () => {
	const updateFields = { disabled: true, clicksAtMost: 5 };
	const update = rowOf('update', { linkId: 7, updateFields });
	expect(update.filters).toEqual([]);
	const filters = { clicksAtMost: 5 };
	expect(rowOf('getAll', { returnAll: true, filters }, {}, pixelContract).filters).toEqual([]);
});

it('reports all invalid values', () => {
	const problems = encodeRow(
		{ contract: linkContract, operation: 'getAll', options: encodeOptions },
		{ returnAll: true, filters: { createdAfter: 'soon', clicksAtLeast: 'many', clicksAtMost: 1 } },
	);
	expect(isEncoded(problems) ? [] : problems).toMatchObject([
		{
			field: 'Created After',
			key: 'createdAfter',
			reason: expect.stringMatching(/^"soon" is not/),
		},
		{ field: 'Clicks At Least', key: 'clicksAtLeast', reason: expect.stringMatching(/^"many" is/) },
	]);
});

it('reports a value that cannot be read', () => {
	const hostile = {
		toString: () => {
			throw new Error('no text');
		},
		getTime: 0,
	};
	const problems = encodeRow(
		{ contract: linkContract, operation: 'getAll', options: encodeOptions },
		{ returnAll: true, filters: { createdAfter: hostile } },
	);
	expect(isEncoded(problems) ? [] : problems).toMatchObject([
		{ key: 'createdAfter', reason: expect.stringMatching(/cannot be read \(.+\); enter another/) },
	]);
});
