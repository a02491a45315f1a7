import type { INodeProperties } from 'n8n-workflow';
import { clearFields } from './clearFields';
import { takesId } from './endpoints';
import { matchesRows } from './matchBy';
import { scopeCollection } from './scope';
import type { CollectionName, OperationName, FormPlace } from './types';
import type { Field } from './fieldTypes';
import type { ResourceContract } from './resourceTypes';

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
	sorting: {
		displayName: 'Sort',
		name: 'sorting',
		type: 'collection',
		placeholder: 'Add Sort Setting',
		default: {},
	},
	updateFields: {
		displayName: 'Update Fields',
		name: 'updateFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
	},
	advancedFields: {
		displayName: 'Advanced Fields',
		name: 'advancedFields',
		type: 'collection',
		placeholder: 'Add Advanced Field',
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

/** The fields of a resource that stand in `place` for an operation, in the order of the table. */
export const fieldsIn = (
	contract: ResourceContract,
	operation: OperationName,
	place: FormPlace,
): Field[] => contract.fields.filter((field) => field.wire.on[operation] === place);

/** Returns the collections that have optional fields of an operation. */
export function collectionsOf(
	contract: ResourceContract,
	operation: OperationName,
): CollectionName[] {
	const names = Object.keys(collections) as CollectionName[];
	return names.filter((name) => fieldsIn(contract, operation, name).length > 0);
}

/** Whether an operation answers with a list. */
export const isList = (operation: OperationName) => operation === 'getAll';

/** Whether an operation answers with resources, and not with a word about them. */
export const returnsResources = (operation: OperationName) => operation !== 'delete';

/** The parameters that an operation reads. Each is to be read once per row. */
export function parametersOf(
	contract: ResourceContract,
	operation: OperationName,
): INodeProperties[] {
	const clear = operation === 'update' ? clearFields(contract) : undefined;
	return [
		...(takesId(operation) || matchesRows(operation) ? [contract.id] : []),
		...(operation === 'sync' ? [scopeCollection(contract)] : []),
		...fieldsIn(contract, operation, 'top'),
		...(isList(operation) ? [returnAll, limit] : []),
		...(clear ? [clear] : []),
		...collectionsOf(contract, operation).map((name) => collections[name]),
	];
}
