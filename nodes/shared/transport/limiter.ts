import type { ApiRequest } from '../contract/operations';
import type { HttpExchange } from './exchange';
import { Generation, mayLoseValues } from './generation';
import { Locks } from './locks';
import { Health, Throttle, type Clock, type PauseReason, type WaitingTime } from './throttle';

/** The settings of a run that decide when its requests are sent. */
export interface ClientOptions {
	/** Max number of requests in the shared queue and in flight. */
	readonly concurrency: number;
	/** Min time in milliseconds between two requests of the runs that set it; 0 for none. */
	readonly pace: number;
	/** Max time in milliseconds that a row waits for a rate limit or an outage, over all its requests. */
	readonly maxWait: number;
	/** Max time in milliseconds for the complete response to one request. */
	readonly timeout: number;
	/**
	 * Who waits for the responses, if it is not a run. Requests of the editor are sent before all others, because a user waits for
	 * them. A poll has little time, so its requests are sent before those of runs.
	 */
	readonly caller?: 'editor' | 'poll';
	/** Aborted when the execution is canceled, or when the time limit of a poll or of a list in the editor has passed. */
	readonly signal?: AbortSignal;
}

/** A run, as the limiter sees it. */
export class Run {
	readonly options: ClientOptions;

	/** Whether the run has ended, so that it sends no more requests. */
	isOver = false;

	/** Number of its requests in flight. Concurrency limits it. */
	inFlight = 0;

	/** Number of its rows that wait for a time or an event. Others can start in the meantime. */
	suspended = 0;

	/** Called after each change of these numbers. */
	onChange = (): void => undefined;

	/** Number of pauses of the service during which the run waited, their total in milliseconds, and the end of the last one. */
	readonly waits = { count: 0, milliseconds: 0, until: -Infinity };

	constructor(options: ClientOptions) {
		this.options = options;
	}
}

/** A row of a run. After it ends, the limiter sends no more of its requests. */
export interface QueuedRow {
	readonly run: Run;
	isOver: boolean;
}

/** A pause that lasts longer than a row may wait. Times in milliseconds. */
export interface LongPause {
	readonly reason: PauseReason;
	/** How long the row has waited for the service. */
	readonly waited: number;
	/** Known remaining time of the pause. */
	readonly remaining: number;
}

/** Why the limiter ends a request: its row or run has ended before or after it was sent, or a pause is too long. */
export type Stop = 'canceled' | 'ended' | LongPause;

/** The result of a request. With `stop`, it was not sent, or its row does not wait for the response. */
export type Result = HttpExchange & { readonly stop?: Stop };

/** A request of a row. Its retries have the same position, so they keep their place in the queue. */
export interface RowRequest {
	readonly row: QueuedRow;
	/** How long the row has waited for the service. */
	readonly waited: WaitingTime;
	/** When its first try was queued. */
	readonly queuedAt: number;
	/** The number of the request, in the order in which requests are queued. */
	readonly position: number;
	readonly target: Pick<ApiRequest, 'method' | 'path'>;
	/** Sends the request, and reads its response. Ends at once if the signal aborts. */
	readonly work: (signal: AbortSignal) => Promise<HttpExchange>;
}

/** A request that waits to be sent. */
type QueuedRequest = RowRequest & { readonly resolve: (result: Result) => void };

/** A row that waits for a time, or for an event. */
export interface Wait {
	readonly row: QueuedRow;
	/** Max time in milliseconds. */
	readonly milliseconds: number;
	readonly event?: Promise<void>;
	/** The failures that the row waits out. The wait becomes shorter when the service recovers. */
	readonly health?: Health;
	/** Counts the wait. */
	readonly waited?: WaitingTime;
}

/** How a wait ended. */
export type WaitEnd = 'ended' | 'event' | 'time';

/** A wait, or a request in flight. */
interface Pending extends Pick<Wait, 'health' | 'row'> {
	endsAt: number;
	/** Called when the time is over. */
	readonly expire: () => void;
	/** Called when the row or its run ends. */
	readonly cancel: () => void;
	/** Set for a request. */
	readonly target?: RowRequest['target'];
}

/** Max time of a sleep in milliseconds. The timer of a run that has ended must not keep a process alive. */
const maxSleep = 400;

/** Max time in milliseconds that a write continues after its row was canceled. */
const maxWriteWait = 10_000;

