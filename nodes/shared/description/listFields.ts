import type { INodePropertyOptions } from 'n8n-workflow';
import { choice, text } from '../contract/codecs/scalar';
import { searchKeys, sortKeys } from '../contract/endpoints';
import type { Field, Wire } from '../contract/fieldTypes';
import { placesOf } from '../contract/operations';

/** The form place of a list's filters. */
export const onList = placesOf('filter');

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

/** Returns the field that selects what Search searches. */
export const searchByField = (
	fallback: string,
	options: INodePropertyOptions[],
	wire: Partial<Wire> = {},
): Field => ({
	displayName: 'Search By',
	name: 'searchBy',
	type: 'options',
	options,
	default: fallback,
	description: 'The field to search',
	wire: { key: searchKeys.by, codec: choice, on: onList, ...wire },
});

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
	wire: { key: sortKeys.direction, codec: choice, on: placesOf('sorting') },
};

/** Returns the field to sort a list by. */
export const sortField = (options: INodePropertyOptions[]): Field => ({
	displayName: 'Sort By',
	name: 'sortBy',
	type: 'options',
	options,
	default: 'id',
	description: 'The field to sort the list by',
	wire: { key: sortKeys.by, codec: choice, on: placesOf('sorting') },
});
