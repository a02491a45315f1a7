import {
	bounded,
	choice,
	choiceByName,
	choiceMatching,
	choiceOfSeveral,
	flag,
	line,
	secret,
	text,
} from '../../../../../nodes/shared/contract/codecs/scalar';
import { url } from '../../../../../nodes/shared/contract/codecs/url';
import type { Codec } from '../../../../../nodes/shared/contract/types';
import { encodedBy, propertyLike } from '../../../../support/codecs.ts';

const answer = { isAnswer: true } as const;

const status = propertyLike({
	type: 'options',
	options: [
		{ name: 'All', value: 0 },
		{ name: 'Not Active', value: 2 },
		{ name: 'alias', value: 'alias' },
	],
	default: 0,
});

it.each<[codec: string, value: unknown, sent: string, by: Codec]>([
	['text', ' a ', ' a ', text],
	['line', ' a b ', 'a b', line],
	['choice', 'not-active', '2', choice],
	...['HTTP://a.example/', 'ftp://a.example/', 'htps:a'].map(
		(text): [string, unknown, string, Codec] => ['url', text, text, url],
	),
])('%s sends %j as %j', (_codec, value, sent, by) => {
	expect(encodedBy(by, value, status)).toEqual([`=${sent}`]);
});

const noUrl = 'must start with https://';

it.each<[codec: string, value: unknown, reason: string, by: Codec]>([
	['text', NaN, 'NaN is not text; enter a single value', text],
	['line', 'Invalid Date', '"Invalid Date" is not text; enter a single value', line],
	[
		'text',
		'a\ud83d',
		String.raw`"a\ud83d" contains an incomplete character, such as a cut emoji; enter the whole text`,
		text,
	],
	[
		'text',
		2 ** 60,
		'1152921504606847000 is a number above 9007199254740991, which n8n has rounded; enter it as text instead',
		text,
	],
	[
		'choice',
		'-2',
		'"-2" is not one of the allowed values; use 0 (All), 2 (Not Active), alias',
		choice,
	],
	['url', 'https://', '"https://" is not a URL; correct its domain', url],
	...['htps', 'htttps', 'hhttps', 'http5', 'ttps', 'thtp', 'hrtps', 'htyps', 'httos'].map(
		(scheme): [string, unknown, string, Codec] => [
			'url',
			`${scheme}://a.example/`,
			`"${scheme}://a.example/" has a typo before ://; it ${noUrl}`,
			url,
		],
	),
	...['\n', '\v', '\u0085', '\u2028'].map((separator): [string, string, string, Codec] => [
		'url',
		`https://a.example/${separator}b`,
		`${JSON.stringify(`https://a.example/${separator}b`)} contains a line break; enter each address on its own line`,
		url,
	]),
	[
		'url',
		'https://a.example/\0',
		String.raw`"https://a.example/\u0000" contains an invisible character; delete it, or type the address again`,
		url,
	],
	[
		'url',
		'https://https://a.example/',
		'"https://https://a.example/" is not a URL; correct its domain',
		url,
	],
	[
		'url',
		'https://a.example/ https://b.example/',
		'"https://a.example/ https://b.example/" contains more than one address; use a separate item for each',
		url,
	],
	['url', 'Total: 2', '"Total: 2" must start with https://', url],
	['url', 'C:\\Users\\x', '"C:\\\\Users\\\\x" must start with https://', url],
	[
		'url',
		'https://a.example/;https://b.example/',
		'"https://a.example/;https://b.example/" contains more than one address; use a separate item for each',
		url,
	],
	[
		'url',
		'https://a.ex\u200bample/',
		String.raw`"https://a.ex\u200bample/" contains an invisible character; delete it, or type the address again`,
		url,
	],
])('%s refuses %j', (_codec, value, reason, by) => {
	expect(encodedBy(by, value, status)).toEqual([`!${reason}`]);
});

it('refuses the errors of formulas, and no text that is only similar', () => {
	const errors = [
		...['#N/A', '#REF!', '#VALUE!', '#NAME?', '#DIV/0!', '#NUM!', '#NULL!', '#ERROR!', ' #n/a\n'],
		...['#NV', '#N/D', '#¡REF!', '#NOME?', '#WERT!', '#VALEUR!', '#SPILL!', 'Loading...'],
	];
	for (const error of errors)
		expect(encodedBy(line, error)).toEqual([expect.stringContaining('is a formula error')]);
	for (const similar of ['#N/A or later', 'N/A', '#1', '#REF'])
		expect(encodedBy(line, similar)).toEqual([`=${similar}`]);
});

