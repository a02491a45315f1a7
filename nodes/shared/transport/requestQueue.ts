import type { QueuedRequest } from './runQueue';

/** Interactive requests go before those of polls, and these before those of runs. */
export const rankOf = ({ lane: { options } }: Pick<QueuedRequest, 'lane'>): number =>
	options.isInteractive ? 2 : options.isPoll ? 1 : 0;

/** Whether Requests Per Minute limits a request. */
export const isPaced = ({ lane: { options } }: Pick<QueuedRequest, 'lane'>): boolean =>
	options.requestsPerMinute > 0;

const goesBefore = (one: QueuedRequest, other: QueuedRequest): boolean => {
	const rank = rankOf(one) - rankOf(other);
	return rank > 0 || (rank === 0 && one.position < other.position);
};

function insert(tickets: QueuedRequest[], ticket: QueuedRequest): void {
	let at = tickets.length;
	for (let one = tickets[at - 1]; one && goesBefore(ticket, one); one = tickets[at - 1]) at -= 1;
	tickets.splice(at, 0, ticket);
}

/**
 * The requests that wait to be sent: by rank, and then in the order in which they asked. Requests that Requests Per Minute
 * limits have a list of their own, so that they hold up no others.
 */
export class RequestQueue {
	private paced: QueuedRequest[] = [];

	private others: QueuedRequest[] = [];

	get isEmpty(): boolean {
		return this.paced.length === 0 && this.others.length === 0;
	}

	/** Returns all requests, in no order. */
	get all(): readonly QueuedRequest[] {
		return this.paced.length === 0 ? this.others : [...this.paced, ...this.others];
	}

	add(ticket: QueuedRequest): void {
		insert(isPaced(ticket) ? this.paced : this.others, ticket);
	}

	/** Returns the request that goes first; one that Requests Per Minute limits only if `maySendPaced`. */
	first(maySendPaced: boolean): QueuedRequest | undefined {
		const [paced] = maySendPaced ? this.paced : [];
		const [other] = this.others;
		return paced && other ? (goesBefore(paced, other) ? paced : other) : (paced ?? other);
	}

	/** Removes requests, and returns them. */
	remove(isGone: (ticket: QueuedRequest) => boolean): readonly QueuedRequest[] {
		const gone = new Set(this.all.filter(isGone));
		if (gone.size === 0) return [];
		this.paced = this.paced.filter((ticket) => !gone.has(ticket));
		this.others = this.others.filter((ticket) => !gone.has(ticket));
		return [...gone];
	}

	/** Removes the first request of its list. */
	shift(ticket: QueuedRequest): void {
		(isPaced(ticket) ? this.paced : this.others).shift();
	}
}
