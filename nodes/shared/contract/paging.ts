import type { INodeProperties } from 'n8n-workflow';

/** The page sizes of both lists, smallest first (contract 8). */
export const pageSizes = [10, 25, 50, 100] as const;

/** Query parameters of a page. `page` stands in no contract table (assumption: page parameter). */
export const pageKeys = { size: 'per_page', number: 'page' } as const;

/** The standard pair of n8n that says how much of a list is wanted. */
export const returnAll: INodeProperties = {
	displayName: 'Return All',
	name: 'returnAll',
	type: 'boolean',
	default: false,
	description: 'Whether to return all results or only up to a given limit',
};

export const limit: INodeProperties = {
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 50,
	description: 'Max number of results to return',
	displayOptions: { show: { returnAll: [false] } },
};
