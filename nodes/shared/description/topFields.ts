import { updateDisplayOptions, type IDisplayOptions, type INodeProperties } from 'n8n-workflow';
import { needsField } from '../contract/matchBy';
import { alwaysMatchesRows, matchesRows, takesColumns, takesId } from '../contract/operations';
import type { Field } from '../contract/fieldTypes';
import type { ResourceContract } from '../contract/resourceTypes';
import type { OperationName } from '../contract/types';
import { choicesOf, sortBy, without } from '../contract/values';
import { optionsCollection } from './nodeOptions';
import { matchBy, whenManual, whenMapped } from './parameters';

/** Returns the field as n8n shows it in a collection, in which no field is required. */
export const optionalField = (field: Field): INodeProperties => without(field, 'wire', 'required');

/**
 * Returns a property that n8n shows for some operations of its resource, in addition to its own conditions. Returns an
 * empty list if no combination of values shows it.
 */
export function showFor(
	{ value }: ResourceContract,
	operations: readonly OperationName[],
	property: INodeProperties,
	{ show = {}, hide }: IDisplayOptions = {},
): INodeProperties[] {
	const conditions = { resource: [value], operation: [...operations], ...show };
	if (Object.values(conditions).some((allowed) => allowed?.length === 0)) return [];
	return updateDisplayOptions({ show: conditions, ...(hide ? { hide } : {}) }, [property]);
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
 * Returns a field at the top of the form, once for each state of the form. A required field is optional if a column, an
 * option or Match By provides its value, because n8n does not run a node with an empty required field.
 */
export function topField(contract: ResourceContract, field: Field): INodeProperties[] {
	const { filledByOption: optionName, on } = field.wire;
	const names = contract.operations.map(({ value }) => value).filter((name) => on[name] === 'top');
	if (!field.required) return showFor(contract, names, without(field, 'wire'));
	const matching = names.filter(matchesRows);
	const matched = (isNeeded: boolean) => {
		const choices = contract.matchBy.filter(
			(choice) => (choice.fields !== undefined && needsField(contract, choice, field)) === isNeeded,
		);
		return { ...whenManual, [matchBy(contract).name]: choices.map(({ value }) => value) };
	};
	const needed = (property: INodeProperties, { show = {}, hide }: IDisplayOptions = {}) => [
		...showFor(
			contract,
			names.filter((name) => !matchesRows(name)),
			property,
			{ show: { ...whenManual, ...show }, hide },
		),
		...showFor(contract, matching, property, { show: { ...matched(true), ...show }, hide }),
	];
	const option = contract.options?.find(({ name }) => name === optionName);
	const isOptionSet = option && {
		[`/${optionsCollection(contract).name}.${option.name}`]: [{ _cnd: { exists: true as const } }],
	};
	return [
		...needed(without(field, 'wire'), { hide: isOptionSet }),
		...(option
			? needed(withEmptyLabel(field, `From ${option.displayName}`), { show: isOptionSet })
			: []),
		...showFor(contract, matching, withEmptyLabel(field, notSet), { show: matched(false) }),
		...showFor(contract, names, withEmptyLabel(field, fromColumn), { show: whenMapped }),
	];
}

/** Returns the parameter that identifies a resource, once for each state of the form. */
export function idProperties(contract: ResourceContract): INodeProperties[] {
	const { id, operations, matchBy: choices, value } = contract;
	const all = operations.map((operation) => operation.value);
	const names = all.filter(takesId);
	const mapped = names.filter(takesColumns);
	const direct = names.filter((operation) => !takesColumns(operation));
	const { name, displayName } = matchBy(contract);
	const identifiers = choices.filter(({ fields }) => !fields).map((choice) => choice.value);
	/** Returns the optional parameter, with a hint below its list. */
	const hinted = (description: string, hint: string): INodeProperties => ({
		...without(id, 'required'),
		description,
		modes: id.modes?.map((mode) => (mode.type === 'list' ? { ...mode, hint } : mode)),
	});
	const matchedId = hinted(
		`Leave this empty to find the ${value} of each item by the column of ${displayName}. An expression takes precedence over ${displayName}.`,
		`Leave this empty to find the ${value} of each item by ${displayName}`,
	);
	const newId = hinted(
		`The ${value} of the item. Leave this empty to create a ${value}.`,
		`Leave this empty to create a ${value}`,
	);
	return [
		...showFor(contract, direct, id),
		...showFor(contract, mapped, id, { show: whenManual }),
		...showFor(contract, mapped, matchedId, { show: whenMapped }),
		...showFor(contract, all.filter(alwaysMatchesRows), newId, {
			show: { ...whenManual, [name]: identifiers },
		}),
	];
}
