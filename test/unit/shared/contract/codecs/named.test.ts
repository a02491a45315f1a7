import { named } from '../../../../../nodes/shared/contract/codecs/named';
import { encodedBy } from '../../../../support/codecs.ts';

const codes = new Map([
	['germany', 'DE'],
	['de', 'DE'],
]);

const codec = (names: string[]) =>
	named(names, (written) => codes.get(written.toLowerCase()), 'its English name');

const months = 'January February March April May June July August September October November';

it.each<[value: unknown]>([['Germany'], [' de '], [{ __rl: true, mode: 'id', value: 'DE' }]])(
	'sends the code of %j',
	(value) => {
		expect(encodedBy(codec(['Germany']), value)).toEqual(['=DE']);
	},
);

it.each<[value: unknown, names: string[], reason: string]>([
	['France', ['Germany', 'Spain'], '"France" is not a known choice; use Germany, Spain'],
	['Febuary', months.split(' '), '"Febuary" is not a known choice; use February, January'],
	['France', months.split(' '), '"France" is not a known choice; use its English name'],
	[['de'], ['Germany'], '["de"] is not a known choice; use Germany'],
	[{}, [], '{} is not a known choice; use its English name'],
])('refuses %j with a remedy', (value, names, reason) => {
	expect(encodedBy(codec(names), value)).toEqual([`!${reason}`]);
});

it('does not look up a text that is longer than any name', () => {
	const lengths: number[] = [];
	const any = named(
		['a'],
		(written) => {
			lengths.push(written.length);
			return 'x';
		},
		'a name',
	);
	expect(encodedBy(any, 'a'.repeat(200))).toEqual(['=x']);
	expect(encodedBy(any, 'a'.repeat(201))).toEqual([expect.stringMatching(/^!.* use a$/)]);
	expect(lengths).toEqual([200]);
});
