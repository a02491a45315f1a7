import { suggestionsFor, plainName } from '../../../../nodes/shared/contract/suggestions';

it.each([
	['Größe', 'große'],
	['Terms & Conditions', 'termsconditions'],
	['Terms and Conditions', 'termsconditions'],
	['band', 'band'],
	['e-mail_2', 'email2'],
	['ﬁ', 'fi'],
])('compares %s as %s', (name, plain) => {
	expect(plainName(name)).toBe(plain);
});

it.each<[text: string, names: string[], found: string[]]>([
	['Sprng', ['Autumn', 'Spring', 'Summer'], ['Spring']],
	['spring', ['Spring 2', 'Spring', 'Springs'], ['Spring', 'Spring 2', 'Springs']],
	[
		'spring',
		['Spring 1', 'Spring 2', 'Spring 3', 'Spring 4'],
		['Spring 1', 'Spring 2', 'Spring 3'],
	],
	['xyz', ['Spring'], []],
	['spring', [], []],
	['spring', ['Spring', 'Spring'], ['Spring']],
])('finds the names that are most like %j in %j', (text, names, found) => {
	expect(suggestionsFor(text, names)).toEqual(found);
});

it('compares 200 characters', () => {
	const long = 'ab'.repeat(100);
	expect(suggestionsFor(long, [`${long}${'xyz'.repeat(500)}`])).toHaveLength(1);
});
