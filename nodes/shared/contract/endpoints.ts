import type { OperationName } from './types';
import type { ResourceContract } from './resourceTypes';

export type Method = 'DELETE' | 'GET' | 'POST' | 'PUT';

/** One name and value of a query or form, in the order in which it is sent. */
export type Param = readonly [name: string, text: string];

/** A request as the contract describes it, without base URL and headers. */
export interface ApiRequest {
	readonly method: Method;
	/** Path under the API prefix. */
	readonly path: string;
	/** Query of a GET, form of a POST or PUT. */
	readonly params: readonly Param[];
}

/** The five endpoints that each resource has (contract 4), under the names of the operations that call them. */
const endpoints = {
	create: { method: 'POST', takesId: false },
	delete: { method: 'DELETE', takesId: true },
	get: { method: 'GET', takesId: true },
	getAll: { method: 'GET', takesId: false },
	update: { method: 'PUT', takesId: true },
} as const satisfies Partial<Record<OperationName, { method: Method; takesId: boolean }>>;

type Endpoint = keyof typeof endpoints;

/** The endpoints that an operation calls: the first one, and then one or more of the others. */
const endpointNames: Readonly<Record<OperationName, readonly [Endpoint, ...Endpoint[]]>> = {
	create: ['create'],
	delete: ['delete'],
	get: ['get'],
	getAll: ['getAll'],
	sync: ['getAll', 'create', 'update', 'delete'],
	update: ['update'],
	upsert: ['getAll', 'create', 'update'],
};

/** Returns whether the path of the first endpoint that an operation calls contains the ID of a resource. */
export const takesId = (operation: OperationName): boolean =>
	endpoints[endpointNames[operation][0]].takesId;

/** Returns whether an operation compares a row with the resource that is there, and writes only what differs. */
export const comparesFirst = (operation: OperationName): boolean =>
	endpointNames[operation].length > 1;

/** Verb and path of an endpoint, with `{id}` for the resource's ID. */
function endpointOf({ path }: Pick<ResourceContract, 'path'>, endpoint: Endpoint) {
	const { method, takesId: hasId } = endpoints[endpoint];
	return { method, path: hasId ? `${path}/{id}` : path };
}

/**
 * Returns verb and path of each endpoint that an operation calls, with `{id}` for the resource's ID. An operation with an
 * endpoint of its own has only that one. Create or Update and Sync first read the list.
 */
export function endpointsOf(contract: Pick<ResourceContract, 'path'>, operation: OperationName) {
	const [first, ...more] = endpointNames[operation];
	const rest = more.map((endpoint) => endpointOf(contract, endpoint));
	return [endpointOf(contract, first), ...rest] as const;
}

/**
 * The request of an endpoint.
 *
 * @param id goes into the path, percent-encoded, if the path has one
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

/** The page sizes of all lists, smallest first (contract 8). */
export const pageSizes = [10, 25, 50, 100] as const;

export const maxPageSize = pageSizes[3];

/** Query parameters of a page. `page` stands in no contract table (assumption: page parameter). */
export const pageKeys = { size: 'per_page', number: 'page' } as const;

/** The only order that stays the same while resources are being created (assumption: stable order). */
export const newestFirst: readonly Param[] = [
	['sort_by', 'id'],
	['sort', 'desc'],
];
