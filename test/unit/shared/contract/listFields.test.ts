import {
	choiceOfSeveral,
	searchField,
	sortDirection,
} from '../../../../nodes/shared/contract/listFields';
import { encodedBy, propertyLike } from '../../../support/codecs.ts';

const property = propertyLike({
	type: 'options',
	options: [
		{ name: 'Anywhere', value: 'anywhere' },
		{ name: 'Alias', value: 'alias' },
	],
});

const codec = choiceOfSeveral('anywhere', ['alias', 'title']);

it.each<[value: unknown, sent: string[]]>([
	['anywhere', ['=alias', '=title']],
	['Anywhere', ['=alias', '=title']],
	['alias', ['=alias']],
	['title', ['!"title" is not one of the allowed values; use anywhere (Anywhere), alias (Alias)']],
])('sends the choice %j', (value, sent) => {
	expect(encodedBy(codec, value, property)).toEqual(sent);
});

it('sends the search text and the direction', () => {
	const search = searchField('A hint');
	expect(search).toMatchObject({ hint: 'A hint', wire: { key: 'search' } });
	expect(encodedBy(search.wire.codec, ' a ', search)).toEqual(['= a ']);
	expect(encodedBy(sortDirection.wire.codec, 'Ascending', sortDirection)).toEqual(['=asc']);
});
