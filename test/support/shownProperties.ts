import { NodeHelpers, type INodeParameters, type INodeProperties } from 'n8n-workflow';

/** Returns the labels of the entries of a collection, in their order. */
export const labelsOf = (collection: INodeProperties | undefined): string[] =>
	collection?.options?.map((option) =>
		'displayName' in option ? option.displayName : option.name,
	) ?? [];

/** Returns the properties that n8n's form shows for the given parameters. The others have their defaults. */
export function shownProperties(
	properties: INodeProperties[],
	parameters: INodeParameters,
): INodeProperties[] {
	const values = NodeHelpers.getNodeParameters(properties, parameters, true, false, null, null);
	return properties.filter((property) =>
		NodeHelpers.displayParameter(values ?? parameters, property, null, null),
	);
}
