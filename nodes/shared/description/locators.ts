import type { INodeProperties, INodePropertyMode } from 'n8n-workflow';

/** Returns what n8n checks before a run: that a text matches a pattern. */
export const matching = (regex: string, errorMessage: string): INodePropertyMode['validation'] => [
	{ type: 'regex', properties: { regex, errorMessage } },
];

const isId = matching(
	'^\\s*([^\\s/]+\\s*)?$',
	'This is not an ID; enter the ID that the service shows, such as 42',
);

/** What the editor shows if a list takes longer, in ms. n8n 1 does not show it. */
const slowLoadNotice = {
	message: 'The service is slow, or its rate limit is reached. You can enter an ID instead.',
	timeout: 6_000,
};

type LocatorParts = Pick<INodeProperties, 'hint' | 'modes'> & { readonly nameHint?: string };

/**
 * Returns a parameter that selects a resource from a list or by its ID.
 *
 * @param resourceName the singular name of the resource
 * @param searchListMethod the name of the node's list search method
 * @param hint below the list
 * @param nameHint below the ID, if it also accepts a name
 * @param modes further modes
 */
export const locatorOf = (
	resourceName: string,
	searchListMethod: string,
	{ hint, nameHint, modes = [] }: LocatorParts = {},
) =>
	({
		type: 'resourceLocator',
		// Without `__rl`, the editor treats a locator in a collection as a plain object.
		default: { __rl: true, mode: 'list', value: '' },
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: `Select a ${resourceName}…`,
				...(hint ? { hint } : {}),
				typeOptions: { searchListMethod, searchable: true, slowLoadNotice },
			},
			{
				displayName: 'By ID',
				name: 'id',
				type: 'string',
				placeholder: 'e.g. 42',
				...(nameHint ? { hint: nameHint } : { validation: isId }),
			},
			...modes,
		],
	}) satisfies Partial<INodeProperties>;
