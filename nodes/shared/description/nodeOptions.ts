import type { INodeProperties, NodeHint } from 'n8n-workflow';
import type { OperationName, ResourceContract } from '../contract/types';
import { without } from '../contract/values';

/** Shows an option for some operations only; the slash reaches from the collection to the node's own parameters. */
const onlyFor = (...operations: OperationName[]): INodeProperties['displayOptions'] => ({
	show: { '/operation': operations },
});

/** How the node works, as opposed to what it sends. Each default is the one that counts when the option is not set. */
export const nodeOptions = {
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
			'Seconds that one row bears that the service lets nothing through: a rate limit that does not end, or a service that fails. Waiting in line while others get through does not count.',
	},
	requestsPerMinute: {
		displayName: 'Requests Per Minute',
		name: 'requestsPerMinute',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 0,
		description:
			"Max number of requests per minute, of all executions with the same key together. With 0, the node learns the service's limit from its answers.",
	},
	timeout: {
		displayName: 'Timeout',
		name: 'timeout',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 3_600_000 },
		default: 30_000,
		description:
			'Time in milliseconds to wait for an answer. A create can take the service seconds, because it reads the title of the destination page.',
	},
} satisfies Record<string, INodeProperties>;

/** The collection of the options of a node: those of all nodes and those of its resource. */
export const optionsCollection = ({ options = [] }: ResourceContract): INodeProperties => ({
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	options: [
		...Object.values(nodeOptions),
		...options.map((option) => without(option, 'codec')),
	].sort((one, other) => one.displayName.localeCompare(other.displayName)),
});

/** What the editor tells before a run that may take long, or that asks much of the service (assumption: throttle). */
export const hints: NodeHint[] = [
	{
		message:
			'Services commonly take 60 requests a minute. The node waits as long as the service says and goes on by itself; Max Wait under Options says how long a row may wait.',
		type: 'info',
		location: 'outputPane',
		whenToDisplay: 'beforeExecution',
		displayCondition: '={{ $input.all().length > 60 }}',
	},
	{
		message:
			'More than 20 requests at the same time rarely make a run faster, and reach the rate limit of the service sooner',
		type: 'warning',
		location: 'outputPane',
		whenToDisplay: 'beforeExecution',
		displayCondition: '={{ $parameter["options"]["concurrency"] > 20 }}',
	},
];
