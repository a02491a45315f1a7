import { linkContract } from '../../../../nodes/Link/link.contract';
import { readColumnNames } from '../../../../nodes/shared/contract/columnNames';
import { Invalid } from '../../../../nodes/shared/contract/types';

/** The pairs that a value has for Create, as `Alias: Kurz`, or the reasons why it is refused. */
function pairsOf(value: unknown): readonly string[] {
	const pairs = readColumnNames(linkContract, 'create', value);
	if (pairs instanceof Invalid) return pairs.reasons;
	return pairs.map(({ target, column }) => `${target.displayName}: ${column}`);
}

describe('the pairs of Column Names', () => {
	it.each<[string, unknown]>([
		['the form', { columns: [{ field: 'alias', column: 'Kurz' }] }],
		['the form with one pair', { columns: { field: 'alias', column: 'Kurz' } }],
		['a list', [{ field: 'alias', column: 'Kurz' }]],
		['a list with display names', [{ field: 'Alias', column: 'Kurz' }, {}]],
		['one pair', { field: 'ALIAS', column: 'Kurz' }],
		['an object from fields to columns', { alias: 'Kurz' }],
		['JSON of a list', '[{"field": "alias", "column": "Kurz"}]'],
		['JSON of an object', ' {"Alias": "Kurz"}'],
	])('can be written as %s', (_, value) => {
		expect(pairsOf(value)).toEqual(['Alias: Kurz']);
	});

	it('keep the exact column name, which may be a number', () => {
		expect(pairsOf({ utm_source: ' Quelle ', pixelIds: 2030 })).toEqual([
			'UTM Source:  Quelle ',
			'Pixel Names or IDs: 2030',
		]);
	});

	it.each(['', ' ', {}, [], null, undefined, '[]', { columns: [] }, { columns: [{}, null] }])(
		'may be none: %j',
		(value) => {
			expect(pairsOf(value)).toEqual([]);
		},
	);

	it.each<[unknown, RegExp]>([
		['alias', /^cannot be read as pairs of field and column; .*\[\{"field": "alias"/],
		['"alias"', /^cannot be read as pairs/],
		[7, /^cannot be read as pairs/],
		[true, /^cannot be read as pairs/],
		[['alias'], /^cannot be read as pairs/],
		[[['alias', 'Kurz']], /^cannot be read as pairs/],
		[Array.from({ length: 2000 }, () => ({ field: 'alias', column: 'a' })), /^cannot be read/],
		[
			[{ field: 'alias', column: ['Kurz'] }],
			/^contains a pair that does not consist of two texts; /,
		],
		[{ alias: { name: 'Kurz' } }, /^contains a pair that does not consist of two texts; /],
		[{ alias: null, utm_id: 'a' }, /^has the field Alias without a column; enter the heading/],
		[{ field: 'utm_id', column: ' ' }, /^has the field UTM ID without a column; /],
		[[{ column: 'Kurz' }], /^has the column "Kurz" without a field; choose its field$/],
		[
			{ title: 'a' },
			/^contains the field "title", which a link does not have; use one of url, dom/,
		],
		[{ constructor: 'a' }, /^contains the field "constructor", which a link does not have/],
		[{ pixelId: 'a' }, /^contains the field "pixelId", which a link does not have/],
		[{ alias: 'a', Alias: 'b' }, /^has the field Alias twice; remove one of the pairs$/],
		[{ alias: 'a', utm_id: 'a' }, /^has the column "a" for more than one field; remove one of/],
	])('are refused: %j', (value, reason) => {
		expect(pairsOf(value)).toEqual([expect.stringMatching(reason)]);
	});
});
