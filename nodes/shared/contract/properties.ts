import type { INodeProperties } from 'n8n-workflow';
import { clearFields } from './clearing';
import { collections } from './collections';
import { optionsCollection } from './nodeOptions';
import { limit, returnAll } from './paging';
import { collectionOf, fieldsIn, isList, returnsResources, takesId } from './places';
import type { Field, Operation, OperationName, Place, ResourceContract } from './types';
import { without } from './values';
import { output, outputFields } from './view';

/** Everything of a field but how it travels: what n8n shows. */
const shown = (field: Field): INodeProperties => without(field, 'wire');

/** In a collection a field is there because it was added, so n8n knows no required ones in it. */
const optional = (field: Field): INodeProperties => without(shown(field), 'required');

/** What stands in a collection: its fields, what says how a list is merged, and the aids. */
function membersOf(
	contract: ResourceContract,
	operation: OperationName,
	place: Place,
): INodeProperties[] {
	const fields = fieldsIn(contract, operation, place);
	const merges = operation === 'update' ? fields.flatMap(({ wire }) => wire.merge ?? []) : [];
	const aids = (contract.aids ?? []).filter(({ aid }) => aid.on[operation] === place);
	return [...fields.map(optional), ...merges, ...aids.map((aid) => without(aid, 'aid'))];
}

const byDisplayName = (one: INodeProperties, other: INodeProperties) =>
	one.displayName.localeCompare(other.displayName);

/** Shows a top-level property for the given operations of its resource, beside what it asks for itself. */
function showFor(
	contract: ResourceContract,
	property: INodeProperties,
	operations: readonly OperationName[],
): INodeProperties {
	const show = { resource: [contract.value], operation: [...operations] };
	return {
		...property,
		displayOptions: { show: { ...show, ...property.displayOptions?.show } },
	};
}

const namesOf = (operations: readonly Operation[]) => operations.map(({ value }) => value);

function collectionProperties(contract: ResourceContract): INodeProperties[] {
	return contract.operations.flatMap(({ value }) => {
		const name = collectionOf(contract, value);
		if (!name) return [];
		const options = membersOf(contract, value, name).sort(byDisplayName);
		return [showFor(contract, { ...collections[name], options }, [value])];
	});
}

/**
 * What the model of an AI agent is told about the node, one text per operation. Without a parameter of this name n8n
 * would tell it only the operation's action.
 */
function toolDescriptions(contract: ResourceContract): INodeProperties[] {
	return contract.operations.map(({ value, description, useWhen }) => {
		const property: INodeProperties = {
			displayName: 'Tool Description',
			name: 'toolDescription',
			type: 'string',
			typeOptions: { rows: 3 },
			default: `${description}. ${useWhen}`,
			description: 'What the model is told about this tool: what it does and when to use it',
			displayOptions: { show: { '@tool': [true] } },
		};
		return showFor(contract, property, [value]);
	});
}

/**
 * The node properties of a resource, made from its contract: resource, operation, id, required fields, list size, output
 * and collections, in the order in which a person fills them in.
 */
export function propertiesOf(contract: ResourceContract): INodeProperties[] {
	const { name, value, id, operations, fields } = contract;
	const topFields = fields.flatMap((field) => {
		const on = namesOf(operations).filter((operation) => field.wire.on[operation] === 'top');
		return on.length > 0 ? [showFor(contract, shown(field), on)] : [];
	});
	const lists = namesOf(operations.filter(isList));
	const clear = clearFields(contract);
	const answers = namesOf(operations.filter(returnsResources));
	return [
		{
			displayName: 'Resource',
			name: 'resource',
			type: 'options',
			noDataExpression: true,
			options: [{ name, value }],
			default: value,
		},
		{
			displayName: 'Operation',
			name: 'operation',
			type: 'options',
			noDataExpression: true,
			displayOptions: { show: { resource: [value] } },
			options: operations.map((operation) => without(without(operation, 'endpoint'), 'useWhen')),
			default: 'create',
		},
		...toolDescriptions(contract),
		showFor(contract, id, namesOf(operations.filter(takesId))),
		...topFields,
		showFor(contract, returnAll, lists),
		showFor(contract, limit, lists),
		...collectionProperties(contract),
		...(contract.notices ?? []),
		...(clear ? [showFor(contract, clear, ['update'])] : []),
		showFor(contract, output, answers),
		showFor(contract, outputFields(contract.view), answers),
		{ ...optionsCollection, displayOptions: { show: { resource: [value] } } },
	];
}
