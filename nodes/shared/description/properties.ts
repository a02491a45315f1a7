import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';
import {
	autoMapInputData,
	dataToSend,
	defineBelow,
	inputsToIgnore,
	takesColumns,
} from '../contract/columns';
import { others } from '../contract/others';
import { scopeCollection, scopeNotice } from '../contract/scope';
import { takesId } from '../contract/endpoints';
import { clearFields } from '../contract/clearing';
import {
	collections,
	collectionsOf,
	fieldsIn,
	isList,
	limit,
	returnAll,
	returnsResources,
} from '../contract/placement';
import type { Field, OperationName, Place, ResourceContract } from '../contract/types';
import { choicesOf, without } from '../contract/values';
import { optionsCollection } from './nodeOptions';
import { output, outputFields } from './output';

/** Everything of a field but how it travels: what n8n shows. */
const shown = (field: Field): INodeProperties => without(field, 'wire');

/** In a collection a field is there because it was added, so n8n knows no required ones in it. */
const optional = (field: Field): INodeProperties => without(shown(field), 'required');

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
	place: Place,
): INodeProperties[] {
	const fields = fieldsIn(contract, operation, place);
	const merges = operation === 'update' ? fields.flatMap(({ wire }) => wire.merge ?? []) : [];
	const derived = (contract.derivedFields ?? []).filter(
		({ derive }) => derive.on[operation] === place,
	);
	const isRaw = ({ wire }: Field) => wire.isRaw === true;
	const common = [
		...fields.filter((field) => !isRaw(field)).map(place === 'filters' ? filter : optional),
		...merges,
		...derived.map((property) => without(property, 'derive')),
	];
	return [common, fields.filter(isRaw).map(optional)].flatMap((some) => some.sort(byDisplayName));
}

/** A choice that stands for "from the column", where a list of choices would have a value of its own otherwise. */
const fromColumn = { name: 'From Column', value: '' };

/**
 * A field that may be left to a column, or to what gives it.
 *
 * @param placeholder what stands in it while it is empty
 */
function left(field: Field, placeholder = fromColumn.name): INodeProperties {
	const property = optional(field);
	if (property.type !== 'options') return { ...property, placeholder };
	const choices = [...choicesOf(property), fromColumn];
	return {
		...property,
		options: choices.sort((one, other) => one.name.localeCompare(other.name)),
		default: fromColumn.value,
	};
}

/** Shows a top-level property for the given operations of its resource, beside what it asks for itself. */
function showFor(
	contract: ResourceContract,
	property: INodeProperties,
	operations: readonly OperationName[],
): INodeProperties {
	const show = { resource: [contract.value], operation: [...operations] };
	return {
		...property,
		displayOptions: {
			...property.displayOptions,
			show: { ...show, ...property.displayOptions?.show },
		},
	};
}

/**
 * A field that stands at the top of the form. Where it is required, it may all the same be left to a column, or to the
 * option that gives it: then the form must not demand it.
 */
function topField(contract: ResourceContract, field: Field): INodeProperties[] {
	const names = contract.operations.map(({ value }) => value);
	const on = names.filter((operation) => field.wire.on[operation] === 'top');
	if (on.length === 0) return [];
	const whenShown = (property: INodeProperties, displayOptions: IDisplayOptions) =>
		showFor(contract, { ...property, displayOptions }, on);
	if (!field.required) return [showFor(contract, shown(field), on)];
	const show = { dataToSend: [defineBelow] };
	const mapped = whenShown(left(field), { show: { dataToSend: [autoMapInputData] } });
	const { givenBy } = field.wire;
	if (givenBy === undefined) return [whenShown(shown(field), { show }), mapped];
	const giver = contract.options?.find(({ name }) => name === givenBy)?.displayName ?? givenBy;
	const isGiven = {
		[`/${optionsCollection(contract).name}.${givenBy}`]: [{ _cnd: { exists: true as const } }],
	};
	return [
		whenShown(shown(field), { show, hide: isGiven }),
		whenShown(left(field, `From ${giver}`), { show: { ...show, ...isGiven } }),
		mapped,
	];
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
	const { name, value, id, fields } = contract;
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
		showFor(contract, others(contract), ['sync']),
		showFor(contract, dataToSend, mapped),
		showFor(contract, inputsToIgnore, mapped),
		showFor(contract, id, names.filter(takesId)),
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
