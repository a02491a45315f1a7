import type { INodeProperties, IPollFunctions } from 'n8n-workflow';
import { linkContract } from '../Link/link.contract';
import { listLocators } from '../Link/link.locators';
import { pixelLocator } from '../Pixel/pixel.contract';
import { scalar } from '../shared/contract/codecs/scalar';
import { integerOf } from '../shared/contract/readers';
import type { ReportProblem, Resource } from '../shared/contract/types';
import type { NodeOption, ScopeField } from '../shared/contract/resourceTypes';
import { isWithin } from '../shared/contract/compare';
import { replaceNames, type FindName } from '../shared/contract/names';
import { scopeEntries, scopeParams, scopeValue } from '../shared/contract/scope';
import { isRecord, reasonText, refused, sortBy, without } from '../shared/contract/values';
import { settingsError } from '../shared/execute/errors';
import { readOutput, settingText, settingTexts } from '../shared/execute/options';
import { minNewClicksProperty, thresholdsProperty } from './detectors/clicks';
import { events } from './events';

/** The events, with the cost of each. The table of events is sorted by label. */
export const eventsProperty: INodeProperties = {
	displayName: 'Events',
	name: 'events',
	type: 'multiOptions',
	required: true,
	options: events.map(({ name, value, description, cost }) => ({
		name,
		value,
		description: `${description}. Uses ${cost}.`,
	})),
	default: ['created'],
	description: 'The events that start the workflow. Each option shows how many requests it uses.',
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

/** A number of clicks. JavaScript also reads 1.000 and 0x10 as numbers, which the user did not mean. */
const clickCount = scalar(
	(written) => ((integerOf(written.trim()) ?? 0) > 0 ? written : undefined),
	() => 'is not a whole number of at least 1; enter only digits, such as 100 or 1000',
);

/** A poll reads no names. */
const noNames: FindName = ({ resourceName }, name, property) =>
	refused(name, property, `is not an ID; choose the ${resourceName} from the list`);

/**
 * Reads the parameters of the node.
 *
 * @param timeZone IANA name of the account's time zone
 * @throws NodeOperationError with the parameter and what to do
 */
export function readSettings(context: IPollFunctions, timeZone: string) {
	const node = context.getNode();
	const parameter = (name: string, fallback: unknown): unknown =>
		context.getNodeParameter(name, fallback);
	const valueOf = ({ name, default: fallback }: NodeOption) => parameter(name, fallback);
	const text = (property: NodeOption) => settingText(node, property, valueOf(property));
	const texts = (property: NodeOption) => settingTexts(node, property, valueOf(property));
	const report: ReportProblem = ({ displayName }, [reason]) => {
		if (reason) throw settingsError(node, `${displayName} ${reasonText(reason)}`);
	};
	const names = texts(eventsProperty);
	const selected = events.filter(({ value }) => names.includes(value));
	const isUsed = (property: INodeProperties) => selected.some(({ needs }) => needs === property);
	const clicks = (property: INodeProperties) => ({ ...property, codec: clickCount });
	const thresholds = isUsed(thresholdsProperty) ? texts(clicks(thresholdsProperty)) : [];
	const minNewClicks = text(clicks(minNewClicksProperty));
	const values = parameter(filtersProperty.name, {});
	const encoding = { contract: linkContract, report };
	const scope = scopeEntries(encoding, filterFields, isRecord(values) ? values : {}, 'filters');
	const filters = replaceNames(scope, noNames, report);
	// No update can change these fields (contract 4.3).
	const fixed = filters.filter(({ field: { wire } }) => wire.on.create && !wire.on.update);
	return {
		/** The selected events. */
		selected,
		events: new Set(names),
		thresholds: thresholds.map(Number).sort((a, b) => a - b),
		minNewClicks: Number(minNewClicks),
		/** The filters as texts. */
		filterTexts: filters.map((entry) => `${entry.property.name} ${scopeValue(entry)}`),
		params: scopeParams(filters),
		fixedParams: scopeParams(fixed),
		canGain: fixed.length < filters.length,
		// The filters contain no dates, so the time zone does not matter.
		fits: (link: Resource) => isWithin({ scope: filters, options: { timeZone: 'UTC' } }, link),
		startsFromAll: text(startFromProperty) === 'all',
		output: readOutput(node, linkContract, parameter, timeZone),
	};
}

/** The settings of the node. */
export type PollSettings = ReturnType<typeof readSettings>;
