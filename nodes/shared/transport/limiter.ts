import { Health, type Clock, type WaitingTime } from './backoff';
import type { HttpAnswer, HttpExchange } from './exchange';
import type { AbortReason } from './failures';
import { Generation } from './generation';
import { Locks } from './locks';
import { NotSentError, Throttle } from './throttle';

/** The settings of a run that decide when its requests are sent. */
export interface QueueOptions {
	/** Max number of requests in the shared queue and in flight. */
	readonly concurrency: number;
	/** A limit that the user sets; 0 for none. */
	readonly requestsPerMinute: number;
	/** Max time in milliseconds that a row waits for a rate limit or an outage, over all its requests. */
	readonly maxWait: number;
	/** Whether a user waits for the response in the editor. Such requests are sent before all others. */
	readonly isInteractive?: boolean;
	/** Whether a poll waits for the response. A poll has little time, so its requests are sent before those of runs. */
	readonly isPoll?: boolean;
	/** Aborted when the execution is canceled, or when the time limit of a poll or of a list in the editor has passed. */
	readonly signal?: AbortSignal;
}

/** A run, as the limiter sees it. */
export interface Run {
	readonly options: QueueOptions;
	/** Whether the run has ended, so that it sends no more requests. */
	isOver: boolean;
	/** Number of its requests in flight. Concurrency limits it. */
	inFlight: number;
	/** Number of pauses of the service during which the run waited, and their total in milliseconds. */
	readonly waits: { count: number; milliseconds: number };
	/** The number of the last pause in `waits`. */
	lastPause: number;
}

/** A row of a run. After it ends, the limiter sends no more of its requests. */
export interface QueuedRow {
	isOver: boolean;
}

/** A row and its run. */
interface Owner {
	readonly run: Run;
	readonly row: QueuedRow;
}

/** A request of a row. Its retries are the same object, so they keep their place in the queue. */
export interface RowRequest extends Owner {
	/** How long the row has waited for the service. */
	readonly waited: WaitingTime;
	readonly queuedAt: number;
	/** The number of the request, in the order in which requests are queued. */
	readonly position: number;
	/** Max time in milliseconds for the complete response. */
	readonly timeout: number;
	/** Whether the request changes nothing, so that it can be aborted at any time. */
	readonly isRead: boolean;
	/** Whether only one such request may be in flight until the generation of the service is known. */
	readonly isSingle: boolean;
	/** Sends the request, and reads its response. Rejects only if a function that the run passed in throws. */
	readonly work: (signal: AbortSignal) => Promise<HttpExchange>;
	/** Called when the request has ended. A canceled write ends after its row. */
	readonly onEnd: () => void;
}

/** A request that waits to be sent. */
interface QueuedRequest extends RowRequest {
	readonly resolve: (result: AbortReason | HttpExchange) => void;
	readonly reject: (error: unknown) => void;
}

/** A request that was sent and has not ended. */
interface InFlightRequest extends Owner {
	readonly isSingle: boolean;
	/** When the request is aborted. */
	deadline: number;
	readonly abort: (reason: AbortReason) => void;
	readonly cancel: () => void;
}

/** A row that waits for a time, or for an event. */
export interface Wait extends Owner {
	/** Max time in milliseconds. */
	readonly milliseconds: number;
	readonly event?: Promise<void>;
	/** The failures that the row waits out. The wait becomes shorter when the service recovers. */
	readonly health?: Health;
}

interface Timer extends Wait {
	endsAt: number;
	readonly expire: () => void;
	readonly reject: (error: unknown) => void;
}

/** Max time of a sleep in milliseconds. The timer of a run that has ended must not keep a process alive. */
const maxSleep = 1000;

/** Max time in milliseconds that a write continues after its row was canceled. */
const maxWriteWait = 10_000;

/** Time in milliseconds to keep an unused limiter, so that the next run continues its pace. */
const idleTime = 60_000;

/** Time in milliseconds to reserve capacity after a request with priority, because more of them usually follow. */
const reservingTime = 600_000;

const priorityOf = ({ run: { options } }: Owner): number =>
	options.isInteractive ? 2 : options.isPoll ? 1 : 0;

const isPaced = ({ run: { options } }: Owner): boolean => options.requestsPerMinute > 0;

/** Returns a function that recognizes what belongs to a run, or to one of its rows. */
const belongsTo =
	(run: Run, row?: QueuedRow) =>
	(owner: Owner): boolean =>
		owner.run === run && (row === undefined || owner.row === row);

/**
 * Decides when a request is sent, for all executions of this process that use a service with one key. All timers are here;
 * no other code waits (assumption: throttle).
 */
export class RateLimiter {
	readonly clock: Clock;

	readonly locks = new Locks();

	readonly generation = new Generation();

	/** The failures of reads and of writes. */
	readonly reads = new Health();
	readonly writes = new Health();

