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

/** A place in the queue of a key. */
export class KeyLock {
	/** Resolves when the lock is the first in its queue. */
	private readonly granted: Promise<void>;
	private grant: () => void = () => undefined;

	private readonly queue: KeyLock[];

	/** The run that the lock belongs to. */
	private readonly owner: object;

	private readonly onEmpty: () => void;

	constructor(queue: KeyLock[], owner: object, onEmpty: () => void) {
		this.queue = queue;
		this.owner = owner;
		this.onEmpty = onEmpty;
		this.granted = new Promise<void>((resolve) => {
			this.grant = resolve;
		});
		if (queue.push(this) === 1) this.grant();
	}

	get isAcquired(): boolean {
		return this.queue[0] === this;
	}

	/**
	 * Waits until all earlier locks of the key are released. It waits for locks of its own run without a time limit, because
	 * each row ends at some point. The caller must release the lock even if this fails.
	 *
	 * @throws NotSentError if the run ends first; the error of `tooLong` if another run has the lock for too long
	 */
	async acquire({ waitFor, maxWait, tooLong }: LockWait): Promise<void> {
		while (!this.isAcquired) {
			const [holder] = this.queue;
			const ahead = this.queue.slice(0, this.queue.indexOf(this));
			const isOwnRun = ahead.every(({ owner }) => owner === this.owner);
			if (await waitFor(this.granted, isOwnRun ? Infinity : maxWait)) return;
			if (this.queue[0] === holder) throw tooLong();
		}
	}

	/** Releases the lock, or leaves the queue. A second call has no effect. */
	release(): void {
		const at = this.queue.indexOf(this);
		if (at < 0) return;
		this.queue.splice(at, 1);
		if (at === 0) this.queue[0]?.grant();
		if (this.queue.length === 0) this.onEmpty();
	}
}

/** A mutex for each key. Locks of a key are granted one after the other, in the order of the queue. */
export class KeyedMutex {
	private readonly queues = new Map<string, KeyLock[]>();

	/** Number of locks that were queued so far. */
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

	/** Queues for a key. The owner is the run that the lock belongs to. */
	enqueue(key: string, owner: object): KeyLock {
		this.count += 1;
		this.lastLocks.set(key, this.count);
		const queue = this.queues.get(key) ?? [];
		this.queues.set(key, queue);
		return new KeyLock(queue, owner, () => this.queues.delete(key));
	}
}
