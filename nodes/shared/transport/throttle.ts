import { growingPause, type Clock } from './clock';
import type { HttpAnswer } from './http';
import { rateLimitOf, retryAfterOf } from './rateLimitHeaders';
import type { Period } from './waitingTime';
import { WindowEstimate, type Limit, type Release } from './windowEstimate';

/** Why nothing is sent: the service's limit, or its maintenance. */
export type PauseReason = 'maintenance' | 'rate limit';

/** The queue in front of the throttle. */
export interface Demand {
	/** The largest Concurrency of all runs. */
	readonly maxConcurrency: number;
	/** Whether the first request is interactive or belongs to a poll. */
	readonly hasPriority: boolean;
	/** Whether a part of each window is reserved for requests with priority. */
	readonly isReserving: boolean;
	/** Returns whether all queued requests may wait for this time in milliseconds. */
	readonly canWait: (milliseconds: number) => boolean;
}

/** A pause: no request is sent until a time, and then a single request tests the limit. */
export interface Pause {
	readonly until: number;
	/** Undefined if the service has not refused anything. */
	readonly reason?: PauseReason;
}

export interface Decision {
	/** When the first request may be sent; Infinity if it must wait for a response to another request. */
	readonly at: number;
	/** A pause that begins now. The caller passes it to `paused`. */
	readonly pause?: Pause;
}

/**
 * Decides when to send the next request, from the limit that responses report, the pauses after refusals, and the requests
 * in flight (assumption: throttle). It is a state machine: only `released`, `answered` and `paused` change its state. Times
 * are in milliseconds of one clock.
 */
export class Throttle {
	/** Whether the service has ever responded. */
	hasAnswered = false;

	/** Nothing is sent before this time. */
	pausedUntil = -Infinity;

	/** The number of pauses, and the reason of the last one. */
	pauses = 0;
	pauseReason: PauseReason = 'rate limit';

	/** Since when the service has refused all requests; undefined while it accepts requests. */
	blockedSince?: number;

	/** The last period in which the service refused all requests. */
	private lastBlocked?: Period;

	private readonly estimate = new WindowEstimate();

	private readonly inFlight = new Set<Release>();

	/** The number of the last request before the pause. An older request that is still in flight may hang. */
	private lastBeforePause = 0;

	/**
	 * Number of accepted requests since the last pause. Each allows one more request in flight (slow start). The throttle
	 * thus detects other clients, and a limit without headers, before the window is used up.
	 */
	private slowStart = 0;

	/** Whether a single request is tested, to find out whether the service accepts requests again. */
	private isProbing = false;

	/** Number of refusals without a wait time since the last accepted request. */
	private refusals = 0;

	private readonly chance: Pick<Clock, 'random'>;

	/** @param chance the source of random numbers for the length of pauses */
	constructor(chance: Pick<Clock, 'random'>) {
		this.chance = chance;
	}

	/** Our share of the service's limit; undefined if no limit is known. */
	get limit(): Limit | undefined {
		return this.estimate.ownLimit;
	}

	get hasInFlight(): boolean {
		return this.inFlight.size > 0;
	}

	/** Returns the number of requests that the service accepts now; undefined if no limit is known. */
	remaining(now: number): number | undefined {
		return this.estimate.capacity(0, now);
	}

	/** Returns the current period in which the service refuses all requests, or else the last such period. */
	blockedPeriod(now: number): Period | undefined {
		return this.blockedSince === undefined
			? this.lastBlocked
			: { from: this.blockedSince, to: now };
	}

