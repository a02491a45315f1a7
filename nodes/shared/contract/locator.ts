import type { INodeProperties } from 'n8n-workflow';

/** What all ID parameters share: a resource locator, so that a saved workflow stays valid when more modes are added. */
export const byId = {
	type: 'resourceLocator',
	default: { mode: 'id', value: '' },
	modes: [{ displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 42' }],
} satisfies Partial<INodeProperties>;
