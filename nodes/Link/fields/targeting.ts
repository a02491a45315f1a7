import type { INodeProperties } from 'n8n-workflow';
import { emptyKeyedRules, emptyRules } from '../../shared/contract/clearing';
import { rules } from '../../shared/contract/codecs/rules';
import { choice, text, url } from '../../shared/contract/codecs/scalar';
import {
	Invalid,
	nothing,
	type Codec,
	type DerivedField,
	type Field,
} from '../../shared/contract/types';
import { isTextual, quote } from '../../shared/contract/values';
import { countries, languages } from '../../shared/description/codes';
import { onWrites } from './onWrites';

/** The second half of a targeting rule, the same in all four collections. */
const ruleValue: INodeProperties = {
	displayName: 'Destination URL',
	name: 'value',
	type: 'string',
	default: '',
	placeholder: 'e.g. https://example.com/page',
	description:
		'Where visitors who match the rule are sent. Services commonly allow 2048 characters.',
};

/** A collection of rules, which the target type of that number puts into force (contract 2.1). */
const ruleField = (
	name: string,
	displayName: string,
	targetType: number,
	add: string,
	description: string,
	key?: { input: INodeProperties; codec: Codec },
): Field => ({
	displayName,
	name,
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, multipleValueButtonText: add },
	default: {},
	placeholder: add,
	description,
	displayOptions: { show: { targetType: [targetType] } },
	options: [
		{ displayName: 'Rule', name: 'rules', values: [...(key ? [key.input] : []), ruleValue] },
	],
	wire: {
		key: name,
		codec: rules({ ...(key ? { key: key.codec } : {}), value: url }),
		on: onWrites,
		empty: key ? emptyKeyedRules : emptyRules,
		createDefault: nothing,
		fromResponse: (link) => link[`${name}_target`],
	},
});

export const countryRules = ruleField(
	'country',
	'Country Rules',
	1,
	'Add Country',
	'Sends visitors from a country to an address of its own',
	{
		input: {
			displayName: 'Country Name or Code',
			name: 'key',
			type: 'options',
			options: countries,
			default: '',
			description:
				'Choose from the list, or specify a two-letter code such as DE using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
		},
		codec: text,
	},
);

export const languageRules = ruleField(
	'language',
	'Language Rules',
	3,
	'Add Language',
	'Sends visitors who read a language to an address of its own',
	{
		input: {
			displayName: 'Language Name or Code',
			name: 'key',
			type: 'options',
			options: languages,
			default: '',
			description:
				'Choose from the list, or specify a two-letter code such as de using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
		},
		codec: text,
	},
);

export const platformRules = ruleField(
	'platform',
	'Platform Rules',
	2,
	'Add Platform',
	'Sends visitors with a kind of device to an address of its own',
	{
		input: {
			displayName: 'Platform',
			name: 'key',
			type: 'options',
			options: ['Android', 'Chrome OS', 'iOS', 'Linux', 'OS X', 'Ubuntu', 'Windows'].map(
				(name) => ({ name, value: name }),
			),
			default: 'iOS',
		},
		codec: choice,
	},
);

export const rotationRules = ruleField(
	'rotation',
	'Rotation Rules',
	4,
	'Add Destination',
	'Addresses that visitors are sent to in turn',
);

/** Language is the one value that the contract does not list (assumption: language targeting). */
export const targetType: Field = {
	displayName: 'Target Type',
	name: 'targetType',
	type: 'options',
	options: [
		{ name: 'Geographic', value: 1, description: 'By country; add Country Rules' },
		{ name: 'Language', value: 3, description: 'By language; add Language Rules' },
		{ name: 'None', value: 0, description: 'Everybody goes to the destination URL' },
		{ name: 'Platform', value: 2, description: 'By kind of device; add Platform Rules' },
		{ name: 'Rotation', value: 4, description: 'In turn; add Rotation Rules' },
	],
	default: 0,
	description:
		'What decides where a visitor is sent. The rules of the chosen type can be added then.',
	wire: { key: 'target_type', codec: choice, on: onWrites, createDefault: '0' },
};

/** The name of the field that holds the rules of a target type. */
const fieldOf = (type: unknown): string | undefined =>
	[countryRules, languageRules, platformRules, rotationRules].find(
		({ displayOptions }) =>
			isTextual(type) &&
			displayOptions?.show?.targetType?.some((one) => String(one) === String(type).trim()),
	)?.name;

/**
 * The rules of the chosen target type in one value, for expressions and AI agents: a collection of rows can only be
 * filled in by hand.
 */
export const targetRules: DerivedField = {
	displayName: 'Target Rules',
	name: 'targetRules',
	type: 'string',
	default: '',
	placeholder: 'e.g. US=https://example.com/us, DE=https://example.com/de',
	description:
		'All rules of the chosen Target Type in one value, in place of adding them one by one: an object such as {"US": "https://example.com/us"}, a list of rules with key and value, either as JSON text, or comma-separated text such as US=https://example.com/us, DE=https://example.com/de. Rotation takes addresses alone.',
	derive: {
		on: onWrites,
		sets: ['country', 'platform', 'language', 'rotation'],
		takesList: true,
		clears: (values) => [fieldOf(values.targetType) ?? []].flat(),
		read: (value, property, values) => {
			const name = fieldOf(values.targetType);
			return name
				? { [name]: value }
				: new Invalid([
						`${quote(value, property)} needs a Target Type; set it to Geographic, Language, Platform or Rotation`,
					]);
		},
	},
};
