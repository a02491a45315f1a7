import type { WaitingTime } from './waitingTime';

/** A row of a run, as far as its requests go: earlier rows go first. */
export interface QueuedRow {
	readonly order: number;
	/** Set once it has ended: then no request of it leaves any more. */
	readonly isOver?: boolean;
}

/** What a run lets its requests do. */
export interface RunOptions {
	/** Requests in line and under way at the same time. */
	readonly concurrency: number;
	/** A limit of the user's own; 0 for none. */
	readonly requestsPerMinute: number;
	/** Max time in milliseconds that a row waits for a rate limit or an outage, over all its requests. */
	readonly maxWait: number;
	/** Whether a user waits for the answer in the editor: then it goes before all others. */
	readonly isInteractive?: boolean;
	/** Whether a poll waits for it, which gives up soon: then it goes before runs. */
	readonly isPoll?: boolean;
	/**
	 * Called when the run begins to wait for the service, with the milliseconds that it waits at least. If it throws, the
	 * requests of the run that are waiting fail with what it throws.
	 */
	readonly onPause?: (milliseconds: number) => void;
	/** Aborted when the execution is canceled, or when the time of a poll or of a list in the editor is over. */
	readonly signal?: AbortSignal;
}

/** What lets nothing through: the service's limit, or its maintenance. */
export type PauseReason = 'maintenance' | 'rate limit';

/** A pause that lasts longer than a row may wait. Times in milliseconds. */
export interface LongPause {
	readonly reason: PauseReason;
	/** How long the row has waited for the service. */
	readonly waited: number;
	/** So long it is known to last still. */
	readonly left: number;
}

/** Why a request did not leave: a pause lasts longer than it may wait; without one its run is over. */
export class NotSentError extends Error {
	readonly pause?: LongPause;

	constructor(pause?: LongPause) {
		super(pause ? `The ${pause.reason} lasts too long` : 'The run is over');
		this.pause = pause;
	}
}

/** One request that wants to leave, and wants to again each time it is repeated: it keeps its place in the order. */
export interface QueuedRequest {
	readonly lane: RunQueue;
	readonly row: QueuedRow;
	/** How long the earlier requests of the row have waited for the service. */
	readonly waited: WaitingTime;
	/** Position in the order in which all requests asked. */
	readonly position: number;
	/** When it asked. */
	readonly askedAt: number;
	/** Lets it leave. */
	leave(): void;
	refuse(reason: Error): void;
}

/** Why a ticket does not leave. */
export type ReasonFor = (ticket: QueuedRequest) => Error;

const ended: ReasonFor = () => new NotSentError();

/** The part of the rate limiter that a lane needs. */
export interface Line {
	join(ticket: QueuedRequest): void;
	/** Takes tickets out and refuses them. */
	remove(isGone: (ticket: QueuedRequest) => boolean, reasonFor: ReasonFor): void;
	/** Cancels requests that were sent: aborts reads, and lets writes finish without their rows. */
	cancel(isGone: (request: Pick<QueuedRequest, 'lane' | 'row'>) => boolean): void;
	close(lane: RunQueue): void;
}

/** So many rows of a run wait for something else than the line, while others begin in their place. */
const maxParked = 50;

/** The share that one run has of a rate limiter: it holds the run to its Concurrency, and begins its rows. */
export class RunQueue {
	readonly options: RunOptions;

	/** How often and how long the run waited for a limit of the service, in milliseconds. */
	readonly waits = { count: 0, milliseconds: 0 };

	/** The last pause that was counted among the waits. */
	private countedPause = 0;
	private countedUntil = -Infinity;

	/** Requests in line and under way. */
	private used = 0;

	/** Tickets for which the run has no room yet, earlier rows first. */
	private waiting: QueuedRequest[] = [];

	/** Rows that were begun, have not ended and are not parked. */
	private active = 0;

	private parked = 0;

	/** Answers the one who wants to begin a row. */
	private beginNext?: (mayBegin: boolean) => void;

	/** Whether no request of the run leaves any more. */
	isOver = false;

	private readonly line: Line;

	constructor(line: Line, options: RunOptions) {
		this.line = line;
		this.options = options;
		options.signal?.addEventListener('abort', this.onAbort);
		if (options.signal?.aborted) this.stop();
	}

