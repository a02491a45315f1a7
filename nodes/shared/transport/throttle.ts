import type { HttpAnswer } from './exchange';
import { rateLimitOf, retryAfterOf } from './rateLimitHeaders';

/** A source of time and random numbers. Tests replace it. */
export interface Clock {
	/** Returns the milliseconds of a monotonic clock. */
	now(): number;
	/** Waits for a number of milliseconds. Never rejects. */
	sleep(milliseconds: number): Promise<void>;
	/** Returns a number from 0 to 1. */
	random(): number;
}

/**
 * Returns the milliseconds of a pause with exponential backoff: up to half a second at first, and up to 10 seconds after
 * more failures. Half of it is random.
 *
 * @param failures the number of earlier failures
 */
export const growingPause = (failures: number, { random }: Pick<Clock, 'random'>): number =>
	Math.min(500 * 2 ** Math.max(0, failures), 10_000) * (0.5 + random() / 2);

/** The milliseconds that one row has waited for the service, over all its requests. Overlapping periods count once. */
export class WaitingTime {
	total = 0;

	private end = -Infinity;

	/** Returns the total with another period, without adding it. */
	totalWith(from: number, to: number): number {
		return this.total + Math.max(0, to - Math.max(from, this.end));
	}

	/** Adds a period. */
	add(from: number, to: number): void {
		this.total = this.totalWith(from, to);
		this.end = Math.max(this.end, to);
	}
}

/** Whether a service fails: the delay before a retry depends on all requests of the account, not on those of one row. */
export class Health {
	/** Number of failures since the last success. */
	failures = 0;

	private countedAt = -Infinity;

	/** Counts a failure. Requests that were in flight together count once. Times in milliseconds. */
	failed(sentAt: number, now: number): void {
		if (sentAt < this.countedAt) return;
		this.failures += 1;
		this.countedAt = now;
	}

	/** Returns the milliseconds before a retry. Up to three failures may be chance. With more, the delay grows fourfold. */
	delay(clock: Clock): number {
		return growingPause(2 * (this.failures - 3), clock);
	}
}

/** Why nothing is sent: the service's limit, or its maintenance. */
export type PauseReason = 'maintenance' | 'rate limit';

/** The part of the remaining requests of a window that may be in flight together if other clients use the window, too. */
const sharedPart = 1 / 8;

/** The part of a window that is reserved for requests with priority: in requests, and as a share of the limit. */
const maxReserved = 3;
const reservedShare = 0.1;

/** How long it is reserved after such a request, in milliseconds, because more of them usually follow. */
const reservingTime = 600_000;

/**
 * Decides when to send the next request, from the limit that responses report and from refusals (assumption: throttle). It has
 * no timers. Times are in milliseconds of one clock.
 */
export class Throttle {
	/** Whether the service has ever responded. */
	hasAnswered = false;

	/** Max number of requests per window, 0 if unknown, and how many remain, Infinity if unknown. */
	limit = 0;
	remaining = Infinity;

	/**
	 * The last period in which the service refused all requests. `to` is when the service accepted one again, and Infinity until
	 * then. Nothing is sent before `until`.
	 */
	pause = { from: -Infinity, to: -Infinity, until: -Infinity, reason: 'rate limit' as PauseReason };

	/** When one of our requests opened the current window, how long windows last, and when it ends; Infinity if unknown. */
	private openedAt = Infinity;
	private windowLength = Infinity;
	private resetAt = Infinity;

	/** When the requests in flight were sent, by their numbers, which count from 1. */
	private readonly inFlight = new Map<number, number>();

	/** The numbers of the last request, of the last one when `remaining` was read, and of the last one before the pause. */
	private lastNumber = 0;
	private readAfter = 0;
	private lastBeforePause = 0;

	/** The number of the last request before the current window, and whether other clients use it. */
	private windowStart = 0;
	private hasOthers = false;

	/** Whether a single request tests whether the service accepts requests again. */
	private isProbing = false;

	/** When the last request with priority was next in the queue. */
	private priorityAt = -Infinity;

	/** Number of refusals without a wait time since the last accepted request. */
	private refusals = 0;

	get isPaused(): boolean {
		return this.pause.to === Infinity;
	}

