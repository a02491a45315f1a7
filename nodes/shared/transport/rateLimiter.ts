import { Alarm, maxSleep } from './alarm';
import type { Clock } from './clock';
import { Delays } from './delays';
import { Generation } from './generation';
import {
	InFlightRequests,
	maxWriteWait,
	type AbortReason,
	type OutgoingRequest,
	type RequestLimits,
	type Sent,
} from './inFlightRequests';
import { KeyedMutex } from './keyedMutex';
import { enforceMaxWait } from './maxWait';
import { isPaced, RequestQueue } from './requestQueue';
import { NotSentError, type QueueOptions } from './queueOptions';
import {
	RunQueue,
	type ErrorOf,
	type Matches,
	type Place,
	type QueuedRequest,
	type QueuedRow,
	type SharedQueue,
} from './runQueue';
import { Throttle } from './throttle';
import { WaitingTime } from './waitingTime';

type SendQueued<T> = (
	work: (signal: AbortSignal) => Promise<T>,
	limits: RequestLimits,
) => Promise<AbortReason | T>;

/** Time in milliseconds to keep an unused limiter, so that the next run continues its pace. */
const idleTime = 60_000;

/** Time in milliseconds to keep the throttle without a run, because workers have gaps between executions. */
const estimateLifetime = 10_000;

/**
 * Decides when a request is sent, for all executions of this process that use a service with one key. All timers are here;
 * no other code waits (assumption: throttle).
 */
export class RateLimiter implements SharedQueue {
	readonly clock: Clock;

	readonly mutex = new KeyedMutex();

	throttle: Throttle;

	readonly generation = new Generation();

	private readonly queue = new RequestQueue();

	private readonly delays = new Delays();

	private readonly inFlight: InFlightRequests;

	private readonly alarm: Alarm;

	private readonly runs = new Set<RunQueue>();

	private lastPosition = 0;

	/** When the last request was sent: any request, and a request that Requests Per Minute limits. */
	private sentAt = -Infinity;
	private pacedAt = -Infinity;

	private closedAt = -Infinity;

	private isDispatching = false;

	constructor(clock: Clock) {
		this.clock = clock;
		this.throttle = new Throttle(clock);
		this.alarm = new Alarm(clock, () => this.dispatch());
		this.inFlight = new InFlightRequests(() => clock.now());
	}

	/** Begins a run. The caller closes it. */
	open(options: QueueOptions): RunQueue {
		const isOutdated = this.clock.now() > this.closedAt + estimateLifetime;
		if (this.runs.size === 0 && isOutdated) this.throttle = new Throttle(this.clock);
		const run = new RunQueue(this, options);
		this.runs.add(run);
		return run;
	}

	/**
	 * Ends a run, and keeps the estimate of the limit for the next run. If the last open run ends during a pause or with a
	 * request in flight, it discards the estimate, so that the next run measures the limit again.
	 */
	close(run: RunQueue): void {
		this.runs.delete(run);
		if (this.runs.size > 0) return;
		this.closedAt = this.clock.now();
		this.mutex.clearHistory();
		const { hasInFlight, blockedSince } = this.throttle;
		if (hasInFlight || blockedSince !== undefined) this.throttle = new Throttle(this.clock);
	}

	/** Number of requests that the service accepts now; undefined if no limit is known. */
	get remaining(): number | undefined {
		return this.throttle.remaining(this.clock.now());
	}

	/** Returns whether the limiter can be discarded, because a new limiter would behave identically. */
	isIdle(): boolean {
		return this.runs.size === 0 && this.clock.now() > this.sentAt + idleTime;
	}

	/**
	 * Returns a function that queues a request of a row. Call it again for a retry. It resolves with the result of `work`, or
	 * with the reason why the request was aborted. It rejects with NotSentError if the request is not sent.
	 *
	 * @param waited adds up the time that the row waits for the service
	 */
	request<T extends Sent>(
		run: RunQueue,
		row: QueuedRow,
		waited = new WaitingTime(),
	): SendQueued<T> {
		const place = this.nextPlace(run, row, waited);
		return async (work, limits) =>
			await new Promise<AbortReason | T>((resolve, reject) => {
				const send = () => this.send({ ...place, limits, work, resolve, reject });
				const { isSingle } = limits;
				run.enqueue({ ...place, isSingle, send, reject });
				this.dispatch();
			});
	}

	private nextPlace(run: RunQueue, row: QueuedRow, waited: WaitingTime): Place {
		this.lastPosition += 1;
		return { run, row, waited, position: this.lastPosition, queuedAt: this.clock.now() };
	}

