import type { INodePropertyOptions } from 'n8n-workflow';
import {
	type Codec,
	type CollectionName,
	type EncodeOptions,
	type FormParameter,
	type FormPlace,
	type OperationName,
	type Parameters,
	type Problem,
	type ReportProblem,
	Invalid,
} from './types';
import type { EncodedRow, Field, MatchChoice, ResourceContract } from './resourceTypes';
import { isPartial, operationTable } from './operations';
import { sortBy } from './values';
import { textOf } from './codecs/scalar';

/** The names and labels of the collections of optional fields. */
export const collections: Readonly<Record<CollectionName, FormParameter>> = {
	additionalFields: { displayName: 'Additional Fields', name: 'additionalFields' },
	filters: { displayName: 'Filters', name: 'filters' },
	sorting: { displayName: 'Sort', name: 'sorting' },
	updateFields: { displayName: 'Update Fields', name: 'updateFields' },
};

/** The names and labels of the other parameters that rows are read from, apart from the contract tables. */
export const formParameters = {
	clearFields: { displayName: 'Clear Fields', name: 'clearFields' },
	inputsToIgnore: { displayName: 'Inputs to Ignore', name: 'inputsToIgnore' },
	limit: { displayName: 'Limit', name: 'limit', default: 50 },
	mapPasswords: { displayName: 'Map Passwords', name: 'mapPasswords' },
	matchBy: { displayName: 'Match By', name: 'matchBy' },
	returnAll: { displayName: 'Return All', name: 'returnAll', default: false },
	syncScope: { displayName: 'Sync Scope', name: 'syncScope' },
} as const satisfies Record<string, FormParameter>;

/** Returns whether a property is the scope or a part of it. */
export const isOfScope = (property: FormParameter): boolean =>
	property.name === formParameters.syncScope.name || 'scope' in property;

/** Returns the default of Match By: the fields that make a resource unique. */
export const defaultMatch = ({ key, matchBy: choices }: ResourceContract): MatchChoice =>
	choices.find(({ fields }) => fields?.searchBy === key.searchBy) ?? choices[0];

/** Returns whether a row finds its resource by the default of Match By. */
export const isDefaultMatch = ({ contract, match }: EncodedRow): boolean =>
	match.value === defaultMatch(contract).value;

/** Returns whether rows need a value for a field, because a create or the choice of Match By needs it. */
export const needsField = (
	{ key }: ResourceContract,
	operation: OperationName,
	{ fields }: MatchChoice,
	{ required, wire }: Field,
): boolean =>
	required === true ||
	(operationTable[operation].matchBy === 'always' &&
		fields?.searchBy === key.searchBy &&
		wire.key === key.searchBy);

/** Returns the contract keys of the fields that Match By uses, and of the fields that cannot be updated. */
export const fixedKeys = ({ fields }: ResourceContract, match: MatchChoice): string[] => [
	...(match.fields?.uniqueBy ?? []),
	...fields.filter(({ wire }) => !wire.on.update).map(({ wire }) => wire.key),
];

/** Returns the choices of Clear Fields, sorted by label; none if the resource has no field to clear. */
export function clearChoices(contract: ResourceContract): INodePropertyOptions[] {
	const choices = contract.fields
		.filter(({ wire }) => wire.empty && wire.on.update)
		.map(({ name, displayName }) => ({ name: displayName, value: name }));
	return sortBy(choices, ({ name }) => name);
}

/** Returns the fields of an operation in a place of the form, in the order of the contract table. */
export const fieldsIn = (contract: ResourceContract, operation: OperationName, place: FormPlace) =>
	contract.fields.filter((field) => field.wire.on[operation] === place);

/** Returns the collections that have optional fields of an operation. */
export function collectionsOf(contract: ResourceContract, operation: OperationName) {
	const names = Object.keys(collections) as CollectionName[];
	return names.filter((name) => fieldsIn(contract, operation, name).length > 0);
}

/** Returns a function that adds what it reports to a list of problems. */
export const reporterTo =
	(problems: Problem[]): ReportProblem =>
	(property, reasons) => {
		const { displayName: field, name } = property;
		const key = 'wire' in property ? (property as Field).wire.key : name;
		const scope = isOfScope(property) ? ({ isRunLevel: true } as const) : {};
		for (const reason of new Invalid(reasons).reasons) {
			problems.push({ field, key, ...reason, ...scope });
		}
	};

/** Returns the encoded text of a parameter, or of its default. Reports an invalid value and returns undefined. */
export function encodeParameter(
	{ parameters, report }: Pick<EncodeContext, 'parameters' | 'report'>,
	codec: Codec,
	property: FormParameter,
): string | undefined {
	const text = textOf(codec, parameters[property.name], property);
	if (!(text instanceof Invalid)) return text;
	report(property, text.reasons);
	return undefined;
}

/** Returns where the rows of an operation have their values, for a value of Match By. */
export function layoutOf(contract: ResourceContract, operation: OperationName, matchBy?: string) {
	const { clearFields, limit, returnAll, syncScope } = formParameters;
	const { addressedBy, drawsQrCode, matchBy: matching, places } = operationTable[operation];
	const match = contract.matchBy.find(({ value }) => value === matchBy) ?? defaultMatch(contract);
	// An operation that writes no fields reads only the fields that find the resource.
	const used = match.fields ?? (places.key ? contract.key : undefined);
	const keys = matchBy === undefined ? [] : (used?.uniqueBy ?? []);
	const choices = isPartial(operation) ? clearChoices(contract) : [];
	const names = collectionsOf(contract, operation);
	const parameters: readonly FormParameter[] = [
		...(addressedBy === 'id' || matching ? [contract.id] : []),
		...(addressedBy === 'scope' ? [syncScope] : []),
		...fieldsIn(contract, operation, 'top'),
		...(addressedBy === 'list' ? [returnAll, limit] : []),
		...(drawsQrCode && contract.qrCode ? [contract.qrCode.format, contract.qrCode.size] : []),
		...(choices.length > 0 ? [clearFields] : []),
		...names.map((name) => collections[name]),
	];
	return {
		match,
		/** The parameters that a row is read from. */
		parameters,
		/** Whether an ID or an address identifies the resource of a row. */
		readsIdentifier: matchBy === undefined ? addressedBy === 'id' : match.fields === undefined,
		collections: names,
		/** The choices of Clear Fields; none if the operation does not have it. */
		clearChoices: choices,
		/** In the order of the contract table. Match By also reads fields that the form of the operation does not show. */
		fields: contract.fields.flatMap((field) => {
			const { on, key } = field.wire;
			const place = on[operation] ?? (keys.includes(key) ? 'top' : undefined);
			// Of a row that does not identify its resource.
			const isRequired = on[operation] === 'top' && needsField(contract, operation, match, field);
			return place ? [{ field, place, isRequired }] : [];
		}),
	};
}

/** Returns what all rows of a run share. */
export const rowRunOf = (
	contract: ResourceContract,
	operation: OperationName,
	options: EncodeOptions,
) => ({
	...{ contract, operation, options },
	layout: layoutOf(contract, operation, options.matchBy),
});

/** What all rows of a run share. */
export type RowRun = ReturnType<typeof rowRunOf>;

/** The context of a row while it is encoded. */
export interface EncodeContext extends RowRun {
	readonly parameters: Parameters;
	/** The properties whose columns the row lacks although other rows have them. */
	readonly lacked?: ReadonlySet<FormParameter>;
	/** Reports a problem of the row. */
	readonly report: ReportProblem;
}
