import type { ResourceContract } from './resourceTypes';
import type { Endpoint } from './operations';

export type Method = 'DELETE' | 'GET' | 'POST' | 'PUT';

/** A name and value of a query or form. */
export type Param = readonly [name: string, text: string];

/** A request without base URL and headers. */
export interface ApiRequest {
	readonly method: Method;
	/** Path below the API prefix. */
	readonly path: string;
	/** Query of a GET, or form of a POST or PUT. */
	readonly params: readonly Param[];
}

/** Method and path of the five endpoints that each resource has (contract 4). */
const endpoints: Readonly<Record<Endpoint, { method: Method; hasId: boolean }>> = {
	create: { method: 'POST', hasId: false },
	delete: { method: 'DELETE', hasId: true },
	get: { method: 'GET', hasId: true },
	list: { method: 'GET', hasId: false },
	update: { method: 'PUT', hasId: true },
};

/** Returns method and path of an endpoint, with `{id}` for the resource's ID. */
export function endpointOf({ path }: Pick<ResourceContract, 'path'>, endpoint: Endpoint) {
	const { method, hasId } = endpoints[endpoint];
	return { method, path: hasId ? `${path}/{id}` : path };
}

/**
 * Returns the request for an endpoint.
 *
 * @param id replaces `{id}` in the path, percent-encoded
 */
export function apiRequest(
	contract: Pick<ResourceContract, 'path'>,
	endpoint: Endpoint,
	params: readonly Param[],
	id = '',
): ApiRequest {
	const { method, path } = endpointOf(contract, endpoint);
	return { method, path: path.replace('{id}', () => encodeURIComponent(id)), params };
}

/** The page sizes of all lists, in ascending order (contract 8). */
export const pageSizes = [10, 25, 50, 100] as const;

export const maxPageSize = pageSizes[3];

/** Query parameters of a page. No contract table contains `page` (assumption: page parameter). */
export const pageKeys = { size: 'per_page', number: 'page' } as const;

/** Contract keys of the search text and the field to search (contract 4.1 and 4.4). */
export const searchKeys = { text: 'search', by: 'search_by' } as const;

/** Contract keys of the sort field and the sort direction (contract 4.1 and 4.4). */
export const sortKeys = { by: 'sort_by', direction: 'sort' } as const;

/** The only sort order that stays stable while resources are created (assumption: stable order). */
export const newestFirst: readonly Param[] = [
	['sort_by', 'id'],
	['sort', 'desc'],
];
