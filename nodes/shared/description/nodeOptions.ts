import type { INodeProperties, NodeHint } from 'n8n-workflow';
import { pairInputs, pairsName } from '../contract/columnNames';
import { writableFields } from '../contract/columnTargets';
import { defaultMatch } from '../contract/matchBy';
import type { OperationName } from '../contract/types';
import type { ResourceContract } from '../contract/resourceTypes';
import { without } from '../contract/values';

/** Shows an option for some operations only; the slash reaches from the collection to the node's own parameters. */
const onlyFor = (...operations: OperationName[]): INodeProperties['displayOptions'] => ({
	show: { '/operation': operations },
});

/** Shows an option where values come from columns. */
const onlyMapped: INodeProperties['displayOptions'] = {
	show: { '/mappingColumnMode': ['autoMapInputData'] },
};

/**
 * How the node works, as opposed to what it sends. The default of a number or choice counts when the option is not set. A
 * switch is on when it is added, and off when it is not.
 */
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
		default: true,
		description:
			'Whether to write nothing, and return a table of what would become of each row: outcome, before and after. The service is read for it. With Output set to Raw, it returns the requests. Passwords are masked.',
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
		displayOptions: onlyFor('sync', 'update', 'upsert'),
	},
	ignoreMissing: {
		displayName: 'Ignore Missing',
		name: 'ignoreMissing',
		type: 'boolean',
		default: true,
		description: 'Whether deleting what does not exist counts as a success',
		displayOptions: onlyFor('delete'),
	},
	includeInput: {
		displayName: 'Include Input',
		name: 'includeInput',
		type: 'boolean',
		default: true,
		description:
			"Whether to keep the input item's fields and binary data next to the result, which goes under its resource's name",
	},
	mapPasswords: {
		displayName: 'Map Passwords',
		name: 'mapPasswords',
		type: 'boolean',
		default: true,
		description: 'Whether columns that are named like a password field are taken as well',
		displayOptions: onlyMapped,
	},
	maxRemovals: {
		displayName: 'Max Removals',
		name: 'maxRemovals',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 50,
		description:
			'Max number of those that Others may disable or delete. A run that would remove more is refused before anything is sent; 0 means none.',
		displayOptions: onlyFor('sync'),
	},
	maxRemovalPercentage: {
		displayName: 'Max Removal Percentage',
		name: 'maxRemovalPercentage',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 100 },
		default: 50,
		description:
			'Max share of the scope, in percent, that Others may disable or delete. A run that would remove more is refused before anything is sent.',
		displayOptions: onlyFor('sync'),
	},
	maxWait: {
		displayName: 'Max Wait',
		name: 'maxWait',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 300,
		description:
			'Max time in seconds that a row waits, over all its requests, for a rate limit or an outage before it fails. Time spent queued behind other requests does not count.',
	},
	requestsPerMinute: {
		displayName: 'Requests Per Minute',
		name: 'requestsPerMinute',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 0,
		description:
			"Max number of requests per minute, of all executions that set this option and use the same key together. The lowest value counts. Other executions, polls and lists in the editor are not limited. With 0, the node learns the service's limit from its answers.",
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
	unknownColumns: {
		displayName: 'Unknown Columns',
		name: 'unknownColumns',
		type: 'options',
		options: [
			{ name: 'Fail', value: 'fail', description: 'Refuse the run' },
			{
				name: 'Fail on Likely Typos',
				value: 'failOnTypos',
				description: 'Refuse the run if a name is one letter away from that of a field',
			},
			{ name: 'Ignore', value: 'ignore', description: 'Leave them out' },
		],
		default: 'failOnTypos',
		description: 'What to do with columns that are not named like a field',
		displayOptions: onlyMapped,
	},
} satisfies Record<string, INodeProperties>;

export const columnNamesLabel = 'Column Names';

/** The field of a pair. Without a default n8n marks a pair as wrong as soon as it is added. */
function pairField(contract: ResourceContract): INodeProperties {
	const property: INodeProperties = {
		displayName: 'Field',
		name: pairInputs.field,
		type: 'options',
		options: writableFields(contract)
			.map(({ name, target }) => ({ name: target.displayName, value: name }))
			.sort((one, other) => one.name.localeCompare(other.name)),
		default: '',
		description: 'The field that the column fills',
	};
	return { ...property, default: defaultMatch(contract).value };
}

/** The option that maps columns with any name to fields. */
export const columnNamesOption = (contract: ResourceContract): INodeProperties => ({
	displayName: columnNamesLabel,
	name: 'columnNames',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Column' },
	default: {},
	placeholder: 'Add Column',
	description: 'Which column fills which field. A pair takes precedence over the names of columns.',
	options: [
		{
			displayName: 'Column',
			name: pairsName,
			values: [
				pairField(contract),
				{
					displayName: 'Column',
					name: pairInputs.column,
					type: 'string',
					default: '',
					placeholder: 'e.g. Short name',
					description: 'The heading of the column',
				},
			],
		},
	],
	displayOptions: onlyMapped,
});

/** The options that a resource has a use for. */
function optionsFor(contract: ResourceContract): INodeProperties[] {
	const { fields, options = [] } = contract;
	const hasSecrets = fields.some(({ typeOptions }) => typeOptions?.password);
	const general = Object.values(nodeOptions).filter(
		(option) => hasSecrets || option !== nodeOptions.mapPasswords,
	);
	return [
		...general,
		columnNamesOption(contract),
		...options.map((option) => without(option, 'codec')),
	];
}

/** The collection of the options of a node: those of all nodes and those of its resource. */
export const optionsCollection = (contract: ResourceContract): INodeProperties => ({
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	options: optionsFor(contract).sort((one, other) =>
		one.displayName.localeCompare(other.displayName),
	),
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
