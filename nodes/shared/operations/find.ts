import type { IDataObject } from 'n8n-workflow';
import { apiRequest, type Param } from '../contract/endpoints';
import type { EncodedRow } from '../contract/encodedRow';
import type { ResourceContract, ResourceReference } from '../contract/resourceTypes';
import { isNumber } from '../contract/idPattern';
import { isOtherId } from '../contract/readers';
import { isSame, searchedText } from '../contract/sameResource';
import { shorten } from '../contract/values';
import type { RowRequests } from '../transport/rowRequests';
import { rejection, ServiceError, settled } from '../transport/serviceError';
import { keyOf, list } from './list';
import { idIn, requestResource } from './resource';

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
 * Returns the resources that are the row's.
 *
 * @throws ServiceError as `findCandidates`
 */
export async function findOwn(requests: RowRequests, row: EncodedRow): Promise<IDataObject[]> {
	const found = await findCandidates(requests, row);
	return found.filter((resource) => isSame(row, resource));
}

/**
 * Returns every resource that may be the row's: the one of its ID, or what the service's own search finds by its address or
 * its text. None for a row without any.
 *
 * @throws ServiceError if a read fails; an HTTP error of a search is never taken for "not found"
 */
export async function findCandidates(
	requests: RowRequests,
	row: EncodedRow,
): Promise<IDataObject[]> {
	const { contract, id, match, reference } = row;
	if (reference) return await searchBy(requests, contract, contract.key.searchBy, reference.search);
	if (id !== undefined) {
		const resource = await settled(readById(requests, contract, id));
		if (!(resource instanceof ServiceError)) return [resource];
		if (resource.failure.statusCode === 404) return [];
		throw resource;
	}
	const text = match.fields && searchedText(row, match.fields);
	if (!match.fields || text === undefined) return [];
	const { searchBy: key } = match.fields;
	const field = contract.fields.find(({ wire }) => wire.key === key);
	const texts = field?.wire.searchTexts?.(text) ?? [text];
	return await searchAll(requests, contract, key, texts);
}

/** What to do about an ID that the service does not know. */
function adviceFor({ value, id: property, address }: ResourceContract, id: string): string {
	const choose = `Check the ID, or choose the ${value} from the list.`;
	const byUrl = property.modes?.find(({ name }) => name === 'url');
	// Services commonly give numbers for IDs; the contract shows no type (2.1).
	const isShortUrl = address && byUrl && !isNumber(id);
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

/**
 * Reads the resource of an ID.
 *
 * @throws ServiceError as `answerOfId`, and if the service answers with another resource
 */
export async function readById(
	requests: RowRequests,
	contract: ResourceContract,
	id: string,
): Promise<IDataObject> {
	const request = apiRequest(contract, 'get', [], id);
	const resource = await answerOfId(contract, id, requestResource(requests, request));
	const answered = idIn(resource);
	if (!isOtherId(answered, id)) return resource;
	throw rejection(
		`The service answered with the ${contract.value} ${shorten(answered ?? '')} instead of ${id}`,
		'Nothing was changed. Check the ID, and Base URL in the credential.',
	);
}

/** Number of characters of an address in a message. */
const maxAddressLength = 200;

const notFound = ({ value }: ResourceContract, { text }: ResourceReference) =>
	rejection(
		`No ${value} has the short URL ${shorten(text, maxAddressLength)}`,
		`Check its spelling, or choose the ${value} from the list.`,
		{ statusCode: 404 },
	);

const ambiguousMatch = ({ value }: ResourceContract, { text }: ResourceReference, count: number) =>
	rejection(
		`${count} ${value}s have the short URL ${shorten(text, maxAddressLength)}`,
		`Choose the ${value} from the list, or name it by its ID.`,
	);

/**
 * Returns the resource that the reference of a row names, as the service's search finds it.
 *
 * @throws ServiceError if a read fails, or if not exactly one is found; with status 404 if none is
 */
export async function findReferenced(
	requests: RowRequests,
	row: EncodedRow,
	reference: ResourceReference,
): Promise<IDataObject> {
	const { contract } = row;
	const [one, ...others] = await findOwn(requests, row);
	if (!one || idIn(one) === undefined) throw notFound(contract, reference);
	if (others.length > 0) throw ambiguousMatch(contract, reference, others.length + 1);
	return one;
}

/**
 * The ID of the resource that a row names: the one it gives, or that of what the service's search finds.
 *
 * @throws ServiceError as `findReferenced`
 */
export async function resolveId(requests: RowRequests, row: EncodedRow): Promise<string> {
	const { id, reference } = row;
	if (!reference) return id ?? '';
	return idIn(await findReferenced(requests, row, reference)) ?? '';
}
