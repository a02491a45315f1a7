import { growingPause, type Clock } from './clock';
import type { HttpAnswer } from './http';
import type { PauseReason } from './runQueue';
import { WindowEstimate, type Release, type Limit } from './windowEstimate';
import { rateLimitOf, retryAfterOf } from './rateLimitHeaders';
import type { Period } from './waitingTime';

/** What stands before the gate, and what has gone through it. */
export interface Traffic {
	/** Requests under way that left after a request of that number. */
	readonly underWaySince: (number: number) => number;
	/** The largest Concurrency of all runs. */
	readonly widest: number;
	/** Whether the request that is first in line goes before those of runs: it is interactive or of a poll. */
	readonly hasPriority: boolean;
	/** Whether there were such requests of late: some of each window is kept for them. */
	readonly keepsRoom: boolean;
	/** Whether all in line may wait so many milliseconds. */
	readonly canWait: (milliseconds: number) => boolean;
}

/**
 * Decides when the service lets the next request through: what its answers tell of its limit, the pauses after refusals,
 * and how many requests may be under way (assumption: throttle). Times in milliseconds of one clock.
 */
export class Throttle {
	/** Whether the service ever answered. */
	hasAnswered = false;

	/** No request leaves before this time. */
	pausedUntil = -Infinity;

	/** How many pauses there were, and what the last one is for. */
	pauses = 0;
	pauseReason: PauseReason = 'rate limit';

	/** Since when the service lets nothing through; undefined while it does. */
	stalledSince?: number;

	/** The last time that the service let nothing through. */
	private lastStall?: Period;

	private readonly estimate = new WindowEstimate();

	/** Number of the last request that had left when the pause began. An older one that is still under way may hang. */
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

	private readonly clock: Clock;

	constructor(clock: Clock) {
		this.clock = clock;
	}

	/** So many requests the service lets through in so many milliseconds; undefined where no limit is known. */
	get limit(): Limit | undefined {
		return this.estimate.perWindow;
	}

	/** So many it lets through now. */
	get left(): number | undefined {
		return this.estimate.room(0, this.clock.now());
	}

	/** Returns the period in which the service lets nothing through: the present one, or else the last one. */
	stall(now: number): Period | undefined {
		return this.stalledSince === undefined ? this.lastStall : { from: this.stalledSince, to: now };
	}

	/** Notes that a request leaves. */
	depart(now: number): Release {
		return this.estimate.depart(now);
	}

	/** When the next request may leave; Infinity where an answer has to come before. */
	opensAt(now: number, traffic: Traffic): number {
		const { underWaySince, widest, hasPriority, keepsRoom, canWait } = traffic;
		const underWay = underWaySince(this.pausedAfter);
		if (this.pausedUntil > now)
			return hasPriority && this.hasKept(underWay) ? now : this.pausedUntil;
		if (this.isSerial) return underWay > 0 ? Infinity : Math.max(now, this.estimate.sharedUntil);
		const kept = keepsRoom && !hasPriority ? this.estimate.kept : 0;
		const room = this.estimate.room(underWay + kept, now);
		// One place more is kept for requests with priority.
		const most = widest + (hasPriority ? 1 : 0);
		const eased = this.pauses > 0 ? Math.min(most, 1 + this.letThrough) : most;
		if (room === undefined) return underWay < eased ? now : Infinity;
		if (room > 0) return underWay < most + this.letThrough ? now : Infinity;
		if (now < this.estimate.sharedUntil && !this.estimate.isUsedUp) {
			// What others have made of their half is seen by one request alone.
			this.beginAnew();
			return this.estimate.sharedUntil;
		}
		const reset = this.estimate.resetAt(now);
		// Those under way may have been counted already, and then more may leave. But one of them may hang.
		if (underWay > 0 && !this.estimate.isOver(now)) return reset ?? Infinity;
		// Nothing is left of the window: its end is awaited where it is known and bearable; otherwise one asks.
		this.isSerial = true;
		this.pausedAfter = this.estimate.departures;
		if (reset === undefined || !canWait(reset - now)) return now;
		this.pause(now, reset, 'rate limit');
		return this.pausedUntil;
	}

	/** Whether of the window whose end is awaited something was kept for those who cannot wait for it. */
	private hasKept(underWay: number): boolean {
		const room = this.estimate.room(underWay, this.pausedUntil) ?? 0;
		return this.pauseReason === 'rate limit' && room > 0;
	}

	/** Learns from the answer to a request. */
	learn(departure: Release, { status, headers }: HttpAnswer): void {
		this.hasAnswered = true;
		const now = this.clock.now();
		const told = rateLimitOf(headers);
		const after = retryAfterOf(headers) ?? (status === 429 ? told.resetAfter : undefined);
		// Requests that left before the pause was over met the same limit: they prolong nothing, and end nothing.
		const isNew = departure.number > this.pausedAfter && departure.at >= this.pausedUntil;
		if (status === 429 || (status === 503 && after !== undefined)) {
			if (!isNew) {
				this.estimate.useUp();
				return;
			}
			if (status === 429) this.estimate.refused(now, after);
			const pause = after ?? growingPause(this.refusals++, this.clock);
			this.pause(now, now + pause, status === 429 ? 'rate limit' : 'maintenance');
			return;
		}
		// An error of a proxy in front of the service says nothing about the limit.
		if (status < 300 || told.remaining !== undefined) this.estimate.learn(departure, now, told);
		if (!isNew) return;
		this.isSerial = false;
		this.letThrough += 1;
		this.refusals = 0;
		this.lastStall = this.stall(now);
		this.stalledSince = undefined;
	}

	/** Lets nothing leave until a time, and then one request alone. */
	private pause(now: number, until: number, reason: PauseReason): void {
		this.pausedUntil = until;
		this.pauseReason = reason;
		this.pauses += 1;
		this.stalledSince ??= now;
		this.beginAnew();
	}

	/** Lets one request go ahead alone, whatever is under way. */
	private beginAnew(): void {
		this.pausedAfter = this.estimate.departures;
		this.isSerial = true;
		this.letThrough = 0;
	}
}
