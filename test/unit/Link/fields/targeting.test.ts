import { ruleFields } from '../../../../nodes/Link/fields/targeting';
import { encodedBy } from '../../../support/codecs.ts';

const url = 'https://example.com/';

/** Returns the params for rules of a kind, without the key of the field. */
const sentFor = (kind: string, value: unknown) =>
	[...ruleFields.values()]
		.filter(({ name }) => name === kind)
		.flatMap((field) => encodedBy(field.wire.codec, value, field));

it.each([
	['country', 'Germany', 'DE'],
	['language', 'German', 'de'],
	['platform', 'iPhone', 'iOS'],
	['platform', 'os x', 'OS X'],
	['platform', 'macOS', 'OS X'],
	['platform', 'chromeos', 'Chrome OS'],
])('of %s sends the key %j as %j', (kind, key, sent) => {
	expect(sentFor(kind, { [key]: url })).toEqual([`[0][key]=${sent}`, `[0][value]=${url}`]);
});

it('sends rotation without keys, and refuses unknown ones', () => {
	expect(sentFor('rotation', [url])).toEqual([`[0][value]=${url}`]);
	expect(sentFor('platform', { Amiga: url })).toEqual([
		'!rule 1: Platform "Amiga" is not one of the allowed values; use Android, Chrome OS, iOS, Linux, OS X, Ubuntu, Windows',
	]);
});
