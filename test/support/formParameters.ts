import type { INodeParameters } from 'n8n-workflow';

/** The fields of a link that the form shows under Advanced Fields. */
const advancedFields = ['expirationDate', 'expirationTime', 'targetRules', 'targetType'];

const isCollection = (value: unknown): value is INodeParameters =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns parameters as the form stores them: moves advanced fields out of the collection of the other fields. */
export function formParameters(parameters: INodeParameters = {}): INodeParameters {
	const name = ['additionalFields', 'updateFields'].find((key) => isCollection(parameters[key]));
	const fields = name && parameters[name];
	if (!name || !isCollection(fields)) return parameters;
	const entries = Object.entries(fields);
	const advanced = entries.filter(([field]) => advancedFields.includes(field));
	if (advanced.length === 0) return parameters;
	return {
		...parameters,
		[name]: Object.fromEntries(entries.filter(([field]) => !advancedFields.includes(field))),
		advancedFields: Object.fromEntries(advanced),
	};
}
