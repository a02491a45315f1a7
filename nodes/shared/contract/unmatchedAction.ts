import type { INodeProperties } from 'n8n-workflow';
import type { ResourceContract } from './resourceTypes';
import { choicesOf } from './values';

/** Returns the parameter for resources of the scope that match no row. */
export function unmatchedActionField({ name, value, sync }: ResourceContract): INodeProperties {
	const canDisable = sync.disabledField !== undefined;
	const property: INodeProperties = {
		displayName: `Unmatched ${name}s`,
		name: `unmatched${name}s`,
		type: 'options',
		options: [
			{ name: 'Delete', value: 'delete', description: 'Delete them permanently' },
			{
				name: 'Disable',
				value: 'disable',
				description: 'Disable them. A later sync enables them again if they are in its rows.',
			},
			{ name: 'Keep', value: 'keep', description: 'Do not change them' },
		],
		default: 'disable',
		description: `What to do with the ${value}s in the scope that match no row. Runs only after all rows succeed.`,
	};
	const choices = choicesOf(property).filter(({ value: way }) => way !== 'disable');
	return canDisable ? property : { ...property, options: choices, default: 'keep' };
}
