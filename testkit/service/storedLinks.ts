import type { ServiceCore } from './core.ts';

/** A link as the service describes it, as far as the tests look. */
export interface StoredLink {
	id: number;
	alias: string;
	url: string;
}

/** Creates a number of links without requests, `link-0` and so on, and returns their IDs. */
export const createLinks = (
	{ links }: ServiceCore,
	count: number,
	urlOf: (index: number) => string,
): number[] =>
	Array.from({ length: count }, (_, index) => {
		const form = { url: urlOf(index), domain_id: '1', alias: `link-${index}` };
		return Number(links.create(form).id);
	});

/** Returns all links of a service, the oldest first, without requests. */
export const storedLinks = ({ links }: ServiceCore): StoredLink[] =>
	links.list({ sort: 'asc' }, { limit: -1, offset: 0 }).rows as unknown as StoredLink[];
