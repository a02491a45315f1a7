import type { INodeProperties, IPollFunctions } from 'n8n-workflow';
import { linkContract } from '../Link/link.contract';
import { domainListLocator, spaceListLocator } from '../Link/link.locators';
import { pixelLocator } from '../Pixel/pixel.contract';
import { choiceMatching } from '../shared/contract/codecs/scalar';
import { integerOf } from '../shared/contract/readers';
import type { ScopeField } from '../shared/contract/resourceTypes';
import { isWithin } from '../shared/contract/compare';
import { replaceNames, type FindName } from '../shared/contract/names';
import { scopeEntries, scopeParams, scopeValue } from '../shared/contract/scope';
import type { ReportProblem } from '../shared/contract/types';
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
import { settingsError } from '../shared/execute/nodeErrors';
import { readOutput, type MakeOutput } from '../shared/execute/options';
import type { DetectorSettings, EventDefinition } from './detectors/detector';

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
export interface PollSettings extends DetectorSettings {
	/** The selected events. */
	readonly selected: readonly EventDefinition[];
	/** The filters as texts. */
	readonly filterTexts: readonly string[];
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
	const fail: Fail = ({ displayName }, [reason = '']) => {
		const message = `${displayName} ${reasonText(reason)}`;
		throw settingsError(context.getNode(), message, 'No request was sent.');
	};
	const read = <T>(property: INodeProperties, readValue: ReadParameter<T>): T =>
		readValue(property, parameter(property.name, property.default), fail);
	const names = read(eventsProperty(definitions), readList(readChoice));
	const selected = definitions.filter(({ value }) => names.includes(value));
	const readUsed = <T>(property: INodeProperties, readValue: ReadParameter<T>, unused: T): T =>
		selected.some(({ needs }) => needs === property) ? read(property, readValue) : unused;
	const values = parameter(filtersProperty.name, {});
	const encoding = { contract: linkContract, report: fail };
	const scope = scopeEntries(encoding, filterFields, isRecord(values) ? values : {}, 'filters');
	const filters = replaceNames(scope, noNames, fail);
	const params = scopeParams(filters);
	// No update can change these fields (contract 4.3).
	const fixed = filters.filter(({ field: { wire } }) => wire.on.create && !wire.on.update);
	return {
		selected,
		events: new Set(selected.map(({ value }) => value)),
		thresholds: readUsed(thresholdsProperty, readList(readCount), []).sort((a, b) => a - b),
		minNewClicks: readUsed(minNewClicksProperty, readCount, 1),
		filterTexts: filters.map((entry) => `${entry.property.name} ${scopeValue(entry)}`),
		params,
		fixedParams: scopeParams(fixed),
		canGain: fixed.length < filters.length,
		// The filters contain no dates, so the time zone does not matter.
		fits: (link) => isWithin(filters, link, { timeZone: 'UTC' }),
		startsFromAll: read(startFromProperty, readChoice) === 'all',
		output: readOutput(context.getNode(), linkContract, parameter, timeZone),
	};
}

/** Reports an invalid value of a parameter. */
type Fail = (...problem: Parameters<ReportProblem>) => never;

/** Reads the value of a parameter. */
type ReadParameter<T> = (property: INodeProperties, value: unknown, fail: Fail) => T;

/** Reads a list, or a text with separators. It must not be empty. */
const readList =
	<T>(readEntry: ReadParameter<T>): ReadParameter<T[]> =>
	(property, value, fail) => {
		const entries = (listOf(value, separators) ?? [value])
			.map((entry: unknown) => (typeof entry === 'string' ? entry.trim() : entry))
			.filter((entry) => !isUnset(entry));
		const remedy = property.options ? 'choose at least one' : 'enter at least one number';
		if (entries.length === 0) fail(property, [`is empty; ${remedy}`]);
		return entries.map((entry) => readEntry(property, entry, fail));
	};

const readChoice: ReadParameter<string> = (property, value, fail) =>
	choiceMatching(property, String(value)) ??
	fail(property, [`has no choice ${quote(value, property)}; choose from the list`]);

/** Reads a positive integer. JavaScript also reads 1.000, 0x10 and [100] as numbers, which the user did not mean. */
const readCount: ReadParameter<number> = (property, value, fail) => {
	const number = integerOf(orDefault(value, property)) ?? 0;
	const remedy = 'is not a whole number of at least 1; enter only digits, such as 100 or 1000';
	return number > 0 ? number : fail(property, [`${quote(value, property)} ${remedy}`]);
};

/** A poll reads no names. */
const noNames: FindName = ({ resourceName }, name, property) =>
	refused(name, property, `is not an ID; choose the ${resourceName} from the list`);
