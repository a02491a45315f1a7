import type { INodeProperties } from 'n8n-workflow';
import { clearFields } from './clearFields';
import { hasScope, isList, isPartial, matchesRows, takesId } from './operations';
import { scopeCollection } from './scope';
import type { CollectionName, OperationName, FormPlace } from './types';
import type { Field } from './fieldTypes';
import type { ResourceContract } from './resourceTypes';

/** The collections of optional fields. The contract tables provide their options. */
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

/** n8n's standard pair of parameters that limits a list. */
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

/** Returns the fields of an operation in a place of the form, in the order of the contract table. */
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

/** Returns the parameters that an operation reads for each row. */
export function parametersOf(
	contract: ResourceContract,
	operation: OperationName,
): INodeProperties[] {
	const clear = isPartial(operation) ? clearFields(contract) : undefined;
	return [
		...(takesId(operation) || matchesRows(operation) ? [contract.id] : []),
		...(hasScope(operation) ? [scopeCollection(contract)] : []),
		...fieldsIn(contract, operation, 'top'),
		...(isList(operation) ? [returnAll, limit] : []),
		...(clear ? [clear] : []),
		...collectionsOf(contract, operation).map((name) => collections[name]),
	];
}
