import type { RateLimitHeaders } from './rateLimitHeaders';

/** A request that was sent: its number, counted from 1, and the time in milliseconds. */
export interface Release {
	readonly number: number;
	readonly at: number;
}

/** Max number of requests per window, and the length of the window. */
export interface Limit {
	readonly requests: number;
	readonly milliseconds: number;
}

/** The factor by which earlier responses lose weight in the estimate of requests by other clients. */
const memory = 0.9;

const minute = 60_000;

const second = 1000;

/** Other clients are assumed if Remaining drops by more than this per request of our own. */
const othersThreshold = 1.2;

/** The part of a window that is reserved for requests with priority: in requests, and as a share of the limit. */
const maxReserved = 3;
const reservedShare = 0.1;

/**
 * Estimates the service's limit from the headers of its responses: the remaining requests of the current window, the number
 * of requests that other clients send for each of our own, and the end of the window (assumption: throttle). Times are in
 * milliseconds of one clock.
 */
export class WindowEstimate {
	/** The number of the last request that was sent. */
	lastNumber = 0;

	private remaining?: number;

	/** Max number of requests per window. */
	private limit?: number;

	/** The value of `lastNumber` when `remaining` was read. */
	private readAfter = 0;

	/** How much Remaining dropped in total, and the number of our own responses. Both decay by `memory`. */
	private drop = 0;
	private answers = 0;

	/** The value of `lastNumber` at their last decay. Requests that are in flight together get their responses in any order. */
	private roundEnd = 0;

	/** When the current window opened. Undefined if another client may have opened it. */
	private openedAt?: number;

	private windowLength?: number;

	/** When the current window ends, by the headers. */
	private reportedReset?: number;

	/**
	 * Until then, we leave half of a window that we opened to other clients. They can start up to a second later than we do,
	 * because Retry-After is rounded up.
	 */
	sharedUntil = -Infinity;

	/** Numbers a request that is sent. */
	released(at: number): Release {
		this.lastNumber += 1;
		return { number: this.lastNumber, at };
	}

	/** Learns from the response to an accepted request. */
	answered(release: Release, now: number, headers: RateLimitHeaders): void {
		const { limit, remaining, resetAfter } = headers;
		// Another limit has a count of its own, such as that of a day next to that of a minute.
		const isSame = limit === undefined || this.limit === undefined || limit === this.limit;
		const before = isSame ? this.remaining : undefined;
		this.limit = limit ?? this.limit;
		if (remaining === undefined) {
			this.remaining = undefined;
			return;
		}
		if (release.number > this.roundEnd) {
			this.roundEnd = this.lastNumber;
			this.answers *= memory;
			this.drop *= memory;
		}
		this.answers += 1;
		// Of requests that were in flight together, the request with the lowest Remaining was counted last.
		const isLater = release.number > this.readAfter;
		if (before !== undefined && remaining >= before && !isLater) return;
		const isFirst = limit !== undefined && remaining === limit - 1;
		if (before === undefined || remaining > before || isFirst)
			this.startWindow(isFirst ? now : undefined);
		else this.drop += before - remaining;
		this.remaining = remaining;
		this.readAfter = this.lastNumber;
		this.reportedReset = resetAfter === undefined ? undefined : now + resetAfter;
	}

	/** Records a new window, and when it opened if one of our requests opened it. */
	private startWindow(openedAt?: number): void {
		this.openedAt = openedAt;
		if (openedAt === undefined || this.windowLength === undefined) return;
		this.sharedUntil = openedAt + Math.min(second, this.windowLength / 4);
	}

	/** Learns from a refusal for too many requests. */
	refused(now: number, retryAfter: number | undefined): void {
		this.remaining = undefined;
		const expected = this.expectedReset;
		if (expected !== undefined && now >= expected) {
			// The window is a little longer than estimated, or another client opened the next window.
			const isNear = (retryAfter ?? 0) <= second;
			this.windowLength = isNear ? expected - (this.openedAt ?? 0) + second : undefined;
		} else if (retryAfter !== undefined && this.openedAt !== undefined) {
			// Windows last whole seconds, and Retry-After is rounded up to whole seconds.
			const length = Math.floor((now + retryAfter - this.openedAt) / second) * second;
			this.windowLength = Math.min(this.windowLength ?? Infinity, length);
		}
	}

	/** Records that the current window accepts no more requests. */
	exhaust(): void {
		if (this.remaining !== undefined) this.remaining = 0;
	}

	/** Whether the service reported that the current window accepts no more requests. */
	get isExhausted(): boolean {
		return this.remaining === 0;
	}

	/** Number of requests of all clients for each of our own, at least 1. */
	private get share(): number {
		const share = this.answers > 0 ? this.drop / this.answers : 1;
		return share > othersThreshold ? share : 1;
	}

	/** Whether other clients use the same limit. */
	get hasOthers(): boolean {
		return this.share > 1;
	}

	/** Number of requests per window that are reserved for requests with priority, which cannot wait for the next window. */
	get reserved(): number {
		return Math.min(maxReserved, Math.floor((this.limit ?? 0) * reservedShare));
	}

	/**
	 * Returns the number of requests that may be sent now in addition to those in flight; undefined if no limit is known.
	 * It assumes that the service has not counted the requests in flight. While the window accepts requests, the result is at
	 * least 1 if no request is in flight.
	 */
	capacity(inFlight: number, now: number): number | undefined {
		const { remaining, limit = 0, share } = this;
		if (remaining === undefined) return undefined;
		if (now < this.sharedUntil) return Math.max(0, remaining - Math.floor(limit / 2)) - inFlight;
		// The estimate of other clients is not current, so at most half of our share may be in flight.
		const capacity = Math.floor(remaining / (this.hasOthers ? 2 * share : 1)) - inFlight;
		return remaining > 0 && inFlight === 0 ? Math.max(1, capacity) : capacity;
	}

	/** Our share of each window. Assumes windows of a minute until the length is known (assumption: throttle). */
	get ownLimit(): Limit | undefined {
		if (this.limit === undefined) return undefined;
		const requests = Math.max(1, this.limit / this.share);
		return { requests, milliseconds: this.windowLength ?? minute };
	}

	private get expectedReset(): number | undefined {
		if (this.openedAt === undefined || this.windowLength === undefined) return undefined;
		return this.openedAt + this.windowLength;
	}

	private get resets(): number[] {
		return [this.reportedReset, this.expectedReset].filter((at) => at !== undefined);
	}

	/** Returns when the current window ends; undefined if that is unknown, or has passed. */
	resetAt(now: number): number | undefined {
		return this.resets.find((at) => at > now);
	}

	/** Returns whether the last known window has ended. */
	isOver(now: number): boolean {
		return this.resets.some((at) => at <= now);
	}
}
