import type { INodeProperties } from 'n8n-workflow';
import { collectionsOf, fieldsIn } from '../contract/layout';
import {
	alwaysMatchesRows,
	hasScope,
	isList,
	isPartial,
	matchesRows,
	operationTable,
	returnsResources,
	takesColumns,
} from '../contract/operations';
import type { Field } from '../contract/fieldTypes';
import type { ResourceContract } from '../contract/resourceTypes';
import type { FormPlace, OperationName } from '../contract/types';
import { sortBy, without } from '../contract/values';
import { columnsNotice } from './columnsNotice';
import { operationOptions } from './nodeOptions';
import { output, outputFields } from './output';
import {
	clearFields,
	collectionOf,
	inputsToIgnore,
	limit,
	mappingMode,
	matchBy,
	returnAll,
	scopeCollection,
	scopeNotice,
	unmatchedActionField,
	whenMapped,
} from './parameters';
import { idProperties, optionalField, showFor, topField } from './topFields';

/** Returns a field as a filter, with the description of a filter and without the hint for writing it. */
const filter = (field: Field): INodeProperties =>
	field.wire.asFilter
		? { ...without(optionalField(field), 'hint'), ...field.wire.asFilter }
		: optionalField(field);

/** Returns the entries of a collection, sorted by label: fields and merge modes. */
function collectionEntries(
	contract: ResourceContract,
	operation: OperationName,
	place: FormPlace,
): INodeProperties[] {
	const fields = fieldsIn(contract, operation, place);
	const entries = [
		...fields.map(place === 'filters' ? filter : optionalField),
		...(isPartial(operation) ? new Set(fields.flatMap(({ wire }) => wire.merge ?? [])) : []),
	];
	return sortBy(entries, ({ displayName }) => displayName);
}

/** Returns the collections of all operations, without or with those for sorting. */
const collectionProperties = (contract: ResourceContract, isSorting: boolean): INodeProperties[] =>
	contract.operations.flatMap(({ value: operation }) =>
		collectionsOf(contract, operation)
			.filter((name) => (name === 'sorting') === isSorting)
			.flatMap((name) =>
				showFor(contract, [operation], {
					...collectionOf(name),
					options: collectionEntries(contract, operation, name),
				}),
			),
	);

/**
 * Returns the text that n8n passes to the model of an AI agent, for each operation. Without a parameter of this name, n8n
 * passes only the action of the operation.
 */
const toolDescriptions = (contract: ResourceContract): INodeProperties[] =>
	contract.operations.flatMap(({ value, description, useWhen }) =>
		showFor(contract, [value], {
			displayName: 'Tool Description',
			name: 'toolDescription',
			type: 'string',
			typeOptions: { rows: 3 },
			// n8n's AI builder leaves out defaults of several lines. Only agents need this text.
			default: `${description}.\n${useWhen}`,
			displayOptions: { show: { '@tool': [true] } },
		}),
	);

/** Returns the Resource parameter. */
const resourceSelector = ({ name, value }: ResourceContract): INodeProperties => ({
	displayName: 'Resource',
	name: 'resource',
	type: 'options',
	noDataExpression: true,
	options: [{ name, value }],
	default: value,
});

/** Returns the Operation parameter. */
const operationSelector = ({ value, operations }: ResourceContract): INodeProperties => ({
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	displayOptions: { show: { resource: [value] } },
	options: operations.map((operation) => without(operation, 'useWhen')),
	default: 'create',
});

/** Returns the parameters that map columns to fields. */
function mappingProperties(contract: ResourceContract): INodeProperties[] {
	const mapped = contract.operations.map(({ value }) => value).filter(takesColumns);
	return [
		...showFor(contract, mapped, mappingMode),
		...mapped.flatMap((operation) =>
			showFor(contract, [operation], columnsNotice(contract, operation)),
		),
		...showFor(contract, mapped, inputsToIgnore),
	];
}

/** Returns whether Match By finds the resources of rows only if columns are mapped. */
const isMatchedIfMapped = (operation: OperationName): boolean =>
	matchesRows(operation) && !alwaysMatchesRows(operation);

/** Returns the node properties of a resource, in the order of the form. */
export function propertiesOf(contract: ResourceContract): INodeProperties[] {
	const { fields, operations, output: outputTable, qrCode } = contract;
	const names = operations.map((operation) => operation.value);
	const lists = names.filter(isList);
	const answers = names.filter(returnsResources);
	const scoped = names.filter(hasScope);
	const drawn = names.filter((name) => operationTable[name].drawsQrCode);
	const clear = clearFields(contract);
	return [
		resourceSelector(contract),
		operationSelector(contract),
		...toolDescriptions(contract),
		...showFor(contract, scoped, scopeCollection(contract)),
		...showFor(contract, scoped, scopeNotice(contract)),
		...showFor(contract, scoped, unmatchedActionField(contract)),
		...showFor(contract, names.filter(alwaysMatchesRows), matchBy(contract)),
		...showFor(contract, names.filter(isMatchedIfMapped), matchBy(contract), { show: whenMapped }),
		...idProperties(contract),
		...fields.flatMap((field) => topField(contract, field)),
		...mappingProperties(contract),
		...showFor(contract, lists, returnAll),
		...showFor(contract, lists, limit),
		...(qrCode ? [qrCode.format, qrCode.size] : []).flatMap((field) =>
			showFor(contract, drawn, field),
		),
		...collectionProperties(contract, false),
		...(clear ? showFor(contract, names.filter(isPartial), clear) : []),
		...showFor(contract, answers, output),
		...showFor(contract, answers, outputFields(outputTable)),
		...names.flatMap((operation) =>
			showFor(contract, [operation], operationOptions(contract, operation)),
		),
		// n8n's own nodes show Sort below Options.
		...collectionProperties(contract, true),
	];
}
