import type { INodeProperties } from 'n8n-workflow';
import { clearables } from './clearing';
import type { CollectionName, ResourceContract } from './types';

/** The collections that hold the optional fields of an operation; each resource's table fills in their options. */
export const collections: Readonly<Record<CollectionName, INodeProperties>> = {
	additionalFields: {
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
	},
	filters: {
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
	},
	updateFields: {
		displayName: 'Update Fields',
		name: 'updateFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
	},
};

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

/** The parameter of Update that empties fields; undefined for a resource that has nothing to empty. */
export function clearFields(contract: ResourceContract): INodeProperties | undefined {
	const options = clearables(contract, 'update')
		.filter(({ isChoice }) => isChoice)
		.map(({ name, displayName }) => ({ name: displayName, value: name }))
		.sort((one, other) => one.name.localeCompare(other.name));
	if (options.length === 0) return undefined;
	return {
		displayName: 'Clear Fields',
		name: 'clearFields',
		type: 'multiOptions',
		options,
		default: [],
		description: `Fields to empty on the ${contract.value}. A field that is neither set nor cleared stays as it is.`,
	};
}
