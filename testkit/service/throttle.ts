import { json, type Answer } from './answers.ts';
import type { ThrottleSettings } from './settings.ts';

/** What the throttle has to say to a request: headers for its answer, or a refusal. */
export type Verdict = { headers: Record<string, string> } | { refusal: Answer };

/** The requests of one sender that count at present. */
class Counter {
	private times: number[] = [];

	private foreignAt: number;

	readonly settings: ThrottleSettings;

	private readonly random: () => number;

	constructor(settings: ThrottleSettings, now: number, random: () => number) {
		this.settings = settings;
		this.random = random;
		this.foreignAt = now + this.untilForeign();
	}

	private untilForeign(): number {
		const { foreignPerSecond = 0 } = this.settings;
		return foreignPerSecond === 0
			? Infinity
			: (-Math.log(1 - this.random()) * 1000) / foreignPerSecond;
	}

	/** Counts a request, unless it is one too many. Before it, counts those of others that came earlier. */
	admit(now: number): boolean {
		for (; this.foreignAt <= now; this.foreignAt += this.untilForeign()) this.count(this.foreignAt);
		return this.count(now);
	}

	private count(at: number): boolean {
		const { limit, windowSeconds, slides } = this.settings;
		const window = windowSeconds * 1000;
		const [first = at] = this.times;
		if (slides) this.times = this.times.filter((time) => time > at - window);
		else if (at >= first + window) this.times = [];
		if (this.times.length >= limit) return false;
		this.times.push(at);
		return true;
	}

	/** The headers of a response. `now` is in milliseconds since 1970. */
	headers(now: number, isAdmitted: boolean): Record<string, string> {
		const { limit, windowSeconds, headers = 'x' } = this.settings;
		const ends = (this.times[0] ?? now) + windowSeconds * 1000;
		const seconds = String(Math.ceil((ends - now) / 1000));
		const remaining = String(limit - this.times.length);
		const styles: Record<typeof headers, Record<string, string>> = {
			draft: {
				'ratelimit-limit': String(limit),
				'ratelimit-remaining': remaining,
				'ratelimit-reset': seconds,
			},
			none: {},
			retryAfter: {},
			structured: {
				ratelimit: `"default";r=${remaining};t=${seconds}`,
				'ratelimit-policy': `"default";q=${limit};w=${Math.ceil(windowSeconds)}`,
			},
			x: {
				'x-ratelimit-limit': String(limit),
				'x-ratelimit-remaining': remaining,
				...(isAdmitted ? {} : { 'x-ratelimit-reset': String(Math.ceil(ends / 1000)) }),
			},
		};
		const isSilent = isAdmitted || headers === 'none';
		return { ...styles[headers], ...(isSilent ? {} : { 'retry-after': seconds }) };
	}
}

/** Counts the requests of each sender. */
export class Throttle {
	private readonly counters = new Map<string, Counter>();

	private readonly clock: () => number;

	private readonly random: () => number;

	/** @param clock returns milliseconds since 1970 */
	constructor(clock: () => number, random: () => number) {
		this.clock = clock;
		this.random = random;
	}

	/** Counts a request of a sender (an API key or a client address). */
	admit(sender: string, settings: ThrottleSettings | null): Verdict {
		if (!settings) return { headers: {} };
		const now = this.clock();
		const known = this.counters.get(sender);
		const counter = known?.settings === settings ? known : new Counter(settings, now, this.random);
		this.counters.set(sender, counter);
		const isAdmitted = counter.admit(now);
		const headers = counter.headers(now, isAdmitted);
		return isAdmitted
			? { headers }
			: { refusal: json(429, { message: 'Too Many Attempts.' }, headers) };
	}
}
