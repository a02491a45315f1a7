import { clearChoices } from './clearFields';
import { hasScope, isList, isPartial, matchesRows, operationTable, takesId } from './operations';
import type { CollectionName, FormParameter, OperationName, FormPlace } from './types';
import type { Field } from './fieldTypes';
import type { ResourceContract } from './resourceTypes';

/** The names and labels of the collections of optional fields. */
export const collections: Readonly<Record<CollectionName, FormParameter>> = {
	additionalFields: { displayName: 'Additional Fields', name: 'additionalFields' },
	filters: { displayName: 'Filters', name: 'filters' },
	sorting: { displayName: 'Sort', name: 'sorting' },
	updateFields: { displayName: 'Update Fields', name: 'updateFields' },
};

/** The names and labels of the other parameters that rows are read from, apart from the contract tables. */
export const formParameters = {
	clearFields: { displayName: 'Clear Fields', name: 'clearFields' },
	limit: { displayName: 'Limit', name: 'limit' },
	returnAll: { displayName: 'Return All', name: 'returnAll' },
	syncScope: { displayName: 'Sync Scope', name: 'syncScope' },
} as const satisfies Record<string, FormParameter>;

/** The default of Limit. */
export const defaultLimit = 50;

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
): FormParameter[] {
	const { qrCode } = contract;
	const { clearFields, limit, returnAll, syncScope } = formParameters;
	const canClear = isPartial(operation) && clearChoices(contract).length > 0;
	return [
		...(takesId(operation) || matchesRows(operation) ? [contract.id] : []),
		...(hasScope(operation) ? [syncScope] : []),
		...fieldsIn(contract, operation, 'top'),
		...(isList(operation) ? [returnAll, limit] : []),
		...(operationTable[operation].drawsQrCode && qrCode ? [qrCode.format, qrCode.size] : []),
		...(canClear ? [clearFields] : []),
		...collectionsOf(contract, operation).map((name) => collections[name]),
	];
}
