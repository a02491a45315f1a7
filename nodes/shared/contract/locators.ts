import type { INodeProperties, INodePropertyMode } from 'n8n-workflow';

/** What all resource locators hold before anything is chosen. */
const chosen = {
	type: 'resourceLocator',
	// Without the mark the editor takes a locator in a collection for a plain object.
	default: { __rl: true, mode: 'list', value: '' },
} satisfies Partial<INodeProperties>;

/** What is the same wherever an ID is typed. */
const idText: Pick<INodePropertyMode, 'placeholder' | 'validation'> = {
	placeholder: 'e.g. 42',
	validation: [
		{
			type: 'regex',
			properties: {
				regex: '^\\s*[^\\s/]*\\s*$',
				errorMessage: 'This is not an ID; enter the ID that the service shows, such as 42',
			},
		},
	],
};

/** A link, found by the service's own search. */
export const linkLocator = {
	...chosen,
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select a link…',
			typeOptions: {
				searchListMethod: 'searchLinks',
				searchable: true,
			},
		},
		{
			displayName: 'By URL',
			name: 'url',
			type: 'string',
			placeholder: 'e.g. https://short.example/spring-sale',
			hint: 'The short URL, or its domain and alias, such as short.example/spring-sale',
			validation: [
				{
					type: 'regex',
					properties: {
						regex: '^\\s*(https?://)?[^\\s/]+/\\S*[^\\s/]/*\\s*$',
						errorMessage:
							'This is not a short URL; enter one like https://short.example/spring-sale, or short.example/spring-sale',
					},
				},
			],
		},
		{ displayName: 'By ID', name: 'id', type: 'string', ...idText },
	],
} satisfies Partial<INodeProperties>;

/** A pixel, found by its name. */
export const pixelLocator = {
	...chosen,
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select a pixel…',
			typeOptions: { searchListMethod: 'searchPixels', searchable: true },
		},
		{ displayName: 'By ID', name: 'id', type: 'string', ...idText },
	],
} satisfies Partial<INodeProperties>;

/** A domain; the contract has no endpoint that lists them. */
export const domainLocator = {
	...chosen,
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select a domain…',
			hint: 'The service lists no domains, so these are those of your newest 1,000 links. Choose By ID for any other, as in a new account.',
			typeOptions: { searchListMethod: 'searchDomains', searchable: true },
		},
		{ displayName: 'By ID', name: 'id', type: 'string', ...idText },
	],
} satisfies Partial<INodeProperties>;

/** A space; the contract has no endpoint that lists them. */
export const spaceLocator = {
	...chosen,
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select a space…',
			hint: 'The service lists no spaces, so these are those of your newest 1,000 links. Choose By ID for any other, as in a new account.',
			typeOptions: { searchListMethod: 'searchSpaces', searchable: true },
		},
		{ displayName: 'By ID', name: 'id', type: 'string', ...idText },
	],
} satisfies Partial<INodeProperties>;
