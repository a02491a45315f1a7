import type { Pair, PlannedRequest } from '../contract/plan';
import { pageKeys } from '../contract/paging';
import { readPage, type Page } from './page';
import { ServiceError } from './serviceError';
import type { Requester } from './session';

/** A list of the service: where it is, and what is asked of it beside the page. */
export type Listing = Pick<PlannedRequest, 'pairs' | 'path'>;

/**
 * Reads one page of a list.
 *
 * @param size entries on a page, one of the sizes that the contract allows
 * @param number of the page, from 1
 * @throws ServiceError as any read, and where the answer is no list
 */
export async function fetchPage(
	requester: Requester,
	{ path, pairs }: Listing,
	size: number,
	number: number,
): Promise<Page> {
	const where: readonly Pair[] = [
		[pageKeys.size, String(size)],
		[pageKeys.number, String(number)],
	];
	const body = await requester.request({ method: 'GET', path, pairs: [...pairs, ...where] });
	const page = readPage(body);
	if (page) return page;
	throw new ServiceError({
		cause: 'refused',
		message: 'The service answered with something else than a list',
		advice: 'Check Base URL in the credential; the service may be of another kind or version.',
	});
}
