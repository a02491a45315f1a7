import { inSeconds, ServiceError } from './failures';

/** How a row waits for a lock. */
export interface LockWait {
	/**
	 * Waits for an event, up to a number of milliseconds.
	 *
	 * @returns whether the event happened
	 * @throws ServiceError if the row ends first
	 */
	readonly waitFor: (event: Promise<void>, milliseconds: number) => Promise<boolean>;
	/** Max time in milliseconds to wait if another run releases no lock. */
	readonly maxWait: number;
}

/** A run whose rows use locks. */
export interface LockOwner {
	/** The value of `count` when the run started. */
	readonly locksBefore: number;
}

/** A place in the queue of a key. The first one has the lock. */
interface Lock {
	readonly owner: LockOwner;
	readonly queue: readonly Lock[];
	readonly granted: Promise<void>;
	readonly grant: () => void;
	/** Gives the lock, or the place in the queue, back. A second call has no effect. */
	readonly release: () => void;
}

/**
 * Waits until all earlier locks of the key are released. It waits for locks of its own run without a time limit, because
 * each row ends at some point.
 *
 * @throws ServiceError if the row ends first, or if another run has a lock for too long
 */
async function acquire(lock: Lock, { waitFor, maxWait }: LockWait): Promise<void> {
	const { queue, owner, granted } = lock;
	while (queue[0] !== lock) {
		const [holder] = queue;
		const isOwn = queue.slice(0, queue.indexOf(lock)).every((each) => each.owner === owner);
		if (await waitFor(granted, isOwn ? Infinity : maxWait)) return;
		if (queue[0] !== holder) continue;
		throw new ServiceError({
			cause: 'maintenance',
			message: `Another execution is still changing the same resource, after Max Wait of ${inSeconds(maxWait)}`,
			advice:
				'Nothing was changed. Run the item again later, or raise Max Wait under Options > Requests.',
		});
	}
}

/** The locks of all runs with an account. The locks of a key are granted one after the other, in the order of its queue. */
export class Locks {
	private readonly queues = new Map<unknown, Lock[]>();

	/** Number of locks that rows have requested so far. */
	count = 0;

	/** The value of `count` at the last lock of each key. */
	readonly lastLocks = new Map<string, number>();

	/** Returns whether a key was locked since a run started. */
	wasLockedSince({ locksBefore }: LockOwner, key: string): boolean {
		return (this.lastLocks.get(key) ?? 0) > locksBefore;
	}

	/** Queues for a key. */
	enqueue(key: unknown, owner: LockOwner): Lock {
		const queue = this.queues.get(key) ?? [];
		this.queues.set(key, queue);
		let grant = (): void => undefined;
		const granted = new Promise<void>((resolve) => (grant = resolve));
		const release = () => {
			const at = queue.indexOf(lock);
			if (at < 0) return;
			queue.splice(at, 1);
			queue[0]?.grant();
			if (queue.length === 0) this.queues.delete(key);
		};
		const lock = { owner, queue, granted, grant, release };
		queue.push(lock);
		return lock;
	}

	/** Queues for a key of a row, and remembers it. */
	enqueueKey(key: string, owner: LockOwner): Lock {
		this.count += 1;
		this.lastLocks.set(key, this.count);
		return this.enqueue(key, owner);
	}
}

/**
 * The locks of one row. Rows with the same key run one after the other: rows of one run in their order, and runs in the order
 * in which they request the lock. A row first locks its texts, such as an alias, and last its ID, which some rows know only
 * after a search. So before it requests this lock, it waits until all earlier rows of its run have requested theirs. No rows
 * wait for each other, because they request all their texts at once, and a row that has its last lock waits for no other.
 */
export class RowLocks {
	private readonly locks: Locks;

	private readonly owner: LockOwner;

	private readonly wait: LockWait;

	/** The place of the row in its run, until it has requested its last lock. */
	private readonly turn: Lock;

	private held: readonly Lock[] = [];

	private isReleased = false;

	/** Create them in the order of the rows. */
	constructor(locks: Locks, owner: LockOwner, wait: LockWait) {
		this.locks = locks;
		this.owner = owner;
		this.wait = wait;
		this.turn = locks.enqueue(owner, owner);
	}

	/**
	 * Waits until no earlier row has a lock on any of the texts. Call it at the start of a row, in the order of the rows.
	 *
	 * @returns whether any text was locked since the run started, so that an earlier read may be outdated
	 * @throws the errors of the wait
	 */
	async acquireTexts(texts: readonly string[]): Promise<boolean> {
		const { locks, owner, isReleased } = this;
		if (isReleased) return false;
		const wasLocked = texts.some((text) => locks.wasLockedSince(owner, text));
		const own = [...new Set(texts)].map((text) => locks.enqueueKey(text, owner));
		this.held = [...this.held, ...own];
		for (const lock of own) await acquire(lock, this.wait);
		return wasLocked;
	}

	/**
	 * Same as `acquireTexts`, for the last key of the row, in any order of the rows. Without a key, later rows continue.
	 */
	async acquireLast(key?: string): Promise<boolean> {
		if (key !== undefined) await acquire(this.turn, this.wait);
		const acquired = key === undefined ? false : this.acquireTexts([key]);
		this.turn.release();
		return await acquired;
	}

	/** Releases the locks of a row that has ended. */
	release(): void {
		this.isReleased = true;
		for (const lock of [this.turn, ...this.held]) lock.release();
	}
}
