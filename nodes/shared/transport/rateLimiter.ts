import {
	Lane,
	NotSent,
	type LaneOptions,
	type LaneRow,
	type Line,
	type PauseReason,
	type ReasonFor,
	type Ticket,
} from './lane';
import { LimitEstimate, type Departure } from './limitEstimate';
import { rateLimitOf, retryAfterOf } from './rateLimitHeaders';
import type { HttpAnswer } from './http';
import type { WorkQueues } from './turns';

/** Time as a process sees it, and chance. */
export interface Clock {
	/** Milliseconds on a clock that never jumps. */
	now(): number;
	/** Waits so many milliseconds. Never rejects. */
	sleep(milliseconds: number): Promise<void>;
	/** From 0 up to 1. */
	random(): number;
}

/** A request under way. */
interface Flight extends Departure {
	readonly deadline: number;
	/** Gives it up: its answer is not waited for any longer. */
	readonly giveUp: () => void;
}

/** What a request came to, as far as the limiter looks at it. */
interface Sent {
	readonly answer?: HttpAnswer;
}

/** A wait of a row that ends by itself. */
interface Rest {
	readonly ticket: Ticket;
	readonly dueAt: number;
}

/** Sends a request when its turn has come; so many milliseconds are left for the whole answer. */
type SendInTurn<T> = (work: () => Promise<T>, timeout: number) => Promise<T | undefined>;

/** A pause that others could begin after as well starts with so much chance, in milliseconds and as a share of it. */
const jitter = { most: 1500, share: 0.1 };

/** No sleep is longer, in milliseconds: a timer of a run that is over must not keep a process alive. */
const longestSleep = 1000;

/** What is remembered of an idle service is forgotten after this many milliseconds. */
const idleTime = 60_000;

/**
 * Growing pauses: half of each is fixed, half is chance. In milliseconds, half a second at first, 10 seconds at most.
 *
 * @param tries how often it failed before, from 0
 */
export const growingPause = (tries: number, { random }: Pick<Clock, 'random'>): number =>
	Math.min(500 * 2 ** tries, 10_000) * (0.5 + random() / 2);

/**
 * Decides when a request leaves, for all executions of this process that use one service with one key. Nothing else waits:
 * the pace, the pauses of a limit, the delay before a repeat, requests under way, their order and their time-outs are
 * decided here (assumption: throttle).
 */
export class RateLimiter implements Line {
	/** Whether the service ever answered. */
	hasAnswered = false;

	readonly clock: Clock;

	/** Work on the same thing, which runs take turns at. */
	readonly queues: WorkQueues = new Map();

	private readonly estimate = new LimitEstimate();

	private readonly lanes = new Set<Lane>();

	/** Tickets in the order in which they may leave. */
	private line: Ticket[] = [];

	/** Rows that wait before a repeat, in no order. */
	private readonly rests = new Set<Rest>();

	private readonly flights = new Set<Flight>();

	private positions = 0;

	/** When the last request left. */
	private leftAt = -Infinity;

	/** No request leaves before this time; `pauses` counts how often that was set. */
	private pausedUntil = -Infinity;
	private pauses = 0;
	private pauseReason: PauseReason = 'rate limit';

	/** Number of the last request that had left when the pause began. */
	private pausedAfter = 0;

	/**
	 * How many requests were let through since the last pause. Each lets one more be under way at the same time, so that the
	 * use by others is seen before the window is used up, and so is a limit that no header tells.
	 */
	private letThrough = 0;

	/** Whether one request goes ahead alone, to see whether the limit is over. */
	private isSerial = false;

	/** Refusals without a time since a request was let through. */
	private refusals = 0;

	/** Since when the service lets nothing through; undefined while it does. */
	private stalledSince?: number;

	/** The earliest time at which a sleep ends. */
	private wakesAt = Infinity;

	private isDispatching = false;

	/** Milliseconds between the last request and the next, as Requests Per Minute asks for. */
	private pace = 0;

	constructor(clock: Clock) {
		this.clock = clock;
	}

	/** Begins a run. It is to be closed. */
	open(options: LaneOptions): Lane {
		const lane = new Lane(this, options);
		this.lanes.add(lane);
		return lane;
	}

	close(lane: Lane): void {
		this.lanes.delete(lane);
	}

	/** Whether nothing would be different if this limiter were made anew. */
	isIdle(): boolean {
		const now = this.clock.now();
		return (
			this.lanes.size === 0 &&
			now > Math.max(this.pausedUntil, this.leftAt + Math.max(idleTime, this.pace))
		);
	}

