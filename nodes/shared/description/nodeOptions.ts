import type { INodeProperties } from 'n8n-workflow';
import { formParameters } from '../contract/layout';
import { operationTable, writes } from '../contract/operations';
import type { OperationName } from '../contract/types';
import type { NodeOption, ResourceContract } from '../contract/resourceTypes';
import { isSecret, sortBy, without } from '../contract/values';
import { mapAutomatically, mappingMode } from './parameters';

/** The options about the requests of a run. Times are in seconds. */
export const requestOptions = {
	concurrency: {
		displayName: 'Concurrency',
		name: 'concurrency',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 5,
		description: 'Max number of requests at the same time',
	},
	maxWait: {
		displayName: 'Max Wait (Seconds)',
		name: 'maxWait',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 300,
		description: 'Max time to wait for the rate limit, or for a service that does not respond',
	},
	requestsPerMinute: {
		displayName: 'Requests Per Minute',
		name: 'requestsPerMinute',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 0,
		description: 'Max number of requests per minute, over all executions. 0 means no limit.',
	},
	timeout: {
		displayName: 'Timeout (Seconds)',
		name: 'timeout',
		type: 'number',
		typeOptions: { minValue: 0.01, maxValue: 3600 },
		default: 30,
		description: 'Max time to wait for a response',
	},
} satisfies Record<string, INodeProperties>;

/** The name of the only set of values in Requests. */
export const requestsName = 'settings';

/** The options of all nodes. A number or choice that is not set has its default. A switch that is not set is off. */
export const nodeOptions = {
	dryRun: {
		displayName: 'Dry Run',
		name: 'dryRun',
		type: 'boolean',
		default: true,
		description: 'Whether to preview instead of writing',
		isFor: writes,
	},
	emptyValues: {
		displayName: 'Empty Values',
		name: 'emptyValues',
		type: 'options',
		options: [
			{
				name: 'Clear the Field',
				value: 'clear',
				description:
					'Send an empty value. Cells that an item lacks are kept: Extract from File leaves out empty cells unless you add Include Empty Cells.',
			},
			{ name: 'Skip', value: 'skip', description: 'Do not change the field' },
		],
		default: 'skip',
		description: 'What to do if the value of an optional field is empty',
		isFor: ({ matchBy, places }) => matchBy && places.optional,
	},
	ignoreMissing: {
		displayName: 'Ignore Missing',
		name: 'ignoreMissing',
		type: 'boolean',
		default: true,
		description: 'Whether to treat a resource that does not exist as deleted',
		isFor: ({ deletes }) => deletes,
	},
	includeInput: {
		displayName: 'Include Input',
		name: 'includeInput',
		type: 'boolean',
		default: true,
		description: 'Whether to include the input item',
	},
	mapPasswords: {
		...formParameters.mapPasswords,
		type: 'boolean',
		default: true,
		description: 'Whether to map passwords',
		displayOptions: { show: { [`/${mappingMode.name}`]: [mapAutomatically] } },
		isFor: ({ acceptsColumns, places }) => acceptsColumns && places.optional,
	},
	maxRemovals: {
		displayName: 'Max Removals',
		name: 'maxRemovals',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 50,
		description: 'Max number of resources to disable or delete. If more, nothing is written.',
		isFor: ({ addressedBy }) => addressedBy === 'scope',
	},
	maxRemovalPercentage: {
		displayName: 'Max Removal Percentage',
		name: 'maxRemovalPercentage',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 100 },
		default: 50,
		description: 'Max percentage of the scope to disable or delete. If more, nothing is written.',
		isFor: ({ addressedBy }) => addressedBy === 'scope',
	},
	requests: {
		displayName: 'Requests',
		name: 'requests',
		type: 'fixedCollection',
		placeholder: 'Add Settings',
		// n8n shows the inputs as soon as the option is added.
		default: { [requestsName]: {} },
		options: [
			{ displayName: 'Settings', name: requestsName, values: Object.values(requestOptions) },
		],
		description: 'How many requests the node sends, and how long it waits',
	},
} satisfies Record<string, NodeOption>;

/** Returns the options of all nodes and of a resource, sorted by label. */
export function optionsOf({ fields, options = [] }: ResourceContract): NodeOption[] {
	const general: NodeOption[] = Object.values(nodeOptions).filter(
		(option) => option !== nodeOptions.mapPasswords || fields.some(isSecret),
	);
	return sortBy([...general, ...options], ({ displayName }) => displayName);
}

/** The name of the Options collection. */
export const optionsName = 'options';

/**
 * Returns the Options collection of an operation, with only the options that the operation has. n8n's AI builder gets the
 * options of each operation in full, so options that do not apply would only fill its context.
 */
export const operationOptions = (contract: ResourceContract, operation: OperationName) => ({
	displayName: 'Options',
	name: optionsName,
	type: 'collection' as const,
	placeholder: 'Add Option',
	default: {},
	options: optionsOf(contract)
		.filter(({ isFor }) => !isFor || isFor(operationTable[operation]))
		.map((option) => without(option, 'codec', 'isFor')),
});

/** What n8n's AI builder reads about a node that it finds. n8n 1 ignores it. */
export const batchHint =
	'Takes all items at once and respects the rate limit: no Loop, Wait or Retry On Fail needed. For a sheet use Sync, or Create or Update with mapped columns';
