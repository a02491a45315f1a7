import type { INodeProperties } from 'n8n-workflow';
import { sortBy, without } from '../shared/contract/values';
import type { EventDefinition } from './eventDefinition';
import { filters } from './filters';

/** Returns Events, with the cost of each event. */
export const eventsProperty = (events: readonly EventDefinition[]): INodeProperties => ({
	displayName: 'Events',
	name: 'events',
	type: 'multiOptions',
	required: true,
	options: sortBy(
		events.map(({ name, value, description, cost }) => ({
			name,
			value,
			description: `${description}. Uses ${cost}.`,
		})),
		({ name }) => name,
	),
	default: ['created'],
	description:
		'The events that start the workflow. Each option shows how many API requests it uses.',
});

/** The numbers of clicks that Clicks Reached reports. */
export const thresholdsProperty: INodeProperties = {
	displayName: 'Thresholds',
	name: 'thresholds',
	type: 'string',
	required: true,
	default: '100',
	placeholder: 'e.g. 100, 1000, 10000',
	description:
		'The numbers of clicks to report, separated by commas. The node reports each number once per link. An expression can return a list.',
	displayOptions: { show: { events: ['clicksReached'] } },
};

export const filtersProperty: INodeProperties = {
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add Filter',
	default: {},
	options: filters.map((property) => without(property, 'scope')),
};

export const startFromProperty: INodeProperties = {
	displayName: 'Start From',
	name: 'startFrom',
	type: 'options',
	options: [
		{
			name: 'All',
			value: 'all',
			description: 'Also report events from before the first poll',
		},
		{ name: 'Now', value: 'now', description: 'Report only events from now on' },
	],
	default: 'now',
	description:
		'Which events the first polls report. Also applies after you change the events, the filters or the account.',
};