	/** Returns when the first request of a queue may be sent. Changes nothing. */
	next(now: number, demand: Demand): Decision {
		const { maxConcurrency, hasPriority, isReserving } = demand;
		const inFlight = this.inFlightSincePause();
		if (this.pausedUntil > now) {
			return { at: hasPriority && this.hasReserved(inFlight) ? now : this.pausedUntil };
		}
		if (this.isProbing) {
			return { at: inFlight > 0 ? Infinity : Math.max(now, this.estimate.sharedUntil) };
		}
		const reserved = isReserving && !hasPriority ? this.estimate.reserved : 0;
		const capacity = this.estimate.capacity(inFlight + reserved, now);
		if (capacity !== undefined && capacity <= 0) return this.afterWindow(now, inFlight, demand);
		// Requests with priority have a slot of their own.
		const slots = maxConcurrency + (hasPriority ? 1 : 0);
		const isSlow = capacity === undefined && this.pauses > 0;
		const unknown = isSlow ? Math.min(slots, 1 + this.slowStart) : slots;
		const most = capacity === undefined ? unknown : slots + this.slowStart;
		return { at: inFlight < most ? now : Infinity };
	}

	/** Returns the decision if the current window accepts no more requests. */
	private afterWindow(now: number, inFlight: number, { canWait }: Demand): Decision {
		const { sharedUntil } = this.estimate;
		if (now < sharedUntil && !this.estimate.isExhausted) {
			// A single request finds out how much of their half the other clients have used.
			return { at: sharedUntil, pause: { until: sharedUntil } };
		}
		const reset = this.estimate.resetAt(now);
		// Requests in flight may have been counted already, and then more may be sent. But one of them may hang.
		if (inFlight > 0 && !this.estimate.isOver(now)) return { at: reset ?? Infinity };
		// Wait for the end of the window if it is known and no request would wait too long; otherwise send one request.
		if (reset === undefined || !canWait(reset - now)) return { at: now, pause: { until: now } };
		return { at: reset, pause: { until: reset, reason: 'rate limit' } };
	}

	/** Returns whether the current window still has capacity that is reserved for requests with priority. */
	private hasReserved(inFlight: number): boolean {
		const capacity = this.estimate.capacity(inFlight, this.pausedUntil) ?? 0;
		return this.pauseReason === 'rate limit' && capacity > 0;
	}

	private inFlightSincePause(): number {
		let count = 0;
		for (const { number } of this.inFlight) if (number > this.lastBeforePause) count += 1;
		return count;
	}

	/** Records that a request is sent. */
	released(now: number): Release {
		const release = this.estimate.released(now);
		this.inFlight.add(release);
		return release;
	}

	/** Records the end of a request, and learns from its response. Ignores a second response. */
	answered(release: Release, now: number, answer?: HttpAnswer): void {
		if (!this.inFlight.delete(release) || !answer) return;
		this.hasAnswered = true;
		const { status, headers } = answer;
		const reported = rateLimitOf(headers);
		const after = retryAfterOf(headers) ?? (status === 429 ? reported.resetAfter : undefined);
		// Requests that were sent before the end of the pause met the same limit: they neither extend nor end the pause.
		const isNew = release.number > this.lastBeforePause && release.at >= this.pausedUntil;
		if (status === 429 || (status === 503 && after !== undefined)) {
			if (isNew) this.refused(now, status, after);
			else this.estimate.exhaust();
			return;
		}
		// An error of a proxy in front of the service says nothing about the limit.
		if (status < 300 || reported.remaining !== undefined) {
			this.estimate.answered(release, now, reported);
		}
		if (!isNew) return;
		this.isProbing = false;
		this.slowStart += 1;
		this.refusals = 0;
		this.lastBlocked = this.blockedPeriod(now);
		this.blockedSince = undefined;
	}

	private refused(now: number, status: number, after: number | undefined): void {
		if (status === 429) this.estimate.refused(now, after);
		const pause = after ?? growingPause(this.refusals, this.chance);
		if (after === undefined) this.refusals += 1;
		this.paused(now, { until: now + pause, reason: status === 429 ? 'rate limit' : 'maintenance' });
	}

	/** Starts a pause. Requests in flight count as sent before the pause. */
	paused(now: number, { until, reason }: Pause): void {
		this.lastBeforePause = this.estimate.lastNumber;
		this.isProbing = true;
		if (until > now) this.slowStart = 0;
		if (!reason) return;
		this.pausedUntil = until;
		this.pauseReason = reason;
		this.pauses += 1;
		this.blockedSince ??= now;
	}
}
