import type { INodeProperties, INodePropertyMode } from 'n8n-workflow';

const isId: INodePropertyMode['validation'] = [
	{
		type: 'regex',
		properties: {
			regex: '^\\s*([^\\s/]+\\s*)?$',
			errorMessage: 'This is not an ID; enter the ID that the service shows, such as 42',
		},
	},
];

/** What is particular about a locator. */
interface Particulars {
	/** A hint under the list. */
	readonly hint?: string;
	/** A hint under the ID of what can be named there as well. */
	readonly nameHint?: string;
	/** Modes between the list and the ID. */
	readonly modes?: INodePropertyMode[];
}

/**
 * A resource that is chosen from a list or named by its ID.
 *
 * @param thing what it is called, in the singular
 * @param searchListMethod name of the node's method that searches for it
 */
export const locatorOf = (
	thing: string,
	searchListMethod: string,
	{ hint, nameHint, modes = [] }: Particulars = {},
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
				...(nameHint ? { hint: nameHint } : { validation: isId }),
			},
		],
	}) satisfies Partial<INodeProperties>;
