import { newestFirst } from '../shared/contract/operations';
import type { NameSource } from '../shared/contract/types';
import { isRounded } from '../shared/contract/readers';
import { isRecord, isUnset } from '../shared/contract/values';
import { locatorOf, matching } from '../shared/description/locators';

/** Selects a link from a searchable list, or by its ID, short URL or alias. */
export const linkLocator = locatorOf('link', 'searchLinks', {
	modes: [
		{
			displayName: 'By Short URL',
			name: 'url',
			type: 'string',
			placeholder: 'e.g. https://short.example/spring-sale',
			hint: 'The short URL, or its domain and alias, such as short.example/spring-sale',
			// Empty if Match By finds the link.
			validation: matching(
				'^\\s*((https?://)?[^\\s/]+/+[^\\s/]\\S*\\s*)?$',
				'This is not a short URL; enter one like https://short.example/spring-sale, or short.example/spring-sale',
			),
		},
		{
			displayName: 'By Alias',
			name: 'alias',
			type: 'string',
			placeholder: 'e.g. spring-sale',
			hint: 'The last part of the short URL, in upper and lower case as the link has it',
		},
	],
});

/** The path of the list of links, below the API prefix (contract 4). */
export const linkPath = '/links';

/** Domains or spaces. The contract has no list of them, so the newest 1,000 links are the source (assumption: one resource). */
const sourceInLinks = (resourceName: 'domain' | 'space'): NameSource => ({
	resourceName,
	description: `${resourceName}s of your newest 1,000 links`,
	path: linkPath,
	params: newestFirst,
	pages: 10,
	toNamed: ({ [resourceName]: related }) =>
		isRecord(related) && !isUnset(related.id) && !isRounded(related.id)
			? { id: related.id, name: String(related.name ?? '') }
			: undefined,
});

export const domainNames: NameSource = { ...sourceInLinks('domain'), isUnique: true };
export const spaceNames: NameSource = sourceInLinks('space');

const listHint = ({ description, resourceName }: NameSource) => ({
	hint: `The list shows the ${description}. For any other ${resourceName}, choose By ID.`,
});

const hints = (names: NameSource) => ({
	...listHint(names),
	nameHint: `Find the ID on the website of the service, or in ${names.resourceName}.id in the Raw output of a link. You can also enter the name if one of your newest 1,000 links has it.`,
});

export const domainLocator = locatorOf('domain', 'searchDomains', hints(domainNames));
export const spaceLocator = locatorOf('space', 'searchSpaces', hints(spaceNames));

/** By the names of their fields, without names, for polls, which do not read lists of names. */
export const listLocators: Readonly<Record<string, ReturnType<typeof locatorOf>>> = {
	domainId: locatorOf('domain', 'searchDomains', listHint(domainNames)),
	spaceId: locatorOf('space', 'searchSpaces', listHint(spaceNames)),
};