	throttle: Throttle;

	private readonly runs = new Set<Run>();

	/** Requests with a higher priority go first, and then requests that were queued earlier. */
	private readonly queue: QueuedRequest[] = [];

	private readonly inFlight = new Set<InFlightRequest>();

	private readonly timers = new Set<Timer>();

	private lastPosition = 0;

	/** When Requests Per Minute last let a request through, when the last request with priority was queued, and the last run ended. */
	private pacedAt = -Infinity;
	private priorityAt = -Infinity;
	private closedAt = -Infinity;

	/** When the clock wakes the limiter. */
	private wakesAt = Infinity;

	constructor(clock: Clock) {
		this.clock = clock;
		this.throttle = new Throttle(clock);
	}

	/** Begins a run. The caller closes it. */
	open(run: Run): void {
		this.runs.add(run);
	}

	/** Ends a run. If it was the last one during a pause, the next run measures the limit again. */
	close(run: Run): void {
		this.runs.delete(run);
		if (this.runs.size > 0) return;
		this.closedAt = this.clock.now();
		this.locks.clearHistory();
		const { hasInFlight, blockedSince } = this.throttle;
		if (hasInFlight || blockedSince !== undefined) this.throttle = new Throttle(this.clock);
	}

	/** Returns the position of a new request. */
	nextPosition(): number {
		this.lastPosition += 1;
		return this.lastPosition;
	}

	/** Returns whether the limiter can be discarded, because it was not used for a minute. */
	isIdle(): boolean {
		return this.runs.size === 0 && this.clock.now() > this.closedAt + idleTime;
	}

	/**
	 * Sends a request when its turn comes. Resolves with the result of `work`, or with the reason why the request was aborted.
	 *
	 * @throws NotSentError if the request is not sent
	 */
	async send(request: RowRequest): Promise<AbortReason | HttpExchange> {
		return await new Promise((resolve, reject) => {
			if (request.run.isOver || request.row.isOver) throw new NotSentError();
			const priority = priorityOf(request);
			if (priority > 0) this.priorityAt = this.clock.now();
			const isBehind = (other: QueuedRequest) =>
				(priority - priorityOf(other) || other.position - request.position) > 0;
			const at = this.queue.findIndex(isBehind);
			this.queue.splice(at < 0 ? this.queue.length : at, 0, { ...request, resolve, reject });
			this.dispatch();
		});
	}

	/**
	 * Waits for a time, or for an event.
	 *
	 * @returns whether the event happened
	 * @throws NotSentError if the run or the row ends first
	 */
	async wait(wait: Wait): Promise<boolean> {
		return await new Promise((resolve, reject) => {
			if (wait.run.isOver || wait.row.isOver) throw new NotSentError();
			const endsAt = this.clock.now() + wait.milliseconds;
			const timer: Timer = { ...wait, endsAt, expire: () => resolve(false), reject };
			this.timers.add(timer);
			void wait.event?.then(() => {
				this.timers.delete(timer);
				resolve(true);
			});
			this.dispatch();
		});
	}

	/** Records a success, and shortens the delays before retries to about a second. */
	recovered(health: Health): void {
		if (health.failures === 0) return;
		health.succeeded();
		for (const timer of this.timers) {
			if (timer.health !== health) continue;
			const soon = this.clock.now() + (0.75 + this.clock.random() / 2) * 1000;
			timer.endsAt = Math.min(timer.endsAt, soon);
		}
		this.dispatch();
	}

	/** Rejects the requests and the waits of a run, or of one of its rows. */
	drop(run: Run, row?: QueuedRow): void {
		for (const timer of [...this.timers].filter(belongsTo(run, row))) {
			this.timers.delete(timer);
			timer.reject(new NotSentError());
		}
		for (const request of this.queue.filter(belongsTo(run, row))) {
			this.dequeue(request);
			request.reject(new NotSentError());
		}
		this.dispatch();
	}

	/** Cancels the requests in flight of a run, or of one of its rows: aborts reads, and lets writes finish without their rows. */
	cancel(run: Run, row?: QueuedRow): void {
		for (const request of [...this.inFlight].filter(belongsTo(run, row))) request.cancel();
		this.dispatch();
	}

	private dequeue(request: QueuedRequest): void {
		this.queue.splice(this.queue.indexOf(request), 1);
	}

