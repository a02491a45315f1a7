import type { EncodeOptions, OperationName, FormPlace } from './types';
import type { Field } from './fieldTypes';
import type { MatchChoice, ResourceContract } from './resourceTypes';
import { alwaysMatchesRows, operationTable, takesId } from './operations';

/** Returns the default of Match By: the fields that make a resource unique. */
export const defaultMatch = ({ key, matchBy: choices }: ResourceContract): MatchChoice =>
	choices.find(({ fields }) => fields?.searchBy === key.searchBy) ?? choices[0];

/** Returns whether a row finds its resource by the default of Match By. */
export const isDefaultMatch = ({
	contract,
	match,
}: {
	readonly contract: ResourceContract;
	readonly match: MatchChoice;
}): boolean => match.value === defaultMatch(contract).value;

/** Returns whether rows need a value for a field, because a create or the choice of Match By needs it. */
export const needsField = (
	{ key }: ResourceContract,
	operation: OperationName,
	{ fields }: MatchChoice,
	{ required, wire }: Field,
): boolean =>
	required === true ||
	(alwaysMatchesRows(operation) && fields?.searchBy === key.searchBy && wire.key === key.searchBy);

/** Returns the choice of Match By for a run. */
export const matchOf = (
	contract: ResourceContract,
	{ matchBy: value }: Pick<EncodeOptions, 'matchBy'>,
): MatchChoice =>
	contract.matchBy.find((choice) => choice.value === value) ?? defaultMatch(contract);

/**
 * Returns whether the rows of an operation identify resources by an ID or address. Rows of Update do, unless Match By
 * uses fields.
 */
export const readsIdentifier = (
	operation: OperationName,
	contract: ResourceContract,
	options: Pick<EncodeOptions, 'matchBy'>,
): boolean =>
	options.matchBy === undefined
		? takesId(operation)
		: matchOf(contract, options).fields === undefined;

/** Returns the contract keys of the fields that Match By uses, and of the fields that cannot be updated. */
export const fixedKeys = ({ fields }: ResourceContract, match: MatchChoice): string[] => [
	...(match.fields?.uniqueBy ?? []),
	...fields.filter(({ wire }) => !wire.on.update).map(({ wire }) => wire.key),
];

/** Returns the place of a field's value. Match By also reads fields that the form of the operation does not show. */
export function placeOf(
	{ wire }: Field,
	operation: OperationName,
	contract: ResourceContract,
	options: Pick<EncodeOptions, 'matchBy'>,
): FormPlace | undefined {
	// An operation that writes no fields reads only the fields that find the resource.
	const writesKey = operationTable[operation].places.key !== undefined;
	const used = matchOf(contract, options).fields ?? (writesKey ? contract.key : undefined);
	const isKey = options.matchBy !== undefined && used?.uniqueBy.includes(wire.key) === true;
	return wire.on[operation] ?? (isKey ? 'top' : undefined);
}
