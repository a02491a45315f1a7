import { newestFirst } from '../shared/contract/endpoints';
import type { NameSource } from '../shared/contract/types';
import { isRounded } from '../shared/contract/readers';
import { isRecord, isUnset } from '../shared/contract/values';
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

/** Of the list of links, under the API prefix (contract 4). */
export const linkPath = '/links';

/**
 * What links carry and the contract has no list of: it is known as far as the newest 1,000 links show it (assumption: one
 * resource).
 */
const carriedSource = (thing: 'domain' | 'space'): NameSource => ({
	resourceName: thing,
	description: `${thing}s of your newest 1,000 links`,
	path: linkPath,
	params: newestFirst,
	pages: 10,
	toNamed: ({ [thing]: carried }) =>
		isRecord(carried) && !isUnset(carried.id) && !isRounded(carried.id)
			? { id: carried.id, name: String(carried.name ?? '') }
			: undefined,
});

export const domainNames: NameSource = { ...carriedSource('domain'), isUnique: true };
export const spaceNames: NameSource = carriedSource('space');

const listHint = ({ description }: NameSource) =>
	`The list has the ${description}. For any other, choose By ID.`;

const nameHint = ({ resourceName }: NameSource) =>
	`Find the ID on the page of the ${resourceName} at the service, or in ${resourceName}.id in the Raw output of a link. You can also enter the name if one of your newest 1,000 links has it.`;

/** Where names are not read, as in a poll, a domain or space is chosen from the list or named by its ID. */
export const domainListLocator = locatorOf('domain', 'searchDomains', {
	hint: listHint(domainNames),
});
export const spaceListLocator = locatorOf('space', 'searchSpaces', { hint: listHint(spaceNames) });

export const domainLocator = locatorOf('domain', 'searchDomains', {
	hint: `Most services require a domain. ${listHint(domainNames)}`,
	nameHint: nameHint(domainNames),
});

export const spaceLocator = locatorOf('space', 'searchSpaces', {
	hint: listHint(spaceNames),
	nameHint: nameHint(spaceNames),
});
