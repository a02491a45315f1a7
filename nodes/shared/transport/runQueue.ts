import type { QueuedRow, QueueOptions, RateLimiter, Run, Wait } from './limiter';

/** Max number of suspended rows of a run. */
const maxSuspended = 50;

/** One run at the limiter. Starts as many rows as Concurrency allows, and ends their requests with them. */
export class RunQueue implements Run {
	readonly options: QueueOptions;

	readonly waits = { count: 0, milliseconds: 0 };

	isOver = false;

	inFlight = 0;

	lastPause = 0;

	private readonly limiter: RateLimiter;

	/** Number of rows that have started and not ended, without suspended rows. */
	private activeRows = 0;

	private suspendedRows = 0;

	/** Resolves the promise of `beginRow`. */
	private beginNext?: (mayBegin: boolean) => void;

	constructor(limiter: RateLimiter, options: QueueOptions) {
		this.limiter = limiter;
		this.options = options;
		limiter.open(this);
		options.signal?.addEventListener('abort', this.onAbort);
		if (options.signal?.aborted) this.stop();
	}

	/** Resolves when another row may start; with false if the run has ended. Wait for the result before the next call. */
	async beginRow(): Promise<boolean> {
		return await new Promise<boolean>((resolve) => {
			this.beginNext = resolve;
			this.beginIfFree();
		});
	}

	/** Ends a row, and cancels its requests. */
	endRow(row: QueuedRow): void {
		this.activeRows -= 1;
		this.cancelRow(row);
		this.beginIfFree();
	}

	/** Cancels the requests of a row. */
	cancelRow(row: QueuedRow): void {
		row.isOver = true;
		this.limiter.cancel(this, row);
		this.limiter.drop(this, row);
	}

	/**
	 * Waits for a time or an event. Another row can start in the meantime.
	 *
	 * @returns whether the event happened
	 * @throws NotSentError if the run or the row ends first
	 */
	async suspend(wait: Omit<Wait, 'run'>): Promise<boolean> {
		this.changeSuspended(1);
		try {
			return await this.limiter.wait({ ...wait, run: this });
		} finally {
			this.changeSuspended(-1);
		}
	}

	private changeSuspended(change: -1 | 1): void {
		this.suspendedRows += change;
		this.activeRows -= change;
		this.beginIfFree();
	}

	private beginIfFree(): void {
		const begin = this.beginNext;
		const { concurrency } = this.options;
		const isFree = this.activeRows < concurrency && this.suspendedRows < maxSuspended;
		if (!begin || !(isFree || this.isOver)) return;
		this.beginNext = undefined;
		if (!this.isOver) this.activeRows += 1;
		begin(!this.isOver);
	}

	/** Ends the run. Sends no more requests, and lets requests in flight finish. */
	readonly stop = (): void => {
		this.isOver = true;
		this.limiter.drop(this);
		this.beginIfFree();
	};

	/** Lets a poll use the response to its last request after its time limit, because a slow service could never be read otherwise. */
	private readonly onAbort = (): void => {
		this.stop();
		if (!this.options.isPoll) this.limiter.cancel(this);
	};

	/** Ends the run, and removes it from the limiter. */
	close(): void {
		this.stop();
		this.limiter.cancel(this);
		this.options.signal?.removeEventListener('abort', this.onAbort);
		this.limiter.close(this);
	}
}
