import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import type { OperationName, Resource } from '../contract/types';
import type { OutputField, ResourceContract, Schema } from '../contract/resourceTypes';
import { operationTable, returnsResources } from '../contract/operations';
import { sortBy } from '../contract/values';

/** Returns the fields of Simplified. */
export const simpleFields = (available: readonly OutputField[]) =>
	available.filter(({ isSimple }) => isSimple);

/**
 * Returns the fields of a resource, in the given order. Each field is present, even if the resource lacks it.
 *
 * @param timeZone IANA name of the account's time zone
 */
export const project = (
	fields: readonly OutputField[],
	resource: Resource,
	timeZone: string,
): IDataObject =>
	Object.fromEntries(fields.map(({ name, from }) => [name, from.read(resource, timeZone)]));

/** The parameter that selects the output fields of a resource. */
export const output = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	options: [
		{ name: 'Raw', value: 'raw', description: 'All fields as the service returns them' },
		{ name: 'Selected Fields', value: 'selectedFields', description: 'The fields that you select' },
		{ name: 'Simplified', value: 'simplified', description: 'The most useful fields' },
	],
	default: 'simplified',
} satisfies INodeProperties;

/** Returns the fields of a resource as choices, by label. */
export const outputChoices = (available: readonly OutputField[]): INodePropertyOptions[] =>
	sortBy(available, ({ displayName }) => displayName).map(
		({ displayName, name: value, description }) => ({ name: displayName, value, description }),
	);

/** Returns the parameter of Selected Fields, with the fields of a resource. */
export function outputFields(available: readonly OutputField[]) {
	const names = simpleFields(available).map(({ name }) => name);
	const options = outputChoices(available);
	const loaded = { typeOptions: { loadOptionsMethod: 'getOutputFields' }, options };
	return {
		displayName: 'Fields',
		name: 'outputFields',
		type: 'multiOptions',
		...loaded,
		default: [...names.slice(0, 4)],
		displayOptions: { show: { output: ['selectedFields'] } },
	} satisfies INodeProperties;
}

/** The output of a delete (assumption: delete response). */
const deleteSchema: Readonly<Record<string, Schema>> = {
	id: { type: ['integer', 'string'] },
	deleted: { type: 'boolean' },
};

/**
 * Returns the JSON schema of an operation's output items, which n8n's editor shows before the first run. It describes
 * Simplified, because n8n finds schemas only by resource and operation.
 */
export function outputSchema({ output }: ResourceContract, operation: OperationName) {
	const fields = simpleFields(output).map(({ name, from }) => [name, from.schema] as const);
	const properties = returnsResources(operation) ? Object.fromEntries(fields) : deleteSchema;
	const { outcomes } = operationTable[operation];
	const outcome: Readonly<Record<string, Schema>> = outcomes
		? { outcome: { type: 'string', enum: outcomes } }
		: {};
	return { type: 'object', properties: { ...properties, ...outcome }, version: 1 };
}
