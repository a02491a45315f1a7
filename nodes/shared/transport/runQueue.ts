import { NotSentError, type QueueOptions } from './queueOptions';
import type { WaitingTime } from './waitingTime';

/** A row of a run. Earlier rows go first. */
export interface QueuedRow {
	readonly order: number;
	/** Set when the row has ended. After that, none of its requests is sent. */
	readonly isOver?: boolean;
}

/** The position of a request in the order of all requests. Its retries have the same position. */
export interface Place {
	readonly run: RunQueue;
	readonly row: QueuedRow;
	/** How long the row has waited for the service, over all its requests. */
	readonly waited: WaitingTime;
	/** The number of the request, in the order in which requests were queued. */
	readonly position: number;
	readonly queuedAt: number;
}

/** A request that waits to be sent. */
export interface QueuedRequest extends Place {
	/** Whether only one such request may be in flight until the generation of the service is known. */
	readonly isSingle?: boolean;
	readonly send: () => void;
	readonly reject: (error: Error) => void;
}

export type Matches = (place: Place) => boolean;

export type ErrorOf = (place: Place) => Error;

/** The rate limiter, as a run uses it. */
export interface SharedQueue {
	enqueue(request: QueuedRequest): void;
	/** Removes requests that wait, and rejects them. */
	remove(matches: Matches, errorOf: ErrorOf): void;
	/** Cancels requests in flight: aborts reads, and lets writes finish without their rows. */
	cancel(matches: Matches): void;
	close(run: RunQueue): void;
}

/** Max number of suspended rows of a run. */
const maxSuspended = 50;

const all: Matches = () => true;

const whenOver = (): Error => new NotSentError();

/** The queue of one run. Limits the run to its Concurrency, and starts its rows. */
export class RunQueue {
	readonly options: QueueOptions;

	/** Number of pauses of the service during which the run waited, and their total in milliseconds. */
	readonly waits = { count: 0, milliseconds: 0 };

	/** Whether the run has ended, so that it sends no more requests. */
	isOver = false;

	/** The number of the last pause in `waits`, and its end. */
	private lastPause = 0;
	private lastPauseEnd = -Infinity;

	/** The number of requests in the shared queue and in flight. */
	private usedSlots = 0;

	/** Requests without a slot, earlier rows first. */
	private waiting: QueuedRequest[] = [];

	/** Number of rows that have started and not ended, without suspended rows. */
	private activeRows = 0;

	private suspendedRows = 0;

	/** Resolves the promise of `beginRow`. */
	private beginNext?: (mayBegin: boolean) => void;

	private readonly shared: SharedQueue;

	constructor(shared: SharedQueue, options: QueueOptions) {
		this.shared = shared;
		this.options = options;
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
		if (this.usedSlots > 0) this.shared.cancel((request) => request.row === row);
		this.reject((request) => request.row === row);
	}

	/** Lets another row start while a row waits for a lock or a delay. */
	async suspend<T>(wait: Promise<T>): Promise<T> {
		this.changeSuspended(1);
		try {
			return await wait;
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
		const isFree = this.activeRows < this.options.concurrency && this.suspendedRows < maxSuspended;
		if (!begin || !(isFree || this.isOver)) return;
		this.beginNext = undefined;
		if (!this.isOver) this.activeRows += 1;
		begin(!this.isOver);
	}

	/** Puts a request into the shared queue as soon as the run has a slot for it; earlier rows go first. */
	enqueue(request: QueuedRequest): void {
		if (this.isOver || request.row.isOver) {
			request.reject(whenOver());
		} else if (this.usedSlots < this.options.concurrency) {
			this.usedSlots += 1;
			this.shared.enqueue(request);
		} else {
			const distance = ({ row, position }: QueuedRequest) =>
				row.order - request.row.order || position - request.position;
			const at = this.waiting.findIndex((other) => distance(other) > 0);
			this.waiting.splice(at < 0 ? this.waiting.length : at, 0, request);
		}
	}

	/** Gives the slot of a request to the next one. */
	releaseSlot(): void {
		this.usedSlots -= 1;
		const next = this.waiting.shift();
		if (next) this.enqueue(next);
	}

	/** Adds a pause to `waits`, without duplicates and overlaps. Times in milliseconds. */
	addPause(pause: number, now: number, until: number): void {
		if (pause === this.lastPause || until <= now) return;
		this.lastPause = pause;
		this.waits.count += 1;
		this.waits.milliseconds += Math.max(0, until - Math.max(now, this.lastPauseEnd));
		this.lastPauseEnd = Math.max(until, this.lastPauseEnd);
		try {
			this.options.onPause?.(until - now);
		} catch (error) {
			const failure = error instanceof Error ? error : new Error(String(error));
			this.reject(all, () => failure);
		}
	}

	/** Ends the run. Sends no more requests, and lets requests in flight finish. */
	readonly stop = (): void => {
		this.isOver = true;
		this.reject(all);
		this.beginIfFree();
	};

	/** Lets a poll use the response to its last request after its time limit, because a slow service could never be read otherwise. */
	private readonly onAbort = (): void => {
		if (this.options.isPoll) this.stop();
		else this.cancel();
	};

	/** Ends the run, and cancels requests in flight. */
	private cancel(): void {
		this.stop();
		if (this.usedSlots > 0) this.shared.cancel(({ run }) => run === this);
	}

	/** Ends the run, and removes it from the limiter. */
	close(): void {
		this.cancel();
		this.options.signal?.removeEventListener('abort', this.onAbort);
		this.shared.close(this);
	}

	/** Rejects requests of the run that wait for a slot, in the shared queue or for a delay. */
	reject(matches: Matches, errorOf: ErrorOf = whenOver): void {
		const rejected = new Set(this.waiting.filter(matches));
		this.waiting = this.waiting.filter((request) => !rejected.has(request));
		for (const request of rejected) request.reject(errorOf(request));
		if (this.usedSlots === 0 && this.suspendedRows === 0) return;
		this.shared.remove((place) => place.run === this && matches(place), errorOf);
	}
}
