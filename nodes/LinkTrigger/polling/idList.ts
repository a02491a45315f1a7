import type { IDataObject } from 'n8n-workflow';
import type { Param } from '../../shared/contract/endpoints';
import { integerOf } from '../../shared/contract/readers';
import { rejection } from '../../shared/transport/failures';
import { pageIgnored, type CountedPage, type PollRequests } from './pollRequests';

/** A page of a list that is sorted by ID, lowest first. It has all links of the list from its first to its last ID. */
export interface IdPage extends CountedPage {
	readonly ids: readonly number[];
	/** Whether no page follows. */
	readonly isLast: boolean;
}

/** The highest ID that the trigger stores: the encoding of an ID set doubles it. */
const maxId = 2 ** 51;

/**
 * Returns the ID of a link as a number.
 *
 * @throws ServiceError if it is no whole number, or too high
 */
export function idNumber({ id }: IDataObject): number {
	const number = integerOf(id);
	if (number !== null && number >= 0 && number <= maxId) return number;
	if (number !== null && number > maxId) {
		throw rejection(
			`The service has IDs above ${maxId}, which the trigger cannot store`,
			'The trigger cannot work with this service. Read the list on a schedule instead.',
		);
	}
	throw rejection(
		'The service has IDs that are not whole numbers',
		'The trigger recognizes new links by their increasing IDs, so it cannot work with this service.',
	);
}

/**
 * The list of links with some filters, sorted by ID: the only order that stays the same while links are created (assumption:
 * stable order). A deletion moves links to lower pages.
 */
export class IdList {
	private readonly requests: PollRequests;

	private readonly params: readonly Param[];

	/** The number of each page that was read, by its entries, to notice a service that ignores the page parameter. */
	private readonly numbers = new Map<string, number>();

	constructor(requests: PollRequests, params: readonly Param[]) {
		this.requests = requests;
		this.params = params;
	}

	/**
	 * Reads a page, and returns it with the lowest ID first.
	 *
	 * @param sort the order in which the list is read; in descending order page 1 has the highest IDs
	 * @throws ServiceError if the read fails, or if the service returns another order or page
	 */
	async read(number: number, sort: 'asc' | 'desc' = 'asc'): Promise<IdPage> {
		const page = await this.requests.page(
			[...this.params, ['sort_by', 'id'], ['sort', sort]],
			number,
		);
		const items = sort === 'asc' ? page.items : [...page.items].reverse();
		const ids = items.map(idNumber);
		if (ids.some((id, index) => id <= (ids[index - 1] ?? -1))) {
			throw rejection(
				'The service does not sort the list by ID',
				'The trigger needs this order to detect changes, so it cannot work with this service.',
			);
		}
		// If as many links as a page has are deleted, the page below has the same entries, and the total is another one.
		const key = `${sort} ${page.total} ${ids.join()}`;
		if (ids.length > 0 && (this.numbers.get(key) ?? number) !== number) throw pageIgnored();
		this.numbers.set(key, number);
		return { ...page, items, ids, isLast: number >= page.last };
	}

	/**
	 * Reads the last page.
	 *
	 * @param guess number that the page probably has
	 * @throws ServiceError in the same cases as `read`
	 */
	async readLast(guess: number): Promise<IdPage> {
		let page = await this.read(guess);
		while (page.number !== page.last) page = await this.read(page.last);
		return page;
	}
}
