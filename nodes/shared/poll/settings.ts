import type { INodeProperties, IPollFunctions } from 'n8n-workflow';
import { integerOf } from '../contract/readers';
import { choiceMatching } from '../contract/codecs/scalar';
import { isUuid } from '../contract/idPattern';
import { isWithin, scopeEntries, type Scope } from '../contract/scope';
import {
	Invalid,
	type EncodeOptions,
	type NameResolver,
	type ReportProblem,
	type Resource,
} from '../contract/types';
import {
	choicesOf,
	isRecord,
	isTextual,
	isUnset,
	listOf,
	quote,
	separators,
	without,
} from '../contract/values';
import { readOutput, type MakeOutput } from '../execute/options';
import { settingsError } from '../execute/nodeErrors';
import type { TriggerContract } from './types';

export const eventsProperty = ({ events }: TriggerContract): INodeProperties => ({
	displayName: 'Events',
	name: 'events',
	type: 'multiOptions',
	required: true,
	options: events
		.map(({ name, value, description, cost }) => ({
			name,
			value,
			description: `${description}. Costs ${cost}.`,
		}))
		.sort((one, other) => one.name.localeCompare(other.name)),
	default: ['created'],
	description: 'What the workflow shall start for; each choice says what it costs',
});

export const filtersProperty = ({ filters }: TriggerContract): INodeProperties => ({
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add Filter',
	default: {},
	options: filters.map((property) => without(property, 'scope')),
});

export const startFromProperty = ({ resource }: TriggerContract): INodeProperties => ({
	displayName: 'Start From',
	name: 'startFrom',
	type: 'options',
	options: [
		{
			name: 'All',
			value: 'all',
			description: `Report the ${resource.value}s too that an event has happened to before`,
		},
		{ name: 'Now', value: 'now', description: 'Report what happens from now on' },
	],
	default: 'now',
	description:
		'What the first polls report. It counts again for what is changed later: events, filters or the account.',
});

/** What the node is set to. */
export interface PollSettings {
	readonly events: ReadonlySet<string>;
	/** Lowest first. */
	readonly thresholds: readonly number[];
	readonly filters: Scope;
	readonly startsFromAll: boolean;
	readonly output: MakeOutput;
}

/** Filters hold IDs and a beginning, which no option changes the meaning of. */
const encodeOptions: EncodeOptions = {
	timeZone: 'UTC',
	now: 0,
	emptyValues: 'skip',
	resourceOptions: {},
};

/**
 * Reads what the node is set to.
 *
 * @throws NodeOperationError naming the parameter and the remedy
 */
export function readSettings(context: IPollFunctions, trigger: TriggerContract): PollSettings {
	const given = (name: string, fallback: unknown): unknown =>
		context.getNodeParameter(name, fallback);
	const report: ReportProblem = ({ displayName }, [reason]) => {
		if (reason === undefined) return;
		throw settingsError(context.getNode(), `${displayName} ${reason}`, 'No request was sent.');
	};
	const events = readEvents(eventsProperty(trigger), given('events', []), report);
	const { property, event } = trigger.thresholds;
	const thresholds = events.has(event)
		? readThresholds(property, given(property.name, ''), report)
		: [];
	const start = startFromProperty(trigger);
	const writtenStart = given(start.name, start.default);
	const startFrom = isTextual(writtenStart)
		? choiceMatching(start, String(writtenStart))
		: undefined;
	if (startFrom === undefined) {
		report(start, [`${quote(writtenStart, start)} does not exist; choose from the list`]);
	}
	return {
		events,
		thresholds,
		filters: readFilters(trigger, given('filters', {}), report),
		startsFromAll: startFrom === 'all',
		output: readOutput(context.getNode(), trigger.resource, given),
	};
}

function readEvents(property: INodeProperties, value: unknown, report: ReportProblem): Set<string> {
	const names = choicesOf(property).map((choice) => String(choice.value));
	const entries = (listOf(value, separators) ?? [value])
		.map((entry) =>
			typeof entry === 'string' ? (choiceMatching(property, entry) ?? entry.trim()) : entry,
		)
		.filter((entry) => !isUnset(entry));
	const unknown = entries.filter((entry) => names.every((name) => name !== entry));
	report(
		property,
		unknown.map((entry) => `has no ${quote(entry, property)}; use ${names.join(', ')}`),
	);
	if (entries.length === 0) report(property, ['is empty; choose at least one']);
	return new Set(names.filter((name) => entries.includes(name)));
}

function readThresholds(
	property: INodeProperties,
	value: unknown,
	report: ReportProblem,
): number[] {
	const entries = (listOf(value, separators) ?? [value])
		.map((entry) => (typeof entry === 'string' ? entry.trim() : entry))
		.filter((entry) => !isUnset(entry));
	// What JavaScript takes for a number as well, 1.000 or 0x10 or [100], was not meant as the one that it gives.
	const numbers = entries.map((entry) => integerOf(entry) ?? 0);
	const bad = numbers.findIndex((number) => number <= 0);
	const remedy = 'is no whole number from 1 on; write thresholds as 100, 1000';
	if (bad >= 0) report(property, [`${quote(entries[bad], property)} ${remedy}`]);
	if (entries.length === 0) report(property, ['is empty; write at least one number']);
	return [...new Set(numbers)].sort((one, other) => one - other);
}

/** A poll reads no names: apart from digits, only a UUID counts as an ID. */
const noNames: NameResolver = {
	idOf: ({ resourceName }, text, property) =>
		isUuid(text)
			? text
			: new Invalid([
					`${quote(text, property)} is no ID; choose the ${resourceName} from the list`,
				]),
	isListed: () => false,
	maxParts: () => 1,
};

function readFilters(
	{ resource, filters }: TriggerContract,
	value: unknown,
	report: ReportProblem,
): Scope {
	const given = isRecord(value) ? value : {};
	const guard = <T>(read: () => Invalid | T) => read();
	const context = { contract: resource, report, guard, options: { names: noNames } };
	return scopeEntries(context, filters, given, 'filters');
}

/** Those of the filters whose field no update can change (contract 4.3). */
export const fixedOf = (filters: Scope): Scope =>
	filters.filter(({ field: { wire } }) => wire.on.create !== undefined && !wire.on.update);

/** Whether a resource fits the filters; undefined where it does not tell. */
export const fitsFilters = (filters: Scope, resource: Resource): boolean | undefined =>
	isWithin(filters, resource, encodeOptions);
