import type { INodeProperties } from 'n8n-workflow';
import { clearChoices, collectionsOf, fieldsIn } from '../contract/layout';
import {
	changesExisting,
	hasScope,
	isPartial,
	operationTable,
	returnsResources,
	takesColumns,
} from '../contract/operations';
import type { ResourceContract } from '../contract/resourceTypes';
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
import { filter } from './tableParts';
import { idProperties, optionalField, showFor, topField } from './topFields';

/** Returns the collections of all operations: fields and merge modes, sorted by label. */
const collectionProperties = (contract: ResourceContract): INodeProperties[] =>
	contract.operations.flatMap(({ value: operation }) =>
		collectionsOf(contract, operation).flatMap((name) => {
			const fields = fieldsIn(contract, operation, name);
			const merges = isPartial(operation) ? fields.flatMap(({ wire }) => wire.merge ?? []) : [];
			const entries = fields.map((field) =>
				name === 'filters' ? filter(contract.value, field) : optionalField(field),
			);
			const options = sortBy([...entries, ...new Set(merges)], (entry) => entry.displayName);
			return showFor(contract, [operation], { ...collectionOf(name), options });
		}),
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

/** Returns the node properties of a resource, in the order of the form. */
export function propertiesOf(contract: ResourceContract): INodeProperties[] {
	const { fields, operations, output: outputTable, qrCode } = contract;
	const names = operations.map((operation) => operation.value);
	const matched = names.filter((name) => operationTable[name].matchBy === 'always');
	const mapped = names.filter(takesColumns);
	const lists = names.filter((name) => operationTable[name].addressedBy === 'list');
	const answers = names.filter(returnsResources);
	const scoped = names.filter(hasScope);
	const drawn = names.filter((name) => operationTable[name].drawsQrCode);
	const clearing = clearChoices(contract).length > 0 ? names.filter(isPartial) : [];
	return [
		resourceSelector(contract),
		operationSelector(contract),
		...toolDescriptions(contract),
		...showFor(contract, scoped, scopeCollection(contract)),
		...showFor(contract, scoped, scopeNotice(contract)),
		...showFor(contract, scoped, unmatchedActionField(contract)),
		...showFor(contract, matched, matchBy(contract)),
		...showFor(contract, names.filter(changesExisting), matchBy(contract), whenMapped),
		...idProperties(contract),
		...fields.flatMap((field) => topField(contract, field)),
		...showFor(contract, mapped, mappingMode),
		...mapped.flatMap((name) => showFor(contract, [name], columnsNotice(contract, name))),
		...showFor(contract, mapped, inputsToIgnore),
		...showFor(contract, lists, returnAll),
		...showFor(contract, lists, limit),
		...(qrCode ? [qrCode.format, qrCode.size] : []).flatMap((field) =>
			showFor(contract, drawn, field),
		),
		...collectionProperties(contract),
		...showFor(contract, clearing, clearFields(contract)),
		...showFor(contract, answers, output),
		...showFor(contract, answers, outputFields(outputTable)),
		...names.flatMap((operation) =>
			showFor(contract, [operation], operationOptions(contract, operation)),
		),
	];
}
