import type { INodeProperties, IPollFunctions } from 'n8n-workflow';
import { linkContract } from '../Link/link.contract';
import { choiceMatching } from '../shared/contract/codecs/scalar';
import { integerOf } from '../shared/contract/readers';
import { isWithin } from '../shared/contract/compare';
import type { FindName } from '../shared/contract/names';
import { reasonText, refused } from '../shared/contract/problems';
import { resolveScope, scopeEntries, type Scope } from '../shared/contract/scope';
import {
	Invalid,
	type EncodeOptions,
	type ReportProblem,
	type Resource,
} from '../shared/contract/types';
import {
	choicesOf,
	isRecord,
	isTextual,
	isUnset,
	listOf,
	orDefault,
	quote,
	separators,
	unwrapLocator,
} from '../shared/contract/values';
import { readOutput, type MakeOutput } from '../shared/execute/options';
import { settingsError } from '../shared/execute/nodeErrors';
import type { ChosenLink, ClickSettings } from './detectors/detector';
import type { EventDefinition } from './eventDefinition';
import { filters } from './filters';
import {
	minNewClicksProperty,
	chosenLinkNames,
	chosenLinksProperty,
	eventsProperty,
	maxChosenLinks,
	startFromProperty,
	thresholdsProperty,
} from './properties';

/** The settings of the node. */
export interface PollSettings extends ClickSettings {
	/** Values of the selected events. */
	readonly events: ReadonlySet<string>;
	/** The links that Link Clicked reports; empty for all that match the filters. */
	readonly chosenLinks: readonly ChosenLink[];
	readonly filters: Scope;
	readonly startsFromAll: boolean;
	readonly output: MakeOutput;
}

/** Filters contain only IDs and a prefix, which no option affects. */
const encodeOptions: EncodeOptions = {
	timeZone: 'UTC',
	now: 0,
	refusesPast: false,
	emptyValues: 'skip',
	resourceOptions: {},
};

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
	const events = readEvents(eventsProperty(definitions), parameter('events', []), report);
	/** Reads a parameter of some events, if one of them is selected. */
	const readNeeded = <T>(property: INodeProperties, read: ReadParameter<T>, unused: T): T =>
		definitions.some(({ value, needs }) => needs?.includes(property) && events.has(value))
			? read(property, parameter(property.name, property.default), report)
			: unused;
	return {
		events,
		thresholds: readNeeded(thresholdsProperty, readThresholds, []),
		minNewClicks: readNeeded(minNewClicksProperty, readMinNewClicks, 1),
		chosenLinks: readNeeded(chosenLinksProperty, readChosenLinks, []),
		filters: readFilters(parameter('filters', {}), report),
		startsFromAll:
			readStartFrom(startFromProperty, parameter('startFrom', 'now'), report) === 'all',
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

function readEvents(property: INodeProperties, value: unknown, report: ReportProblem): Set<string> {
	const names = choicesOf(property).map((choice) => String(choice.value));
	const entries = listEntries(value).map((entry) =>
		typeof entry === 'string' ? (choiceMatching(property, entry) ?? entry) : entry,
	);
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
	const entries = listEntries(value);
	// JavaScript also reads 1.000, 0x10 and [100] as numbers, which the user did not mean.
	const numbers = entries.map((entry) => integerOf(entry) ?? 0);
	const bad = numbers.findIndex((number) => number <= 0);
	const remedy = 'is not a whole number of at least 1; enter thresholds as 100, 1000';
	if (bad >= 0) report(property, [`${quote(entries[bad], property)} ${remedy}`]);
	if (entries.length === 0) report(property, ['is empty; enter at least one number']);
	return [...new Set(numbers)].sort((a, b) => a - b);
}

function readMinNewClicks(
	property: INodeProperties,
	value: unknown,
	report: ReportProblem,
): number {
	const number = integerOf(orDefault(value, property)) ?? 0;
	if (number > 0) return number;
	report(property, [`${quote(value, property)} is not a whole number of at least 1`]);
	return 1;
}

/** Reads the links of a form, or of an expression that returns a list. */
function readChosenLinks(
	property: INodeProperties,
	value: unknown,
	report: ReportProblem,
): ChosenLink[] {
	const { list, entry } = chosenLinkNames;
	const rows = isRecord(value) ? (listOf(value[list]) ?? []) : [value];
	const links = new Map<string, ChosenLink>();
	for (const row of rows) {
		const input = isRecord(row) && entry in row ? row[entry] : row;
		const mode = isRecord(input) ? input.mode : undefined;
		for (const text of listEntries(unwrapLocator(input))) {
			const link = readChosenLink(property, text, mode);
			if (link instanceof Invalid) report(property, link.reasons);
			else links.set(link.reference?.key ?? String(link.id), link);
		}
	}
	const remedy = `remove some, or remove all of them to report the clicks of all links that match Filters`;
	if (links.size > maxChosenLinks) {
		report(property, [
			`has ${links.size} links, but at most ${maxChosenLinks} are possible; ${remedy}`,
		]);
	}
	return [...links.values()];
}

function readChosenLink(
	property: INodeProperties,
	value: unknown,
	mode: unknown,
): ChosenLink | Invalid {
	const reference = linkContract.address?.read(value, property, mode);
	if (reference instanceof Invalid) return reference;
	if (reference) return { text: reference.text, reference };
	const id = integerOf(value) ?? -1;
	if (id >= 0) return { text: String(id), id };
	return new Invalid([
		`${quote(value, property)} is not the ID or the short URL of a link; choose the link from the list`,
	]);
}

function readStartFrom(property: INodeProperties, value: unknown, report: ReportProblem): unknown {
	const choice = isTextual(value) ? choiceMatching(property, String(value)) : undefined;
	if (choice !== undefined) return choice;
	return report(property, [`${quote(value, property)} does not exist; choose from the list`]);
}

/** A poll reads no names. */
const noNames: FindName = ({ resourceName }, name, property) =>
	refused(name, property, `is not an ID; choose the ${resourceName} from the list`);

function readFilters(value: unknown, report: ReportProblem): Scope {
	const collection = isRecord(value) ? value : {};
	const context = { contract: linkContract, report };
	return resolveScope(scopeEntries(context, filters, collection, 'filters'), noNames, report);
}

/** Returns the filters whose field no update can change (contract 4.3). */
export const fixedFilters = (scope: Scope): Scope =>
	scope.filter(({ field: { wire } }) => wire.on.create !== undefined && !wire.on.update);

/** Returns whether a link matches the filters; undefined if it does not show the filtered fields. */
export const fitsFilters = (scope: Scope, link: Resource): boolean | undefined =>
	isWithin(scope, link, encodeOptions);