	/**
	 * Returns when the first request of a queue may be sent; Infinity if it must wait for a response. Starts a pause if the
	 * current window accepts no more requests.
	 *
	 * @param maxConcurrency the largest Concurrency of all runs
	 * @param hasPriority whether the request is interactive or belongs to a poll
	 */
	next(now: number, maxConcurrency: number, hasPriority: boolean): number {
		if (hasPriority) this.priorityAt = now;
		const numbers = [...this.inFlight.keys()];
		const inFlight = numbers.filter((number) => number > this.lastBeforePause).length;
		const { remaining, limit, pause } = this;
		if (pause.until > now) {
			const hasReserved = remaining > inFlight && remaining < Infinity;
			return hasPriority && hasReserved && pause.reason === 'rate limit' ? now : pause.until;
		}
		if (this.isProbing) return inFlight > 0 ? Infinity : now;
		const reserves = !hasPriority && now < this.priorityAt + reservingTime;
		const reserved = reserves ? Math.min(maxReserved, Math.floor(limit * reservedShare)) : 0;
		const open = remaining - reserved;
		if (open <= inFlight) return this.afterWindow(now, inFlight);
		// Other clients send at the same time. The rest is left to them, until a response shows what they used.
		const part = this.hasOthers ? Math.max(1, Math.floor(open * sharedPart)) : open;
		return inFlight < Math.min(maxConcurrency, part) ? now : Infinity;
	}

	/** Waits for the end of a window that accepts no more requests. If its end is unknown, a single request asks for it. */
	private afterWindow(now: number, inFlight: number): number {
		const { resetAt } = this;
		// A request in flight may have been counted already. But it may also hang.
		if (inFlight > 0 && now < resetAt) return resetAt;
		const isKnown = now < resetAt && resetAt < Infinity;
		const until = isKnown ? resetAt : now;
		this.startPause(now, until, isKnown ? 'rate limit' : undefined);
		return until;
	}

	/** Records that a request is sent, and returns its number. */
	released(now: number): number {
		this.lastNumber += 1;
		this.inFlight.set(this.lastNumber, now);
		return this.lastNumber;
	}

	/** Records the end of a request, and learns from its response. */
	answered(number: number, clock: Pick<Clock, 'now' | 'random'>, answer?: HttpAnswer): void {
		const now = clock.now();
		const sentAt = this.inFlight.get(number) ?? now;
		this.inFlight.delete(number);
		if (!answer) return;
		this.hasAnswered = true;
		const { status, headers } = answer;
		const reported = rateLimitOf(headers);
		const after = retryAfterOf(headers) ?? (status === 429 ? reported.resetAfter : undefined);
		// Requests that were sent before the end of the pause met the same limit: they neither extend nor end the pause.
		const isNew = number > this.lastBeforePause && sentAt >= this.pause.until;
		if (status === 429 || (status === 503 && after !== undefined)) {
			if (isNew) this.refused(clock, status, after);
			else if (this.remaining < Infinity) this.remaining = 0;
			return;
		}
		// An error of a proxy in front of the service says nothing about the limit.
		if (status < 300 || reported.remaining !== undefined) this.learn(number, now, reported);
		if (!isNew) return;
		this.isProbing = false;
		this.refusals = 0;
		if (this.isPaused) this.pause = { ...this.pause, to: now };
	}

	/** Learns from the headers of an accepted request. */
	private learn(number: number, now: number, reported: ReturnType<typeof rateLimitOf>): void {
		const { limit = this.limit, remaining = Infinity, resetAfter } = reported;
		const before = this.remaining;
		this.limit = limit;
		// Of requests that were in flight together, the request with the lowest number was counted last.
		if (remaining >= before && number <= this.readAfter) return;
		const isFirst = remaining === limit - 1;
		if (isFirst || before === Infinity || remaining > before) {
			this.openedAt = isFirst ? now : Infinity;
			this.windowStart = number - 1;
		}
		this.hasOthers = limit - remaining > this.lastNumber - this.windowStart;
		this.remaining = remaining;
		this.readAfter = this.lastNumber;
		this.resetAt = resetAfter === undefined ? this.openedAt + this.windowLength : now + resetAfter;
	}

	private refused(clock: Pick<Clock, 'now' | 'random'>, status: number, after?: number): void {
		const now = clock.now();
		if (status === 429) this.remaining = Infinity;
		// Windows last whole seconds, and Retry-After is rounded up to whole seconds.
		const length = Math.floor((now + (after ?? NaN) - this.openedAt) / 1000) * 1000;
		if (status === 429 && length >= 0 && now < this.resetAt) this.windowLength = length;
		const wait = after ?? growingPause(this.refusals, clock);
		if (after === undefined) this.refusals += 1;
		this.startPause(now, now + wait, status === 429 ? 'rate limit' : 'maintenance');
	}

	/** Starts or extends a pause, after which a single request is sent. Without a reason, the service has not refused anything. */
	private startPause(now: number, until: number, reason?: PauseReason): void {
		this.lastBeforePause = this.lastNumber;
		this.isProbing = true;
		if (!reason) return;
		this.pause = { from: this.isPaused ? this.pause.from : now, to: Infinity, until, reason };
	}
}
