import type { IDataObject, IExecuteFunctions, INode, INodeProperties } from 'n8n-workflow';
import {
	bounded,
	choice,
	choiceMatching,
	flag as flagCodec,
	textOf,
} from '../contract/codecs/scalar';
import { comparesFirst, hasScope, operationTable, takesColumns } from '../contract/operations';
import {
	reasonText,
	isRecord,
	isTextual,
	isUnset,
	listOf,
	orDefault,
	quote,
	separators,
} from '../contract/values';
import {
	Invalid,
	type Reason,
	type Codec,
	type EncodeOptions,
	type OperationName,
} from '../contract/types';
import { nodeOptions, requestOptions, requestsName } from '../description/nodeOptions';
import { operationOptions } from '../description/operationOptions';
import { output, outputFields, project, simpleFields } from '../description/output';
import {
	mapAutomatically,
	mappingMode,
	matchBy,
	unmatchedActionField,
} from '../description/parameters';
import type { RunSettings, Setting } from '../operations/types';
import type { ClientOptions } from '../transport/limiter';
import { isTool, settingsError } from './nodeErrors';
import type { OutputField, ResourceContract, ResourceOption } from '../contract/resourceTypes';

/** The options of a run, read once from the first row, with the defaults of options that are not set. */
export interface RunOptions {
	readonly client: ClientOptions;
	/** How the values of the rows are read. */
	readonly encode: EncodeOptions;
	readonly includeInput: boolean;
	/** Whether the run writes nothing. Also on if its expression returns no value, because such a run must not write. */
	readonly dryRun: boolean;
	/** The options that only some operations have. */
	readonly settings: RunSettings;
	readonly mapPasswords: boolean;
}

/**
 * Returns readers of single settings. They throw NodeOperationError for a value that a setting cannot have.
 *
 * @param set the options that were added, by name
 * @param first position of the first row
 */
function settingReaders(
	context: IExecuteFunctions,
	set: Readonly<Record<string, unknown>>,
	first: number,
) {
	const refuse = ({ displayName }: INodeProperties, reasons: ReadonlyArray<Reason | string>) =>
		settingsError(context.getNode(), `${displayName} ${reasons.map(reasonText).join('. ')}`);
	const text = (property: INodeProperties, codec: Codec, value = set[property.name]) => {
		const read = textOf(codec, value, property);
		if (!(read instanceof Invalid)) return read;
		throw refuse(property, read.reasons);
	};
	const isAdded = ({ name }: INodeProperties) => name in set;
	const isEmpty = ({ name }: INodeProperties) => isUnset(set[name]);
	// The editor adds a switch with its default, so a missing or empty switch is off.
	const flag = (property: INodeProperties) =>
		isAdded(property) && !isEmpty(property) && text(property, flagCodec) === '1';
	const ownText = (option: ResourceOption) =>
		option.type === 'boolean' && isEmpty(option) ? '0' : text(option, option.codec);
	const number = (property: INodeProperties) => Number(text(property, bounded));
	const setting = <T>(property: INodeProperties, read: (of: INodeProperties) => T): Setting<T> => ({
		label: property.displayName,
		value: read(property),
	});
	const parameter = (property: INodeProperties) =>
		text(property, choice, context.getNodeParameter(property.name, first, ''));
	return { refuse, isAdded, isEmpty, text, flag, ownText, number, setting, parameter };
}

/** Returns the options that were added. n8n also stores the options of an operation that was selected before. */
function setOptions(
	context: IExecuteFunctions,
	contract: ResourceContract,
	operation: OperationName,
	first: number,
): Record<string, unknown> {
	const { name, options } = operationOptions(contract, operation);
	const value: unknown = context.getNodeParameter(name, first, {});
	const offered = new Set(options.map((option) => option.name));
	const entries = isRecord(value) ? Object.entries(value) : [];
	return Object.fromEntries(entries.filter(([option]) => offered.has(option)));
}

/** Reads Requests. The options of the client have times in milliseconds. */
function readRequests(
	context: IExecuteFunctions,
	group: unknown,
	first: number,
): Omit<ClientOptions, 'signal'> {
	const values = isRecord(group) && requestsName in group ? group[requestsName] : group;
	if (!isUnset(values) && !isRecord(values)) {
		const { displayName } = nodeOptions.requests;
		throw settingsError(
			context.getNode(),
			`${displayName} is not a set of values; add the values one by one in the form`,
		);
	}
	const { refuse, number } = settingReaders(context, isRecord(values) ? values : {}, first);
	const milliseconds = (property: INodeProperties) => Math.round(number(property) * 1000);
	const requestsPerMinute = number(requestOptions.requestsPerMinute);
	if (requestsPerMinute > 0 && requestsPerMinute < 1) {
		throw refuse(requestOptions.requestsPerMinute, [
			`${requestsPerMinute} is too low; use 0 for no limit, or a number of at least 1`,
		]);
	}
	return {
		concurrency: Math.floor(number(requestOptions.concurrency)),
		requestsPerMinute,
		maxWait: milliseconds(requestOptions.maxWait),
		timeout: milliseconds(requestOptions.timeout),
	};
}

