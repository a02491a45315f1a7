import type { INodeProperties, INodePropertyMode } from 'n8n-workflow';

/**
 * A resource that is chosen from a list or named by its ID.
 *
 * @param thing what it is called, in the singular
 * @param searchListMethod name of the node's method that searches for it
 * @param more what is particular about it: hints under the list and the ID, and modes between the two
 */
export const locatorOf = (
	thing: string,
	searchListMethod: string,
	{
		hint,
		idHint,
		modes = [],
	}: { hint?: string; idHint?: string; modes?: INodePropertyMode[] } = {},
) =>
	({
		type: 'resourceLocator',
		// Without the mark the editor takes a locator in a collection for a plain object.
		default: { __rl: true, mode: 'list', value: '' },
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: `Select a ${thing}…`,
				...(hint ? { hint } : {}),
				typeOptions: { searchListMethod, searchable: true },
			},
			...modes,
			{
				displayName: 'By ID',
				name: 'id',
				type: 'string',
				placeholder: 'e.g. 42',
				...(idHint ? { hint: idHint } : {}),
				validation: [
					{
						type: 'regex',
						properties: {
							regex: '^\\s*([^\\s/]+\\s*)?$',
							errorMessage: 'This is not an ID; enter the ID that the service shows, such as 42',
						},
					},
				],
			},
		],
	}) satisfies Partial<INodeProperties>;
