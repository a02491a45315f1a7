import { NodeOperationError, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';
import { returnsResources } from '../contract/placement';
import type { OperationName, OutputField, ResourceContract } from '../contract/types';
import { isTextual, isUnset, listOf, orDefault, quote } from '../contract/values';
import { output, outputFields, project, simpleFields } from '../description/output';

/** Makes of a resource that the service returned what the output items hold of it. */
export type MakeOutput = (resource: IDataObject) => IDataObject;

export const raw: MakeOutput = (resource) => resource;

type ReadOutput = (context: IExecuteFunctions, contract: ResourceContract) => MakeOutput;

const refusal = (context: IExecuteFunctions, message: string, allowed: readonly string[]) =>
	new NodeOperationError(context.getNode(), message, {
		description: `Nothing was sent. Use ${allowed.join(', ')}.`,
	});

/** The fields that Fields names: chosen in the form, or given by an expression as an array or as text with commas. */
function selectedFields(
	context: IExecuteFunctions,
	{ value: resource, output: available }: ResourceContract,
): OutputField[] {
	const property = outputFields(available);
	const given: unknown = context.getNodeParameter(property.name, 0, []);
	const refuse = (reason: string) => {
		const names = available.map(({ name }) => name);
		return refusal(context, `${property.displayName} ${reason}`, names);
	};
	const entries = listOf(given) ?? [given];
	const fields = entries
		.map((entry) => (typeof entry === 'string' ? entry.trim() : entry))
		.filter((entry) => !isUnset(entry))
		.map((entry) => {
			const field = available.find(({ name }) => name === entry);
			if (field) return field;
			throw refuse(
				`names ${quote(entry, property)}, which a ${resource} does not have; choose from the list`,
			);
		});
	if (fields.length === 0) throw refuse('is empty; choose at least one field');
	return fields;
}

/** How each choice of Output is read. */
const choices = new Map<string, ReadOutput>([
	['raw', () => raw],
	[
		'selectedFields',
		(context, contract) => {
			const fields = selectedFields(context, contract);
			return (resource) => project(fields, resource);
		},
	],
	[
		'simplified',
		(_context, contract) => {
			const fields = simpleFields(contract.output);
			return (resource) => project(fields, resource);
		},
	],
]);

/**
 * Reads Output and Fields, once per run from the first row, and returns what they describe.
 *
 * @throws NodeOperationError for a choice or name that does not exist
 */
export function readOutput(
	context: IExecuteFunctions,
	contract: ResourceContract,
	operation: OperationName,
): MakeOutput {
	if (!returnsResources(operation)) return raw;
	const given: unknown = context.getNodeParameter(output.name, 0, output.default);
	const choice = orDefault(given, output);
	const read = isTextual(choice) ? choices.get(String(choice)) : undefined;
	if (read) return read(context, contract);
	const message = `${output.displayName} ${quote(choice, output)} does not exist; choose from the list`;
	throw refusal(context, message, [...choices.keys()]);
}
