import { updateDisplayOptions, type IDisplayOptions, type INodeProperties } from 'n8n-workflow';
import { needsField } from '../contract/layout';
import { operationTable, takesColumns } from '../contract/operations';
import type { OperationName } from '../contract/types';
import type { Field, MatchChoice, ResourceContract } from '../contract/resourceTypes';
import { choicesOf, sortBy, without } from '../contract/values';
import { matchBy, whenManual, whenMapped } from './parameters';

/** Returns the field as n8n shows it in a collection, in which no field is required. */
export const optionalField = (field: Field): INodeProperties => ({
	...without(field, 'wire', 'required'),
	displayName: field.wire.formLabel ?? field.displayName,
});

/**
 * Returns a property that n8n shows for some operations of its resource, in addition to its own conditions. Returns an
 * empty list if no combination of values shows it.
 */
export function showFor(
	{ value }: ResourceContract,
	operations: readonly OperationName[],
	property: INodeProperties,
	show: IDisplayOptions['show'] = {},
): INodeProperties[] {
	const conditions = { resource: [value], operation: [...operations], ...show };
	if (Object.values(conditions).some((allowed) => allowed?.length === 0)) return [];
	return updateDisplayOptions({ show: conditions }, [property]);
}

/** The placeholder of an empty field that a column fills. */
const fromColumn = 'From Column';

/** The label of an empty choice that Match By does not need. */
const notSet = 'Not Set';

/** Returns a required field as an optional one, with a label that it shows while it is empty. */
function withEmptyLabel(field: Field, label: string): INodeProperties {
	const property = optionalField(field);
	if (property.type !== 'options') {
		return label === notSet ? property : { ...property, placeholder: label };
	}
	const choices = [...choicesOf(property), { name: label, value: '' }];
	return { ...property, options: sortBy(choices, ({ name }) => name), default: '' };
}

/**
 * Returns a field at the top of the form, once for each state of the form. A field that a row needs is required only if
 * neither a column nor Match By makes it optional, because n8n does not run a node with an empty required field.
 */
export function topField(contract: ResourceContract, field: Field): INodeProperties[] {
	const names = contract.operations
		.map(({ value }) => value)
		.filter((name) => field.wire.on[name] === 'top');
	const property = optionalField(field);
	if (!field.required && field.wire.key !== contract.key.searchBy) {
		return showFor(contract, names, property);
	}
	const { name } = matchBy(contract);
	const matched = names.filter((operation) => operationTable[operation].matchBy);
	const unmatched = names.filter((operation) => !operationTable[operation].matchBy);
	const needs = (choice: MatchChoice) =>
		choice.fields !== undefined &&
		matched.some((operation) => needsField(contract, operation, choice, field));
	const choices = (isNeeded: boolean) =>
		contract.matchBy.filter((choice) => needs(choice) === isNeeded).map(({ value }) => value);
	const whenFound = { ...whenManual, [name]: choices(false) };
	const required: INodeProperties = { ...property, required: true };
	return [
		...showFor(contract, unmatched, field.required ? required : property, whenManual),
		...showFor(contract, matched, required, { ...whenManual, [name]: choices(true) }),
		...showFor(contract, matched, withEmptyLabel(field, notSet), whenFound),
		...showFor(contract, names, withEmptyLabel(field, fromColumn), whenMapped),
	];
}

/** Returns the parameter that identifies a resource, once for each state of the form. */
export function idProperties(contract: ResourceContract): INodeProperties[] {
	const { id, operations, matchBy: choices, value } = contract;
	const all = operations.map((operation) => operation.value);
	const names = all.filter((operation) => operationTable[operation].addressedBy === 'id');
	const mapped = names.filter(takesColumns);
	const direct = names.filter((operation) => !takesColumns(operation));
	const matched = all.filter((operation) => operationTable[operation].matchBy === 'always');
	const { name, displayName } = matchBy(contract);
	const identifiers = choices.filter(({ fields }) => !fields).map((choice) => choice.value);
	const whenIdentified = { ...whenManual, [name]: identifiers };
	/** Returns the optional parameter, with the same text as description and below its list. */
	const optional = (hint: string): INodeProperties => ({
		...without(id, 'required'),
		description: hint,
		modes: id.modes?.map((mode) => (mode.type === 'list' ? { ...mode, hint } : mode)),
	});
	const matchedId = optional(`Leave this empty to find each ${value} by ${displayName}`);
	const newId = optional(`Leave this empty to create a ${value}`);
	return [
		...showFor(contract, direct, id),
		...showFor(contract, mapped, id, whenManual),
		...showFor(contract, mapped, matchedId, whenMapped),
		...showFor(contract, matched, newId, whenIdentified),
	];
}
