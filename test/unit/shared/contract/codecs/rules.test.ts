import type { INodeProperties } from 'n8n-workflow';
import { inputLabel, rules } from '../../../../../nodes/shared/contract/codecs/rules';
import { line } from '../../../../../nodes/shared/contract/codecs/scalar';
import { url } from '../../../../../nodes/shared/contract/codecs/url';
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
	['a cell with one rule per line', ` US = ${a} \r\n\n\tDE=${b}\n`],
	['rules with an empty one', [{ key: 'US', value: a }, { key: '' }, { key: 'DE', value: b }]],
])('reads rules from %s', (_form, value) => {
	expect(keyedTexts(value)).toEqual(both);
});

it.each<[value: unknown]>([[`${a}\n${b}`], [[a, b]], [`["${a}", "${b}"]`]])(
	'reads addresses without keys: %j',
	(value) => {
		expect(plainTexts(value)).toEqual([`[0][value]=${a}`, `[1][value]=${b}`]);
	},
);

it.each(['?x=1,2;3', '?a=1,b=2', '/a_(b)', "/it's", '?b=c=d', '?t=10,11:45', '/@48.1,11.5,15z/|x'])(
	'keeps the characters of the URL …%s',
	(end) => {
		expect(keyedTexts(`US=${a}${end}\nDE=${b}`)).toEqual([
			...['[0][key]=US', `[0][value]=${a}${end}`, '[1][key]=DE', `[1][value]=${b}`],
		]);
		expect(plainTexts(`${a}${end}`)).toEqual([`[0][value]=${a}${end}`]);
	},
);

const howTo =
	'write one rule per line, such as US=https://example.com/us, or JSON such as {"US": "https://example.com/us", "DE": "https://example.com/de"}';

it.each<[value: unknown]>([[a.slice(0, 5)], ['US'], [a], [`US: ${a}?x=1`], ['{"US":'], [5]])(
	'refuses an unreadable value: %j',
	(value) => {
		expect(keyedTexts(value)).toEqual([
			`!${JSON.stringify(value)} cannot be read as rules; ${howTo}`,
		]);
	},
);

const escapes = 'inside a URL, write a blank as %20, a comma as %2C and a semicolon as %3B';

const several = (value: string, how = howTo) =>
	`!${JSON.stringify(value)} contains a blank, a quotation mark or several rules; ${how}; ${escapes}`;

it.each([
	...[`, DE=${b}`, `;DE=${b}`, `,DE=${b}`, `, ${b}`, `;${b}`, ` DE=${b}`, `\tDE=${b}`, '/x y'],
	...[',DE=mailto:a@example.com', ';tel:123', ',', ';', `|DE=${b}`, `；DE=${b}`, '"', '\u00a0x'],
])('refuses a URL that may contain another rule: …%j', (end) => {
	expect(keyedTexts(`US=${a}${end}`)).toEqual([several(`${a}${end}`.trim())]);
	expect(keyedTexts(JSON.stringify([`US=${a}${end}`]))).toEqual([several(`${a}${end}`.trim())]);
});

it('shows how to write several URLs without keys', () => {
	expect(plainTexts(`${a}, ${b}`)).toEqual([
		several(
			`${a}, ${b}`,
			'write one URL per line, or JSON such as ["https://example.com/a", "https://example.com/b"]',
		),
	]);
});

it('takes each URL of the form or of an object for one URL', () => {
	const filter = `${a}?filter=color:red,size:xl`;
	for (const value of [{ rules: [{ key: 'US', value: filter }] }, JSON.stringify({ US: filter })]) {
		expect(keyedTexts(value)).toEqual(['[0][key]=US', `[0][value]=${filter}`]);
	}
	expect(keyedTexts({ US: `${a}, DE=${b}` })).toEqual([
		expect.stringMatching(/^!rule 1: URL .* contains more than one address; /),
	]);
});

it.each<[value: unknown, reasons: string[]]>([
	[[{}], ['contains no rule; add a rule, or leave the field out']],
	[[{ key: 'US' }], ['rule 1: URL is missing; fill it in or remove the rule']],
	[[{}, { value: a }], ['rule 2: Country is missing; fill it in or remove the rule']],
	[{ US: 'nowhere' }, ['rule 1: URL "nowhere" must start with https://']],
	['US=\n', ['rule 1: URL is missing; fill it in or remove the rule']],
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

it.each<[suffix: string, label: string | undefined]>([
	['[1][value]', 'rule 2: URL'],
	['[0][key]', 'rule 1: Country'],
	['[0][other]', undefined],
	['', undefined],
])('labels the input %j', (suffix, label) => {
	expect(inputLabel(keyed, suffix)).toBe(label);
});
