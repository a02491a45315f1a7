import type { INodeProperties } from 'n8n-workflow';
import { takesId } from './endpoints';
import type { EncodeOptions, OperationName, Parameters, FormPlace } from './types';
import type { Field } from './fieldTypes';
import type { MatchChoice, ResourceContract } from './resourceTypes';
import { isUnset, without } from './values';

/** What shows whether a row identifies its resource. */
interface IdentifiedRow {
	readonly contract: ResourceContract;
	readonly operation: OperationName;
	readonly options: Pick<EncodeOptions, 'matchBy'>;
	readonly parameters: Parameters;
}

/** The choice by which a resource is found unless Match By has another one: by what makes it unique. */
export const defaultMatch = ({ key, matchBy: choices }: ResourceContract): MatchChoice =>
	choices.find(({ fields }) => fields?.searchBy === key.searchBy) ?? {
		name: key.searchBy,
		value: key.searchBy,
		description: key.searchBy,
		fields: key,
	};

/** Returns whether a row finds its resource by what makes it unique. */
export const isDefaultMatch = ({
	contract,
	match,
}: {
	readonly contract: ResourceContract;
	readonly match: MatchChoice;
}): boolean => match.value === defaultMatch(contract).value;

/** Returns whether a choice of Match By needs a required field: a create needs it, or the choice finds resources by it. */
export const needsField = (
	{ key }: ResourceContract,
	{ fields }: MatchChoice,
	{ wire }: Field,
): boolean => wire.on.create === 'top' || fields?.searchBy === key.searchBy;

/** Returns the choice of Match By that the rows of a run use. */
export const matchOf = (
	contract: ResourceContract,
	{ matchBy: value }: Pick<EncodeOptions, 'matchBy'>,
): MatchChoice =>
	contract.matchBy.find((choice) => choice.value === value) ?? defaultMatch(contract);

/**
 * Returns whether the rows of an operation name their resources by what the service gives: an ID, or an address. Update
 * does unless Match By finds the resources of its rows.
 */
export const readsIdentifier = (
	operation: OperationName,
	contract: ResourceContract,
	options: Pick<EncodeOptions, 'matchBy'>,
): boolean =>
	options.matchBy === undefined
		? takesId(operation)
		: matchOf(contract, options).fields === undefined;

/** Returns whether a row gives an identifier of its resource, so that it creates none. */
export const isIdentified = ({
	operation,
	contract,
	options,
	parameters,
}: IdentifiedRow): boolean =>
	readsIdentifier(operation, contract, options) && !isUnset(parameters[contract.id.name]);

/** Returns the contract keys of the fields that find a resource, and of those that never change. */
export const fixedKeys = ({ fields }: ResourceContract, match: MatchChoice): string[] => [
	...(match.fields?.uniqueBy ?? []),
	...fields.filter(({ wire }) => !wire.on.update).map(({ wire }) => wire.key),
];

/** Returns where the values of a row have a field; Match By finds or checks resources by some that the form does not show. */
export function placeOf(
	{ wire }: Field,
	operation: OperationName,
	contract: ResourceContract,
	options: Pick<EncodeOptions, 'matchBy'>,
): FormPlace | undefined {
	const { uniqueBy } = matchOf(contract, options).fields ?? contract.key;
	const isKey = options.matchBy !== undefined && uniqueBy.includes(wire.key);
	return wire.on[operation] ?? (isKey ? 'top' : undefined);
}

/** The operations that find the resources of their rows; Update only those of mapped rows. */
export const matchesRows = (operation: OperationName): boolean =>
	['sync', 'update', 'upsert'].includes(operation);

/** The parameter that chooses how the rows find their resources. */
export function matchBy(contract: ResourceContract): INodeProperties {
	const property: INodeProperties = {
		displayName: 'Match By',
		name: 'matchBy',
		type: 'options',
		// The form shows other fields for each choice.
		noDataExpression: true,
		options: contract.matchBy.map((choice) => without(without(choice, 'fields'), 'isAddress')),
		default: '',
		description: `How to find the ${contract.value} of each row`,
	};
	return { ...property, default: defaultMatch(contract).value };
}
