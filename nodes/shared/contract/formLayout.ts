import type { INodePropertyOptions } from 'n8n-workflow';
import type { Field } from './fieldTypes';
import { matchOf, needsField, placeOf } from './matchBy';
import {
	hasScope,
	isList,
	isPartial,
	matchesRows,
	operationTable,
	operationsWith,
	takesId,
} from './operations';
import type { ResourceContract } from './resourceTypes';
import type {
	CollectionName,
	EncodeOptions,
	FormParameter,
	FormPlace,
	OperationName,
} from './types';
import { sortBy } from './values';

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
	matchBy: { displayName: 'Match By', name: 'matchBy' },
	returnAll: { displayName: 'Return All', name: 'returnAll' },
	syncScope: { displayName: 'Sync Scope', name: 'syncScope' },
} as const satisfies Record<string, FormParameter>;

/** Returns whether a property is the scope or a part of it. */
export const isOfScope = (property: FormParameter): boolean =>
	property.name === formParameters.syncScope.name || 'scope' in property;

/** The default of Limit. */
export const defaultLimit = 50;

/** Returns a function that makes a value once for each resource and name, and returns the same one from then on. */
export function onceFor<T>(): (contract: ResourceContract, name: string, make: () => T) => T {
	const cache = new WeakMap<ResourceContract, Map<string, T>>();
	return (contract, name, make) => {
		const byName = cache.get(contract) ?? new Map<string, T>();
		cache.set(contract, byName);
		const value = byName.get(name) ?? make();
		byName.set(name, value);
		return value;
	};
}

const choicesToClear = onceFor<INodePropertyOptions[]>();

/** Returns the choices of Clear Fields, sorted by label; none if the resource has no field to clear. */
export const clearChoices = (contract: ResourceContract): INodePropertyOptions[] =>
	choicesToClear(contract, '', () => {
		const [partial] = operationsWith((operation) => operation.isPartial);
		const choices = contract.fields
			.filter(({ wire }) => partial && wire.empty && wire.on[partial])
			.map(({ name, displayName }) => ({ name: displayName, value: name }));
		return sortBy(choices, ({ name }) => name);
	});

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
function parametersOf(contract: ResourceContract, operation: OperationName): FormParameter[] {
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

function makeLayout(
	contract: ResourceContract,
	operation: OperationName,
	options: Pick<EncodeOptions, 'matchBy'>,
) {
	const { fields, derivedFields = [] } = contract;
	const match = matchOf(contract, options);
	return {
		match,
		/** The parameters that a row is read from. */
		parameters: parametersOf(contract, operation),
		collections: collectionsOf(contract, operation),
		/** In the order of the contract table. A row that does not identify its resource must have the required fields. */
		fields: fields.flatMap((field) => {
			const place = placeOf(field, operation, contract, options);
			const isTop = field.wire.on[operation] === 'top';
			const isRequired = isTop && needsField(contract, operation, match, field);
			return place ? [{ field, place, isRequired }] : [];
		}),
		derivedFields: derivedFields.flatMap((property) => {
			const place = property.derive.on[operation];
			return place ? [{ property, place }] : [];
		}),
		/** The fields whose value follows from other fields, and these fields. */
		impliedFields: fields.flatMap((target) => {
			const sources = fields.filter(({ wire }) => wire.implies?.[0] === target.name);
			return sources.length > 0 ? [{ target, sources }] : [];
		}),
	};
}

/** Where an operation reads the values of a row. */
export type RowLayout = Readonly<ReturnType<typeof makeLayout>>;

const layouts = onceFor<RowLayout>();

/** Returns where the rows of a run have their values. */
export const layoutOf = (
	contract: ResourceContract,
	operation: OperationName,
	options: Pick<EncodeOptions, 'matchBy'>,
): RowLayout =>
	layouts(contract, `${operation} ${options.matchBy ?? ''}`, () =>
		makeLayout(contract, operation, options),
	);
