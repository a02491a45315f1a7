import type { IDataObject } from 'n8n-workflow';
import { pageKeys, type ApiRequest, type Param } from '../contract/endpoints';
import { isRounded } from '../contract/readers';
import { isRecord, isUnset } from '../contract/values';
import type { RowRequests } from './rowRequests';
import { rejection, roundedId, ServiceError } from './serviceError';

/** One page of a list, whatever envelope it came in. */
export interface Page {
	readonly items: readonly IDataObject[];
	/** Number of the page as the service counts it, from 1. */
	readonly number?: number;
	/** Number of the last page. */
	readonly last?: number;
	/** How many resources all pages hold together. */
	readonly total?: number;
	/** Whether a page follows; undefined where the envelope does not tell. */
	readonly more?: boolean;
}

const whole = (value: unknown) => (/^\d{1,15}$/.test(String(value)) ? Number(value) : undefined);

/** Whether a page follows, by the number of the last page or by the address of the next one. */
function moreOf(
	body: Record<string, unknown>,
	number?: number,
	last?: number,
): boolean | undefined {
	if (number !== undefined && last !== undefined) return number < last;
	const holder =
		isRecord(body.links) && 'next' in body.links ? body.links.next : body.next_page_url;
	return holder === undefined ? undefined : holder !== null;
}

/**
 * Reads a list answer: the resource collection with `links` and `meta`, the flat paginator, the simple paginator, or a
 * bare array (assumption: list envelopes). Undefined for any other shape.
 */
export function readPage(body: unknown): Page | undefined {
	const items = isRecord(body) ? body.data : body;
	if (!Array.isArray(items) || !items.every(isRecord)) return undefined;
	// Decoded JSON, so what is a record is a data object.
	const found = { items: items as IDataObject[] };
	if (!isRecord(body)) return found;
	const counts = isRecord(body.meta) ? body.meta : body;
	const number = whole(counts.current_page);
	const last = whole(counts.last_page);
	return {
		...found,
		number,
		total: whole(counts.total),
		last,
		more: moreOf(body, number, last),
	};
}

/** A list of the service: where it is, and what is asked of it beside the page. */
export type ListRequest = Pick<ApiRequest, 'params' | 'path'>;

/**
 * Reads one page of a list.
 *
 * @param size entries on a page, one of the sizes that the contract allows
 * @param number of the page, from 1
 * @throws ServiceError if the read fails, or if the answer is not a list
 */
export async function fetchPage(
	requests: RowRequests,
	{ path, params }: ListRequest,
	size: number,
	number: number,
): Promise<Page> {
	const where: readonly Param[] = [
		[pageKeys.size, String(size)],
		[pageKeys.number, String(number)],
	];
	// Each further page is progress, so that a list of any length can be read behind a rate limit.
	const hooks = { resetsMaxWait: number > 1 };
	const body = await requests.request(
		{ method: 'GET', path, params: [...params, ...where] },
		hooks,
	);
	const page = readPage(body);
	if (page?.items.some(({ id }) => isRounded(id))) throw new ServiceError(roundedId);
	if (page?.items.every(({ id }) => !isUnset(id))) return page;
	throw rejection(
		'The service answered with something else than a list',
		'Check Base URL in the credential; the service may be of another kind or version.',
	);
}
