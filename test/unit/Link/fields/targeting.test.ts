import {
	countryRules,
	languageRules,
	platformRules,
	rotationRules,
	rulesByTargetType,
} from '../../../../nodes/Link/fields/targeting';
import type { Field } from '../../../../nodes/shared/contract/fieldTypes';
import { encodedBy } from '../../../support/codecs.ts';

const url = 'https://example.com/';

it.each<[field: Field, key: string, sent: string]>([
	[countryRules, 'Germany', 'DE'],
	[languageRules, 'German', 'de'],
	[platformRules, 'iPhone', 'iOS'],
	[platformRules, 'os x', 'OS X'],
	[platformRules, 'macOS', 'OS X'],
	[platformRules, 'chromeos', 'Chrome OS'],
])('%# sends the key %j as %j', (field, key, sent) => {
	expect(encodedBy(field.wire.codec, { [key]: url }, field)).toEqual([
		`[0][key]=${sent}`,
		`[0][value]=${url}`,
	]);
});

it('sends rotation without keys, and refuses unknown ones', () => {
	expect(encodedBy(rotationRules.wire.codec, [url], rotationRules)).toEqual([`[0][value]=${url}`]);
	expect(encodedBy(platformRules.wire.codec, { Amiga: url }, platformRules)).toEqual([
		'!rule 1: Platform "Amiga" is not one of the allowed values; use Android, Chrome OS, iOS, Linux, OS X, Ubuntu, Windows',
	]);
});

it('knows the rules of each target type', () => {
	expect(rulesByTargetType).toEqual({
		...{ '1': 'country', '2': 'platform', '3': 'language', '4': 'rotation' },
	});
});
