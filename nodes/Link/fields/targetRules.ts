import type { DerivedField } from '../../shared/contract/fieldTypes';
import { Invalid } from '../../shared/contract/types';
import { quote } from '../../shared/contract/values';
import { createAndUpdate } from './places';
import { rulesFieldOf } from './targeting';

/** All rules of the target type in one value, for expressions and AI agents. Users can fill a collection only by hand. */
export const targetRules: DerivedField = {
	displayName: 'Target Rules',
	name: 'targetRules',
	type: 'string',
	default: '',
	placeholder: 'e.g. US=https://example.com/us, DE=https://example.com/de',
	description: 'The rules of Target Type as JSON, or as text such as US=https://example.com/us',
	derive: {
		on: createAndUpdate,
		sets: ['country', 'platform', 'language', 'rotation'],
		takesList: true,
		clears: (values) => [rulesFieldOf(values.targetType) ?? []].flat(),
		read: (value, property, values) => {
			const name = rulesFieldOf(values.targetType);
			return name
				? { [name]: value }
				: new Invalid([
						`${quote(value, property)} needs a Target Type; set it to Geographic, Language, Platform or Rotation`,
					]);
		},
	},
};
