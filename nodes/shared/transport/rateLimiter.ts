import {
	RunQueue,
	NotSentError,
	type RunOptions,
	type QueuedRow,
	type Line,
	type ReasonFor,
	type QueuedRequest,
} from './runQueue';
import { Throttle } from './throttle';
import type { Clock } from './clock';
import {
	InFlight,
	type AbortReason,
	type RequestLimits,
	type Sending,
	type Sent,
} from './inFlightRequests';
import { isPaced, rankOf, RequestQueue } from './requestQueue';
import { WorkQueues } from './keyedMutex';
import { WaitingTime } from './waitingTime';

/** A wait of a row that ends by itself. */
interface Rest {
	readonly ticket: QueuedRequest;
	readonly dueAt: number;
}

/** Sends a request when its turn has come. */
type SendInTurn<T> = (
	work: (signal: AbortSignal) => Promise<T>,
	limits: RequestLimits,
) => Promise<AbortReason | T>;

/** No sleep is longer, in milliseconds: a timer of a run that is over must not keep a process alive. */
const longestSleep = 1000;

/** The time of the last request is remembered so long, in milliseconds, for the pace of the next run. */
const idleTime = 60_000;

/** What was learned of the limit is kept so long without a run, in milliseconds: workers have gaps between executions. */
const knownFor = 10_000;

/** So long, in milliseconds, after a person or a poll has asked, others are expected to: room is kept for them. */
const rankedFor = 600_000;

/**
 * Decides when a request leaves, for all executions of this process that use one service with one key. Nothing else waits:
 * the pace, the pauses of a limit, the delay before a repeat, requests under way, their order and their time-outs are
 * decided here (assumption: throttle).
 */
export class RateLimiter implements Line {
	readonly clock: Clock;

	/** Work on the same thing, which runs take turns at. */
	readonly mutex = new WorkQueues();

	/** What the service lets through. */
	throttle: Throttle;

	private readonly lanes = new Set<RunQueue>();

	private readonly queue = new RequestQueue();

	/** Rows that wait before a repeat, in no order. */
	private readonly rests = new Set<Rest>();

	private readonly inFlight = new InFlight();

	private positions = 0;

	/** When a person or a poll asked last. */
	private rankedAt = -Infinity;

	/** When the last request was sent, and the last one that Requests Per Minute limits. */
	private sentAt = -Infinity;
	private pacedAt = -Infinity;

	/** When the last run ended. */
	private closedAt = -Infinity;

	/** The earliest time at which a sleep ends. */
	private wakesAt = Infinity;

	private isDispatching = false;

	constructor(clock: Clock) {
		this.clock = clock;
		this.throttle = new Throttle(clock);
	}

	/** Begins a run. It is to be closed. */
	open(options: RunOptions): RunQueue {
		const isOutdated = this.clock.now() > this.closedAt + knownFor;
		if (this.lanes.size === 0 && isOutdated) this.throttle = new Throttle(this.clock);
		const lane = new RunQueue(this, options);
		this.lanes.add(lane);
		return lane;
	}

	/**
	 * Ends a run. What was learned of the limit is kept for the next one, unless the last run that is open ends before the
	 * service lets requests through again: then the next one asks anew.
	 */
	close(lane: RunQueue): void {
		this.lanes.delete(lane);
		if (this.lanes.size > 0) return;
		this.closedAt = this.clock.now();
		this.mutex.worked.clear();
		if (!this.inFlight.isEmpty || this.throttle.stalledSince !== undefined)
			this.throttle = new Throttle(this.clock);
	}

	/** Whether nothing would be different if this limiter were made anew. */
	isIdle(): boolean {
		return this.lanes.size === 0 && this.clock.now() > this.sentAt + idleTime;
	}

	/**
	 * A request of a row, which may be sent more than once. Each time it waits for its turn; it resolves with what `work`
	 * returns, or with the reason why it was given up.
	 *
	 * @param waited how long the request may count as waiting together with others; alone unless given
	 * @throws NotSent if it is not sent
	 */
	request<T extends Sent>(
		lane: RunQueue,
		row: QueuedRow,
		waited = new WaitingTime(),
	): SendInTurn<T> {
		const place = { ...this.placeOf(lane, row), waited };
		return async (work, limits) =>
			await new Promise<AbortReason | T>((resolve, reject) => {
				const leave = () =>
					this.send({ lane, row, limits, work: this.counting<T>(place, work), resolve, reject });
				lane.enter({ ...place, leave, refuse: reject });
				this.dispatch();
			});
	}

