import type { OperationName, ResourceContract } from './types';

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

/** The five endpoints that each resource has (contract 4), and the one that Create or Update and Sync begin with. */
const endpoints: Readonly<Record<OperationName, { method: Method; takesId: boolean }>> = {
	create: { method: 'POST', takesId: false },
	delete: { method: 'DELETE', takesId: true },
	get: { method: 'GET', takesId: true },
	getAll: { method: 'GET', takesId: false },
	sync: { method: 'POST', takesId: false },
	update: { method: 'PUT', takesId: true },
	upsert: { method: 'POST', takesId: false },
};

/** Whether the path of an operation names one resource. */
export const takesId = (operation: OperationName): boolean => endpoints[operation].takesId;

/** Whether an operation compares a row with the resource that is there, and writes only what differs. */
export const comparesFirst = (operation: OperationName): boolean =>
	operation === 'sync' || operation === 'upsert';

/** Verb and path of an operation, with `{id}` for the resource's id. */
export function endpointOf({ path }: Pick<ResourceContract, 'path'>, operation: OperationName) {
	const { method } = endpoints[operation];
	return { method, path: takesId(operation) ? `${path}/{id}` : path };
}

/**
 * The request of an operation.
 *
 * @param id goes into the path, percent-encoded, where the operation names one resource
 */
export function apiRequest(
	contract: Pick<ResourceContract, 'path'>,
	operation: OperationName,
	params: readonly Param[],
	id = '',
): ApiRequest {
	const { method, path } = endpointOf(contract, operation);
	return { method, path: path.replace('{id}', () => encodeURIComponent(id)), params };
}

/** The page sizes of all lists, smallest first (contract 8). */
export const pageSizes = [10, 25, 50, 100] as const;

export const maxPageSize = Math.max(...pageSizes);

/** Query parameters of a page. `page` stands in no contract table (assumption: page parameter). */
export const pageKeys = { size: 'per_page', number: 'page' } as const;

/** The only order that stays the same while resources are being created (assumption: stable order). */
export const newestFirst: readonly Param[] = [
	['sort_by', 'id'],
	['sort', 'desc'],
];
