import { named } from '../../../../../nodes/shared/contract/codecs/scalar';
import { encodedBy } from '../../../../support/codecs.ts';

const codes = new Map([
	['germany', 'DE'],
	['de', 'DE'],
]);

const codec = named((written) => codes.get(written.toLowerCase()), 'its English name');

it.each<[value: unknown, sent: string]>([
	['Germany', '=DE'],
	[' de ', '=DE'],
	[{ __rl: true, mode: 'id', value: 'DE' }, '=DE'],
	['Germny', '!"Germny" is not a known choice; use its English name'],
	[['de'], '!["de"] is not a known choice; use its English name'],
	['#N/A', '!"#N/A" is a formula error; correct it in the sheet'],
])('encodes %j', (value, sent) => {
	expect(encodedBy(codec, value)).toEqual([sent]);
});

it('does not look up a text that is longer than any name', () => {
	const lengths: number[] = [];
	const any = named((written) => {
		lengths.push(written.length);
		return 'x';
	}, 'a name');
	expect(encodedBy(any, 'a'.repeat(200))).toEqual(['=x']);
	expect(encodedBy(any, 'a'.repeat(201))).toEqual([expect.stringMatching(/^!.* use a name$/)]);
	expect(lengths).toEqual([200]);
});
