import { choice, text } from './codecs/scalar';
import { Invalid, type Codec } from './types';
import type { Field } from './fieldTypes';

/** Where the parameters of a list stand. */
export const onList = { getAll: 'filters' } as const;

/** Where those stand that say in which order it comes. */
export const onSorting = { getAll: 'sorting' } as const;

/** Contract keys of the parameters that say what is searched, and in which field (contract 4.1 and 4.4). */
export const searchKeys = { text: 'search', by: 'search_by' } as const;

/** Contract keys of the parameters that say in which order a list comes (contract 4.1 and 4.4). */
export const sortKeys = { by: 'sort_by', direction: 'sort' } as const;

/**
 * The text to search for.
 *
 * @param hint says where the service looks by default
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
 * One of the property's own options, of which one stands for several: it makes a param of each, and each param a
 * request of its own.
 *
 * @param all the value that stands for the others
 */
export const choiceOfSeveral =
	(all: string, each: readonly string[]): Codec =>
	(value, property) => {
		const encoded = choice(value, property);
		if (encoded instanceof Invalid || encoded[0]?.[1] !== all) return encoded;
		return each.map((text) => ['', text] as const);
	};

/** The direction of the order, which links and pixels share to the letter (contract 4.1 and 4.4). */
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