describe.each(['\u200b', '\ufeff', '\u00ad', '\u2060', '\u200d', '\u200e'])(
	'the mark %j',
	(mark) => {
		const refusal = expect.stringContaining('contains an invisible character; delete it, or type');

		it('is dropped at the ends of a text and an address, and refused inside', () => {
			expect(encodedBy(line, `${mark}spring${mark} `)).toEqual(['=spring']);
			expect(encodedBy(url, `${mark}https://a.example/ ${mark}`)).toEqual(['=https://a.example/']);
			expect(encodedBy(url, `https://a.example/${mark}b`)).toEqual([refusal]);
			expect(encodedBy(line, `a${mark}b`)).toEqual([mark === '\u200d' ? `=a${mark}b` : refusal]);
		});
	},
);

it.each(['👩‍💻', '🏳️‍🌈', '👍🏽‍x', 'ශ්‍රී', 'می‌خواهم'])(
	'keeps the joiners of %s in an address',
	(joined) => {
		expect(encodedBy(url, `https://a.example/${joined}`)).toEqual([`=https://a.example/${joined}`]);
	},
);

it('refuses a boolean as a password, and never quotes a password', () => {
	const property = propertyLike({ typeOptions: { password: true } });
	expect(encodedBy(secret, false, property)).toEqual([
		'!(hidden) shows only whether a password is set; enter the password itself, or leave the field out',
	]);
});

it.each<[range: object, value: unknown, sent: string]>([
	[{ minValue: 1, maxValue: 5 }, 5, '=5'],
	[{ minValue: 1, maxValue: 5 }, '1', '=1'],
	[{ minValue: 1, maxValue: 5 }, 6, '!6 is not a number from 1 to 5'],
	[{ minValue: 1 }, 0, '!0 is not a number of at least 1'],
	[{}, -1, '!-1 is not a number of at least 0'],
	...['a', 'Infinity', '0x10'].map((value): [object, unknown, string] => [
		...([{}, value, `!"${value}" is not a number of at least 0`] as const),
	]),
])('checks the limits %j for %j', (typeOptions, value, sent) => {
	expect(encodedBy(bounded, value, propertyLike({ typeOptions }))).toEqual([sent]);
});

it('accepts words such as yes only from users', () => {
	expect(encodedBy(flag, 'yes', status, answer)[0]).toMatch(/^!/);
	expect(encodedBy(flag, 'true', status, answer)).toEqual(['=1']);
	expect(encodedBy(choice, 'Not Active', status, answer)[0]).toMatch(/^!/);
	expect(encodedBy(choice, '2', status, answer)).toEqual(['=2']);
	expect(encodedBy(text, '#N/A', status, answer)).toEqual(['=#N/A']);
	expect(encodedBy(url, 'https://a.ex\u200bample/', status, answer)[0]).toMatch(/^=/);
	expect(encodedBy(url, 'htps://a.example/', status, answer)).toEqual(['=htps://a.example/']);
});

it.each<[written: string, value: string | undefined]>([
	['Nót_Active', '2'],
	['-2', undefined],
	['not active'.repeat(30), undefined],
])('finds the choice %j', (written, value) => {
	expect(choiceMatching(status, written)).toBe(value);
});

it('finds a choice by another name', () => {
	const codec = choiceByName({ 0: 'everything' });
	expect(encodedBy(codec, 'Everything', status)).toEqual(['=0']);
	expect(encodedBy(codec, 'Everything', status, answer)[0]).toMatch(/^!/);
});

const several = propertyLike({
	type: 'options',
	options: [
		{ name: 'Anywhere', value: 'anywhere' },
		{ name: 'Alias', value: 'alias' },
	],
});

const severalCodec = choiceOfSeveral('anywhere', ['alias', 'title']);

it.each<[value: unknown, sent: string[]]>([
	['Anywhere', ['=alias', '=title']],
	['alias', ['=alias']],
])('sends the choice %j', (value, sent) => {
	expect(encodedBy(severalCodec, value, several)).toEqual(sent);
});
