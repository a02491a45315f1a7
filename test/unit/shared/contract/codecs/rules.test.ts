import type { INodeProperties } from 'n8n-workflow';
import { inputLabel, rules } from '../../../../../nodes/shared/contract/codecs/rules';
import { line, url } from '../../../../../nodes/shared/contract/codecs/scalar';
import { encodedBy, propertyLike } from '../../../../support/codecs.ts';

const key = propertyLike({ displayName: 'Country', name: 'key' });
const address = propertyLike({ displayName: 'URL', name: 'value' });
const ruleProperty = (...values: INodeProperties[]) =>
	propertyLike({
		type: 'fixedCollection',
		options: [{ displayName: 'Rule', name: 'rules', values }],
	});

const [keyed, plain] = [ruleProperty(key, address), ruleProperty(address)];
const keyedCodec = rules({ key: line, value: url }, ['US', 'DE']);
const plainCodec = rules({ value: url });

const keyedTexts = (value: unknown) => encodedBy(keyedCodec, value, keyed);
const plainTexts = (value: unknown) => encodedBy(plainCodec, value, plain);

const [a, b] = ['https://example.com/a', 'https://example.com/b'];
const both = [`[0][key]=US`, `[0][value]=${a}`, `[1][key]=DE`, `[1][value]=${b}`];

it.each<[form: string, value: unknown]>([
	[
		'the form',
		{
			rules: [
				{ key: 'US', value: a },
				{ key: 'DE', value: b },
			],
		},
	],
	[
		'an array of rules',
		[
			{ key: 'US', value: a },
			{ key: 'DE', value: b },
		],
	],
	['an array of texts', [`US=${a}`, `DE=${b}`]],
	['an object', { US: a, DE: b }],
	['JSON of an object', `{"US": "${a}", "DE": "${b}"}`],
	['JSON of an array', ` ["US=${a}", "DE = ${b}"]`],
	['a cell with commas', `US=${a}, DE=${b}`],
	['a cell with semicolons', `US = ${a};DE=${b};`],
	['a cell with line breaks', `US=${a}\r\n\nDE=${b},\n`],
	['rules with an empty one', [{ key: 'US', value: a }, { key: '' }, { key: 'DE', value: b }]],
])('reads rules from %s', (_form, value) => {
	expect(keyedTexts(value)).toEqual(both);
});

it.each<[value: unknown]>([[`${a}, ${b}`], [`${a};${b}`], [[a, b]], [`["${a}", "${b}"]`]])(
	'reads addresses without keys: %j',
	(value) => {
		expect(plainTexts(value)).toEqual([`[0][value]=${a}`, `[1][value]=${b}`]);
	},
);

it('keeps the separators of an address', () => {
	expect(keyedTexts(`US=${a}?x=1,2;3,DE=${b}`)).toEqual(
		both.map((text) => (text.endsWith(a) ? `${text}?x=1,2;3` : text)),
	);
	expect(keyedTexts(`US=${a}?b=c=d`)).toEqual(['[0][key]=US', `[0][value]=${a}?b=c=d`]);
});

const unreadable =
	'cannot be read as rules; write them as US=https://example.com/us, DE=https://example.com/de or {"US": "https://example.com/us"}';

it.each<[value: unknown]>([
	[a.slice(0, 5)],
	['US'],
	[`"US=${a}"`],
	[`US=${a}"`],
	[`US=${a} DE=${b}`],
	[`US=${a},DE=example.com`],
	[`US=${a}|DE=${b}`],
	['{"US":'],
	[5],
])('refuses an unreadable value: %j', (value) => {
	expect(keyedTexts(value)).toEqual([`!${JSON.stringify(value)} ${unreadable}`]);
});

it('shows other examples for rules without keys', () => {
	expect(plainTexts(`${a} b`)).toEqual([
		`!"${a} b" cannot be read as rules; write them as https://example.com/a, https://example.com/b or ["https://example.com/a"]`,
	]);
});

it.each<[value: unknown, reasons: string[]]>([
	[[{}], ['contains no rule; add a rule, or leave the field out']],
	[[{ key: 'US' }], ['rule 1: URL is missing; fill it in or remove the rule']],
	[[{}, { value: a }], ['rule 2: Country is missing; fill it in or remove the rule']],
	[{ US: 'nowhere' }, ['rule 1: URL "nowhere" must start with https://']],
	[`US=${a}\n US=${b}`, ['contains several rules for "US"; keep only one of them']],
	[
		Array.from({ length: 10_001 }, () => `US=${a}`),
		['contains more than 10,000 rules; enter fewer'],
	],
])('refuses invalid rules', (value, reasons) => {
	expect(keyedTexts(value)).toEqual(reasons.map((reason) => `!${reason}`));
});

it('accepts an answer without rules', () => {
	expect(encodedBy(keyedCodec, [], keyed, { isAnswer: true })).toEqual([]);
});

it.each<[suffix: string, label: string]>([
	['[1][value]', 'rule 2: URL '],
	['[0][key]', 'rule 1: Country '],
	['[0][other]', ''],
	['', ''],
])('labels the input %j', (suffix, label) => {
	expect(inputLabel(keyed, suffix)).toBe(label);
});
