import { NodeOperationError, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';
import { returnsResources } from '../contract/places';
import type { Operation, ResourceContract } from '../contract/types';
import { isTextual, isUnset, listOf, orDefault, quote } from '../contract/values';
import { output, outputFields, project, simpleFields, type OutputField } from '../contract/view';

/** Makes of a resource that the service returned what the output items hold of it. */
export type View = (resource: IDataObject) => IDataObject;

export const raw: View = (resource) => resource;

type MakeView = (context: IExecuteFunctions, contract: ResourceContract) => View;

const refusal = (context: IExecuteFunctions, message: string, allowed: readonly string[]) =>
	new NodeOperationError(context.getNode(), message, {
		description: `Nothing was sent. Use ${allowed.join(', ')}.`,
	});

/** The fields that Fields names: chosen in the form, or given by an expression as an array or as text with commas. */
function selectedFields(
	context: IExecuteFunctions,
	{ value: resource, view }: ResourceContract,
): OutputField[] {
	const property = outputFields(view);
	const given: unknown = context.getNodeParameter(property.name, 0, []);
	const refuse = (reason: string) => {
		const names = view.map(({ name }) => name);
		return refusal(context, `${property.displayName} ${reason}`, names);
	};
	const entries = listOf(given) ?? [given];
	const fields = entries
		.map((entry) => (typeof entry === 'string' ? entry.trim() : entry))
		.filter((entry) => !isUnset(entry))
		.map((entry) => {
			const field = view.find(({ name }) => name === entry);
			if (field) return field;
			throw refuse(
				`names ${quote(entry, property)}, which a ${resource} does not have; choose from the list`,
			);
		});
	if (fields.length === 0) throw refuse('is empty; choose at least one field');
	return fields;
}

/** The view of each choice of Output. */
const views = new Map<string, MakeView>([
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
		(_context, { view }) => {
			const fields = simpleFields(view);
			return (resource) => project(fields, resource);
		},
	],
]);

/**
 * Reads Output and Fields, once per run from the first row, and returns the view that they describe.
 *
 * @throws NodeOperationError for a choice or name that does not exist
 */
export function readView(
	context: IExecuteFunctions,
	contract: ResourceContract,
	operation: Operation,
): View {
	if (!returnsResources(operation)) return raw;
	const given: unknown = context.getNodeParameter(output.name, 0, output.default);
	const choice = orDefault(given, output);
	const make = isTextual(choice) ? views.get(String(choice)) : undefined;
	if (make) return make(context, contract);
	const message = `${output.displayName} ${quote(choice, output)} does not exist; choose from the list`;
	throw refusal(context, message, [...views.keys()]);
}
