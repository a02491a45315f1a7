import type { IDataObject } from 'n8n-workflow';
import type { Param } from '../shared/contract/operations';
import {
	allLinks,
	allUnread,
	maxPages,
	type ListDetector,
	type PollingDetector,
	type ScannedList,
	type Stored,
} from './detectors/detector';
import { storedNumbers } from './encoding';
import type { IdPage, PollReader } from './reader';

/**
 * The scan of a list by ID, which passes its pages to detectors. Each round reads all pages, the highest IDs first: a deletion
 * moves links to lower pages, so that no round misses one.
 */
export class ListScan implements PollingDetector {
	private readonly list: ScannedList;

	private readonly detectors: readonly ListDetector[];

	private readonly params: readonly Param[];

	/**
	 * Where the round continues: `next` is the page to read next, and 0 at the start of a round; `bound` the lowest ID that the
	 * round has read; `first` the first ID of the page above, or 0 if the page above must be read again. `last` is the number of
	 * the last page at the most recent read.
	 */
	private readonly position: Record<'bound' | 'first' | 'last' | 'next', number>;

	/** Whether the next poll reads the last page, and not the next page of the round. */
	private isEndDue: boolean;

	/**
	 * @param detectors the detectors of the list
	 * @param filters the list parameters for the filters of the node
	 * @throws SyntaxError if the stored state is broken
	 */
	constructor(
		list: ScannedList,
		detectors: readonly ListDetector[],
		filters: readonly Param[],
		stored: Stored,
	) {
		this.list = list;
		this.detectors = detectors;
		this.params = [...list.params, ...filters];
		const from = stored ?? { last: 1, next: 0, bound: 0, first: 0 };
		this.position = storedNumbers(from, 'last', 'next', 'bound', 'first');
		this.isEndDue = stored?.isEndDue === true;
	}

	store(): IDataObject {
		return { ...this.position, isEndDue: this.isEndDue };
	}

	/**
	 * Reads one page, or up to 20 if a detector needs them. In a list that grows at its end, every second poll reads the last
	 * page instead, so that new links do not hide deletions in the total.
	 *
	 * @throws OutOfRequests and ServiceError in the same cases as `PollReader.page`
	 */
	async poll(reader: PollReader): Promise<void> {
		if (this.detectors.some((each) => each.unreadBelow() === allUnread)) this.position.next = 0;
		const needsMore = (rounds: number) => this.detectors.some((each) => each.needsMore(rounds));
		const readsEnd = this.isEndDue && !needsMore(0);
		const isLast = this.position.next === 0;
		let rounds = Number(readsEnd ? await this.readEnd(reader) : await this.readNext(reader));
		// New links explain another total.
		if (this.list === allLinks && !readsEnd && !isLast && needsMore(1)) await this.readEnd(reader);
		for (let read = readsEnd ? 0 : 1; read < maxPages && needsMore(rounds); read += 1) {
			rounds += Number(await this.readNext(reader));
		}
		this.isEndDue = this.list === allLinks && !readsEnd;
	}

	/** Reads the last page outside the round. */
	private async readEnd(reader: PollReader): Promise<false> {
		await this.pass(await this.lastPage(reader, this.position.last), Infinity, reader);
		return false;
	}

	/** Reads the last page. Its number is probably `guess`. */
	private async lastPage(reader: PollReader, guess: number): Promise<IdPage> {
		let page = await reader.page(this.params, guess);
		while (page.number !== page.last) page = await reader.page(this.params, page.last);
		return page;
	}

	/** Passes a page that covers all IDs up to one to the detectors. */
	private async pass(page: IdPage, to: number, reader: PollReader): Promise<void> {
		this.position.last = page.last;
		const from = page.number === 1 ? 0 : (page.ids[0] ?? Infinity);
		for (const detector of this.detectors) await detector.readPage({ ...page, from, to }, reader);
	}

	/** Reads the next page of the round, and returns whether the round has ended. After an error, the next call reads it again. */
	private async readNext(reader: PollReader): Promise<boolean> {
		const { next, last } = this.position;
		const bound = next ? this.position.bound : allUnread;
		let page = next ? await reader.page(this.params, next) : await this.lastPage(reader, last);
		// After deletions the next page may be beyond the end.
		if (page.number > page.last) page = await this.lastPage(reader, page.last);
		const { ids, number } = page;
		const below = number === page.last ? Infinity : bound;
		const after = (ids.at(-1) ?? -1) + 1;
		const isContinuous =
			after >= below ||
			below === Infinity ||
			!this.detectors.some((detector) => detector.needsContinuity(after, below)) ||
			(await this.follows(page, reader));
		await this.pass(page, (isContinuous ? Math.max(after, below) : after) - 1, reader);
		const [first = bound] = ids;
		const lowest = { next: number - 1, bound: Math.min(bound, first), first };
		Object.assign(this.position, isContinuous ? lowest : { next: number + 1, bound, first: 0 });
		return this.position.next === 0;
	}

	/**
	 * Returns whether the page above is unchanged, so that there is no unread link between it and a page. It changes if a link
	 * enters a lower page, which moves other links up. If not, the scan reads the page above again.
	 */
	private async follows({ number }: IdPage, reader: PollReader): Promise<boolean> {
		if (this.position.next !== number) return false;
		const { ids } = await reader.page(this.params, number + 1);
		return ids[0] === this.position.first;
	}
}
