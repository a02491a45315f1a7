import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { comparableUrl, url } from '../../shared/contract/codecs/url';
import { choice, choiceByName, named } from '../../shared/contract/codecs/scalar';
import { rules } from '../../shared/contract/codecs/rules';
import { entriesOf } from '../../shared/contract/compare';
import { sentTextOf } from '../../shared/contract/encodedRow';
import type { Codec, WireValue } from '../../shared/contract/types';
import type { Field } from '../../shared/contract/resourceTypes';
import { countries, countryCode, languageCode, languages } from '../../shared/description/codes';
import { placesOf } from '../../shared/contract/operations';
import { capitalized } from '../../shared/contract/wording';

/** The destination URL of a rule. */
const ruleValue: INodeProperties = {
	displayName: 'Destination URL',
	name: 'value',
	type: 'string',
	default: '',
	placeholder: 'e.g. https://example.com/page',
};

/** The condition of a rule. The examples are two keys. */
interface RuleKey {
	readonly input: INodeProperties;
	readonly codec: Codec;
	readonly examples: readonly string[];
}

/** The title of a rule in the form: the name of its country, language or platform. n8n 1 shows "Rule 1" instead. */
const keyTitle =
	'={{ $collection.item.properties.find(p => p.name === "key").options.find(o => o.value === $collection.item.value.key)?.name ?? $collection.item.value.key }}';

/** The title of a rule without a key: its destination. */
const destinationTitle = '={{ $collection.item.value.value }}';

/** Returns a rule as a link shows it: an object with its inputs. */
const storedRule = (entry: readonly WireValue[]) =>
	Object.fromEntries(entry.map(([suffix, text]) => [suffix.replace(/^.*\[|\]$/g, ''), text]));

/** Returns a field for rules (contract 2.1), such as Country Rules. */
const ruleField = (name: string, placeholder: string, how: string, key?: RuleKey): Field => ({
	displayName: `${capitalized(name)} Rules`,
	name,
	placeholder,
	description: `Redirects visitors ${how}`,
	type: 'fixedCollection',
	typeOptions: {
		multipleValues: true,
		multipleValueButtonText: placeholder,
		fixedCollection: { itemTitle: key ? keyTitle : destinationTitle },
		// The order of rotation rules is the order in which visitors get them.
		...(key ? {} : { sortable: true }),
	},
	default: {},
	options: [{ displayName: 'Rule', name: 'rules', values: [key?.input ?? [], ruleValue].flat() }],
	wire: {
		key: name,
		shownAs: `${name}Rules`,
		isNamedByLabel: true,
		codec: rules({ ...(key ? { key: key.codec } : {}), value: url }, key?.examples),
		on: placesOf('optional'),
		empty: [...(key ? ['[0][key]'] : []), '[0][value]'],
		createDefault: '',
		comparable: (text, suffix) => (suffix.endsWith('[value]') ? comparableUrl(text) : text),
		failsIfDifferent: true,
		isOff: (row) => rulesByTargetType[sentTextOf(row, 'target_type') ?? ''] !== name,
		currentValue: (link) => link[`${name}_target`],
		storedAs: (values) => ({ [`${name}_target`]: entriesOf(values).map(storedRule) }),
	},
});

/** Returns the input for a name or code. The titles of rules read the names from its options. */
const codeInput = (
	label: string,
	code: string,
	loadOptionsMethod: string,
	options: INodePropertyOptions[],
): INodeProperties => ({
	displayName: `${label} Name or Code`,
	name: 'key',
	type: 'options',
	typeOptions: { loadOptionsMethod },
	options,
	default: '',
	description: `A name or code, such as ${code}`,
});

/** Platforms as the contract writes them (2.1). */
const platforms = ['Android', 'Chrome OS', 'iOS', 'Linux', 'OS X', 'Ubuntu', 'Windows'];

const countryRules = ruleField('country', 'Add Country', 'by country', {
	input: codeInput('Country', 'DE', 'getCountries', countries),
	codec: named(countryCode, 'the English name or the ISO code, such as Germany or DE'),
	examples: ['US', 'DE'],
});

const languageRules = ruleField('language', 'Add Language', 'by browser language', {
	input: codeInput('Language', 'de', 'getLanguages', languages),
	codec: named(languageCode, 'the English name or the ISO code, such as German or de'),
	examples: ['en', 'de'],
});

const platformRules = ruleField('platform', 'Add Platform', 'by platform', {
	input: {
		displayName: 'Platform',
		name: 'key',
		type: 'options',
		options: platforms.map((name) => ({ name, value: name })),
		default: 'iOS',
	},
	codec: choiceByName({ iOS: 'iPad, iPhone', 'OS X': 'Mac, macOS, Mac OS X', Windows: 'Win' }),
	examples: ['Android', 'iOS'],
});

const rotationRules = ruleField('rotation', 'Add Destination', 'in turn');

/** The fields with the rules, by target type (contract 2.1). */
export const ruleFields: ReadonlyMap<string, Field> = new Map([
	['1', countryRules],
	['3', languageRules],
	['2', platformRules],
	['4', rotationRules],
]);

/** The names of these fields. */
export const rulesByTargetType: Readonly<Record<string, string>> = Object.fromEntries(
	[...ruleFields].map(([type, { name }]) => [type, name]),
);

/** The contract does not list the value for languages (assumption: language targeting). */
export const targetType: Field = {
	displayName: 'Target Type',
	name: 'targetType',
	type: 'options',
	options: [
		{ name: 'Geographic', value: 1, description: 'By country, with Country Rules' },
		{ name: 'Language', value: 3, description: 'By language, with Language Rules' },
		{ name: 'None', value: 0, description: 'All visitors go to the destination URL' },
		{ name: 'Platform', value: 2, description: 'By platform, with Platform Rules' },
		{ name: 'Rotation', value: 4, description: 'In turn, with Rotation Rules' },
	],
	default: 0,
	description: 'How to redirect visitors. Rules set it.',
	wire: {
		key: 'target_type',
		codec: choice,
		on: placesOf('optional'),
		createDefault: '0',
		failsIfDifferent: true,
		// Rules set it, so an empty value has no effect.
		ignoresEmpty: true,
	},
};
