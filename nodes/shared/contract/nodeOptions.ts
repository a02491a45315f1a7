import type { INodeProperties } from 'n8n-workflow';
import type { OperationName } from './types';

/** Shows an option for some operations only; the slash reaches from the collection to the node's own parameters. */
const onlyFor = (...operations: OperationName[]): INodeProperties['displayOptions'] => ({
	show: { '/operation': operations },
});

/** The operations that Expiration belongs to; pixels have none. */
const whereLinksExpire: INodeProperties['displayOptions'] = {
	show: { '/resource': ['link'], '/operation': ['create', 'update', 'upsert'] },
};

/** How the node works, as opposed to what it sends. Each default is the one that counts when the option is not set. */
export const nodeOptions = {
	allowPastExpiration: {
		displayName: 'Allow Past Expiration',
		name: 'allowPastExpiration',
		type: 'boolean',
		default: false,
		description:
			'Whether Expiration may be a moment that is over, which makes the link expire at once',
		displayOptions: whereLinksExpire,
	},
	concurrency: {
		displayName: 'Concurrency',
		name: 'concurrency',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 5,
		description: 'Max number of requests under way at the same time',
	},
	dryRun: {
		displayName: 'Dry Run',
		name: 'dryRun',
		type: 'boolean',
		default: false,
		description:
			'Whether to return the request that each row would make, and send nothing. Passwords are masked.',
	},
	emptyValues: {
		displayName: 'Empty Values',
		name: 'emptyValues',
		type: 'options',
		options: [
			{ name: 'Clear the Field', value: 'clear', description: 'Empty the field at the service' },
			{ name: 'Fail', value: 'fail', description: 'Refuse the row' },
			{ name: 'Skip', value: 'skip', description: 'Leave the field as it is' },
		],
		default: 'skip',
		description:
			'What it means when an expression gives an optional field nothing, as an empty spreadsheet cell does',
		displayOptions: onlyFor('update', 'upsert'),
	},
	expirationTimeZone: {
		displayName: 'Expiration Time Zone',
		name: 'expirationTimeZone',
		type: 'string',
		default: '',
		placeholder: 'e.g. Europe/Berlin',
		description:
			"Time zone that Expiration is sent in, which should be that of the service's account. The workflow's when empty.",
		displayOptions: whereLinksExpire,
	},
	generateAlias: {
		displayName: 'Generate Alias',
		name: 'generateAlias',
		type: 'number',
		typeOptions: { minValue: 4 },
		default: 8,
		description:
			'Number of characters of a random alias for rows that have none. With an alias, a create whose answer was lost can be looked up and is never done twice.',
		displayOptions: { show: { '/resource': ['link'], '/operation': ['create'] } },
	},
	ignoreMissing: {
		displayName: 'Ignore Missing',
		name: 'ignoreMissing',
		type: 'boolean',
		default: false,
		description: 'Whether deleting what does not exist counts as a success',
		displayOptions: onlyFor('delete'),
	},
	includeInput: {
		displayName: 'Include Input',
		name: 'includeInput',
		type: 'boolean',
		default: false,
		description:
			"Whether to keep the input item's fields beside the result, which goes under its resource's name",
	},
	maxWait: {
		displayName: 'Max Wait',
		name: 'maxWait',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 300,
		description:
			'Seconds that one row may wait for a rate limit to end or a failing service to recover',
	},
	requestsPerMinute: {
		displayName: 'Requests Per Minute',
		name: 'requestsPerMinute',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 0,
		description:
			"Max number of requests per minute. With 0, the node learns the service's limit from its answers.",
	},
	timeout: {
		displayName: 'Timeout',
		name: 'timeout',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 30_000,
		description:
			'Time in milliseconds to wait for an answer. A create can take the service seconds, because it reads the title of the destination page.',
	},
} satisfies Record<string, INodeProperties>;

/** The collection of the options, as it stands in every node. */
export const optionsCollection: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	options: Object.values(nodeOptions),
};
