import { earlyRejection, inSeconds } from './failures';

/**
 * Waits for an event, up to a number of milliseconds.
 *
 * @returns whether the event happened
 * @throws ServiceError if the row ends first
 */
export type LockWait = (event: Promise<void>, milliseconds: number) => Promise<boolean>;

/** A place in the queue of a key. The first one has the lock. */
interface Lock {
	/** The number of the run that has the place. */
	readonly run: number;
	readonly queue: ReadonlySet<Lock>;
	readonly released: Promise<void>;
	/** Gives the lock, or the place in the queue, back. A second call has no effect. */
	readonly release: () => void;
}

/** The locks of all runs with an account. The locks of a key are granted one after the other, in the order of its queue. */
export class Locks {
	readonly queues = new Map<number | string, Set<Lock>>();

	/** The last number of a run or a released lock. They have increasing numbers. */
	private lastNumber = 0;

	/** The number of the last lock of each key: Infinity until it is released. */
	readonly lastLocks = new Map<number | string, number>();

	/** Returns the number of a run that begins now, or of a lock that ends. */
	nextNumber(): number {
		this.lastNumber += 1;
		return this.lastNumber;
	}

	/** Queues for a key. */
	enqueue(key: number | string, run: number): Lock {
		const queue = this.queues.get(key) ?? new Set();
		this.queues.set(key, queue);
		this.lastLocks.set(key, Infinity);
		let resolve = (): void => undefined;
		const released = new Promise<void>((end) => (resolve = end));
		const release = () => {
			if (queue.delete(lock) && queue.size === 0) {
				this.queues.delete(key);
				this.lastLocks.set(key, this.nextNumber());
			}
			resolve();
		};
		const lock = { run, queue, released, release };
		queue.add(lock);
		return lock;
	}
}

/**
 * Returns the locks of one row. Rows with the same key run one after the other: rows of one run in their order, and runs in the
 * order in which they request the lock. A row first locks its texts, such as an alias, and last its ID, which some rows know
 * only after a search. So before it requests this lock, it waits until all earlier rows of its run have requested theirs. No
 * rows wait for each other, because they request all their texts at once, and a row that has its last lock waits for no other.
 *
 * Call it in the order of the rows.
 *
 * @param maxWait max time in milliseconds to wait for a lock of another run
 */
export function rowLocks(locks: Locks, run: number, waitFor: LockWait, maxWait: number) {
	/** The place of the row in its run, until it has requested its last lock. */
	const turn = locks.enqueue(run, run);
	let held = [turn];
	let isReleased = false;
	/** When the row last read, as a number of the locks: the start of its run, or later if it had to read again. */
	let readAt = run;

	/** Waits until all earlier locks of the key are released: those of the same run without a time limit, because each row ends. */
	const acquire = async (lock: Lock): Promise<void> => {
		for (const earlier of lock.queue) {
			if (earlier === lock) return;
			if (await waitFor(earlier.released, earlier.run === run ? Infinity : maxWait)) continue;
			throw earlyRejection(
				`Another execution is still changing the same resource, after Max Wait of ${inSeconds(maxWait)}`,
				'Run it again later, or raise Max Wait under Options > Requests.',
				{ cause: 'maintenance' },
			);
		}
	};

	/**
	 * Waits until no earlier row has a lock on any of the texts. Call it at the start of a row, in the order of the rows.
	 *
	 * @returns whether any text was locked since the row last read. If so, the row must read again.
	 * @throws ServiceError if the row ends first, or if another run has a lock for too long
	 */
	const acquireTexts = async (texts: readonly string[]): Promise<boolean> => {
		if (isReleased) return false;
		const wasLocked = texts.some((text) => (locks.lastLocks.get(text) ?? 0) > readAt);
		const own = [...new Set(texts)].map((text) => locks.enqueue(text, run));
		held = [...held, ...own];
		for (const lock of own) await acquire(lock);
		if (wasLocked) readAt = locks.nextNumber();
		return wasLocked;
	};

	/** Same as `acquireTexts`, for the last key of the row, in any order of the rows. Without a key, later rows continue. */
	const acquireLast = async (key?: string): Promise<boolean> => {
		if (key !== undefined) await acquire(turn);
		const acquired = acquireTexts(key === undefined ? [] : [key]);
		turn.release();
		return await acquired;
	};

	/** Releases the locks of a row that has ended. */
	const release = (): void => {
		isReleased = true;
		for (const lock of held) lock.release();
	};

	return { acquireTexts, acquireLast, release };
}
