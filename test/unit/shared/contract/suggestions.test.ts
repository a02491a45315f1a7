import { suggestionsFor, plainName } from '../../../../nodes/shared/contract/suggestions';

it.each([
	['Größe', 'große'],
	['Terms & Conditions', 'termsconditions'],
	['Terms and Conditions', 'termsconditions'],
	['band', 'band'],
	['e-mail_2', 'email2'],
	['ﬁ', 'fi'],
])('normalizes %s to %s', (name, plain) => {
	expect(plainName(name)).toBe(plain);
});

it.each<[text: string, names: string[], suggestions: string[]]>([
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
])('suggests names for %j from %j', (text, names, suggestions) => {
	expect(suggestionsFor(text, names)).toEqual(suggestions);
});

it('compares up to 200 characters', () => {
	const long = 'ab'.repeat(100);
	expect(suggestionsFor(long, [`${long}${'xyz'.repeat(500)}`])).toHaveLength(1);
});