	/**
	 * A request of a row, which may be sent more than once. Each time it waits for its turn; it resolves with what `work`
	 * gives, or with undefined where that took longer than its time-out.
	 *
	 * @throws NotSent where it does not leave
	 */
	request<T extends Sent>(lane: Lane, row: LaneRow): SendInTurn<T> {
		const place = this.placeOf(lane, row);
		return async (work, timeout) =>
			await new Promise<T | undefined>((resolve, reject) => {
				const leave = () => this.fly(lane, work, timeout, resolve, reject);
				lane.enter({ ...place, leave, refuse: reject });
				this.dispatch();
			});
	}

	/**
	 * Waits before a repeat. The row takes no room of its lane meanwhile.
	 *
	 * @throws NotSent where the run or the row ends before
	 */
	async rest(lane: Lane, row: LaneRow, milliseconds: number): Promise<void> {
		if (milliseconds <= 0) return;
		const dueAt = this.clock.now() + milliseconds;
		const resting = new Promise<void>((resolve, reject) => {
			const ticket = { ...this.placeOf(lane, row), leave: resolve, refuse: reject };
			if (lane.isOver || row.isOver) reject(new NotSent());
			else this.rests.add({ ticket, dueAt });
			this.dispatch();
		});
		await lane.park(resting);
	}

	private placeOf(lane: Lane, row: LaneRow) {
		this.positions += 1;
		return { lane, row, position: this.positions, askedAt: this.clock.now() };
	}

	/** Puts a ticket in line: those that a person waits for first, then in the order in which they asked. */
	join(ticket: Ticket): void {
		const goesBefore = ({ lane, position }: Ticket) =>
			lane.options.isUrgent === ticket.lane.options.isUrgent
				? position < ticket.position
				: Boolean(lane.options.isUrgent);
		let at = this.line.length;
		for (let one = this.line[at - 1]; one && !goesBefore(one); one = this.line[at - 1]) at -= 1;
		this.line.splice(at, 0, ticket);
	}

	remove(isGone: (ticket: Ticket) => boolean, reasonFor: ReasonFor): void {
		for (const rest of this.rests) {
			if (!isGone(rest.ticket)) continue;
			this.rests.delete(rest);
			rest.ticket.refuse(reasonFor(rest.ticket));
		}
		const gone = new Set(this.line.filter(isGone));
		this.line = this.line.filter((ticket) => !gone.has(ticket));
		for (const ticket of gone) {
			ticket.refuse(reasonFor(ticket));
			ticket.lane.release();
		}
		this.dispatch();
	}

	/** Lets leave whatever may leave now, and sees to it that the rest is looked at again in time. */
	private dispatch(): void {
		if (this.isDispatching) return;
		this.isDispatching = true;
		const now = this.clock.now();
		for (const flight of this.flights) if (flight.deadline <= now) flight.giveUp();
		for (const rest of this.rests) {
			if (rest.dueAt > now) continue;
			this.rests.delete(rest);
			rest.ticket.leave();
		}
		let next = this.nextDeparture(now);
		while (this.line.length > 0 && next <= now) {
			this.line.shift()?.leave();
			next = this.nextDeparture(now);
		}
		let time = this.refuseImpatient(now);
		if (this.line.length > 0) time = Math.min(time, next);
		for (const { dueAt } of this.rests) time = Math.min(time, dueAt);
		for (const { deadline } of this.flights) time = Math.min(time, deadline);
		this.isDispatching = false;
		this.wake(now, time);
	}

	/** When the first ticket in line may leave; Infinity where an answer has to come before. */
	private nextDeparture(now: number): number {
		const [first] = this.line;
		if (!first) return Infinity;
		const earliest = Math.max(this.pausedUntil, this.leftAt + this.interval());
		if (earliest > now) return earliest;
		if (this.isSerial) return this.hasProbe() ? Infinity : now;
		const underWay = this.flights.size;
		const room = this.estimate.room(underWay);
		// One place more is kept for what a person waits for.
		const most = this.widest() + (first.lane.options.isUrgent ? 1 : 0);
		const eased = this.pauses > 0 ? Math.min(most, 1 + this.letThrough) : most;
		if (room === undefined) return underWay < eased ? now : Infinity;
		if (room > 0) return underWay < most + this.letThrough ? now : Infinity;
		const reset = this.estimate.resetAt(now);
		// Those under way may have been counted already, and then more may leave. But one of them may hang.
		if (underWay > 0 && !this.estimate.isOver(now)) return reset ?? Infinity;
		// Nothing is left of the window: its end is awaited where it is known and bearable; otherwise one asks.
		this.isSerial = true;
		this.pausedAfter = this.estimate.departures;
		const isBearable = this.line.every(
			({ lane }) => reset !== undefined && reset - now <= lane.options.maxWait,
		);
		if (reset === undefined || !isBearable) return now;
		this.pause(now, reset, 'rate limit');
		return this.pausedUntil;
	}

