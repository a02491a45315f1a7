import {
	Lane,
	NotSent,
	type LaneOptions,
	type LaneRow,
	type Line,
	type ReasonFor,
	type Ticket,
} from './lane';
import type { Departure } from './limitEstimate';
import { Gate } from './gate';
import type { Clock } from './clock';
import type { HttpAnswer } from './http';
import { WorkQueues } from './turns';
import { WaitingTime } from './waitingTime';

/** A request under way. */
interface Flight extends Departure {
	/** What it left through. */
	readonly gate: Gate;
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

/** No sleep is longer, in milliseconds: a timer of a run that is over must not keep a process alive. */
const longestSleep = 1000;

/** The time of the last request is remembered so long, in milliseconds, for the pace of the next run. */
const idleTime = 60_000;

/** What was learned of the limit is kept so long without a run, in milliseconds: workers have gaps between executions. */
const knownFor = 10_000;

/** So long, in milliseconds, after a person or a poll has asked, others are expected to: room is kept for them. */
const rankedFor = 600_000;

/** A person goes before a poll, and a poll before a run. */
const rankOf = ({ lane: { options } }: Ticket): number =>
	options.isInteractive ? 2 : options.isPoll ? 1 : 0;

/**
 * Decides when a request leaves, for all executions of this process that use one service with one key. Nothing else waits:
 * the pace, the pauses of a limit, the delay before a repeat, requests under way, their order and their time-outs are
 * decided here (assumption: throttle).
 */
export class RateLimiter implements Line {
	readonly clock: Clock;

	/** Work on the same thing, which runs take turns at. */
	readonly queues = new WorkQueues();

	/** What the service lets through. */
	gate: Gate;

	private readonly lanes = new Set<Lane>();

	/** Tickets in the order in which they may leave. */
	private line: Ticket[] = [];

	/** Rows that wait before a repeat, in no order. */
	private readonly rests = new Set<Rest>();

	private readonly flights = new Set<Flight>();

	private positions = 0;

	/** When a person or a poll asked last. */
	private rankedAt = -Infinity;

	/** When the last request left. */
	private leftAt = -Infinity;

	/** When the last run ended. */
	private closedAt = -Infinity;

	/** The earliest time at which a sleep ends. */
	private wakesAt = Infinity;

	private isDispatching = false;

	/** Milliseconds between the last request and the next, as Requests Per Minute asks for. */
	private pace = 0;

	constructor(clock: Clock) {
		this.clock = clock;
		this.gate = new Gate(clock);
	}

	/** Begins a run. It is to be closed. */
	open(options: LaneOptions): Lane {
		const isOutdated = this.clock.now() > this.closedAt + knownFor;
		if (this.lanes.size === 0 && isOutdated) this.gate = new Gate(this.clock);
		const lane = new Lane(this, options);
		this.lanes.add(lane);
		return lane;
	}

	/**
	 * Ends a run. What was learned of the limit is kept for the next one, unless the last run that is open ends before the
	 * service lets requests through again: then the next one asks anew.
	 */
	close(lane: Lane): void {
		this.lanes.delete(lane);
		if (this.lanes.size > 0) return;
		this.closedAt = this.clock.now();
		this.queues.worked.clear();
		if (this.flights.size > 0 || this.gate.stalledSince !== undefined)
			this.gate = new Gate(this.clock);
	}

	/** Whether nothing would be different if this limiter were made anew. */
	isIdle(): boolean {
		return this.lanes.size === 0 && this.clock.now() > this.leftAt + Math.max(idleTime, this.pace);
	}

	/**
	 * A request of a row, which may be sent more than once. Each time it waits for its turn; it resolves with what `work`
	 * gives, or with undefined where that took longer than its time-out.
	 *
	 * @param waited how long the request may count as waiting together with others; alone unless given
	 * @throws NotSent where it does not leave
	 */
	request<T extends Sent>(lane: Lane, row: LaneRow, waited = new WaitingTime()): SendInTurn<T> {
		const place = { ...this.placeOf(lane, row), waited };
		return async (work, timeout) =>
			await new Promise<T | undefined>((resolve, reject) => {
				const leave = () => this.fly(lane, this.counting<T>(place, work), timeout, resolve, reject);
				lane.enter({ ...place, leave, refuse: reject });
				this.dispatch();
			});
	}

	/**
	 * Makes work count the stall that its request has waited for, as soon as the request is answered. A request that is refused
	 * waits on: of several stalls, between which others got through, only the last one counts.
	 */
	private counting<T extends Sent>(
		{ waited, askedAt }: Pick<Ticket, 'askedAt' | 'waited'>,
		work: () => Promise<T>,
	): () => Promise<T> {
		const stall = this.gate.stall(this.clock.now());
		return async () => {
			const sent = await work();
			const isRefused = sent.answer?.status === 429;
			if (stall && !isRefused) waited.add(Math.max(askedAt, stall.from), stall.to);
			return sent;
		};
	}

