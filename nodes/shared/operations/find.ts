import type { IDataObject } from 'n8n-workflow';
import { isSame } from '../contract/compare';
import { type EncodedRow, sentTextOf } from '../contract/encodedRow';
import { apiRequest, searchParams } from '../contract/operations';
import { defaultMatch } from '../contract/layout';
import { isOtherId } from '../contract/readers';
import type { ResourceContract, ResourceReference } from '../contract/resourceTypes';
import { isNumber, shorten, without } from '../contract/values';
import { rejection, ServiceError, settled, type Failure } from '../transport/failures';
import type { RowRequests } from '../transport/rowRequests';
import { distinct, list } from './list';
import { idIn, matchNames, requestResource } from './resource';

/** Returns the results of the searches for some texts, each once. The service also finds texts that contain the searched text. */
async function search(
	requests: RowRequests,
	contract: ResourceContract,
	key: string,
	texts: readonly string[],
): Promise<IDataObject[]> {
	const lists: IDataObject[][] = [];
	for (const text of texts) {
		lists.push(await list(requests, { path: contract.path, params: searchParams(key, text) }));
	}
	return distinct(lists.flat());
}

/** Returns a row that is found by its alias or name, regardless of its ID and of Match By. */
export const byKey = (row: EncodedRow): EncodedRow => ({
	...row,
	match: defaultMatch(row.contract),
	id: undefined,
	reference: undefined,
});

/**
 * Returns the resources that a row may mean: the resource with its ID, or the results of a search for its address or its
 * text. Empty for a row without these.
 *
 * @throws ServiceError if a read fails; an HTTP error of a search does not count as "not found"
 */
export async function findCandidates(
	requests: RowRequests,
	row: EncodedRow,
): Promise<IDataObject[]> {
	const { contract, id, match, reference } = row;
	if (reference) return await search(requests, contract, contract.key.searchBy, [reference.search]);
	if (id !== undefined) {
		const resource = await settled(readById(requests, contract, id));
		if (!(resource instanceof ServiceError)) return [resource];
		if (isMissing(resource)) return [];
		throw resource;
	}
	const key = match.fields?.searchBy ?? '';
	const text = sentTextOf(row, key);
	if (text === undefined) return [];
	const field = contract.fields.find(({ wire }) => wire.key === key);
	return await search(requests, contract, key, field?.wire.searchTexts?.(text) ?? [text]);
}

/** Returns whether a resource does not exist. A 404 of a list, or of a web page, does not show it. */
export const isMissing = ({ failure }: ServiceError): boolean => failure.isMissing === true;

/** Returns what to do about an ID that the service does not know. */
function adviceFor({ value, id: { modes = [] } }: ResourceContract, id: string): string {
	const choose = `Check the ID, or choose the ${value} from the list.`;
	const others = modes.filter(({ name }) => name !== 'id' && name !== 'list');
	const names = others.map(({ displayName }) => displayName).join(' or ');
	// The IDs of most services are numbers; the contract defines no type (2.1).
	const isOther = others.length > 0 && !isNumber(id);
	const hint = isOther ? ` IDs are usually numbers. For another text, choose ${names}.` : '';
	return `${choose}${hint} If every item fails like this, check Base URL in the credential.`;
}

/** Returns the failure of an ID that no resource has. */
const noSuchId = (contract: ResourceContract, id: string, failure: Partial<Failure>) =>
	rejection(`No ${contract.value} has the ID ${shorten(id)}`, adviceFor(contract, id), {
		...without(failure, 'message', 'advice'),
		isMissing: true,
	});

/**
 * Returns the response to a request for the resource of an ID.
 *
 * @throws ServiceError if the request fails; the message contains the ID if the service has no such resource (status 404)
 */
export async function answerOfId<T>(
	contract: ResourceContract,
	id: string,
	answer: Promise<T>,
): Promise<T> {
	const answered = await settled(answer);
	if (!(answered instanceof ServiceError)) return answered;
	const { failure } = answered;
	// After a lost response, the resource may have existed.
	const isReported = failure.statusCode === 404 && failure.isPage !== true;
	if (!isReported || failure.outcome === 'unknown') throw answered;
	throw noSuchId(contract, id, failure);
}

/**
 * Reads the resource of an ID.
 *
 * @throws ServiceError in the same cases as `answerOfId`, and if the service returns another resource
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
		`The service returned the ${contract.value} ${shorten(answered ?? '')} instead of ${id}`,
		'Nothing was changed. Check the ID, and Base URL in the credential.',
	);
}

/** Number of characters of an address in a message. */
const maxShownAddress = 200;

/** Returns the text of a reference in a message: `short URL https://short.example/spring-7`. */
const referenceText = ({ kind, text }: ResourceReference) =>
	`${kind} ${shorten(text, maxShownAddress)}`;

/** Returns the failure of a row whose ID or address no resource has. */
function noTarget({ contract, id = '', reference }: EncodedRow): ServiceError {
	if (!reference) return noSuchId(contract, id, { statusCode: 404 });
	return rejection(
		`No ${contract.value} has the ${referenceText(reference)}`,
		`Check its spelling, or choose the ${contract.value} from the list.`,
		{ statusCode: 404, isMissing: true },
	);
}

/**
 * Returns the resource with the ID or address of a row.
 *
 * @param resources the resources that the row may mean
 * @throws ServiceError if not exactly one resource has the ID or address; with status 404 if none has it
 */
export function targetIn(row: EncodedRow, resources: readonly IDataObject[]): IDataObject {
	const { contract, reference } = row;
	const matches = resources.filter((resource) => isSame(row, resource));
	const [match] = matches;
	if (!match || idIn(match) === undefined) throw noTarget(row);
	if (!reference || matches.length === 1) return match;
	throw rejection(
		`${matches.length} ${contract.value}s have the ${referenceText(reference)}: ${matchNames(row, matches)}`,
		`Choose the ${contract.value} from the list, or enter its ID.`,
	);
}

/**
 * Returns the ID of the resource of a row: the ID of the row, or the ID of the resource with its address.
 *
 * @throws ServiceError if a read fails, and in the same cases as `targetIn`
 */
export async function resolveId(requests: RowRequests, row: EncodedRow): Promise<string> {
	if (!row.reference) return row.id ?? '';
	return idIn(targetIn(row, await findCandidates(requests, row))) ?? '';
}
