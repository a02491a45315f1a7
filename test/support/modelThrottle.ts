/** A limit of requests, as services have it. */
export interface ThrottleOptions {
	/** Requests that a window takes. */
	readonly limit: number;
	/** Length of a window in milliseconds. */
	readonly window: number;
	/** Whether the window slides: then each request counts for the length of a window. Otherwise its first request opens it. */
	readonly slides?: boolean;
	/** What answers tell of the limit, a refusal Retry-After as well: the framework's own headers unless told; `none` is nothing. */
	readonly headers?: 'draft' | 'none' | 'retryAfter' | 'structured' | 'x';
	/** Requests per second, at random times, of others who use the same limit. */
	readonly foreignPerSecond?: number;
}

/** What the limit says of one request. */
export interface Verdict {
	readonly isLetThrough: boolean;
	readonly headers: Readonly<Record<string, string>>;
}

/** Counts the requests of all who use a service. */
export class ModelThrottle {
	/** Requests of the others, and how many of them were refused. */
	readonly foreign = { made: 0, refused: 0 };

	/** When the requests were made that count at present. */
	private counted: number[] = [];

	/** When the next request of the others comes. */
	private foreignAt: number;

	private readonly options: ThrottleOptions;

	private readonly random: () => number;

	constructor(options: ThrottleOptions, random: () => number) {
		this.options = options;
		this.random = random;
		this.foreignAt = this.untilForeign();
	}

	/**
	 * Counts a request, unless it is one too many.
	 *
	 * @param now in milliseconds of the clock
	 * @param epoch when the clock began, in milliseconds since 1970
	 */
	admit(now: number, epoch: number): Verdict {
		for (; this.foreignAt <= now; this.foreignAt += this.untilForeign()) {
			this.foreign.made += 1;
			if (!this.count(this.foreignAt)) this.foreign.refused += 1;
		}
		const isLetThrough = this.count(now);
		return { isLetThrough, headers: this.headersAt(now, epoch, isLetThrough) };
	}

	private untilForeign(): number {
		const { foreignPerSecond = 0 } = this.options;
		if (foreignPerSecond === 0) return Infinity;
		return (-Math.log(1 - this.random()) * 1000) / foreignPerSecond;
	}

	private count(at: number): boolean {
		const { limit, window, slides } = this.options;
		const [first = at] = this.counted;
		if (slides) this.counted = this.counted.filter((time) => time > at - window);
		else if (at >= first + window) this.counted = [];
		if (this.counted.length >= limit) return false;
		this.counted.push(at);
		return true;
	}

	private headersAt(now: number, epoch: number, isLetThrough: boolean): Record<string, string> {
		const { limit, window, headers = 'x' } = this.options;
		const [first = now] = this.counted;
		const seconds = String(Math.ceil((first + window - now) / 1000));
		const remaining = String(limit - this.counted.length);
		const refusal: Record<string, string> = isLetThrough ? {} : { 'retry-after': seconds };
		if (headers === 'none') return {};
		if (headers === 'retryAfter') return refusal;
		if (headers === 'draft') {
			return {
				...refusal,
				'ratelimit-limit': String(limit),
				'ratelimit-remaining': remaining,
				'ratelimit-reset': seconds,
			};
		}
		if (headers === 'structured') {
			const policy = `"default";q=${limit};w=${Math.ceil(window / 1000)}`;
			const left = `"default";r=${remaining};t=${seconds}`;
			return { ...refusal, ratelimit: left, 'ratelimit-policy': policy };
		}
		const reset = String(Math.ceil((epoch + first + window) / 1000));
		return {
			...refusal,
			'x-ratelimit-limit': String(limit),
			'x-ratelimit-remaining': remaining,
			...(isLetThrough ? {} : { 'x-ratelimit-reset': reset }),
		};
	}
}