/**
 * Reads the Options collection. Numbers and choices that are empty or not set have their default. A switch is on only if the
 * user added it. The result contains the options of this resource only if the user added them.
 *
 * @param at position of the first row, and the IANA name of the account's time zone
 * @throws NodeOperationError for an invalid value, because ignoring it could change the wrong resources
 */
export function readOptions(
	context: IExecuteFunctions,
	contract: ResourceContract,
	operation: OperationName,
	{ first, timeZone }: { readonly first: number; readonly timeZone: string },
): RunOptions {
	const set = setOptions(context, contract, operation, first);
	const { isAdded, isEmpty, text, flag, ownText, number, setting, parameter } = settingReaders(
		context,
		set,
		first,
	);
	const isMapped = takesColumns(operation) && parameter(mappingMode) === mapAutomatically;
	const isNamed = !isUnset(context.getNode().parameters[contract.id.name]);
	const othersText = hasScope(operation) ? parameter(unmatchedActionField(contract)) : undefined;
	const { matchBy: matching } = operationTable[operation];
	const isFound = matching === 'always' || (matching === 'ifMapped' && isMapped && !isNamed);
	const own = (contract.options ?? []).filter(isAdded);
	const { dryRun } = nodeOptions;
	return {
		client: {
			...readRequests(context, set[nodeOptions.requests.name], first),
			signal: context.getExecutionCancelSignal(),
		},
		encode: {
			timeZone,
			now: Date.now(),
			refusesPast: operationTable[operation].creates === 'always' || isTool(context.getNode()),
			emptyValues: text(nodeOptions.emptyValues, choice) === 'clear' ? 'clear' : 'skip',
			reportsEmpty: comparesFirst(operation) && !isAdded(nodeOptions.emptyValues),
			resourceOptions: Object.fromEntries(own.map((option) => [option.name, ownText(option)])),
			takesColumns: isMapped,
			matchBy: isFound ? parameter(matchBy(contract)) : undefined,
			unmatchedAction: (['delete', 'disable', 'keep'] as const).find((way) => way === othersText),
		},
		includeInput: flag(nodeOptions.includeInput),
		dryRun: flag(dryRun) || (isAdded(dryRun) && isEmpty(dryRun)),
		settings: {
			ignoreMissing: setting(nodeOptions.ignoreMissing, flag),
			maxRemovals: setting(nodeOptions.maxRemovals, number),
			maxRemovalPercentage: setting(nodeOptions.maxRemovalPercentage, number),
		},
		mapPasswords: flag(nodeOptions.mapPasswords),
	};
}

/** Converts a resource of the service to the JSON of an output item. */
export type MakeOutput = (resource: IDataObject) => IDataObject;

export const rawOutput: MakeOutput = (resource) => resource;

/** Returns the value of a parameter, or the fallback. */
type Given = (name: string, fallback: unknown) => unknown;

const choiceRemedy = (allowed: readonly string[]) => `Nothing was sent. Use ${allowed.join(', ')}.`;

/** Returns the fields of Fields: chosen in the form, or from an expression as an array or as text with separators. */
function selectedFields(
	node: INode,
	{ value: resource, output: available }: ResourceContract,
	parameters: Given,
): OutputField[] {
	const property = outputFields(available);
	const value = parameters(property.name, []);
	const refuse = (reason: string) => {
		const names = available.map(({ name }) => name);
		return settingsError(node, `${property.displayName} ${reason}`, choiceRemedy(names));
	};
	const entries = listOf(value, separators) ?? [value];
	const fields = entries
		.map((entry) => (typeof entry === 'string' ? entry.trim() : entry))
		.filter((entry) => !isUnset(entry))
		.map((entry) => {
			const field = available.find(({ name }) => name === entry);
			if (field) return field;
			throw refuse(
				`contains ${quote(entry, property)}, which a ${resource} does not have; choose from the list`,
			);
		});
	if (fields.length === 0) throw refuse('is empty; choose at least one field');
	return fields;
}

/**
 * Reads Output and Fields, and returns a function that makes the output of a resource.
 *
 * @param timeZone IANA name of the account's time zone
 * @throws NodeOperationError for a choice or name that does not exist
 */
export function readOutput(
	node: INode,
	contract: ResourceContract,
	parameters: Given,
	timeZone: string,
): MakeOutput {
	const value = orDefault(parameters(output.name, output.default), output);
	const name = isTextual(value) ? choiceMatching(output, String(value)) : undefined;
	if (name === undefined) {
		const message = `${output.displayName} ${quote(value, output)} does not exist; choose from the list`;
		throw settingsError(node, message, choiceRemedy(output.options.map((way) => way.value)));
	}
	if (name === 'raw') return rawOutput;
	const isSimple = name === 'simplified';
	const fields = isSimple
		? simpleFields(contract.output)
		: selectedFields(node, contract, parameters);
	return (resource) => project(fields, resource, timeZone);
}