	/** Resolves when another row may begin: false when none may any more. Not to be called again before. */
	async beginRow(): Promise<boolean> {
		return await new Promise<boolean>((resolve) => {
			this.beginNext = resolve;
			this.beginIfFree();
		});
	}

	/** Ends a row; no other request of it is sent, and its reads are aborted. */
	endRow(row: QueuedRow): void {
		this.active -= 1;
		this.withdraw(row);
		this.beginIfFree();
	}

	/** Gives up the requests of a row. */
	withdraw(row: QueuedRow): void {
		if (this.used > 0) this.line.cancel((request) => request.row === row);
		this.refuse((ticket) => ticket.row === row);
	}

	/** Waits for something that takes none of the run's share, so that another row can begin meanwhile. */
	async suspend<T>(wait: Promise<T>): Promise<T> {
		this.setParked(1);
		try {
			return await wait;
		} finally {
			this.setParked(-1);
		}
	}

	private setParked(change: -1 | 1): void {
		this.parked += change;
		this.active -= change;
		this.beginIfFree();
	}

	private beginIfFree(): void {
		const begin = this.beginNext;
		const isFree = this.active < this.options.concurrency && this.parked < maxParked;
		if (!begin || !(isFree || this.isOver)) return;
		this.beginNext = undefined;
		if (!this.isOver) this.active += 1;
		begin(!this.isOver);
	}

	/** Puts a ticket in line as soon as the run has room for it; earlier rows go first. */
	enter(ticket: QueuedRequest): void {
		if (this.isOver || ticket.row.isOver) {
			ticket.refuse(ended(ticket));
		} else if (this.used < this.options.concurrency) {
			this.used += 1;
			this.line.join(ticket);
		} else {
			const after = this.waiting.findIndex(
				({ row, position }) =>
					row.order > ticket.row.order ||
					(row.order === ticket.row.order && position > ticket.position),
			);
			this.waiting.splice(after < 0 ? this.waiting.length : after, 0, ticket);
		}
	}

	/** Gives the room of a ticket that left the line for good, or was answered, to the next one. */
	release(): void {
		this.used -= 1;
		const next = this.waiting.shift();
		if (next) this.enter(next);
	}

	/** Counts a pause among the waits: once, and no moment twice. Times in milliseconds. */
	countPause(pause: number, now: number, until: number): void {
		if (pause === this.countedPause || until <= now) return;
		this.countedPause = pause;
		this.waits.count += 1;
		this.waits.milliseconds += Math.max(0, until - Math.max(now, this.countedUntil));
		this.countedUntil = Math.max(until, this.countedUntil);
		try {
			this.options.onPause?.(until - now);
		} catch (error) {
			const reason = error instanceof Error ? error : new Error(String(error));
			this.refuse(
				() => true,
				() => reason,
			);
		}
	}

	/** Ends the run: no request of it leaves any more, and those under way are left alone. */
	readonly stop = (): void => {
		this.isOver = true;
		this.refuse(() => true);
		this.beginIfFree();
	};

	/** A poll whose time is over uses the answer to its last request, or a slow service would never be read. */
	private readonly onAbort = (): void => {
		if (this.options.isPoll) this.stop();
		else this.cancel();
	};

	/** Ends the run, and gives up the requests under way. */
	private readonly cancel = (): void => {
		this.stop();
		if (this.used > 0) this.line.cancel(({ lane }) => lane === this);
	};

	/** Ends the run for good. */
	close(): void {
		this.cancel();
		this.options.signal?.removeEventListener('abort', this.onAbort);
		this.line.close(this);
	}

	/** Refuses what waits here for room, and then what stands in line. */
	refuse(isGone: (ticket: QueuedRequest) => boolean, reasonFor = ended): void {
		const gone = new Set(this.waiting.filter(isGone));
		this.waiting = this.waiting.filter((ticket) => !gone.has(ticket));
		for (const ticket of gone) ticket.refuse(reasonFor(ticket));
		if (this.used === 0 && this.parked === 0) return;
		this.line.remove((ticket) => ticket.lane === this && isGone(ticket), reasonFor);
	}
}
