import type { INodeProperties } from 'n8n-workflow';
import type { CollectionName } from './types';

/** The collections that hold the optional fields of an operation; each resource's table fills in their options. */
export const collections: Readonly<Record<CollectionName, INodeProperties>> = {
	additionalFields: {
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
	},
	filters: {
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
	},
	updateFields: {
		displayName: 'Update Fields',
		name: 'updateFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
	},
};
