import { onList } from './idList';
import type { Reading } from './reading';
import { optionalNumber, wholeNumber } from './stored';
import type { RollingWatch, StoredWatch, Watch, WatchContext } from './types';

/**
 * Reads all resources by and by, the highest IDs first: what is deleted meanwhile moves the others to lower pages, so that a
 * round leaves none out.
 */
export class Rolling implements Watch {
	private readonly context: WatchContext;

	private readonly watches: readonly RollingWatch[];

	/** The page to read next; undefined at the end of a round. */
	private next?: number;

	/** The number of the last page, as far as it is known. */
	private last: number;

	constructor(
		context: WatchContext,
		watches: readonly RollingWatch[],
		stored: StoredWatch | undefined,
	) {
		this.context = context;
		this.watches = watches;
		this.next = optionalNumber(stored?.next);
		this.last = stored ? wholeNumber(stored.last) : 1;
	}

	store(): StoredWatch {
		const { next, last } = this;
		return next === undefined ? { last } : { last, next };
	}

	async look(reading: Reading): Promise<void> {
		if (this.watches.some(({ isNew }) => isNew)) this.next = undefined;
		const { contract, params } = this.context;
		let read = 0;
		await onList(reading, { path: contract.path, params }, async (list) => {
			const wanted = () => Math.max(0, ...this.watches.map(({ pages }) => pages));
			for (; read < wanted(); read += 1) {
				const number = this.next;
				const page =
					number === undefined ? await list.readLast(this.last) : await list.read(number);
				if (number === undefined) this.last = page.number;
				for (const watch of this.watches) await watch.take(page, reading);
				this.next = page.number > 1 ? page.number - 1 : undefined;
				if (this.next !== undefined) continue;
				for (const watch of this.watches) watch.endRound();
				return;
			}
		});
	}
}