	/** Sends a request. Resolves when it has ended. Never rejects. */
	private async sendNow(queued: QueuedRequest): Promise<void> {
		const { run, row, waited, queuedAt, timeout, isRead, isSingle, resolve, reject } = queued;
		const now = this.clock.now();
		const { throttle } = this;
		const blocked = throttle.blockedPeriod(now);
		const release = throttle.released(now);
		const controller = new AbortController();
		let isSettled = false;
		const settle = (result: () => void) => {
			if (isSettled) return;
			isSettled = true;
			run.inFlight -= 1;
			result();
		};
		const end = (answer?: HttpAnswer) => {
			if (this.inFlight.delete(request)) queued.onEnd();
			throttle.answered(release, this.clock.now(), answer);
		};
		const abort = (reason: AbortReason) => {
			end();
			controller.abort();
			settle(() => resolve(reason));
		};
		const cancel = () => {
			if (isRead) return abort('canceled');
			request.deadline = Math.min(request.deadline, this.clock.now() + maxWriteWait);
			settle(() => resolve('canceled'));
		};
		const request = { run, row, isSingle, deadline: now + timeout, abort, cancel };
		this.inFlight.add(request);
		run.inFlight += 1;
		try {
			const sent = await queued.work(controller.signal);
			// A refused request keeps waiting. Of several blocked periods, only the last one counts.
			const isRefused = sent.answer?.status === 429;
			if (blocked && !isRefused) waited.add(Math.max(queuedAt, blocked.from), blocked.to);
			end(sent.answer);
			settle(() => resolve(sent));
		} catch (error) {
			end();
			settle(() => reject(error));
		}
		this.dispatch();
	}

	/** Sends the requests that are due, ends what has waited too long, and sets the clock for the next time. */
	private dispatch(): void {
		const now = this.clock.now();
		for (const { deadline, abort } of this.inFlight) if (deadline <= now) abort('timedOut');
		for (const timer of this.timers) {
			if (timer.endsAt > now) continue;
			this.timers.delete(timer);
			timer.expire();
		}
		let next = this.next(now);
		while (next.request && next.at <= now) {
			this.dequeue(next.request);
			if (isPaced(next.request)) this.pacedAt = now;
			void this.sendNow(next.request);
			next = this.next(now);
		}
		this.enforceMaxWait(now);
		let wakesAt = this.queue.length > 0 ? Math.min(next.at, now + maxSleep) : Infinity;
		for (const { deadline } of this.inFlight) wakesAt = Math.min(wakesAt, deadline);
		for (const { endsAt } of this.timers) wakesAt = Math.min(wakesAt, endsAt);
		this.wakeAt(wakesAt);
	}

	/** Returns the next request, and when it is due; Infinity if it must wait for a response to another request. */
	private next(now: number): { readonly request?: QueuedRequest; readonly at: number } {
		if (this.queue.length === 0) return { at: Infinity };
		let [pace, maxConcurrency] = [0, 1];
		for (const { options } of this.runs) {
			if (options.requestsPerMinute > 0) pace = Math.max(pace, 60_000 / options.requestsPerMinute);
			maxConcurrency = Math.max(maxConcurrency, options.concurrency);
		}
		const isSingleInFlight = [...this.inFlight].some(({ isSingle }) => isSingle);
		const mustBeSingle = !this.generation.isKnown && isSingleInFlight;
		const dueAt = (request: QueuedRequest) => {
			const { inFlight, options } = request.run;
			if (inFlight >= options.concurrency || (request.isSingle && mustBeSingle)) return Infinity;
			return isPaced(request) ? this.pacedAt + pace : -Infinity;
		};
		const request = this.queue.find((queued) => dueAt(queued) <= now);
		if (!request)
			return { at: this.queue.reduce((at, each) => Math.min(at, dueAt(each)), Infinity) };
		const at = this.throttle.next(now, {
			maxConcurrency,
			hasPriority: priorityOf(request) > 0,
			isReserving: now < this.priorityAt + reservingTime,
		});
		return { request, at };
	}

	/** Rejects requests whose rows would exceed Max Wait during the current pause, and counts the pause for the other runs. */
	private enforceMaxWait(now: number): void {
		const { blockedSince, pausedUntil, pauseReason: reason, pauses } = this.throttle;
		if (blockedSince === undefined) return;
		const remaining = Math.max(0, pausedUntil - now);
		for (const request of [...this.queue]) {
			const { run, queuedAt } = request;
			const waited = request.waited.totalWith(Math.max(queuedAt, blockedSince), now);
			if (waited + remaining > run.options.maxWait) {
				this.dequeue(request);
				request.reject(new NotSentError({ reason, waited, remaining }));
			} else if (run.lastPause !== pauses && remaining > 0) {
				run.lastPause = pauses;
				run.waits.count += 1;
				run.waits.milliseconds += remaining;
			}
		}
	}

	/** Calls `dispatch` at a time, but at the latest after a second. Ignores Infinity. */
	private wakeAt(time: number): void {
		if (time === Infinity) return;
		const now = this.clock.now();
		const at = Math.min(time, now + maxSleep);
		if (at >= this.wakesAt) return;
		this.wakesAt = at;
		void this.clock.sleep(Math.max(0, at - now)).then(() => {
			if (this.wakesAt === at) this.wakesAt = Infinity;
			this.dispatch();
		});
	}
}
