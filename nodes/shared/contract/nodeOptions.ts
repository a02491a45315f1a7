import type { INodeProperties } from 'n8n-workflow';

/** Milliseconds that the service has for one whole answer, unless the node says otherwise. */
export const defaultTimeout = 30_000;

/** How the node works, as opposed to what it sends. */
export const nodeOptions: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	options: [
		{
			displayName: 'Timeout',
			name: 'timeout',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: defaultTimeout,
			description:
				'Time in milliseconds to wait for an answer. A create can take the service seconds, because it reads the title of the destination page.',
		},
	],
};
