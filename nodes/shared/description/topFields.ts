import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';
import { mapAutomatically, mapManually, takesColumns } from '../contract/columns';
import { takesId } from '../contract/endpoints';
import { matchBy, matchesRows, needsField } from '../contract/matchBy';
import type { Field, MatchChoice, OperationName, ResourceContract } from '../contract/types';
import { choicesOf, without } from '../contract/values';
import { optionsCollection } from './nodeOptions';

/** Everything of a field but how it travels: what n8n shows. */
const shown = (field: Field): INodeProperties => without(field, 'wire');

/** In a collection a field is there because it was added, so n8n knows no required ones in it. */
export const optional = (field: Field): INodeProperties => without(shown(field), 'required');

/** What an empty field shows that a column fills. */
const fromColumn = 'From Column';

/** What an empty field shows that the row need not have, because Match By finds its resource without it. */
const notSet = 'Not Set';

/**
 * A field that may be left to a column, or to what gives it.
 *
 * @param label what it shows while it is empty
 */
function left(field: Field, label = fromColumn): INodeProperties {
	const property = optional(field);
	const { placeholder } = property;
	if (property.type !== 'options') {
		return { ...property, placeholder: label === notSet ? placeholder : label };
	}
	const choices = [...choicesOf(property), { name: label, value: '' }];
	return {
		...property,
		options: choices.sort((one, other) => one.name.localeCompare(other.name)),
		default: '',
	};
}

/** Returns a top-level property that n8n shows for some operations of its resource only, in addition to its own conditions. */
export function showFor(
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

/** When a form shows a field that a create needs, or that only some choices of Match By need. */
interface Shown {
	readonly operations: readonly OperationName[];
	readonly matchBy?: readonly string[];
}

/** Returns the forms that need a required field, and those that do without it. */
function formsOf(contract: ResourceContract, field: Field) {
	const { matchBy: choices, operations } = contract;
	const { wire } = field;
	const names = operations.map(({ value }) => value).filter((name) => wire.on[name] === 'top');
	const matching = names.filter(matchesRows);
	// A row that gives an identifier needs no field.
	const isNeeded = (choice: MatchChoice) =>
		choice.fields !== undefined && needsField(contract, choice, field);
	const valuesOf = (wanted: boolean) =>
		choices.filter((choice) => isNeeded(choice) === wanted).map(({ value }) => value);
	const needing: Shown[] = [
		{ operations: names.filter((name) => !matchesRows(name)) },
		{ operations: matching, matchBy: valuesOf(true) },
	];
	const others: Shown[] = [{ operations: matching, matchBy: valuesOf(false) }];
	const isAny = ({ operations: on, matchBy: by }: Shown) => on.length > 0 && by?.length !== 0;
	return { names, needing: needing.filter(isAny), others: others.filter(isAny) };
}

/**
 * A field at the top of the form. A required one may be left to a column, to the option that gives it, or to Match By: then
 * the form must not demand it.
 */
export function topField(contract: ResourceContract, field: Field): INodeProperties[] {
	const { names, needing, others } = formsOf(contract, field);
	if (names.length === 0) return [];
	if (!field.required) return [showFor(contract, shown(field), names)];
	const whenShown = (
		property: INodeProperties,
		{ operations, matchBy: by }: Shown,
		{ show, hide }: IDisplayOptions = {},
	) => {
		const ways = by ? { [matchBy(contract).name]: [...by] } : {};
		const when = { mappingColumnMode: [mapManually], ...ways, ...show };
		return showFor(
			contract,
			{ ...property, displayOptions: { show: when, ...(hide ? { hide } : {}) } },
			operations,
		);
	};
	const mapped = whenShown(
		left(field),
		{ operations: names },
		{ show: { mappingColumnMode: [mapAutomatically] } },
	);
	const free = others.map((form) => whenShown(left(field, notSet), form));
	const { filledByOption } = field.wire;
	if (filledByOption === undefined) {
		return [...needing.map((form) => whenShown(shown(field), form)), ...free, mapped];
	}
	const giver =
		contract.options?.find(({ name }) => name === filledByOption)?.displayName ?? filledByOption;
	const isGiven = {
		[`/${optionsCollection(contract).name}.${filledByOption}`]: [
			{ _cnd: { exists: true as const } },
		],
	};
	return [
		...needing.flatMap((form) => [
			whenShown(shown(field), form, { hide: isGiven }),
			whenShown(left(field, `From ${giver}`), form, { show: isGiven }),
		]),
		...free,
		mapped,
	];
}

/** The parameter that identifies a resource, as the operations show it. */
export function idProperties(contract: ResourceContract): INodeProperties[] {
	const { id, operations, matchBy: choices, value } = contract;
	const names = operations.map((operation) => operation.value).filter(takesId);
	const identifiers = choices.filter(({ fields }) => !fields).map((choice) => choice.value);
	const free = without(id, 'required');
	const when = (property: INodeProperties, show: NonNullable<IDisplayOptions['show']>) => ({
		...property,
		displayOptions: { show },
	});
	const way = matchBy(contract);
	/** Says under the list of the form what becomes of a row if nothing is chosen. */
	const hinted = (description: string, hint: string): INodeProperties => ({
		...free,
		description,
		modes: id.modes?.map((mode) => (mode.type === 'list' ? { ...mode, hint } : mode)),
	});
	const mapped = `Leave it empty: the node finds the ${value} of each row by the column that ${way.displayName} names. An expression takes precedence over ${way.displayName}.`;
	const created = `The ${value} of the row. The node creates a ${value} if this is empty.`;
	return [
		showFor(
			contract,
			id,
			names.filter((name) => !takesColumns(name)),
		),
		showFor(contract, when(id, { mappingColumnMode: [mapManually] }), names.filter(takesColumns)),
		showFor(
			contract,
			when(
				hinted(mapped, `Leave it empty to find the ${value} of each row by ${way.displayName}`),
				{ mappingColumnMode: [mapAutomatically] },
			),
			names.filter(takesColumns),
		),
		showFor(
			contract,
			when(hinted(created, `Leave it empty to create a ${value}`), {
				mappingColumnMode: [mapManually],
				[way.name]: identifiers,
			}),
			['sync', 'upsert'],
		),
	];
}
