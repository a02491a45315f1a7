import type { INodeProperties } from 'n8n-workflow';
import type { ResourceContract } from './types';

/** The parameter of Sync that says what becomes of the resources of the scope that are in no row. */
export function others({ value, sync }: ResourceContract): INodeProperties {
	const things = `${value}s`;
	const disable = {
		name: 'Disable',
		value: 'disable',
		description: `Switch them off; those that come back into the rows are switched on again`,
	};
	return {
		displayName: 'Others',
		name: 'others',
		type: 'options',
		options: [
			{ name: 'Delete', value: 'delete', description: 'Delete them for good' },
			...(sync.disabled === undefined ? [] : [disable]),
			{ name: 'Keep', value: 'keep', description: 'Leave them as they are' },
		],
		default: sync.disabled === undefined ? 'keep' : 'disable',
		description: `What to do with the ${things} of the scope that are in no row, after all rows went through`,
	};
}
