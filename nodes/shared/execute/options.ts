import type { IDataObject, INode, INodeProperties, NodePropertyTypes } from 'n8n-workflow';
import { bounded, choice, flag, textOf } from '../contract/codecs/scalar';
import { hasScope, operationTable } from '../contract/operations';
import { isRecord, isUnset, listOf, reasonText } from '../contract/values';
import { type Codec, type EncodeOptions, type OperationName, Invalid } from '../contract/types';
import type { NodeOption, ResourceContract } from '../contract/resourceTypes';
import { nodeOptions, optionsName, requestOptions, requestsName } from '../description/nodeOptions';
import { output, outputFields, project, simpleFields } from '../description/output';
import { matchBy, unmatchedActionField } from '../description/parameters';
import type { ClientOptions } from '../transport/limiter';
import { settingsError } from './errors';
import { isTool, type NodeRun } from './sheet';

const codecs: Readonly<Partial<Record<NodePropertyTypes, Codec>>> = {
	boolean: flag,
	number: bounded,
	options: choice,
};

/**
 * Returns the value of a setting as text, or its default if the value is empty. An empty switch is off, because the editor adds
 * a switch with its default.
 *
 * @throws NodeOperationError for a value that the setting cannot have
 */
export function settingText(node: INode, property: NodeOption, value: unknown): string {
	const { type, displayName, default: fallback, codec = codecs[type] ?? choice } = property;
	if (isUnset(value)) return type === 'boolean' ? '0' : String(fallback);
	const text = textOf(codec, value, property);
	if (!(text instanceof Invalid)) return text;
	throw settingsError(node, `${displayName} ${text.reasons.map(reasonText).join('. ')}`);
}

/**
 * Returns the entries of a setting as texts: of an array, of a JSON array, or of a text with separators.
 *
 * @throws NodeOperationError if the setting is empty, and for a value that it cannot have
 */
export function settingTexts(node: INode, property: NodeOption, value: unknown): string[] {
	const entries = (listOf(value) ?? [value])
		.map((each) => (typeof each === 'string' ? each.trim() : each))
		.filter((each) => !isUnset(each));
	if (entries.length > 0) return entries.map((each) => settingText(node, property, each));
	throw settingsError(node, `${property.displayName} is empty; choose at least one`);
}

/** Reads Requests. The options of the client have times in milliseconds. */
function readRequests(node: INode, group: unknown): Omit<ClientOptions, 'signal'> {
	const values = isRecord(group) && requestsName in group ? group[requestsName] : group;
	const number = (property: INodeProperties) =>
		Number(settingText(node, property, isRecord(values) ? values[property.name] : undefined));
	const perMinute = number(requestOptions.requestsPerMinute);
	return {
		concurrency: Math.floor(number(requestOptions.concurrency)),
		pace: perMinute > 0 ? 60_000 / Math.max(1, perMinute) : 0,
		maxWait: Math.round(number(requestOptions.maxWait) * 1000),
		timeout: Math.round(number(requestOptions.timeout) * 1000),
	};
}

/**
 * Reads the Options collection once from the first row, with the defaults of options that are not set. The result contains the
 * options of this resource only if the user added them.
 *
 * @param at whether columns fill the fields, and the IANA name of the account's time zone
 * @throws NodeOperationError for an invalid value, because ignoring it could change the wrong resources
 */
export function readOptions(
	run: NodeRun,
	operation: OperationName,
	{ isMapped, timeZone }: { readonly isMapped: boolean; readonly timeZone: string },
) {
	const { context, node, contract, rows } = run;
	const { dryRun, emptyValues, ignoreMissing, maxRemovals, maxRemovalPercentage } = nodeOptions;
	const stored: unknown = context.getNodeParameter(optionsName, rows[0] ?? 0, {});
	// n8n leaves out the options of other operations, which the workflow may contain as well.
	const added = isRecord(stored) ? stored : {};
	const option = (property: INodeProperties) => settingText(node, property, added[property.name]);
	const isOn = (property: INodeProperties) => option(property) === '1';
	const parameter = (property: INodeProperties) =>
		settingText(node, property, context.getNodeParameter(property.name, rows[0] ?? 0, ''));
	const limit = (property: INodeProperties) => ({
		label: property.displayName,
		value: Number(option(property)),
	});
	const { matchBy: matching, creates } = operationTable[operation];
	const isNamed = !isUnset(node.parameters[contract.id.name]);
	const isFound = matching === 'always' || (matching === 'ifMapped' && isMapped && !isNamed);
	const action = hasScope(operation) ? parameter(unmatchedActionField(contract)) : undefined;
	const own = (contract.options ?? []).filter(({ name }) => name in added);
	const requests = readRequests(node, added[nodeOptions.requests.name]);
	const clears = option(emptyValues) === 'clear';
	const encode: EncodeOptions = {
		timeZone,
		now: Date.now(),
		refusesPast: creates === 'always' || isTool(node),
		emptyValues: clears ? 'clear' : 'skip',
		reportsEmpty: clears || (creates === 'ifMissing' && !(emptyValues.name in added)),
		resourceOptions: Object.fromEntries(own.map((each) => [each.name, option(each)])),
		takesColumns: isMapped,
		matchBy: isFound ? parameter(matchBy(contract)) : undefined,
		unmatchedAction: (['delete', 'disable', 'keep'] as const).find((way) => way === action),
	};
	return {
		client: { ...requests, signal: context.getExecutionCancelSignal() },
		...{ encode, includeInput: isOn(nodeOptions.includeInput) },
		// Also on if its expression returns no value, because such a run must not write.
		dryRun: isOn(dryRun) || (dryRun.name in added && isUnset(added[dryRun.name])),
		settings: {
			ignoreMissing: { label: ignoreMissing.displayName, value: isOn(ignoreMissing) },
			maxRemovals: limit(maxRemovals),
			maxRemovalPercentage: limit(maxRemovalPercentage),
		},
		mapPasswords: isOn(nodeOptions.mapPasswords),
	};
}

/** Converts a resource of the service to the JSON of an output item. */
export type MakeOutput = (resource: IDataObject) => IDataObject;

export const rawOutput: MakeOutput = (resource) => resource;

/**
 * Reads Output and Fields, and returns a function that makes the output of a resource.
 *
 * @param parameterOf returns the value of a parameter, or the fallback
 * @param timeZone IANA name of the account's time zone
 * @throws NodeOperationError for a choice or name that does not exist
 */
export function readOutput(
	node: INode,
	contract: ResourceContract,
	parameterOf: (name: string, fallback: unknown) => unknown,
	timeZone: string,
): MakeOutput {
	const way = settingText(node, output, parameterOf(output.name, output.default));
	if (way === 'raw') return rawOutput;
	const { output: available } = contract;
	let fields = simpleFields(available);
	if (way === 'selectedFields') {
		// Chosen in the form, or from an expression as an array or as text with separators.
		const property = outputFields(available);
		const names = settingTexts(node, property, parameterOf(property.name, []));
		fields = names.flatMap((name) => available.filter((field) => field.name === name));
	}
	return (resource) => project(fields, resource, timeZone);
}
