import type { INodeProperties } from 'n8n-workflow';
import { linkLocator } from '../Link/link.locators';
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
		events.map(({ name, value, action, description, cost }) => ({
			name,
			value,
			...(action ? { action } : {}),
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

/** Max number of chosen links. Each takes a request per poll. */
export const maxChosenLinks = 50;

const chosenLink: INodeProperties = {
	displayName: 'Link',
	name: 'link',
	...linkLocator,
	description: 'The link whose clicks to report',
};

/** The names of the list of chosen links in the parameter, and of the link in an entry. */
export const chosenLinkNames = { list: 'links', entry: chosenLink.name };

/** The links that Link Clicked reports. */
export const chosenLinksProperty: INodeProperties = {
	displayName: 'Links to Watch',
	name: 'linksToWatch',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Link' },
	default: {},
	placeholder: 'Add Link',
	description: `For Link Clicked: the links whose clicks to report, up to ${maxChosenLinks}, regardless of Filters. Without links, the node reports the clicks of all links that match Filters. An expression in Link can return a list of IDs or short URLs.`,
	options: [{ displayName: 'Link', name: chosenLinkNames.list, values: [chosenLink] }],
	displayOptions: { show: { events: ['clicked'] } },
};

/** The number of new clicks from which Link Clicked reports a link. */
export const minNewClicksProperty: INodeProperties = {
	displayName: 'Min New Clicks',
	name: 'minNewClicks',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 1,
	description:
		'For Link Clicked: min number of new clicks to report. Clicks of several polls add up until they reach it.',
	displayOptions: { show: { events: ['clicked'] } },
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