	/**
	 * Makes work count the stall that its request has waited for, as soon as the request is answered. A request that is refused
	 * waits on: of several stalls, between which others got through, only the last one counts.
	 */
	private counting<T extends Sent>(
		{ waited, askedAt }: Pick<QueuedRequest, 'askedAt' | 'waited'>,
		work: (signal: AbortSignal) => Promise<T>,
	): (signal: AbortSignal) => Promise<T> {
		const stall = this.throttle.stall(this.clock.now());
		return async (signal) => {
			const sent = await work(signal);
			const isRefused = sent.answer?.status === 429;
			if (stall && !isRefused) waited.add(Math.max(askedAt, stall.from), stall.to);
			return sent;
		};
	}

	/**
	 * Waits before a retry, and counts that as waiting of the row. The row takes no room of its lane in that time.
	 *
	 * @throws NotSent if the run or the row ends before
	 */
	async backoff(
		lane: RunQueue,
		row: QueuedRow,
		milliseconds: number,
		waited = new WaitingTime(),
	): Promise<void> {
		if (milliseconds <= 0) return;
		const since = this.clock.now();
		const never = new Promise<void>(() => undefined);
		await this.waitFor(lane, row, never, milliseconds).finally(() =>
			waited.add(since, this.clock.now()),
		);
	}

	/**
	 * Waits for an event, for the given number of milliseconds at most. The row takes no room of its lane in that time.
	 *
	 * @returns whether the event happened
	 * @throws NotSent if the run or the row ends before
	 */
	async waitFor(
		lane: RunQueue,
		row: QueuedRow,
		event: Promise<void>,
		milliseconds: number,
	): Promise<boolean> {
		const place = { ...this.placeOf(lane, row), waited: new WaitingTime() };
		const waiting = new Promise<boolean>((resolve, reject) => {
			if (lane.isOver || row.isOver) return reject(new NotSentError());
			const rest: Rest = {
				ticket: { ...place, leave: () => resolve(false), refuse: reject },
				dueAt: place.askedAt + milliseconds,
			};
			this.rests.add(rest);
			void event.then(() => {
				this.rests.delete(rest);
				resolve(true);
			});
			this.dispatch();
		});
		return await lane.suspend(waiting);
	}

	/** Waits for the writes of a row that was canceled, for 10 seconds at most. */
	async waitForWrites(writes: Promise<unknown>): Promise<void> {
		const ended = writes.then(() => true);
		for (let seconds = 0; seconds < 10; seconds += 1) {
			const second = this.clock.sleep(longestSleep).then(() => false);
			if (await Promise.race([ended, second])) return;
		}
	}

	private placeOf(lane: RunQueue, row: QueuedRow) {
		this.positions += 1;
		return { lane, row, position: this.positions, askedAt: this.clock.now() };
	}

	join(ticket: QueuedRequest): void {
		if (rankOf(ticket) > 0) this.rankedAt = ticket.askedAt;
		this.queue.add(ticket);
	}

	remove(isGone: (ticket: QueuedRequest) => boolean, reasonFor: ReasonFor): void {
		for (const rest of this.rests) {
			if (!isGone(rest.ticket)) continue;
			this.rests.delete(rest);
			rest.ticket.refuse(reasonFor(rest.ticket));
		}
		for (const ticket of this.queue.remove(isGone)) {
			ticket.refuse(reasonFor(ticket));
			ticket.lane.release();
		}
		this.dispatch();
	}

	cancel(isGone: (request: Pick<QueuedRequest, 'lane' | 'row'>) => boolean): void {
		this.inFlight.cancel(isGone);
	}

	/**
	 * Sends what may be sent now, and sees to it that the rest is looked at again in time. A function that a run has passed in
	 * and that throws fails requests of its own run only.
	 */
	private dispatch(): void {
		if (this.isDispatching) return;
		this.isDispatching = true;
		const now = this.clock.now();
		// Also if the limiter itself throws, the queue goes on.
		let next = now + longestSleep;
		try {
			next = this.sendDue(now);
		} finally {
			this.isDispatching = false;
			this.wake(now, next);
		}
	}

