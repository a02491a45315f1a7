import type { INodeProperties } from 'n8n-workflow';
import type { ResourceContract } from './resourceTypes';
import { choicesOf } from './values';

/** The parameter of Sync that says what becomes of the resources of the scope that are in no row. */
export function unmatchedActionField({ name, value, sync }: ResourceContract): INodeProperties {
	const canDisable = sync.disabledField !== undefined;
	const property: INodeProperties = {
		displayName: `Unmatched ${name}s`,
		name: `unmatched${name}s`,
		type: 'options',
		options: [
			{ name: 'Delete', value: 'delete', description: 'Delete them for good' },
			{
				name: 'Disable',
				value: 'disable',
				description: 'Switch them off; those that come back into the rows are switched on again',
			},
			{ name: 'Keep', value: 'keep', description: 'Leave them as they are' },
		],
		default: 'disable',
		description: `What to do with the ${value}s of the scope that are in no row, after all rows went through`,
	};
	const choices = choicesOf(property).filter(({ value: way }) => way !== 'disable');
	return canDisable ? property : { ...property, options: choices, default: 'keep' };
}