/** Time in milliseconds to keep an unused limiter, so that the next run continues its pace. */
const idleTime = 60_000;

/** Who waits for a response: the last one has the highest priority. */
const callers = [undefined, 'poll', 'editor'];

const priorityOf = ({ options: { caller } }: Run): number => callers.indexOf(caller);

/** Requests with a higher priority go first, and then requests that were queued earlier. */
const byPriority = (a: QueuedRequest, b: QueuedRequest): number =>
	priorityOf(b.row.run) - priorityOf(a.row.run) || a.position - b.position;

const isOver = (row: QueuedRow): boolean => row.isOver || row.run.isOver;

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

	throttle = new Throttle();

	/** The position of the last request. */
	lastPosition = 0;

	/** The runs that have begun and not ended. A run adds itself, and calls `close` in the end. */
	readonly runs = new Set<Run>();

	/** In the order of `byPriority`. */
	private readonly queue: QueuedRequest[] = [];

	private readonly pending = new Set<Pending>();

	/** When Requests Per Minute last let a request through, and when the last run ended. */
	private pacedAt = -Infinity;
	private closedAt = -Infinity;

	/** When the clock wakes the limiter. */
	private wakesAt = Infinity;

	constructor(clock: Clock) {
		this.clock = clock;
	}

	/** Removes a run. If it was the last one during a pause, the next run measures the limit again. */
	close(run: Run): void {
		this.runs.delete(run);
		if (this.runs.size > 0) return;
		this.closedAt = this.clock.now();
		// After a cancel, a write may still hold its locks.
		if (this.locks.queues.size === 0) this.locks.lastLocks.clear();
		if (this.pending.size > 0 || this.throttle.isPaused) this.throttle = new Throttle();
	}

	/** Returns whether the limiter can be discarded, because it was not used for a minute. */
	isIdle(): boolean {
		return this.runs.size === 0 && this.clock.now() > this.closedAt + idleTime;
	}

	/** Sends a request when its turn comes, and resolves with the result of `work`. Never rejects. */
	async send(request: RowRequest): Promise<Result> {
		if (isOver(request.row)) return { stop: 'ended' };
		return await new Promise((resolve) => {
			this.queue.push({ ...request, resolve });
			this.queue.sort(byPriority);
			this.dispatch();
		});
	}

	/** Waits for a time, or for an event. Never rejects. */
	async wait({ row, milliseconds, event, health, waited }: Wait): Promise<WaitEnd> {
		if (isOver(row)) return 'ended';
		const since = this.clock.now();
		return await new Promise((resolve) => {
			const end = (result: WaitEnd) => () => {
				if (!this.pending.delete(wait)) return;
				row.run.suspended -= 1;
				waited?.add(since, this.clock.now());
				resolve(result);
			};
			const endsAt = since + milliseconds;
			const wait: Pending = { row, health, endsAt, expire: end('time'), cancel: end('ended') };
			this.pending.add(wait);
			row.run.suspended += 1;
			void event?.then(end('event'));
			this.dispatch();
		});
	}

	/** Records a success, and shortens the delays before retries to about a second. */
	recovered(health: Health): void {
		if (health.failures === 0) return;
		health.failures = 0;
		for (const wait of this.pending) {
			if (wait.health !== health) continue;
			const soon = this.clock.now() + (0.75 + this.clock.random() / 2) * 1000;
			wait.endsAt = Math.min(wait.endsAt, soon);
		}
		this.dispatch();
	}

	/**
	 * Ends a run, or one of its rows: rejects its queued requests and its waits. Its requests in flight may finish, or are
	 * canceled: reads at once, and writes after 10 seconds, for which their rows do not wait.
	 */
	end(owner: QueuedRow | Run, inFlight: 'cancel' | 'finish'): void {
		owner.isOver = true;
		const isOwn = ({ row }: Pick<Pending, 'row'>) => row === owner || row.run === owner;
		for (const each of [...this.pending].filter(isOwn)) {
			if (!each.target || inFlight === 'cancel') each.cancel();
		}
		for (const request of this.queue.filter(isOwn))
			this.dequeue(request).resolve({ stop: 'ended' });
		this.dispatch();
	}

	private dequeue(request: QueuedRequest): QueuedRequest {
		this.queue.splice(this.queue.indexOf(request), 1);
		return request;
	}

	/** Sends a request. Resolves when it has ended. Never rejects. */
	private async sendNow(request: QueuedRequest): Promise<void> {
		const { row, target, waited, queuedAt } = request;
		const { throttle, clock } = this;
		const { pause } = throttle;
		const now = clock.now();
		const number = throttle.released(now);
		const controller = new AbortController();
		const expire = () => {
			inFlight.endsAt = Infinity;
			controller.abort({ code: 'timedOut' });
		};
		const cancel = () => {
			request.resolve({ stop: 'canceled' });
			const left = target.method === 'GET' ? 0 : maxWriteWait;
			inFlight.endsAt = Math.min(inFlight.endsAt, clock.now() + left);
		};
		const { timeout } = row.run.options;
		const inFlight: Pending = { row, target, endsAt: now + timeout, expire, cancel };
		this.pending.add(inFlight);
		row.run.inFlight += 1;
		const exchange = await request.work(controller.signal);
		// A refused request keeps waiting. Of several pauses, only the last one counts.
		if (exchange.answer?.status !== 429) {
			waited.add(Math.max(queuedAt, pause.from), Math.min(now, pause.to));
		}
		this.pending.delete(inFlight);
		row.run.inFlight -= 1;
		throttle.answered(number, clock, exchange.answer);
		request.resolve(exchange);
		this.dispatch();
	}

	/** Sends the requests that are due, ends what has waited too long, and sets the clock for the next time. */
	private dispatch(): void {
		const now = this.clock.now();
		for (const { endsAt, expire } of this.pending) if (endsAt <= now) expire();
		let next = this.next(now);
		while (next.request && next.at <= now) {
			if (next.request.row.run.options.pace > 0) this.pacedAt = now;
			void this.sendNow(this.dequeue(next.request));
			next = this.next(now);
		}
		this.enforceMaxWait(now);
		for (const run of this.runs) run.onChange();
		if (this.queue.length + this.pending.size === 0) return;
		let wakesAt = Math.min(next.at, now + maxSleep);
		for (const { endsAt } of this.pending) wakesAt = Math.min(wakesAt, endsAt);
		if (wakesAt >= this.wakesAt) return;
		this.wakesAt = wakesAt;
		void this.clock.sleep(Math.max(0, wakesAt - now)).then(() => {
			if (this.wakesAt === wakesAt) this.wakesAt = Infinity;
			this.dispatch();
		});
	}

	/** Returns the next request, and when it is due; Infinity if it must wait for a response to another request. */
	private next(now: number): { readonly request?: QueuedRequest; readonly at: number } {
		let [pace, maxConcurrency] = [0, 1];
		for (const { options } of this.runs) {
			pace = Math.max(pace, options.pace);
			maxConcurrency = Math.max(maxConcurrency, options.concurrency);
		}
		// Until the generation of the service is known, only one request that may lose values is in flight.
		const isOne =
			!this.generation.isKnown && [...this.pending].some(({ target }) => mayLoseValues(target));
		const dueAt = ({ target, row: { run } }: QueuedRequest) => {
			const isFull = run.inFlight >= run.options.concurrency;
			if (isFull || (isOne && mayLoseValues(target))) return Infinity;
			return run.options.pace > 0 ? this.pacedAt + pace : -Infinity;
		};
		const request = this.queue.find((queued) => dueAt(queued) <= now);
		if (!request) return { at: this.queue.map(dueAt).reduce((a, b) => Math.min(a, b), Infinity) };
		const hasPriority = priorityOf(request.row.run) > 0;
		return { request, at: this.throttle.next(now, maxConcurrency, hasPriority) };
	}

	/** Stops requests whose rows would exceed Max Wait during the current pause, and counts the pause for the other runs. */
	private enforceMaxWait(now: number): void {
		if (!this.throttle.isPaused) return;
		const { from, until, reason } = this.throttle.pause;
		const remaining = Math.max(0, until - now);
		for (const request of [...this.queue]) {
			const { options, waits } = request.row.run;
			const waited = request.waited.totalWith(Math.max(request.queuedAt, from), now);
			if (waited + remaining > options.maxWait) {
				this.dequeue(request).resolve({ stop: { reason, waited, remaining } });
			} else if (waits.until !== until && remaining > 0) {
				waits.until = until;
				waits.count += 1;
				waits.milliseconds += remaining;
			}
		}
	}
}
