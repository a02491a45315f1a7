import { choice, text } from './codecs/scalar';
import { Invalid, type Codec } from './types';
import type { Field } from './fieldTypes';
import { placesOf } from './operations';

/** The form place of a list's filters. */
export const onList = placesOf('filter');

/** The form place of a list's sort settings. */
export const onSorting = placesOf('sorting');

/** Contract keys of the search text and the field to search (contract 4.1 and 4.4). */
export const searchKeys = { text: 'search', by: 'search_by' } as const;

/** Contract keys of the sort field and the sort direction (contract 4.1 and 4.4). */
export const sortKeys = { by: 'sort_by', direction: 'sort' } as const;

/**
 * Returns the field for a search text.
 *
 * @param hint which field the service searches by default
 */
export const searchField = (hint: string): Field => ({
	displayName: 'Search',
	name: 'search',
	type: 'string',
	default: '',
	placeholder: 'e.g. spring',
	description: 'The text to search for',
	hint,
	wire: { key: searchKeys.text, codec: text, on: onList },
});

/**
 * A choice of the property. One value is a shorthand for several others and makes a param, and so a request, for
 * each.
 *
 * @param all the value that is the shorthand
 * @param each the values that it expands to
 */
export const choiceOfSeveral =
	(all: string, each: readonly string[]): Codec =>
	(value, property) => {
		const encoded = choice(value, property);
		if (encoded instanceof Invalid || encoded[0]?.[1] !== all) return encoded;
		return each.map((text) => ['', text] as const);
	};

/** The sort direction, which is identical for links and pixels (contract 4.1 and 4.4). */
export const sortDirection: Field = {
	displayName: 'Sort Direction',
	name: 'sort',
	type: 'options',
	options: [
		{ name: 'Ascending', value: 'asc' },
		{ name: 'Descending', value: 'desc' },
	],
	default: 'desc',
	description: 'The order in which to sort the list',
	wire: { key: sortKeys.direction, codec: choice, on: onSorting },
};
