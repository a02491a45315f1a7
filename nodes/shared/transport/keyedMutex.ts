/** How a row waits for its turn. */
export interface TurnWait {
	/**
	 * Waits for an event, for the given number of milliseconds at most.
	 *
	 * @returns whether the event happened
	 * @throws NotSent if the run ends first
	 */
	readonly waitFor: (event: Promise<void>, milliseconds: number) => Promise<boolean>;
	/** Max time in milliseconds to wait while another run makes no progress. */
	readonly maxWait: number;
	/** Returns the error of a row that waited longer. */
	readonly tooLong: () => Error;
}

/** A promise and the function that resolves it. */
function deferred() {
	let resolve: () => void = () => undefined;
	const promise = new Promise<void>((settle) => {
		resolve = settle;
	});
	return { promise, resolve };
}

/** One row's work on a key, from the time it queues. */
interface Work {
	readonly run: Turns;
	/** Resolves when all earlier work on the key has ended. */
	readonly isFirst: Promise<void>;
	readonly becomeFirst: () => void;
}

/** The work on one key that has not ended, in its order. */
interface KeyQueue {
	readonly works: Work[];
	/** How many works have ended in their turn. */
	ended: number;
}

/** The work of all runs, by key. */
export class WorkQueues {
	readonly byKey = new Map<string, KeyQueue>();

	/** Keys that were worked on, with the number of the last work on each. Cleared when the last open run ends. */
	readonly worked = new Map<string, number>();

	/** How many works were queued. */
	count = 0;
}

/** Waits until a work is first in its queue. Its own run is waited for without an end, because its rows end by themselves. */
async function waitForTurn(queue: KeyQueue, work: Work, wait: TurnWait): Promise<void> {
	for (;;) {
		const ahead = queue.works.slice(0, queue.works.indexOf(work));
		const isOwn = ahead.every(({ run }) => run === work.run);
		const { ended } = queue;
		if (await wait.waitFor(work.isFirst, isOwn ? Infinity : wait.maxWait)) return;
		if (queue.ended === ended) throw wait.tooLong();
	}
}

/**
 * A keyed mutex for the rows of one run: rows with the same key work one after the other. Rows of one run go in their
 * order, and runs in the order in which they ask. Some rows learn their keys only from a search, so a row also waits until
 * all earlier rows of its run have named their keys.
 */
export class Turns {
	/** Rows that have not named their keys yet, in their order. */
	private readonly unnamed = new Set<Turn>();

	private readonly queues: WorkQueues;

	/** How many works had been queued when the run began. */
	private readonly since: number;

	/** @param queues shared by all runs that may work on the same keys */
	constructor(queues: WorkQueues) {
		this.queues = queues;
		this.since = queues.count;
	}

	/** Returns the turn of the next row. Rows begin in their order. */
	begin(): Turn {
		const turn = new Turn(this);
		this.unnamed.add(turn);
		return turn;
	}

	isFirst(turn: Turn): boolean {
		const [first] = this.unnamed;
		return first === turn;
	}

	/** Notes that a row has named its keys, or has none. */
	setNamed(turn: Turn): void {
		if (!this.unnamed.delete(turn)) return;
		const [first] = this.unnamed;
		first?.becomeFirst();
	}

	/** Queues work on a key. Returns whether the key was worked on since the run began, how to wait, and how to end the work. */
	queue(key: string) {
		const { byKey, worked } = this.queues;
		const isWorked = (worked.get(key) ?? 0) > this.since;
		this.queues.count += 1;
		worked.set(key, this.queues.count);
		const queue = byKey.get(key) ?? { works: [], ended: 0 };
		byKey.set(key, queue);
		const { promise, resolve } = deferred();
		const work: Work = { run: this, isFirst: promise, becomeFirst: resolve };
		if (queue.works.push(work) === 1) resolve();
		const end = () => {
			const at = queue.works.indexOf(work);
			queue.works.splice(at, 1);
			if (at > 0) return;
			queue.ended += 1;
			queue.works[0]?.becomeFirst();
			if (queue.works.length === 0) byKey.delete(key);
		};
		const turn = async (wait: TurnWait) => {
			if (queue.works[0] !== work) await waitForTurn(queue, work, wait);
		};
		return { isWorked, turn, end };
	}
}

/** The turn of one row. */
export class Turn {
	/** Ends the wait for earlier rows to name their keys. */
	becomeFirst: () => void = () => undefined;

	private finish?: () => void;

	private readonly turns: Turns;

	constructor(turns: Turns) {
		this.turns = turns;
	}

	/**
	 * Waits until no earlier row works on any of the keys. Called once at most.
	 *
	 * @returns whether any of them was worked on since the run began, so that what was read before may be outdated
	 * @throws NotSent if the run ends first, and the error of `tooLong`
	 */
	async take(keys: readonly string[], wait: TurnWait): Promise<boolean> {
		if (!this.turns.isFirst(this)) {
			const { promise, resolve } = deferred();
			this.becomeFirst = resolve;
			await wait.waitFor(promise, Infinity);
		}
		const works = keys.map((key) => this.turns.queue(key));
		this.finish = () => works.forEach(({ end }) => end());
		this.turns.setNamed(this);
		for (const { turn } of works) await turn(wait);
		return works.some(({ isWorked }) => isWorked);
	}

	/** Notes that the row has no key. */
	skip(): void {
		this.turns.setNamed(this);
	}

	/** Ends the row's work. Called once. */
	end(): void {
		this.turns.setNamed(this);
		this.finish?.();
		this.finish = undefined;
	}
}