	private send<T extends Sent>(request: OutgoingRequest<T>): void {
		this.sentAt = this.clock.now();
		if (isPaced(request)) this.pacedAt = this.sentAt;
		void this.inFlight.send(request, this.throttle).finally(() => this.dispatch());
	}

	/**
	 * Waits before a retry, and adds the delay to the waiting time of the row.
	 *
	 * @throws NotSentError if the run or the row ends first
	 */
	async backoff(
		run: RunQueue,
		row: QueuedRow,
		milliseconds: number,
		waited = new WaitingTime(),
	): Promise<void> {
		if (milliseconds <= 0) return;
		const since = this.clock.now();
		const waiting = this.waitFor(run, row, new Promise(() => undefined), milliseconds);
		await waiting.finally(() => waited.add(since, this.clock.now()));
	}

	/**
	 * Waits for an event, up to a number of milliseconds. A waiting row is suspended: it uses no slot of its run.
	 *
	 * @returns whether the event happened
	 * @throws NotSentError if the run or the row ends first
	 */
	async waitFor(
		run: RunQueue,
		row: QueuedRow,
		event: Promise<void>,
		milliseconds: number,
	): Promise<boolean> {
		if (run.isOver || row.isOver) throw new NotSentError();
		const place = this.nextPlace(run, row, new WaitingTime());
		const waiting = this.delays.wait(event, place.queuedAt + milliseconds, place);
		this.dispatch();
		return await run.suspend(waiting);
	}

	/** Waits for the writes of a canceled row, up to 10 seconds. */
	async waitForWrites(writes: Promise<unknown>): Promise<void> {
		const waiting = this.delays.wait(writes, this.clock.now() + maxWriteWait);
		this.dispatch();
		await waiting;
	}

	enqueue(request: QueuedRequest): void {
		this.queue.add(request);
	}

	remove(matches: Matches, errorOf: ErrorOf): void {
		this.delays.remove(matches, errorOf);
		for (const request of this.queue.remove(matches)) {
			request.reject(errorOf(request));
			request.run.releaseSlot();
		}
		this.dispatch();
	}

	cancel(matches: Matches): void {
		this.inFlight.cancel(matches);
	}

	/** Sends the requests that are due, and sets the alarm for the next ones, even if a request throws. */
	private dispatch(): void {
		if (this.isDispatching) return;
		this.isDispatching = true;
		const now = this.clock.now();
		let next = now + maxSleep;
		try {
			next = this.sendDue(now);
		} finally {
			this.isDispatching = false;
			this.alarm.set(next);
		}
	}

	/**
	 * Sends the requests that are due, and ends requests and waits whose time has passed.
	 *
	 * @returns when to call it again
	 */
	private sendDue(now: number): number {
		this.inFlight.expire(now);
		this.delays.expire(now);
		let next = this.nextRequest(now);
		while (next.request && next.at <= now) {
			this.queue.take(next.request);
			next.request.send();
			next = this.nextRequest(now);
		}
		const tooLongAt = enforceMaxWait(this.queue, this.throttle, now);
		return Math.min(tooLongAt, next.at, this.inFlight.nextDeadline, this.delays.nextEnd);
	}

	/** Returns the next request, and when it is due; Infinity if it must wait for a response to another request. */
	private nextRequest(now: number): { readonly request?: QueuedRequest; readonly at: number } {
		if (this.queue.all.length === 0) return { at: Infinity };
		const options = [...this.runs].map((run) => run.options);
		const paces = options.map(({ requestsPerMinute: pace }) => (pace > 0 ? 60_000 / pace : 0));
		const pacedFrom = this.pacedAt + paces.reduce((slowest, pace) => Math.max(slowest, pace), 0);
		const singleFrom = this.generation.isKnown ? -Infinity : this.inFlight.nextSingleAt;
		const dueAt = (request: QueuedRequest) =>
			Math.max(isPaced(request) ? pacedFrom : -Infinity, request.isSingle ? singleFrom : -Infinity);
		const request = this.queue.first((queued) => dueAt(queued) <= now);
		if (!request) {
			const next = this.queue.all.reduce((at, queued) => Math.min(at, dueAt(queued)), Infinity);
			return { at: Math.max(next, this.throttle.pausedUntil) };
		}
		const { at, pause } = this.throttle.next(now, {
			maxConcurrency: options.reduce((most, { concurrency }) => Math.max(most, concurrency), 1),
			...this.queue.demandOf(request, now),
		});
		if (pause) this.throttle.paused(now, pause);
		return { request, at };
	}
}
