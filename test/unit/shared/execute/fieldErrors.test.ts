import { linkContract } from '../../../../nodes/Link/link.contract';
import { fieldErrorText } from '../../../../nodes/shared/execute/fieldErrors';
import type { FieldErrors } from '../../../../nodes/shared/transport/failures';
import { rowOf } from '../../../support/operationRun.ts';

const row = {
	index: 0,
	encoded: rowOf('create', {
		url: 'https://example.com/',
		alias: 'a',
		additionalFields: {
			...{ pixelIds: '3,8', password: 'x' },
			country: { US: 'https://example.com/us', DE: 'https://example.com/de' },
		},
	}),
};

const textOf = (errors: FieldErrors, of: typeof row | undefined = row) =>
	fieldErrorText(linkContract, of, errors);

it.each<[errors: FieldErrors, text: string]>([
	[{ alias: ['Taken.'] }, 'Alias: Taken. Sent: "a"'],
	[{ alias: ['Taken.', 'Bad.'] }, 'Alias: Taken. Bad. Sent: "a"'],
	[{ password: ['Short.'] }, 'Password: Short. Sent: (hidden)'],
	[{ pixel_ids: ['Wrong.'] }, 'Pixels: Wrong. Sent: "3, 8"'],
	[{ 'pixel_ids.1': ['Wrong.'] }, 'Pixels, number 2: Wrong. Sent: "8"'],
	[{ 'country.1.key': ['Wrong.'] }, 'Country Rules, number 2: Wrong. Sent: "DE"'],
	[
		{ 'country[0][value]': ['Wrong.'] },
		'Country Rules, number 1: Wrong. Sent: "https://example.com/us"',
	],
	[{ title: ['Missing.'] }, 'title: Missing.'],
	[{ privacy: ['Missing.'] }, 'Statistics Privacy: Missing.'],
	[{ domain: ['Wrong.'] }, 'Domain is required. Choose one, or enter its ID under By ID'],
	[{ alias: ['Taken.'], title: ['Missing.'] }, 'Alias: Taken. Sent: "a"; title: Missing.'],
])('reports %j', (errors, text) => {
	expect(textOf(errors)).toBe(text);
});

it('knows what a row changes in a list', () => {
	const encoded = rowOf('update', { linkId: 7, updateFields: { pixelIds: [3], pixelMode: 'add' } });
	expect(textOf({ pixel_ids: ['Wrong.'] }, { index: 0, encoded })).toBe('Pixels: Wrong. Sent: "3"');
	expect(textOf({ domain_id: ['Wrong.'] }, { index: 0, encoded })).toBe('Domain: Wrong.');
});

it('reports errors without a row', () => {
	expect(fieldErrorText(linkContract, undefined, { domain_id: ['Wrong.'] })).toBe('Domain: Wrong.');
});

it('cuts long reports', () => {
	const many = Object.fromEntries(
		Array.from({ length: 50 }, (_, index) => [`key${index}`, ['Wrong.'.repeat(100)]]),
	);
	const text = textOf(many);
	expect(Buffer.byteLength(text)).toBeLessThanOrEqual(600);
	expect(text).toMatch(/^key0: Wrong\..* more/s);
});
