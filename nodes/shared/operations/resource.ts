import type { IDataObject } from 'n8n-workflow';
import { isSame, isSameApartFromCase, searchForm } from '../contract/compare';
import { type EncodedRow, fieldsNamed } from '../contract/encodedRow';
import { isDefaultMatch } from '../contract/layout';
import { type ApiRequest, type OperationName, operationTable } from '../contract/operations';
import { idOf, isRounded } from '../contract/readers';
import type { ResourceContract } from '../contract/resourceTypes';
import { canonicalId, isRecord, isTextual, isUnset, shorten } from '../contract/values';
import type { RequestHooks, RowRequests } from '../transport/rowRequests';
import { serviceMessageOf } from '../transport/explanations';
import { joinSentences, openOutcome, rejection, roundedId, tryLater } from '../transport/failures';

export type Resources = readonly IDataObject[];

/**
 * Returns the record in a response: in `data`, alone in a list, or the whole body (assumption: one resource). Undefined if
 * there is none.
 */
export function recordIn(body: unknown): IDataObject | undefined {
	const inner = isRecord(body) && 'data' in body ? body.data : body;
	const record: unknown = Array.isArray(inner) && inner.length === 1 ? inner[0] : inner;
	// The body is decoded JSON, so a record is a data object.
	return isRecord(record) ? (record as IDataObject) : undefined;
}

/** Returns the ID of a resource as text; undefined if it cannot be read or sent, or if JSON has rounded it. */
export function idIn(resource: IDataObject | undefined): string | undefined {
	const id = resource?.id;
	const text = typeof id === 'number' || typeof id === 'string' ? String(idOf(id) ?? '') : '';
	return text.trim() !== '' && text.isWellFormed() ? text : undefined;
}

/** Returns the alias or name of a resource; empty if it has none. */
export const keyTextOf = ({ contract }: EncodedRow, resource: IDataObject): string => {
	const text = resource[contract.key.searchBy];
	return isTextual(text) ? String(text) : '';
};

/** The start of the ID of a resource that a dry run would create. No service has such an ID. */
export const newId = '\nnew';

/**
 * Returns the name of a resource in a message: `spring-7 (ID 12)`, or `ID 12` if it has no alias or name; `spring-7 (new)` for one
 * that a dry run would create.
 */
export function nameOf(row: EncodedRow, resource: IDataObject): string {
	const [text, own = 'unknown'] = [keyTextOf(row, resource), idIn(resource)];
	const id = own.startsWith(newId) ? 'new' : `ID ${shorten(own)}`;
	return text.trim() === '' ? id : `${shorten(text)} (${id})`;
}

/** Returns the names of the first resources in a message, and the number of the others: `spring-7 (ID 12), a (ID 3) and 2 more`. */
export function namesOf(resources: Resources, most: number, textOf: (each: IDataObject) => string) {
	const more = resources.length - most;
	const names = resources.slice(0, most).map(textOf).join(', ');
	return more > 0 ? `${names} and ${more} more` : names;
}

/** Max number of matches that an error names. */
const maxMatchesNamed = 5;

/** Returns the names of the matches of a row in a message, and where they are: `spring-7 (ID 12) on short.example`. */
export const matchNames = (row: EncodedRow, matches: Resources): string =>
	namesOf(matches, maxMatchesNamed, (resource) => {
		const place = row.contract.address?.placeOf(resource);
		return `${nameOf(row, resource)}${place === undefined ? '' : ` on ${shorten(place)}`}`;
	});

/** Returns the label of the operation to suggest for a row whose resource exists; undefined if there is none. */
export const labelOfIfExists = (contract: ResourceContract, operation: OperationName) =>
	contract.operations.find(({ value }) => value === operationTable[operation].ifExists)?.name;

/** Returns which resource has the alias or name of a row, and how to change it. */
export function takenText(row: EncodedRow, owner: IDataObject): string {
	const { value, key } = row.contract;
	const operation = labelOfIfExists(row.contract, row.operation);
	const reason = `The ${key.searchBy} is taken by the ${value} ${nameOf(row, owner)}; use`;
	if (operation !== undefined) return `${reason} ${operation} to change it`;
	const isMatched = row.match.fields === undefined || isDefaultMatch(row);
	return `${reason} another one${isMatched ? '' : `, or match the items by ${keyLabelOf(row)}`}`;
}

/** Returns the label of the field that has the alias or name. */
export const keyLabelOf = ({ contract: { fields, key } }: Pick<EncodedRow, 'contract'>): string =>
	fields.find(({ wire }) => wire.key === key.searchBy)?.displayName ?? key.searchBy;

/**
 * Sends a request and returns the resource of its response.
 *
 * @throws ServiceError if the request fails, or if the response has no resource. After a write, the outcome is then unknown
 */
export async function requestResource(
	requests: RowRequests,
	request: ApiRequest,
	hooks?: RequestHooks,
): Promise<IDataObject> {
	const resource = recordIn(await requests.request(request, hooks));
	const isRead = request.method === 'GET';
	if (isRounded(resource?.id)) throw roundedId(request);
	const hasId = isRead ? !isUnset(resource?.id) : idIn(resource) !== undefined;
	if (resource && hasId) return resource;
	const said = serviceMessageOf(resource, (text) => requests.secrets.text(text));
	const advice = joinSentences(tryLater(request), said);
	throw rejection('The response of the service contains no resource', advice, openOutcome(request));
}

/**
 * Returns the key of what finds a resource: of an ID, or of a text and the contract key of its field. It is equal for all
 * spellings that services accept, such as 7 and 07, and is also the key of a lock.
 */
export const keyFor = (contract: ResourceContract, by: string, text: unknown): string => {
	const form = by === 'id' ? canonicalId : searchForm(contract, by);
	return `${contract.path}?${by}=${form(String(text))}`;
};

/** Returns the keys of what finds a resource in a list, by the contract keys of some fields. */
export const keysFor = (contract: ResourceContract, fields: string[], resource: IDataObject) =>
	fields.filter((by) => isTextual(resource[by])).map((by) => keyFor(contract, by, resource[by]));

/**
 * Returns the keys of the locks for the texts that find a row's resource or that the row writes: its alias or name, and the
 * text of Match By. Also of the alias or name that the resource has before the row, because a later row may take it. Rows that may
 * create a resource whose alias or name exists in another case have one lock, because the response to the first create shows
 * whether the service distinguishes case.
 *
 * @param listed the resources that were read for the row
 */
export function textLocksOf(row: EncodedRow, listed: Resources = []): string[] {
	const { contract, match, reference } = row;
	const { searchBy } = contract.key;
	const sent = fieldsNamed(row, [searchBy, match.fields?.searchBy ?? searchBy]);
	const own = listed.filter((resource) => isSame(row, resource));
	const all = [
		...(reference ? [keyFor(contract, searchBy, reference.search)] : []),
		...sent.map(({ field, values }) => keyFor(contract, field.wire.key, values[0]?.[1] ?? '')),
		...own.flatMap((resource) => keysFor(contract, [searchBy], resource)),
	];
	const isVariant = own.length === 0 && listed.some((each) => isSameApartFromCase(row, each));
	return isVariant ? [...all, `${contract.path} in another case`] : all;
}
