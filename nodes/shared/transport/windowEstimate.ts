import type { RateLimitHeaders } from './rateLimitHeaders';

/** A request that left: its number in the order in which they left, and when. */
export interface Release {
	readonly number: number;
	readonly at: number;
}

/** So many requests in so many milliseconds. */
export interface Limit {
	readonly requests: number;
	readonly milliseconds: number;
}

/** How much of the past counts at each new answer when the use by others is estimated. */
const memory = 0.9;

const minute = 60_000;

const second = 1000;

/** So much more than our own requests Remaining must drop before others are assumed. */
const noticeable = 1.2;

/** What is kept of a window for a person or a poll: in requests, and as a share of the limit. */
const mostKept = 3;
const shareKept = 0.1;

/**
 * What is known of the service's limit, learned from the headers of its answers: how many requests the present window
 * still takes, how many others make for each of our own, and when the window ends. Times in milliseconds of one clock.
 */
export class WindowEstimate {
	/** Number of the last request that left. */
	departures = 0;

	private remaining?: number;

	/** How many requests a window takes. */
	private limit?: number;

	/** Number of the last request that had left when Remaining was learned. */
	private learnedAt = 0;

	/** By how much Remaining dropped, and in how many answers of our own; both fade. */
	private dropped = 0;
	private answers = 0;

	/** Number of the last request that had left when they faded: those that are under way together are answered in any order. */
	private roundEnd = 0;

	/** When the present window opened, where one of our requests opened it. */
	private openedAt?: number;

	private windowLength?: number;

	/**
	 * Until then, half of a window that we opened is left to others: they come up to a second later, because what
	 * Retry-After tells is rounded up.
	 */
	sharedUntil = -Infinity;

	/** When the present window ends, as the service told. */
	private toldReset?: number;

	depart(at: number): Release {
		this.departures += 1;
		return { number: this.departures, at };
	}

	/** Learns from the answer to a request that the limit let through. */
	learn(departure: Release, now: number, headers: RateLimitHeaders): void {
		const { limit, remaining, resetAfter } = headers;
		// Another limit has a count of its own, such as that of a day beside that of a minute.
		const isSame = limit === undefined || this.limit === undefined || limit === this.limit;
		const known = isSame ? this.remaining : undefined;
		this.limit = limit ?? this.limit;
		if (remaining === undefined) {
			this.remaining = undefined;
			return;
		}
		if (departure.number > this.roundEnd) {
			this.roundEnd = this.departures;
			this.answers *= memory;
			this.dropped *= memory;
		}
		this.answers += 1;
		// Of requests that were under way together, the one with the lowest Remaining was counted last.
		const isLater = departure.number > this.learnedAt;
		if (known !== undefined && remaining >= known && !isLater) return;
		const isFirst = limit !== undefined && remaining === limit - 1;
		if (known === undefined || remaining > known || isFirst) this.open(isFirst ? now : undefined);
		else this.dropped += known - remaining;
		this.remaining = remaining;
		this.learnedAt = this.departures;
		this.toldReset = resetAfter === undefined ? undefined : now + resetAfter;
	}

	/** Notes that a new window is there, and when it opened, where one of our requests opened it. */
	private open(at?: number): void {
		this.openedAt = at;
		if (at === undefined || this.windowLength === undefined) return;
		this.sharedUntil = at + Math.min(second, this.windowLength / 4);
	}

	/** Learns from a refusal for too many requests. */
	refused(now: number, retryAfter: number | undefined): void {
		this.remaining = undefined;
		const expected = this.expectedReset();
		if (expected !== undefined && now >= expected) {
			// It is a little longer than we thought, or others opened the window after the one that we know of.
			const isNear = (retryAfter ?? 0) <= second;
			this.windowLength = isNear ? expected - (this.openedAt ?? 0) + second : undefined;
		} else if (retryAfter !== undefined && this.openedAt !== undefined) {
			// Windows last whole seconds, and Retry-After is rounded up to them.
			const length = Math.floor((now + retryAfter - this.openedAt) / second) * second;
			this.windowLength = Math.min(this.windowLength ?? Infinity, length);
		}
	}

	/** How many requests others make for each of our own, at least 1 in all. */
	private get share(): number {
		const share = this.answers > 0 ? this.dropped / this.answers : 1;
		return share > noticeable ? share : 1;
	}

	/** So many requests of a window are kept for those who cannot wait for the next one. */
	get kept(): number {
		return Math.min(mostKept, Math.floor((this.limit ?? 0) * shareKept));
	}

	/** Notes that the present window takes no more, as a refusal told. */
	useUp(): void {
		if (this.remaining !== undefined) this.remaining = 0;
	}

	/** Whether the service told that the present window takes no more. */
	get isUsedUp(): boolean {
		return this.remaining === 0;
	}

	/** Whether others use the same limit. */
	get hasOthers(): boolean {
		return this.share > 1;
	}

	/**
	 * How many requests more may leave now; undefined where no limit is known. Those under way may have been counted or
	 * not, so they are taken for not counted. While the window takes any, one may leave.
	 */
	room(underWay: number, now: number): number | undefined {
		const { remaining, limit = 0, share } = this;
		if (remaining === undefined) return undefined;
		if (now < this.sharedUntil) return Math.max(0, remaining - Math.floor(limit / 2)) - underWay;
		// What is known of others is some time old, so that no more than half of our share may be under way.
		const room = Math.floor(remaining / (this.hasOthers ? 2 * share : 1)) - underWay;
		return remaining > 0 && underWay === 0 ? Math.max(1, room) : room;
	}

	/** The share of a window that is ours: it is taken for a minute until its length is known (assumption: throttle). */
	get perWindow(): Limit | undefined {
		if (this.limit === undefined) return undefined;
		const requests = Math.max(1, this.limit / this.share);
		return { requests, milliseconds: this.windowLength ?? minute };
	}

	private expectedReset(): number | undefined {
		return this.openedAt === undefined || this.windowLength === undefined
			? undefined
			: this.openedAt + this.windowLength;
	}

	private get resets(): number[] {
		return [this.toldReset, this.expectedReset()].filter((at) => at !== undefined);
	}

	/** When the present window ends; undefined where that is not known, or over. */
	resetAt(now: number): number | undefined {
		return this.resets.find((at) => at > now);
	}

	/** Whether the window that was last heard of has ended. */
	isOver(now: number): boolean {
		return this.resets.some((at) => at <= now);
	}
}
