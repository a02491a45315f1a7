import { KeyedMutex, type KeyLock, type LockWait } from './keyedMutex';
import { NotSentError } from './queueOptions';

/**
 * The locks of the rows of one run. Rows with the same key run one after the other. Rows of one run keep their order. Runs
 * get a lock in the order in which they request it. Some rows know their keys only after a search, so a row also waits until
 * all earlier rows of its run have requested their locks.
 */
export class RowLocks {
	/** The mutex of all runs that may use the same keys. */
	readonly mutex: KeyedMutex;

	/** Number of locks when the run started. */
	readonly since: number;

	/** Makes rows request their locks one after the other. */
	private readonly naming = new KeyedMutex();

	constructor(mutex: KeyedMutex) {
		this.mutex = mutex;
		this.since = mutex.count;
	}

	/** Returns the lock of the next row. Call it in the order of the rows. */
	begin(): RowLock {
		return new RowLock(this, this.naming.enqueue('', this));
	}
}

/** The lock of one row on its keys. */
export class RowLock {
	private locks: readonly KeyLock[] = [];

	private isReleased = false;

	private readonly run: RowLocks;

	/** Acquired until the row has requested its locks. */
	private readonly naming: KeyLock;

	constructor(run: RowLocks, naming: KeyLock) {
		this.run = run;
		this.naming = naming;
	}

	/**
	 * Waits until no earlier row has a lock on any of the keys. Called at most once.
	 *
	 * @returns whether any key was locked since the run started, so that an earlier read may be outdated
	 * @throws NotSentError if the row or its run ends first; the error of `tooLong` if another run has a lock for too long
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

	/** Lets later rows continue, because the row needs no lock. */
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
