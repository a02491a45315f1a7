import { NotSentError } from './throttle';

/** How a row waits for a lock. */
export interface LockWait {
	/**
	 * Waits for an event, up to a number of milliseconds.
	 *
	 * @returns whether the event happened
	 * @throws NotSentError if the run ends first
	 */
	readonly waitFor: (event: Promise<void>, milliseconds: number) => Promise<boolean>;
	/** Max time in milliseconds to wait if another run releases no lock. */
	readonly maxWait: number;
	/** Returns the error for a row that exceeds `maxWait`. */
	readonly tooLong: () => Error;
}

/** A place in the queue of a key. The first one has the lock. */
interface KeyLock {
	readonly key: string;
	/** The run that the lock belongs to. */
	readonly owner: object;
	readonly granted: Promise<void>;
	readonly grant: () => void;
}

/** The locks of all runs with an account. The locks of a key are granted one after the other, in the order of its queue. */
export class Locks {
	private readonly queues = new Map<string, KeyLock[]>();

	/** Number of locks that rows have requested so far. */
	count = 0;

	/** The value of `count` at the last lock of each key. */
	private readonly lastLocks = new Map<string, number>();

	/** Returns whether a key was locked since `count` had a value. */
	wasLockedAfter(key: string, count: number): boolean {
		return (this.lastLocks.get(key) ?? 0) > count;
	}

	/** Forgets which keys were locked. */
	clearHistory(): void {
		this.lastLocks.clear();
	}

	/** Queues for a key. */
	enqueue(key: string, owner: object): KeyLock {
		this.count += 1;
		this.lastLocks.set(key, this.count);
		let grant = (): void => undefined;
		const granted = new Promise<void>((resolve) => {
			grant = resolve;
		});
		const queue = this.queues.get(key) ?? [];
		this.queues.set(key, queue);
		const lock = { key, owner, granted, grant };
		if (queue.push(lock) === 1) grant();
		return lock;
	}

	/** Returns whether a lock is granted. */
	isFirst(lock: KeyLock): boolean {
		return this.queues.get(lock.key)?.[0] === lock;
	}

	/**
	 * Waits until all earlier locks of the key are released. It waits for locks of its own run without a time limit, because
	 * each row ends at some point.
	 *
	 * @throws NotSentError if the run ends first; the error of `tooLong` if another run has the lock for too long
	 */
	async acquire(lock: KeyLock, { waitFor, maxWait, tooLong }: LockWait): Promise<void> {
		const queue = this.queues.get(lock.key) ?? [];
		while (queue[0] !== lock) {
			const [holder] = queue;
			const ahead = queue.slice(0, queue.indexOf(lock));
			const isOwnRun = ahead.every(({ owner }) => owner === lock.owner);
			if (await waitFor(lock.granted, isOwnRun ? Infinity : maxWait)) return;
			if (queue[0] === holder) throw tooLong();
		}
	}

	/** Releases a lock, or removes it from its queue. A second call has no effect. */
	release(lock: KeyLock): void {
		const queue = this.queues.get(lock.key) ?? [];
		const at = queue.indexOf(lock);
		if (at < 0) return;
		queue.splice(at, 1);
		if (at === 0) queue[0]?.grant();
		if (queue.length === 0) this.queues.delete(lock.key);
	}
}

/** A run whose rows use locks. */
export interface LockOwner {
	/** The value of `count` when the run started. */
	readonly locksBefore: number;
	/** Makes the rows of the run request their locks one after the other. */
	readonly rowOrder: Locks;
}

/**
 * The locks of one row. Rows with the same key run one after the other: rows of one run in their order, and runs in the order
 * in which they request the lock. Some rows know their keys only after a search, so a row also waits until all earlier rows
 * of its run have requested their locks. Create them in the order of the rows.
 */
export class RowLocks {
	private keys: readonly KeyLock[] = [];

	private isReleased = false;

	private readonly locks: Locks;

	private readonly run: LockOwner;

	/** Released when the row has requested its locks. */
	private readonly naming: KeyLock;

	constructor(locks: Locks, run: LockOwner) {
		this.locks = locks;
		this.run = run;
		this.naming = run.rowOrder.enqueue('', run);
	}

	/**
	 * Waits until no earlier row has a lock on any of the keys. Called at most once. A row without keys lets later rows continue.
	 *
	 * @returns whether any key was locked since the run started, so that an earlier read may be outdated
	 * @throws NotSentError if the row or its run ends first; the error of `tooLong` if another run has a lock for too long
	 */
	async acquire(keys: readonly string[], wait: LockWait): Promise<boolean> {
		const { locks, run, naming } = this;
		const { rowOrder } = run;
		if (keys.length > 0 && !rowOrder.isFirst(naming)) await rowOrder.acquire(naming, wait);
		if (this.isReleased) throw new NotSentError();
		const wasLocked = keys.some((key) => locks.wasLockedAfter(key, run.locksBefore));
		this.keys = keys.map((key) => locks.enqueue(key, run));
		rowOrder.release(naming);
		for (const lock of this.keys) await locks.acquire(lock, wait);
		return wasLocked;
	}

	/** Releases the locks of a row that has ended. */
	release(): void {
		this.isReleased = true;
		this.run.rowOrder.release(this.naming);
		for (const lock of this.keys) this.locks.release(lock);
	}
}
