import { linkContract } from '../../../../nodes/Link/link.contract';
import { addImpliedValues, isImpliedField } from '../../../../nodes/shared/contract/impliedFields';
import { contextOf } from '../../../support/encodeContext.ts';

const rules = [{ key: 'US', value: 'https://example.com/us' }];

function filled(values: Record<string, unknown>) {
	const { context, reported } = contextOf();
	addImpliedValues(context, values);
	return { type: values.targetType, reported };
}

it('finds the implied field', () => {
	const implied = linkContract.fields.filter((field) => isImpliedField(linkContract, field));
	expect(implied.map(({ name }) => name)).toEqual(['targetType']);
});

it.each<[values: Record<string, unknown>, type: unknown]>([
	[{ country: rules }, '1'],
	[{ platform: rules }, '2'],
	[{ country: rules, targetType: '' }, '1'],
	[{ country: rules, targetType: 'Geographic' }, 'Geographic'],
	[{ country: [], targetType: 0 }, 0],
	[{}, undefined],
	// The field itself reports a value that it does not allow.
	[{ country: rules, targetType: 'Moon' }, 'Moon'],
	// The explicit type decides which rules are valid.
	[{ country: rules, platform: rules, targetType: 2 }, 2],
])('sets the target type of %j', (values, type) => {
	expect(filled({ ...values })).toEqual({ type, reported: [] });
});

it('reports rules of two kinds', () => {
	expect(filled({ country: rules, platform: rules })).toEqual({
		type: '1',
		reported: ['Platform Rules cannot be combined with Country Rules; keep only one of them'],
	});
});

it('reports a target type that contradicts the rules', () => {
	expect(filled({ country: rules, targetType: '4' }).reported).toEqual([
		'Country Rules contradicts Target Type Rotation; leave Target Type out, or remove this field',
	]);
});
