import type { INodeParameters, NodeParameterValueType } from 'n8n-workflow';

const isCollection = (value: NodeParameterValueType | undefined): value is INodeParameters =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns parameters as the form stores them: the options about requests move into their group. */
export function formParameters(parameters: INodeParameters = {}): INodeParameters {
	const { options } = parameters;
	if (!isCollection(options)) return parameters;
	const isRequestOption = ([name]: [string, unknown]) =>
		['concurrency', 'maxWait', 'requestsPerMinute', 'timeout'].includes(name);
	const entries = Object.entries(options);
	const settings = Object.fromEntries(entries.filter(isRequestOption));
	if (Object.keys(settings).length === 0) return parameters;
	const others = Object.fromEntries(entries.filter((entry) => !isRequestOption(entry)));
	return { ...parameters, options: { ...others, requests: { settings } } };
}