	/**
	 * Waits before a repeat, and counts that as waiting of the row. The row takes no room of its lane meanwhile.
	 *
	 * @throws NotSent where the run or the row ends before
	 */
	async rest(
		lane: Lane,
		row: LaneRow,
		milliseconds: number,
		waited = new WaitingTime(),
	): Promise<void> {
		if (milliseconds <= 0) return;
		const place = { ...this.placeOf(lane, row), waited };
		const dueAt = place.askedAt + milliseconds;
		const resting = new Promise<void>((resolve, reject) => {
			const ticket = { ...place, leave: resolve, refuse: reject };
			if (lane.isOver || row.isOver) reject(new NotSent());
			else this.rests.add({ ticket, dueAt });
			this.dispatch();
		});
		await lane.park(resting).finally(() => place.waited.add(place.askedAt, this.clock.now()));
	}

	private placeOf(lane: Lane, row: LaneRow) {
		this.positions += 1;
		return { lane, row, position: this.positions, askedAt: this.clock.now() };
	}

	/** Puts a ticket in line: those that a person waits for first, then polls, then in the order in which they asked. */
	join(ticket: Ticket): void {
		const rank = rankOf(ticket);
		if (rank > 0) this.rankedAt = ticket.askedAt;
		const goesBefore = (one: Ticket) =>
			rankOf(one) === rank ? one.position < ticket.position : rankOf(one) > rank;
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
		if (gone.size > 0) this.line = this.line.filter((ticket) => !gone.has(ticket));
		for (const ticket of gone) {
			ticket.refuse(reasonFor(ticket));
			ticket.lane.release();
		}
		this.dispatch();
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
		return time;
	}

	/** When the first ticket in line may leave; Infinity where an answer has to come before. */
	private nextDeparture(now: number): number {
		const [first] = this.line;
		if (!first) return Infinity;
		// A person is not held up by the pace that a run was given.
		const inPace = first.lane.options.isInteractive ? now : this.leftAt + this.interval();
		if (inPace > now) return Math.max(inPace, this.gate.pausedUntil);
		return this.gate.opensAt(now, {
			underWaySince: (number) => this.underWaySince(number),
			widest: this.widest(),
			hasPriority: rankOf(first) > 0,
			keepsRoom: now < this.rankedAt + rankedFor,
			canWait: (milliseconds) =>
				this.line.every(
					({ lane, waited }) => waited.totalWith(now, now + milliseconds) <= lane.options.maxWait,
				),
		});
	}

	/** How many requests are under way that left after the one of that number. */
	private underWaySince(departure: number): number {
		let count = 0;
		for (const { gate, number } of this.flights) {
			if (gate === this.gate && number > departure) count += 1;
		}
		return count;
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
	 * Refuses the tickets for which the service lets nothing through for longer than their rows may wait, and counts the
	 * pause for the others.
	 *
	 * @returns when the next one has waited too long
	 */
	private refuseImpatient(now: number): number {
		const { stalledSince: since, pausedUntil, pauseReason, pauses } = this.gate;
		if (since === undefined) return Infinity;
		const left = Math.max(0, pausedUntil - now);
		const waitedOf = ({ askedAt, waited }: Ticket) =>
			waited.totalWith(Math.max(askedAt, since), now);
		const patienceOf = (ticket: Ticket) => ticket.lane.options.maxWait - waitedOf(ticket);
		const isImpatient = (ticket: Ticket) => left > patienceOf(ticket);
		const reasonFor = (ticket: Ticket) =>
			new NotSent({ reason: pauseReason, waited: waitedOf(ticket), left });
		for (const lane of new Set(this.line.filter(isImpatient).map((ticket) => ticket.lane))) {
			lane.refuse(isImpatient, reasonFor);
		}
		for (const { lane } of this.line) lane.countPause(pauses, now, now + left);
		return this.line.reduce(
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

	private fly<T extends Sent>(
		lane: Lane,
		work: () => Promise<T>,
		timeout: number,
		resolve: (sent: T | undefined) => void,
		reject: (error: unknown) => void,
	): void {
		const { gate } = this;
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
			...gate.depart(at),
			gate,
			deadline: at + timeout,
			giveUp: () => land(() => resolve(undefined)),
		};
		this.flights.add(flight);
		// Asynchronous, so that whatever throws here fails this request only.
		const carryOut = async () => {
			const sent = await work();
			if (sent.answer && this.flights.has(flight)) gate.learn(flight, sent.answer);
			return sent;
		};
		void carryOut()
			.then(
				(sent) => land(() => resolve(sent)),
				(error: unknown) => land(() => reject(error)),
			)
			.finally(() => this.dispatch());
	}
}
