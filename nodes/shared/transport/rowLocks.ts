import { KeyedMutex, type KeyLock, type LockWait } from './keyedMutex';
import { NotSentError } from './queueOptions';

/**
 * The locks of the rows of one run. Rows with the same key work one after the other: rows of one run in their order, and
 * runs in the order in which they ask. Some rows learn their keys only from a search, so a row also waits until all
 * earlier rows of its run have named their keys.
 */
export class RowLocks {
	/** Shared by all runs that may work on the same keys. */
	readonly mutex: KeyedMutex;

	/** The number of locks when the run began. */
	readonly since: number;

	/** Rows name their keys one after the other. */
	private readonly naming = new KeyedMutex();

	constructor(mutex: KeyedMutex) {
		this.mutex = mutex;
		this.since = mutex.count;
	}

	/** Returns the lock of the next row. Rows begin in their order. */
	begin(): RowLock {
		return new RowLock(this, this.naming.enqueue('', this));
	}
}

/** The lock of one row on its keys. */
export class RowLock {
	private locks: readonly KeyLock[] = [];

	private isReleased = false;

	private readonly run: RowLocks;

	/** Acquired until the row has named its keys. */
	private readonly naming: KeyLock;

	constructor(run: RowLocks, naming: KeyLock) {
		this.run = run;
		this.naming = naming;
	}

	/**
	 * Waits until no earlier row works on any of the keys. Called at most once.
	 *
	 * @returns whether any of them was locked since the run began, so that an earlier read may be outdated
	 * @throws NotSentError if the row or its run ends first, and the error of `tooLong`
	 */
	async acquire(keys: readonly string[], wait: LockWait): Promise<boolean> {
		if (!this.naming.isAcquired) await this.naming.acquire(wait);
		if (this.isReleased) throw new NotSentError();
		const { mutex, since } = this.run;
		const wasLocked = keys.some((key) => mutex.wasLockedAfter(key, since));
		this.locks = keys.map((key) => mutex.enqueue(key, this.run));
		this.naming.release();
		for (const lock of this.locks) await lock.acquire(wait);
		return wasLocked;
	}

	/** Notes that the row has no key. */
	skip(): void {
		this.naming.release();
	}

	/** Releases the locks of a row that has ended. */
	release(): void {
		this.isReleased = true;
		this.naming.release();
		for (const lock of this.locks) lock.release();
	}
}
