import type { IDataObject } from 'n8n-workflow';
import { isSame } from '../contract/compare';
import { apiRequest, type Param } from '../contract/endpoints';
import { searchTextOf, type EncodedRow } from '../contract/encodeRow';
import type { ResourceContract, ResourceReference } from '../contract/types';
import type { RowRequests } from '../transport/rowRequests';
import { rejection } from '../transport/serviceError';
import { list } from './list';
import { idIn } from './resource';

/** Every resource that the service's own search finds, which is more than exact matches. */
export async function searchBy(
	requests: RowRequests,
	contract: ResourceContract,
	key: string,
	text: string,
): Promise<IDataObject[]> {
	const params: readonly Param[] = [
		['search', text],
		['search_by', key],
	];
	const { path } = apiRequest(contract, 'getAll', params);
	return await list(requests, { path, params, limit: Infinity });
}

/**
 * The resources that are the one a row speaks of, by what makes it unique.
 *
 * @throws ServiceError as any read; an HTTP error is never taken for "not found"
 */
export async function findByKey(requests: RowRequests, row: EncodedRow): Promise<IDataObject[]> {
	const { contract } = row;
	const text = searchTextOf(row);
	// Without a text, every resource would be the one of the row.
	if (text === undefined) return [];
	const found = await searchBy(requests, contract, contract.key.searchBy, text);
	return found.filter((resource) => isSame(row, resource));
}

const notFound = ({ value }: ResourceContract, { text }: ResourceReference) =>
	rejection(
		`No ${value} has the short URL ${text}`,
		`Check its spelling, or choose the ${value} from the list.`,
		{ statusCode: 404 },
	);

const ambiguousMatch = ({ value }: ResourceContract, { text }: ResourceReference, count: number) =>
	rejection(
		`${count} ${value}s have the short URL ${text}`,
		`Choose the ${value} from the list, or name it by its ID.`,
	);

/**
 * The ID of the resource that a row names: the one it gives, or that of what the service's search finds.
 *
 * @throws ServiceError as any read; where nothing or more than one is found, with status 404 where nothing is
 */
export async function resolveId(
	requests: RowRequests,
	{ contract, id, reference }: EncodedRow,
): Promise<string> {
	if (!reference) return id ?? '';
	const found = await searchBy(requests, contract, contract.key.searchBy, reference.search);
	const [one, ...others] = found.filter(reference.matches);
	const foundId = idIn(one);
	if (foundId === undefined) throw notFound(contract, reference);
	if (others.length > 0) throw ambiguousMatch(contract, reference, others.length + 1);
	return foundId;
}
