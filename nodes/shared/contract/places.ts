import type { INodeProperties } from 'n8n-workflow';
import { clearFields } from './clearing';
import { collections } from './collections';
import { limit, returnAll } from './paging';
import type {
	CollectionName,
	Field,
	Operation,
	OperationName,
	Place,
	ResourceContract,
} from './types';

/** The fields of a resource that stand in `place` for an operation, in the order of the table. */
export function fieldsIn(
	contract: ResourceContract,
	operation: OperationName,
	place: Place,
): Field[] {
	return contract.fields.filter((field) => field.wire.on[operation] === place);
}

/** The collection of an operation, or undefined where the operation has no optional fields. */
export function collectionOf(
	contract: ResourceContract,
	operation: OperationName,
): CollectionName | undefined {
	const names = Object.keys(collections) as CollectionName[];
	return names.find((name) => fieldsIn(contract, operation, name).length > 0);
}

/** Whether the path of an operation names one resource. */
export const takesId = (operation: Operation) => operation.endpoint.path.includes('{id}');

/** Whether an operation answers with a list. */
export const isList = (operation: Operation) => operation.endpoint.task === 'list';

/** Whether an operation answers with resources, and not with a word about them. */
export const returnsResources = (operation: Operation) => operation.endpoint.task !== 'deletion';

/** The parameters that an operation reads. Each is to be read once per row. */
export function parametersOf(contract: ResourceContract, operation: Operation): INodeProperties[] {
	const clear = operation.value === 'update' ? clearFields(contract) : undefined;
	const collection = collectionOf(contract, operation.value);
	return [
		...(takesId(operation) ? [contract.id] : []),
		...fieldsIn(contract, operation.value, 'top'),
		...(isList(operation) ? [returnAll, limit] : []),
		...(clear ? [clear] : []),
		...(collection ? [collections[collection]] : []),
	];
}
