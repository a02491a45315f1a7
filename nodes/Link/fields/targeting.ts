import type { INodeProperties } from 'n8n-workflow';
import { emptyKeyedRules, emptyRules } from '../../shared/contract/formLayout';
import { comparableUrl, url } from '../../shared/contract/codecs/url';
import { named, choice } from '../../shared/contract/codecs/scalar';
import { plainName } from '../../shared/contract/text';
import { rules } from '../../shared/contract/codecs/rules';
import { entriesOf } from '../../shared/contract/compare';
import { emptyValue, type Codec, type WireValue } from '../../shared/contract/types';
import type { Field } from '../../shared/contract/fieldTypes';
import { countries, countryCode, languageCode, languages } from '../../shared/description/codes';
import { loadedList } from '../../shared/description/loadedList';
import { createAndUpdate } from './places';

/** The destination URL of a rule. */
const ruleValue: INodeProperties = {
	displayName: 'Destination URL',
	name: 'value',
	type: 'string',
	default: '',
	placeholder: 'e.g. https://example.com/page',
};

const targetTypeName = 'targetType';

/** A field for rules, and the condition of a rule if it has one. */
interface RuleField extends Pick<Field, 'description' | 'displayName' | 'name' | 'placeholder'> {
	readonly targetType: number;
	readonly key?: { input: INodeProperties; codec: Codec; examples: readonly string[] };
}

/** The title of a rule in the form: the name of its country, language or platform. n8n 1 shows "Rule 1" instead. */
const keyTitle =
	'={{ $collection.item.properties.find(p => p.name === "key").options.find(o => o.value === $collection.item.value.key)?.name ?? $collection.item.value.key }}';

/** The title of a rule without a key: its destination. */
const destinationTitle = '={{ $collection.item.value.value }}';

/** Returns a rule as a link shows it: an object with its inputs. */
const storedRule = (entry: readonly WireValue[]) =>
	Object.fromEntries(entry.map(([suffix, text]) => [suffix.replace(/^.*\[|\]$/g, ''), text]));

/** Returns a field for rules of a target type (contract 2.1). */
const ruleField = ({
	name,
	displayName,
	targetType,
	placeholder,
	description,
	key,
}: RuleField): Field => ({
	displayName,
	name,
	type: 'fixedCollection',
	typeOptions: {
		multipleValues: true,
		multipleValueButtonText: placeholder,
		fixedCollection: { itemTitle: key ? keyTitle : destinationTitle },
		// The order of rotation rules is the order in which visitors get them.
		...(key ? {} : { sortable: true }),
	},
	default: {},
	placeholder,
	description,
	options: [
		{ displayName: 'Rule', name: 'rules', values: [...(key ? [key.input] : []), ruleValue] },
	],
	wire: {
		key: name,
		shownAs: `${name}Rules`,
		isNamedByLabel: true,
		codec: rules({ ...(key ? { key: key.codec } : {}), value: url }, key?.examples),
		on: createAndUpdate,
		empty: key ? emptyKeyedRules : emptyRules,
		createDefault: emptyValue,
		implies: [targetTypeName, String(targetType)],
		comparable: (text, suffix) => (suffix.endsWith('[value]') ? comparableUrl(text) : text),
		failsIfDifferent: true,
		currentValue: (link) => link[`${name}_target`],
		storedAs: (values) => ({ [`${name}_target`]: entriesOf(values).map(storedRule) }),
	},
});

export const countryRules = ruleField({
	name: 'country',
	displayName: 'Country Rules',
	targetType: 1,
	placeholder: 'Add Country',
	description: 'Redirects visitors by country',
	key: {
		input: {
			displayName: 'Country Name or Code',
			name: 'key',
			type: 'options',
			// The titles of rules read the names from these options.
			...loadedList('getCountries', countries),
			default: '',
			description: 'A name or code, such as DE',
		},
		codec: named(countryCode, 'the English name or the ISO code, such as Germany or DE'),
		examples: ['US', 'DE'],
	},
});

export const languageRules = ruleField({
	name: 'language',
	displayName: 'Language Rules',
	targetType: 3,
	placeholder: 'Add Language',
	description: 'Redirects visitors by browser language',
	key: {
		input: {
			displayName: 'Language Name or Code',
			name: 'key',
			type: 'options',
			// The titles of rules read the names from these options.
			...loadedList('getLanguages', languages),
			default: '',
			description: 'A name or code, such as de',
		},
		codec: named(languageCode, 'the English name or the ISO code, such as German or de'),
		examples: ['en', 'de'],
	},
});

/** Platforms as the contract writes them (2.1). */
const platforms = ['Android', 'Chrome OS', 'iOS', 'Linux', 'OS X', 'Ubuntu', 'Windows'];

/** Other names of platforms. */
const otherPlatformNames = new Map([
	['ipad', 'iOS'],
	['iphone', 'iOS'],
	['mac', 'OS X'],
	['macos', 'OS X'],
	['macosx', 'OS X'],
	['win', 'Windows'],
]);

/** Returns a platform by its name. Case and spaces are ignored. */
const platformOf = (text: string): string | undefined => {
	const name = plainName(text);
	return otherPlatformNames.get(name) ?? platforms.find((platform) => plainName(platform) === name);
};

export const platformRules = ruleField({
	name: 'platform',
	displayName: 'Platform Rules',
	targetType: 2,
	placeholder: 'Add Platform',
	description: 'Redirects visitors by platform',
	key: {
		input: {
			displayName: 'Platform',
			name: 'key',
			type: 'options',
			options: platforms.map((name) => ({ name, value: name })),
			default: 'iOS',
		},
		codec: named(platformOf, platforms.join(', ')),
		examples: ['Android', 'iOS'],
	},
});

export const rotationRules = ruleField({
	name: 'rotation',
	displayName: 'Rotation Rules',
	targetType: 4,
	placeholder: 'Add Destination',
	description: 'Redirects visitors in turn',
});

const ruleFields = [countryRules, languageRules, platformRules, rotationRules];

/** The names of the fields with the rules, by target type. */
export const rulesByTargetType: Readonly<Record<string, string>> = Object.fromEntries(
	ruleFields.map(({ name, wire }) => [wire.implies?.[1] ?? '', name]),
);

/** The contract does not list the value for languages (assumption: language targeting). */
export const targetType: Field = {
	displayName: 'Target Type',
	name: targetTypeName,
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
		on: createAndUpdate,
		createDefault: '0',
		failsIfDifferent: true,
		requires: (type) => rulesByTargetType[type],
	},
};
