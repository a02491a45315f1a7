import type { INodeProperties } from 'n8n-workflow';
import { mapAutomatically, mappingMode, inputsToIgnore, takesColumns } from '../contract/columns';
import { matchBy } from '../contract/matchBy';
import { unmatchedActionField } from '../contract/unmatchedAction';
import { scopeCollection, scopeNotice } from '../contract/scope';
import { clearFields } from '../contract/clearFields';
import {
	collections,
	collectionsOf,
	fieldsIn,
	isList,
	limit,
	returnAll,
	returnsResources,
} from '../contract/formLayout';
import type { Field, OperationName, FormPlace, ResourceContract } from '../contract/types';
import { without } from '../contract/values';
import { columnsNotice } from './columnsNotice';
import { optionsCollection } from './nodeOptions';
import { output, outputFields } from './output';
import { idProperties, optional, showFor, topField } from './topFields';

const byDisplayName = (one: INodeProperties, other: INodeProperties) =>
	one.displayName.localeCompare(other.displayName);

/** A field as a filter: what is said of it where it is written, a hint too, is not said here. */
const filter = (field: Field): INodeProperties => {
	const { asFilter } = field.wire;
	return asFilter ? { ...without(optional(field), 'hint'), ...asFilter } : optional(field);
};

/**
 * What stands in a collection: its fields, what says how a list is merged, and the derived fields, by their names. Those
 * that most people mean another one by come last.
 */
function membersOf(
	contract: ResourceContract,
	operation: OperationName,
	place: FormPlace,
): INodeProperties[] {
	const fields = fieldsIn(contract, operation, place);
	const merges = operation === 'update' ? fields.flatMap(({ wire }) => wire.merge ?? []) : [];
	const derived = (contract.derivedFields ?? []).filter(
		({ derive }) => derive.on[operation] === place,
	);
	const isRaw = ({ wire }: Field) => wire.isAdvanced === true;
	const common = [
		...fields.filter((field) => !isRaw(field)).map(place === 'filters' ? filter : optional),
		...merges,
		...derived.map((property) => without(property, 'derive')),
	];
	return [common, fields.filter(isRaw).map(optional)].flatMap((some) => some.sort(byDisplayName));
}

function collectionProperties(contract: ResourceContract): INodeProperties[] {
	return contract.operations.flatMap(({ value }) =>
		collectionsOf(contract, value).map((name) => {
			const options = membersOf(contract, value, name);
			return showFor(contract, { ...collections[name], options }, [value]);
		}),
	);
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
	const { name, value, fields } = contract;
	const names = contract.operations.map((operation) => operation.value);
	const topFields = fields.flatMap((field) => topField(contract, field));
	const mapped = names.filter(takesColumns);
	const lists = names.filter(isList);
	const clear = clearFields(contract);
	const answers = names.filter(returnsResources);
	const added = collectionProperties(contract);
	const isSorting = ({ name: of }: INodeProperties) => of === collections.sorting.name;
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
			options: contract.operations.map((operation) => without(operation, 'useWhen')),
			default: 'create',
		},
		...toolDescriptions(contract),
		showFor(contract, scopeCollection(contract), ['sync']),
		showFor(contract, scopeNotice(contract), ['sync']),
		showFor(contract, unmatchedActionField(contract), ['sync']),
		showFor(contract, mappingMode, mapped),
		...mapped.map((operation) =>
			showFor(contract, columnsNotice(contract, operation), [operation]),
		),
		showFor(contract, inputsToIgnore, mapped),
		showFor(contract, matchBy(contract), ['sync', 'upsert']),
		showFor(
			contract,
			{ ...matchBy(contract), displayOptions: { show: { mappingColumnMode: [mapAutomatically] } } },
			['update'],
		),
		...idProperties(contract),
		...topFields,
		showFor(contract, returnAll, lists),
		showFor(contract, limit, lists),
		...added.filter((property) => !isSorting(property)),
		...(clear ? [showFor(contract, clear, ['update'])] : []),
		showFor(contract, output, answers),
		showFor(contract, outputFields(contract.output), answers),
		{ ...optionsCollection(contract), displayOptions: { show: { resource: [value] } } },
		// Below Options, where n8n has it.
		...added.filter(isSorting),
	];
}
