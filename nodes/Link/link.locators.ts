import { locatorOf } from '../shared/description/locators';

/** A link, found by the service's own search, by its short URL or by its ID. */
export const linkLocator = locatorOf('link', 'searchLinks', {
	modes: [
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
						regex: '^\\s*(https?://)?[^\\s/]+/+[^\\s/]\\S*\\s*$',
						errorMessage:
							'This is not a short URL; enter one like https://short.example/spring-sale, or short.example/spring-sale',
					},
				},
			],
		},
	],
});

/** What the lists of domains and spaces hold: the contract has no endpoint for either. */
const hintFor = (things: string) =>
	`The service lists no ${things}, so these are those of your newest 1,000 links. Choose By ID for any other, as in a new account.`;

export const domainLocator = locatorOf('domain', 'searchDomains', { hint: hintFor('domains') });
export const spaceLocator = locatorOf('space', 'searchSpaces', { hint: hintFor('spaces') });
