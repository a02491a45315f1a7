import { Invalid, type DerivedField } from '../../shared/contract/types';
import { quote } from '../../shared/contract/values';

/** The field that holds the rules of each target type (contract 2.1, assumption: language targeting). */
const fieldOf: Readonly<Record<string, string>> = {
	1: 'country',
	2: 'platform',
	3: 'language',
	4: 'rotation',
};

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
		on: { create: 'additionalFields', update: 'updateFields', upsert: 'additionalFields' },
		sets: Object.values(fieldOf),
		takesList: true,
		clears: ({ targetType }) => [fieldOf[String(targetType)] ?? []].flat(),
		read: (value, property, { targetType }) => {
			const name = fieldOf[String(targetType)];
			return name
				? { [name]: value }
				: new Invalid([
						`${quote(value, property)} needs a Target Type; set it to Geographic, Language, Platform or Rotation`,
					]);
		},
	},
};
