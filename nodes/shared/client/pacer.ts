import type { HttpAnswer } from './http';
import { retryAfterOf } from './retryAfter';

/** Time as a run sees it. */
export interface Clock {
	/** Milliseconds on a clock that never jumps. */
	now(): number;
	/** Waits so many milliseconds; rejects as soon as the run is cancelled. */
	sleep(milliseconds: number): Promise<void>;
}

/** How often and how long a run waited for the service. */
export interface Waits {
	count: number;
	milliseconds: number;
}

/** Exponential back-off with jitter: half of it is fixed, half is chance. In milliseconds, 1 second at first, 10 at most. */
export function backOff(tries: number): number {
	const full = Math.min(1000 * 2 ** tries, 10_000);
	return full / 2 + (Math.random() * full) / 2;
}

/**
 * Decides when a request of a run may leave, so that all workers wait together and nobody runs into a limit that another
 * has just met. It learns from the headers of each answer how many requests the service still takes; when none are left
 * it sends one as a probe, and a refusal tells it how long to wait (assumption: throttle).
 */
export class Pacer {
	readonly waits: Waits = { count: 0, milliseconds: 0 };

	private inFlight = 0;

	/** What the service still takes before its window ends, less what is under way. Undefined until it told. */
	private budget?: number;

	/** No request leaves before this time. */
	private pausedUntil = -Infinity;

	private pausedAt = -Infinity;

	/** After a refusal one request goes ahead alone, to see whether the limit is over. */
	private probing = false;

	/** Refusals without a Retry-After since the last request that was let through. */
	private refusals = 0;

	private nextTurn = -Infinity;

	private readonly interval: number;

	private readonly clock: Clock;

	private waiting: Array<() => void> = [];

	/** @param requestsPerMinute a limit of the user's own; 0 for none */
	constructor(clock: Clock, requestsPerMinute: number) {
		this.clock = clock;
		this.interval = requestsPerMinute > 0 ? 60_000 / requestsPerMinute : 0;
	}

	/**
	 * Resolves when a request may leave, with the time at which it does; false where that would be after the deadline.
	 * Each turn must be given back with `done`.
	 */
	async turn(deadline: number): Promise<number | false> {
		for (;;) {
			const now = this.clock.now();
			const wait = Math.max(this.pausedUntil, this.nextTurn) - now;
			if (wait > 0) {
				if (now + wait > deadline) return false;
				await this.clock.sleep(wait);
			} else if (this.inFlight > 0 && this.isNarrow()) {
				await new Promise<void>((resolve) => this.waiting.push(resolve));
			} else {
				return this.leave(now);
			}
		}
	}

	/** Whether only one request may be under way. */
	private isNarrow(): boolean {
		return this.probing || (this.budget !== undefined && this.budget <= 0);
	}

	private leave(now: number): number {
		this.inFlight += 1;
		if (this.budget !== undefined) this.budget -= 1;
		this.nextTurn = this.interval > 0 ? Math.max(now, this.nextTurn) + this.interval : -Infinity;
		return now;
	}

	/** Gives a turn back, with the answer or without one. `left` is what `turn` resolved with. */
	done(left: number, answer?: HttpAnswer): void {
		this.inFlight -= 1;
		if (answer) this.learn(left, answer);
		const woken = this.waiting;
		this.waiting = [];
		for (const wake of woken) wake();
	}

	private learn(left: number, { status, headers }: HttpAnswer): void {
		const after = status === 429 || status === 503 ? retryAfterOf(headers) : undefined;
		if (status === 429 || after !== undefined) {
			// Requests that left before the pause began met the same limit; they prolong nothing.
			// A wait that is over already says nothing about when the limit ends.
			if (left > this.pausedAt) this.pause(after || backOff(this.refusals++));
			return;
		}
		this.probing = false;
		this.refusals = 0;
		const remaining = Number(headers['x-ratelimit-remaining'] ?? NaN);
		this.budget = Number.isInteger(remaining) ? remaining - this.inFlight : undefined;
	}

	private pause(milliseconds: number): void {
		const now = this.clock.now();
		this.pausedAt = now;
		this.pausedUntil = now + milliseconds;
		this.probing = true;
		this.budget = undefined;
		this.waits.count += 1;
		this.waits.milliseconds += milliseconds;
	}
}
