import type { IDataObject } from 'n8n-workflow';
import { isSame } from '../contract/compare';
import { apiRequest, type Param } from '../contract/endpoints';
import { searchTextOf, type EncodedRow } from '../contract/encodeRow';
import { isNumber } from '../contract/names';
import type { ResourceContract, ResourceReference } from '../contract/types';
import { shorten } from '../contract/values';
import type { RowRequests } from '../transport/rowRequests';
import { rejection, ServiceError, settled } from '../transport/serviceError';
import { keyOf, list } from './list';
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

/** Every resource that the service's own search finds for any of some texts, each once. */
export async function searchAll(
	requests: RowRequests,
	contract: ResourceContract,
	key: string,
	texts: readonly string[],
): Promise<IDataObject[]> {
	const found = new Map<string, IDataObject>();
	for (const text of texts) {
		for (const one of await searchBy(requests, contract, key, text)) found.set(keyOf(one), one);
	}
	return [...found.values()];
}

/**
 * The resources that are the one a row speaks of, by what makes it unique.
 *
 * @throws ServiceError as any read; an HTTP error is never taken for "not found"
 */
export async function findByKey(requests: RowRequests, row: EncodedRow): Promise<IDataObject[]> {
	const found = await searchByKey(requests, row);
	return found.filter((resource) => isSame(row, resource));
}

/** Every resource that the service's own search finds by the text of a row; none for a row without one. */
export async function searchByKey(requests: RowRequests, row: EncodedRow): Promise<IDataObject[]> {
	const { contract } = row;
	const text = searchTextOf(row);
	return text === undefined ? [] : await searchBy(requests, contract, contract.key.searchBy, text);
}

/** What to do about an ID that the service does not know. */
function adviceFor({ value, id: property, reference }: ResourceContract, id: string): string {
	const choose = `Check the ID, or choose the ${value} from the list.`;
	const byUrl = property.modes?.find(({ name }) => name === 'url');
	// Services commonly give numbers for IDs; the contract shows no type (2.1).
	const isShortUrl = reference && byUrl && !isNumber(id);
	const how = isShortUrl
		? ` IDs are commonly numbers; ${byUrl.displayName} takes the short URL, ${byUrl.placeholder ?? ''}.`
		: '';
	return `${choose}${how} If every row fails like this, check Base URL in the credential.`;
}

/**
 * What a request on the resource of an ID is answered with.
 *
 * @throws ServiceError as the request; where the service knows none of that ID, it says so, with status 404
 */
export async function answerOfId<T>(
	contract: ResourceContract,
	id: string,
	answer: Promise<T>,
): Promise<T> {
	const answered = await settled(answer);
	if (!(answered instanceof ServiceError)) return answered;
	const { failure } = answered;
	// After an answer that was lost, nobody knows whether it was there.
	if (failure.statusCode !== 404 || failure.outcome === 'unknown') throw answered;
	const message = `No ${contract.value} has the ID ${shorten(id)}`;
	throw new ServiceError({ ...failure, message, advice: adviceFor(contract, id) });
}

/** A read of one resource was answered with another one. */
export const otherAnswer = (
	{ value }: ResourceContract,
	id: string,
	answer: IDataObject,
): ServiceError =>
	rejection(
		`The service answered with the ${value} ${shorten(idIn(answer) ?? '')} instead of ${shorten(id)}`,
		`Nothing was changed. Check the ID, and Base URL in the credential.`,
	);

/** Number of characters of an address in a message. */
const mostOfAddress = 200;

const notFound = ({ value }: ResourceContract, { text }: ResourceReference) =>
	rejection(
		`No ${value} has the short URL ${shorten(text, mostOfAddress)}`,
		`Check its spelling, or choose the ${value} from the list.`,
		{ statusCode: 404 },
	);

const ambiguousMatch = ({ value }: ResourceContract, { text }: ResourceReference, count: number) =>
	rejection(
		`${count} ${value}s have the short URL ${shorten(text, mostOfAddress)}`,
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
