import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { clearChoices, collections, defaultMatch, formParameters } from '../contract/layout';
import type { CollectionName } from '../contract/operations';
import type { ResourceContract } from '../contract/resourceTypes';
import { without } from '../contract/values';

const placeholders: Readonly<Partial<Record<CollectionName, string>>> = {
	filters: 'Add Filter',
	sorting: 'Add Sort Setting',
};

/** Returns a collection of optional fields. The contract tables provide its options. */
export const collectionOf = (name: CollectionName): INodeProperties => ({
	...collections[name],
	type: 'collection',
	placeholder: placeholders[name] ?? 'Add Field',
	default: {},
});

/** n8n's standard pair of parameters that limits a list. */
export const returnAll: INodeProperties = {
	...formParameters.returnAll,
	type: 'boolean',
	default: false,
	description: 'Whether to return all results or only up to a given limit',
};

export const limit: INodeProperties = {
	...formParameters.limit,
	type: 'number',
	typeOptions: { minValue: 1 },
	description: 'Max number of results to return',
	displayOptions: { show: { returnAll: [false] } },
};

export const mapAutomatically = 'autoMapInputData';
const mapManually = 'defineBelow';

/** The parameter that selects the source of a row's values, with n8n's standard values. */
export const mappingMode = {
	displayName: 'Mapping Column Mode',
	name: 'mappingColumnMode',
	type: 'options',
	// With an expression, n8n would show the fields for both values.
	noDataExpression: true,
	options: [
		{
			name: 'Map Automatically',
			value: mapAutomatically,
			description: 'Map columns of the input items to fields with the same name',
		},
		{
			name: 'Map Each Column Manually',
			value: mapManually,
			description: 'Set the value of each field in the form',
		},
	],
	default: mapManually,
} satisfies INodeProperties;

/** The conditions of a property that n8n shows if columns map automatically, or if the form sets the fields. */
export const whenMapped = { [mappingMode.name]: [mapAutomatically] };
export const whenManual = { [mappingMode.name]: [mapManually] };

export const inputsToIgnore = {
	...formParameters.inputsToIgnore,
	type: 'string',
	default: '',
	placeholder: 'e.g. notes, owner',
	displayOptions: { show: whenMapped },
} satisfies INodeProperties;

/** Returns the Match By parameter. */
export const matchBy = (contract: ResourceContract): INodeProperties => ({
	...formParameters.matchBy,
	type: 'options',
	// The form shows other fields for each choice.
	noDataExpression: true,
	options: contract.matchBy.map((choice) => without(choice, 'fields')),
	default: defaultMatch(contract).value,
	description: `How to find the ${contract.value} of each item`,
});

/** Returns the Clear Fields parameter. */
export const clearFields = (contract: ResourceContract): INodeProperties => ({
	...formParameters.clearFields,
	type: 'multiOptions',
	options: clearChoices(contract),
	default: [],
	description: 'The fields to clear',
});

/** Returns the scope parameter of Sync, which selects the resources to compare with the rows. */
export const scopeCollection = ({ value, sync }: ResourceContract): INodeProperties => ({
	...formParameters.syncScope,
	type: 'collection',
	placeholder: 'Add Scope Field',
	default: {},
	options: sync.scope.map((property) => without(property, 'scope')),
	description: `Only ${value}s that match all of these fields are created, updated or removed`,
});

/** Returns the notice that n8n shows until the scope has a value, because a collection cannot be required. */
export const scopeNotice = ({ value, sync }: ResourceContract): INodeProperties => ({
	displayName: `Set at least one field of Sync Scope. To preview which ${value}s the sync removes, use Dry Run under Options.`,
	name: 'scopeNotice',
	type: 'notice',
	default: '',
	displayOptions: {
		hide: Object.fromEntries(
			sync.scope.map(({ name }) => [
				`/${formParameters.syncScope.name}.${name}`,
				[{ _cnd: { exists: true as const } }],
			]),
		),
	},
});

const unmatchedActions: INodePropertyOptions[] = [
	{ name: 'Delete', value: 'delete', description: 'Delete them permanently' },
	{ name: 'Disable', value: 'disable', description: 'Disable them until a row has them again' },
	{ name: 'Keep', value: 'keep', description: 'Do not change them' },
];

/** Returns the parameter for resources of the scope that match no row. */
export function unmatchedActionField({ name, value, disabledField }: ResourceContract) {
	const fallback = disabledField ? 'disable' : 'keep';
	return {
		displayName: `Unmatched ${name}s`,
		name: `unmatched${name}s`,
		type: 'options',
		options: unmatchedActions.filter((action) => disabledField || action.value !== 'disable'),
		default: fallback,
		description: `What to do with ${value}s of the scope that match no row, after all rows succeed`,
	} satisfies INodeProperties;
}
