import { onList } from './idList';
import type { Reading } from './reading';
import { boundIn, pageNumber, storeBound } from './stored';
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

	/** All IDs from this one on were read in this round. */
	private unread: number;

	/** The number of the last page, as far as it is known. */
	private last: number;

	constructor(
		context: WatchContext,
		watches: readonly RollingWatch[],
		stored: StoredWatch | undefined,
	) {
		this.context = context;
		this.watches = watches;
		this.next = stored?.next === undefined ? undefined : pageNumber(stored.next);
		this.last = stored ? pageNumber(stored.last) : 1;
		this.unread = boundIn(stored?.unread ?? null);
	}

	store(): StoredWatch {
		const { next, last, unread } = this;
		return next === undefined ? { last } : { last, next, unread: storeBound(unread) };
	}

	async look(reading: Reading): Promise<void> {
		if (this.watches.some(({ isNew }) => isNew)) this.next = undefined;
		const { contract, params } = this.context;
		let read = 0;
		await onList(reading, { path: contract.path, params }, async (list) => {
			const wanted = () => this.watches.reduce((most, { pages }) => Math.max(most, pages), 0);
			for (; read < wanted(); read += 1) {
				const next = this.next === undefined ? undefined : await list.read(this.next);
				// So many may have been deleted that the page to go on with is beyond the end.
				const isBeyond = next?.ids.length === 0 && next.number > 1;
				const page = next && !isBeyond ? next : await list.readLast(next?.last ?? this.last);
				if (page !== next) this.last = page.number;
				const below = page.isLast ? Infinity : this.unread;
				for (const watch of this.watches) await watch.take(page, reading, below);
				this.unread = page.ids[0] ?? below;
				this.next = page.number > 1 ? page.number - 1 : undefined;
				if (this.next !== undefined) continue;
				for (const watch of this.watches) watch.endRound();
				return;
			}
		});
	}
}
