import { choice, text } from './codecs/scalar';
import type { Field } from './types';

/** Where the parameters of a list stand. */
export const onList = { getAll: 'filters' } as const;

/** The list parameters that links and pixels share to the letter (contract 4.1 and 4.4). */
export const search: Field = {
	displayName: 'Search',
	name: 'search',
	type: 'string',
	default: '',
	placeholder: 'e.g. spring',
	description: 'Text to look for in the field that Search By names',
	wire: { key: 'search', codec: text, on: onList },
};

export const sort: Field = {
	displayName: 'Sort',
	name: 'sort',
	type: 'options',
	options: [
		{ name: 'Ascending', value: 'asc' },
		{ name: 'Descending', value: 'desc' },
	],
	default: 'desc',
	description: 'Direction of the order',
	wire: { key: 'sort', codec: choice, on: onList },
};
