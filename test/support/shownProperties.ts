import { NodeHelpers, type INodeParameters, type INodeProperties } from 'n8n-workflow';

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