	/** Whether a request is under way that left after the last pause. An older one may hang. */
	private hasProbe(): boolean {
		for (const { number } of this.flights) if (number > this.pausedAfter) return true;
		return false;
	}

	/** Milliseconds between two requests: what the lowest Requests Per Minute of all runs asks for. */
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
	 * Refuses the tickets for which the service lets nothing through for longer than they may wait, and counts the pause
	 * for the others.
	 *
	 * @returns when the next one has waited too long
	 */
	private refuseImpatient(now: number): number {
		const since = this.stalledSince;
		if (since === undefined) return Infinity;
		const left = Math.max(0, this.pausedUntil - now);
		const endOf = ({ askedAt, lane }: Ticket) => Math.max(askedAt, since) + lane.options.maxWait;
		const isImpatient = (ticket: Ticket) => now + left > endOf(ticket);
		const reasonFor = ({ askedAt }: Ticket) => {
			const waited = now - Math.max(askedAt, since);
			return new NotSent({ reason: this.pauseReason, waited, left });
		};
		for (const lane of new Set(this.line.filter(isImpatient).map((ticket) => ticket.lane))) {
			lane.refuse(isImpatient, reasonFor);
		}
		for (const { lane } of this.line) lane.countPause(this.pauses, now, now + left);
		return this.line.reduce((time, ticket) => Math.min(time, endOf(ticket) + 1), Infinity);
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

	private fly<T extends Sent>(
		lane: Lane,
		work: () => Promise<T>,
		timeout: number,
		resolve: (sent: T | undefined) => void,
		reject: (error: unknown) => void,
	): void {
		const at = this.clock.now();
		this.leftAt = at;
		this.pace = this.interval();
		/** Ends the flight, unless it was given up before. */
		const land = (settle: () => void) => {
			if (!this.flights.delete(flight)) return;
			lane.release();
			settle();
		};
		const flight: Flight = {
			...this.estimate.depart(at),
			deadline: at + timeout,
			giveUp: () => land(() => resolve(undefined)),
		};
		this.flights.add(flight);
		work()
			.then(
				(sent) => {
					if (sent.answer && this.flights.has(flight)) this.learn(flight, sent.answer);
					land(() => resolve(sent));
				},
				(error: unknown) => land(() => reject(error)),
			)
			.finally(() => this.dispatch());
	}

	private learn(flight: Flight, { status, headers }: HttpAnswer): void {
		this.hasAnswered = true;
		const now = this.clock.now();
		const told = rateLimitOf(headers);
		const after = retryAfterOf(headers) ?? (status === 429 ? told.resetAfter : undefined);
		// Requests that left before the pause began met the same limit: they prolong nothing, and end nothing.
		const isNew = flight.number > this.pausedAfter;
		if (status === 429 || (status === 503 && after !== undefined)) {
			if (!isNew) return;
			if (status === 429) this.estimate.refused(now, after);
			const pause = after ?? growingPause(this.refusals++, this.clock);
			this.pause(now, now + pause, status === 429 ? 'rate limit' : 'maintenance');
			return;
		}
		// An error of a proxy in front of the service says nothing about the limit.
		if (status < 300 || told.remaining !== undefined) this.estimate.learn(flight, now, told);
		if (!isNew) return;
		this.isSerial = false;
		this.letThrough += 1;
		this.refusals = 0;
		this.stalledSince = undefined;
	}

	/** Lets nothing leave until a time, and then one request alone. */
	private pause(now: number, until: number, reason: PauseReason): void {
		const chance = this.estimate.hasOthers
			? this.clock.random() * Math.min(jitter.most, (until - now) * jitter.share)
			: 0;
		this.pausedUntil = until + chance;
		this.pauseReason = reason;
		this.pauses += 1;
		this.pausedAfter = this.estimate.departures;
		this.isSerial = true;
		this.letThrough = 0;
		this.stalledSince ??= now;
	}
}