	/**
	 * Sends what may be sent now, and ends what has waited too long.
	 *
	 * @returns when to look again
	 */
	private sendDue(now: number): number {
		this.inFlight.expire(now);
		for (const rest of this.rests) {
			if (rest.dueAt > now) continue;
			this.rests.delete(rest);
			rest.ticket.leave();
		}
		let next = this.nextDeparture(now);
		while (next.ticket && next.at <= now) {
			this.queue.shift(next.ticket);
			next.ticket.leave();
			next = this.nextDeparture(now);
		}
		let time = Math.min(this.refuseImpatient(now), next.at, this.inFlight.nextDeadline);
		for (const { dueAt } of this.rests) time = Math.min(time, dueAt);
		return time;
	}

	/** Returns the request that goes next, and when it may be sent; Infinity if an answer has to come before. */
	private nextDeparture(now: number): { readonly ticket?: QueuedRequest; readonly at: number } {
		const pacedFrom = this.pacedAt + this.interval();
		const first = this.queue.first(pacedFrom <= now);
		if (!first) {
			const at = this.queue.isEmpty ? Infinity : Math.max(pacedFrom, this.throttle.pausedUntil);
			return { at };
		}
		const at = this.throttle.opensAt(now, {
			underWaySince: (number) => this.inFlight.countAfter(this.throttle, number),
			widest: this.widest(),
			hasPriority: rankOf(first) > 0,
			keepsRoom: now < this.rankedAt + rankedFor,
			canWait: (milliseconds) =>
				this.queue.all.every(
					({ lane, waited }) => waited.totalWith(now, now + milliseconds) <= lane.options.maxWait,
				),
		});
		return { ticket: first, at };
	}

	/** Returns the milliseconds between two requests that the lowest Requests Per Minute of all runs asks for. */
	private interval(): number {
		let lowest = Infinity;
		for (const { options } of this.lanes) {
			if (options.requestsPerMinute > 0) lowest = Math.min(lowest, options.requestsPerMinute);
		}
		return 60_000 / lowest;
	}

	/** The largest Concurrency of all runs. */
	private widest(): number {
		let widest = 1;
		for (const { options } of this.lanes) widest = Math.max(widest, options.concurrency);
		return widest;
	}

	/**
	 * Refuses the tickets for which the service lets nothing through for longer than their rows may wait, and counts the
	 * pause for the others.
	 *
	 * @returns when the next one has waited too long
	 */
	private refuseImpatient(now: number): number {
		const { stalledSince: since, pausedUntil, pauseReason, pauses } = this.throttle;
		if (since === undefined) return Infinity;
		const left = Math.max(0, pausedUntil - now);
		const waitedOf = ({ askedAt, waited }: QueuedRequest) =>
			waited.totalWith(Math.max(askedAt, since), now);
		const patienceOf = (ticket: QueuedRequest) => ticket.lane.options.maxWait - waitedOf(ticket);
		const isImpatient = (ticket: QueuedRequest) => left > patienceOf(ticket);
		const reasonFor = (ticket: QueuedRequest) =>
			new NotSentError({ reason: pauseReason, waited: waitedOf(ticket), left });
		for (const lane of new Set(this.queue.all.filter(isImpatient).map((ticket) => ticket.lane))) {
			lane.refuse(isImpatient, reasonFor);
		}
		for (const { lane } of this.queue.all) lane.countPause(pauses, now, now + left);
		return this.queue.all.reduce(
			(time, ticket) => Math.min(time, now + patienceOf(ticket) + 1),
			Infinity,
		);
	}

	/** Looks at the line again at a time, unless that happens earlier anyway. A sleep outlasts its reason by a second at most. */
	private wake(now: number, time: number): void {
		if (time === Infinity) return;
		const at = Math.min(time, now + longestSleep);
		if (at >= this.wakesAt) return;
		this.wakesAt = at;
		void this.clock.sleep(Math.max(0, at - now)).then(() => {
			if (this.wakesAt === at) this.wakesAt = Infinity;
			this.dispatch();
		});
	}

	private send<T extends Sent>(sending: Sending<T>): void {
		const now = this.clock.now();
		this.sentAt = now;
		if (isPaced(sending)) this.pacedAt = now;
		const { throttle } = this;
		void this.inFlight.send(sending, throttle, throttle.depart(now)).finally(() => this.dispatch());
	}
}
