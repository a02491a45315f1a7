import { searchField, sortDirection } from '../../../../nodes/shared/description/listFields';
import { encodedBy } from '../../../support/codecs.ts';

it('sends the search text and the direction', () => {
	const search = searchField('A hint');
	expect(search).toMatchObject({ hint: 'A hint', wire: { key: 'search' } });
	expect(encodedBy(search.wire.codec, ' a ', search)).toEqual(['= a ']);
	expect(encodedBy(sortDirection.wire.codec, 'Ascending', sortDirection)).toEqual(['=asc']);
});
