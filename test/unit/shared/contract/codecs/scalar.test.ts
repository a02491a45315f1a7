import type { INodeProperties } from 'n8n-workflow';
import {
	bounded,
	choice,
	choiceByName,
	choiceMatching,
	flag,
	line,
	secret,
	text,
} from '../../../../../nodes/shared/contract/codecs/scalar';
import { url } from '../../../../../nodes/shared/contract/codecs/url';
import { type Codec, type CodecContext, Invalid } from '../../../../../nodes/shared/contract/types';
import { reasonText } from '../../../../../nodes/shared/contract/values';

const propertyLike = (more: Partial<INodeProperties> = {}): INodeProperties => ({
	...{ displayName: 'Field', name: 'field', type: 'string', default: '' },
	...more,
});

/**
 * What a codec sends for a value, as `suffix=text`, or `suffix=name text`, or the reasons why it refuses it, each after a `!`.
 */
function encodedBy(
	codec: Codec,
	value: unknown,
	property = propertyLike(),
	context?: CodecContext,
): string[] {
	const encoded = codec(value, property, context);
	return encoded instanceof Invalid
		? encoded.reasons.map((reason) => `!${reasonText(reason)}`)
		: encoded.map(([suffix, text, isName]) => `${suffix}=${isName ? 'name ' : ''}${text}`);
}

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

const codecs = { text, line, choice, url };

it.each<[codec: keyof typeof codecs, value: string, sent: string]>([
	['text', ' a ', ' a '],
	['line', ' a b ', 'a b'],
	['choice', 'not-active', '2'],
	...['HTTP://a.example/', 'ftp://a.example/', 'htps:a'].map((address): ['url', string, string] => [
		'url',
		address,
		address,
	]),
])('%s sends %j as %j', (codec, value, sent) => {
	expect(encodedBy(codecs[codec], value, status)).toEqual([`=${sent}`]);
});

const quoted = (value: unknown) =>
	typeof value === 'string'
		? JSON.stringify(value).replace('\u200b', String.raw`\u200b`)
		: String(value);

const severalAddresses = 'contains more than one address; use a separate item for each';
const invisible = 'contains an invisible character; delete it, or type the address again';

it.each<[codec: keyof typeof codecs, value: unknown, reason: string]>([
	['text', NaN, 'is not text; enter a single value'],
	['line', 'Invalid Date', 'is not text; enter a single value'],
	[
		...(['text', 'a\ud83d'] as const),
		'contains an incomplete character, such as a cut emoji; enter the whole text',
	],
	[
		'text',
		2 ** 60,
		'is a number above 9007199254740991, which n8n has rounded; enter it as text instead',
	],
	['choice', '-2', 'is not one of the allowed values; use 0 (All), 2 (Not Active), alias'],
	['url', 'https://', 'is not a URL; correct its domain'],
	...['htps', 'htttps', 'hhttps', 'http5', 'ttps', 'thtp', 'hrtps', 'htyps', 'httos'].map(
		(scheme): ['url', string, string] => [
			...(['url', `${scheme}://a.example/`] as const),
			'must start with https://',
		],
	),
	...['\n', '\v', '\u0085', '\u2028'].map((separator): ['url', string, string] => [
		...(['url', `https://a.example/${separator}b`] as const),
		'contains a line break; enter each address on its own line',
	]),
	['url', 'https://a.example/\0', invisible],
	['url', 'https://https://a.example/', 'is not a URL; correct its domain'],
	['url', 'https://a.example/ https://b.example/', severalAddresses],
	['url', 'https://a.example/ HTTPS://b.example/', severalAddresses],
	['url', 'Total: 2', 'must start with https://'],
	['url', 'C:\\Users\\x', 'must start with https://'],
	['url', 'https://a.example/;https://b.example/', severalAddresses],
	['url', 'https://a.ex\u200bample/', invisible],
])('%s refuses %j', (codec, value, reason) => {
	expect(encodedBy(codecs[codec], value, status)).toEqual([`!${quoted(value)} ${reason}`]);
});

it('refuses the errors of formulas, and no text that is only similar', () => {
	const errors = [
		...['#N/A', '#REF!', '#VALUE!', '#NAME?', '#DIV/0!', '#NUM!', '#NULL!', '#ERROR!', ' #n/a\n'],
		...['#NV', '#N/D', '#¡REF!', '#NOME?', '#WERT!', '#VALEUR!', '#SPILL!', 'Loading...'],
		...['#Н/Д', '#¿NOMBRE?', '#NOM ?', '#DIV/0 !', '#N/D!', '#GETTING_DATA', 'Err:502'],
	];
	for (const error of errors)
		expect(encodedBy(line, error)).toEqual([expect.stringContaining('is a formula error')]);
	const others = ['#N/A or later', 'N/A', '#1', '#REF', '#SALE', '#SALE26!', '#A/B'];
	for (const similar of [...others, 'Err:404', 'Err: 502'])
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
