import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { returnsResources } from '../contract/formLayout';
import type { OperationName, Resource } from '../contract/types';
import type { OutputField, ResourceContract, Schema } from '../contract/resourceTypes';

/** The fields that Simplified gives. */
export const simpleFields = (available: readonly OutputField[]) =>
	available.filter(({ isSimple }) => isSimple);

/** A resource as these fields, in their order: every name is there, whatever the resource lacks. */
export const project = (fields: readonly OutputField[], resource: Resource): IDataObject =>
	Object.fromEntries(fields.map(({ name, from }) => [name, from.read(resource)]));

/** The parameter that says how much of a resource is returned. */
export const output = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	options: [
		{ name: 'Raw', value: 'raw', description: 'All fields as the service returns them' },
		{ name: 'Selected Fields', value: 'selectedFields', description: 'The fields that you select' },
		{
			name: 'Simplified',
			value: 'simplified',
			description: 'The most useful fields, in a flat structure',
		},
	],
	default: 'simplified',
	description: 'Which fields of each result to return',
} satisfies INodeProperties;

/** The parameter that Selected Fields adds; each resource fills in its options. */
export function outputFields(available: readonly OutputField[]) {
	const first = simpleFields(available)
		.slice(0, 4)
		.map(({ name }) => name);
	return {
		displayName: 'Fields',
		name: 'outputFields',
		type: 'multiOptions',
		options: available
			.map(({ displayName, name, description }) => ({
				name: displayName,
				value: name,
				description,
			}))
			.sort((one, other) => one.name.localeCompare(other.name)),
		default: [...first],
		description: 'The fields to return, in the order in which you select them',
		displayOptions: { show: { output: ['selectedFields'] } },
	} satisfies INodeProperties;
}

/** What a confirmed delete gives (assumption: delete answer). */
const deletion: Readonly<Record<string, Schema>> = {
	id: { type: ['integer', 'string'] },
	deleted: { type: 'boolean' },
};

/** What can become of a row, where the output tells it; Sync tells it of what is in no row as well. */
const outcomes: Readonly<Partial<Record<OperationName, readonly string[]>>> = {
	sync: ['created', 'updated', 'unchanged', 'disabled', 'deleted', 'missing'],
	upsert: ['created', 'updated', 'unchanged'],
};

/**
 * The JSON schema of an operation's output items, as n8n's editor shows it before the first run. It tells of Simplified,
 * for n8n looks it up by resource and operation alone.
 */
export function outputSchema({ output }: ResourceContract, operation: OperationName) {
	const fields = simpleFields(output).map(({ name, from }) => [name, from.schema] as const);
	const properties = returnsResources(operation) ? Object.fromEntries(fields) : deletion;
	const told = outcomes[operation];
	const outcome: Readonly<Record<string, Schema>> = told
		? { outcome: { type: 'string', enum: told } }
		: {};
	return {
		type: 'object',
		properties: { ...properties, ...outcome },
		version: 1,
	};
}
