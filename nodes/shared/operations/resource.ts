import type { IDataObject } from 'n8n-workflow';
import type { ApiRequest } from '../contract/endpoints';
import type { EncodedRow } from '../contract/encodedRow';
import { idOf, isRounded } from '../contract/readers';
import { isRecord, isTextual, isUnset, shorten } from '../contract/values';
import type { RequestHooks, RowRequests } from '../transport/rowRequests';
import { roundedId, ServiceError } from '../transport/serviceError';
import { outcomeUnknown, withServiceMessage } from '../transport/statusFailures';

/** The record in an answer: inside `data`, alone in a list, or bare (assumption: one resource). Undefined for none. */
export function recordIn(body: unknown): IDataObject | undefined {
	const inner = isRecord(body) && 'data' in body ? body.data : body;
	const one: unknown = Array.isArray(inner) && inner.length === 1 ? inner[0] : inner;
	// Decoded JSON, so what is a record is a data object.
	return isRecord(one) ? (one as IDataObject) : undefined;
}

/** The ID of a resource as text; undefined where it has none that can be read and sent, or one that JSON has rounded. */
export function idIn(resource: IDataObject | undefined): string | undefined {
	const id = resource?.id;
	const isId = (typeof id === 'number' || typeof id === 'string') && !isUnset(id) && !isRounded(id);
	return isId && String(id).isWellFormed() ? String(idOf(id)) : undefined;
}

/** Returns the alias or name of a resource; empty if it has none. */
export const keyTextOf = ({ contract }: EncodedRow, resource: IDataObject): string => {
	const text = resource[contract.key.searchBy];
	return isTextual(text) ? String(text) : '';
};

/** Returns what a message calls a resource: `spring-7 (ID 12)`. */
export const nameOf = (row: EncodedRow, resource: IDataObject): string =>
	`${shorten(keyTextOf(row, resource))} (ID ${shorten(idIn(resource) ?? 'unknown')})`;

/**
 * Makes a request that is answered with one resource.
 *
 * @throws ServiceError also where the answer holds none; after a write nobody knows what that means
 */
export async function requestResource(
	requests: RowRequests,
	request: ApiRequest,
	hooks?: RequestHooks,
): Promise<IDataObject> {
	const resource = recordIn(await requests.request(request, hooks));
	const outcome = request.method === 'GET' ? 'failed' : 'unknown';
	if (isRounded(resource?.id)) throw new ServiceError({ ...roundedId, outcome });
	const isOne = request.method === 'GET' ? !isUnset(resource?.id) : idIn(resource) !== undefined;
	if (resource && isOne) return resource;
	throw new ServiceError({
		cause: 'rejected',
		message: 'The service answered without the data that it should hold',
		advice: withServiceMessage(outcomeUnknown(request), resource, (text) =>
			requests.secrets.text(text),
		),
		outcome,
	});
}
