import type { INodeProperties, IPollFunctions } from 'n8n-workflow';
import { linkContract } from '../Link/link.contract';
import { domainListLocator, spaceListLocator } from '../Link/link.locators';
import { pixelLocator } from '../Pixel/pixel.contract';
import { choiceMatching } from '../shared/contract/codecs/scalar';
import { integerOf } from '../shared/contract/readers';
import type { ScopeField } from '../shared/contract/resourceTypes';
import { isWithin } from '../shared/contract/compare';
import { replaceNames, type FindName } from '../shared/contract/names';
import {
	reasonText,
	refused,
	isRecord,
	isUnset,
	listOf,
	orDefault,
	quote,
	separators,
	sortBy,
	without,
} from '../shared/contract/values';
import type { ReportProblem, EncodeOptions, Resource } from '../shared/contract/types';
import { scopeEntries, type Scope } from '../shared/contract/scope';
import { settingsError } from '../shared/execute/nodeErrors';
import { readOutput, type MakeOutput } from '../shared/execute/options';
import type { ClickSettings, EventDefinition } from './detectors/detector';

/** Returns Events, with the cost of each event. The table of events is sorted by label. */
export const eventsProperty = (events: readonly EventDefinition[]): INodeProperties => ({
	displayName: 'Events',
	name: 'events',
	type: 'multiOptions',
	required: true,
	options: events.map(({ name, value, action, description, cost }) => ({
		name,
		value,
		...(action && { action }),
		description: `${description}. Uses ${cost}.`,
	})),
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

/** Polls read no names, so these fields have only the modes From List and By ID. */
const listLocators: Readonly<Record<string, Partial<ScopeField>>> = {
	domainId: domainListLocator,
	spaceId: spaceListLocator,
};

/** The fields of Filters: those of the scope of Sync, and the pixel. */
const filterFields: readonly ScopeField[] = sortBy(
	[
		...linkContract.sync.scope.map((property) => ({
			...property,
			...listLocators[property.name],
			description: (property.description ?? '').replace(/ Items without .*/, ''),
		})),
		{
			displayName: 'Pixel',
			name: 'pixelId',
			...pixelLocator,
			description: 'Only links that this pixel is attached to',
			scope: { field: 'pixelId' },
		},
	],
	({ displayName }) => displayName,
);

export const filtersProperty: INodeProperties = {
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add Filter',
	default: {},
	options: filterFields.map((property) => without(property, 'scope')),
};

export const startFromProperty: INodeProperties = {
	displayName: 'Start From',
	name: 'startFrom',
	type: 'options',
	options: [
		{ name: 'All', value: 'all', description: 'Also report events from before the first poll' },
		{ name: 'Now', value: 'now', description: 'Report only events from now on' },
	],
	default: 'now',
	description:
		'Which events the first polls report. Also applies after you change the events, the filters or the account.',
};

/** The settings of the node. */
export interface PollSettings extends ClickSettings {
	/** The selected events. */
	readonly selected: readonly EventDefinition[];
	readonly filters: Scope;
	readonly startsFromAll: boolean;
	readonly output: MakeOutput;
}

/**
 * Reads the parameters of the node.
 *
 * @param definitions the table of events
 * @param timeZone IANA name of the account's time zone
 * @throws NodeOperationError with the parameter and what to do
 */
export function readSettings(
	context: IPollFunctions,
	definitions: readonly EventDefinition[],
	timeZone: string,
): PollSettings {
	const parameter = (name: string, fallback: unknown): unknown =>
		context.getNodeParameter(name, fallback);
	const report: ReportProblem = ({ displayName }, [reason]) => {
		if (reason === undefined) return;
		const message = `${displayName} ${reasonText(reason)}`;
		throw settingsError(context.getNode(), message, 'No request was sent.');
	};
	const read = <T>(property: INodeProperties, readValue: ReadParameter<T>): T =>
		readValue(property, parameter(property.name, property.default), report);
	const names = read(eventsProperty(definitions), readEvents);
	const selected = definitions.filter(({ value }) => names.includes(value));
	const isUsed = (property: INodeProperties) => selected.some(({ needs }) => needs === property);
	return {
		selected,
		thresholds: isUsed(thresholdsProperty) ? read(thresholdsProperty, readThresholds) : [],
		minNewClicks: isUsed(minNewClicksProperty) ? read(minNewClicksProperty, readMinNewClicks) : 1,
		filters: readFilters(parameter('filters', {}), report),
		startsFromAll: read(startFromProperty, readChoice) === 'all',
		output: readOutput(context.getNode(), linkContract, parameter, timeZone),
	};
}

/** Reads the value of a parameter. Reports an invalid value. */
type ReadParameter<T> = (property: INodeProperties, value: unknown, report: ReportProblem) => T;

/** Returns the entries of a list, or of a text with separators. */
const listEntries = (value: unknown): unknown[] =>
	(listOf(value, separators) ?? [value])
		.map((entry: unknown) => (typeof entry === 'string' ? entry.trim() : entry))
		.filter((entry) => !isUnset(entry));

const readChoice: ReadParameter<string> = (property, value, report) => {
	const choice = choiceMatching(property, String(value));
	if (choice !== undefined) return choice;
	report(property, [`has no choice ${quote(value, property)}; choose from the list`]);
	return '';
};

const readEvents: ReadParameter<string[]> = (property, value, report) => {
	const entries = listEntries(value);
	if (entries.length === 0) report(property, ['is empty; choose at least one']);
	return entries.map((entry) => readChoice(property, entry, report));
};

const readThresholds: ReadParameter<number[]> = (property, value, report) => {
	const entries = listEntries(value);
	if (entries.length === 0) report(property, ['is empty; enter at least one number']);
	// JavaScript also reads 1.000, 0x10 and [100] as numbers, which the user did not mean.
	const numbers = entries.map((entry) => integerOf(entry) ?? 0);
	const bad = numbers.findIndex((number) => number <= 0);
	const remedy = 'is not a whole number of at least 1; enter thresholds as 100, 1000';
	if (bad >= 0) report(property, [`${quote(entries[bad], property)} ${remedy}`]);
	return [...new Set(numbers)].sort((a, b) => a - b);
};

const readMinNewClicks: ReadParameter<number> = (property, value, report) => {
	const number = integerOf(orDefault(value, property)) ?? 0;
	if (number <= 0) {
		report(property, [`${quote(value, property)} is not a whole number of at least 1`]);
	}
	return number;
};

/** A poll reads no names. */
const noNames: FindName = ({ resourceName }, name, property) =>
	refused(name, property, `is not an ID; choose the ${resourceName} from the list`);

/** Reads the filters. A poll reads no names. */
function readFilters(value: unknown, report: ReportProblem): Scope {
	const collection = isRecord(value) ? value : {};
	const context = { contract: linkContract, report };
	return replaceNames(scopeEntries(context, filterFields, collection, 'filters'), noNames, report);
}

/** Filters contain only IDs and a prefix, which no option affects. */
const encodeOptions: EncodeOptions = {
	...{ timeZone: 'UTC', now: 0, refusesPast: false, emptyValues: 'skip', resourceOptions: {} },
};

/** Returns whether a link matches the filters; undefined if it does not show the filtered fields. */
export const fitsFilters = (filters: Scope, link: Resource): boolean | undefined =>
	isWithin(filters, link, encodeOptions);
