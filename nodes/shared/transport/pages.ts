import type { IDataObject } from 'n8n-workflow';
import { pageKeys, type ApiRequest, type Param } from '../contract/operations';
import { isRounded } from '../contract/readers';
import { isRecord, isUnset } from '../contract/values';
import { rejection, roundedId } from './failures';
import type { RowRequests } from './rowRequests';

const wholeNumber = (value: unknown) =>
	/^\d{1,15}$/.test(String(value)) ? Number(value) : undefined;

/** Returns whether another page follows, by the number of the last page or by the address of the next page. */
function moreOf(body: Record<string, unknown>, number?: number, last?: number) {
	if (number !== undefined && last !== undefined) return number < last;
	const next = isRecord(body.links) && 'next' in body.links ? body.links.next : body.next_page_url;
	return next === undefined ? undefined : next !== null;
}

/**
 * Returns the page that a response contains: a resource collection with `links` and `meta`, a flat paginator, a simple
 * paginator, or a bare array (assumption: list envelopes). Undefined for any other shape.
 *
 * @returns the resources; as far as the envelope shows them, the number of the page from 1, the number of the last page, the
 * number of resources on all pages, and whether another page follows
 */
export function readPage(body: unknown) {
	const envelope: Record<string, unknown> = isRecord(body) ? body : { data: body };
	const meta = isRecord(envelope.meta) ? envelope.meta : envelope;
	if (!Array.isArray(envelope.data) || !envelope.data.every(isRecord)) return undefined;
	// The body is decoded JSON, so each record is a data object.
	const items: readonly IDataObject[] = envelope.data as IDataObject[];
	const [number, last, total] = [meta.current_page, meta.last_page, meta.total].map(wholeNumber);
	return { items, number, last, total, more: moreOf(envelope, number, last) };
}

/** One page of a list, from any envelope. */
export type Page = Readonly<NonNullable<ReturnType<typeof readPage>>>;

/** The path of a list, and its params without the page. */
export type ListRequest = Pick<ApiRequest, 'params' | 'path'>;

/**
 * Reads one page of a list.
 *
 * @param size the number of entries on a page, one of the sizes of the contract
 * @param number the number of the page, from 1
 * @throws ServiceError if the read fails, or if the response is not a list
 */
export async function fetchPage(
	requests: RowRequests,
	{ path, params }: ListRequest,
	size: number,
	number: number,
): Promise<Page> {
	const all: Param[] = [...params, [pageKeys.size, `${size}`], [pageKeys.number, `${number}`]];
	const request = { method: 'GET', path, params: all } as const;
	// Each further page may wait for the full Max Wait, so that a list of any length can be read at a rate limit.
	const page = readPage(await requests.request(request, { resetsMaxWait: number > 1 }));
	if (page?.items.some(({ id }) => isRounded(id))) throw roundedId(request);
	if (page?.items.every(({ id }) => !isUnset(id))) return page;
	throw rejection(
		'The service did not return a list',
		'Check Base URL in the credential. The address may belong to another kind or version of service.',
	);
}
