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
			description: `${description}. Costs ${cost}.`,
		})),
		({ name }) => name,
	),
	default: ['created'],
	description: 'What the workflow shall start for; each choice says what it costs',
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
		'Numbers of clicks, separated by commas. Each link reports each of them once. An expression may give a list.',
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
			description: 'Report the links too that an event has happened to before',
		},
		{ name: 'Now', value: 'now', description: 'Report what happens from now on' },
	],
	default: 'now',
	description:
		'What the first polls report. It counts again for what is changed later: events, filters or the account.',
};
