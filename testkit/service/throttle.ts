import { json, type Answer } from './answers.ts';
import type { ThrottleSettings } from './settings.ts';

/** What the throttle has to say to a request: headers for its answer, or a refusal. */
export type Verdict = { headers: Record<string, string> } | { refusal: Answer };

/** The requests of one sender that count at present. */
class Counter {
	readonly settings: ThrottleSettings;
	private readonly random: () => number;
	private times: number[] = [];
	private foreignAt: number;

	constructor(settings: ThrottleSettings, now: number, random: () => number) {
		[this.settings, this.random] = [settings, random];
		this.foreignAt = now + this.untilForeign();
	}

	/** Returns milliseconds until the next request of another program: at random, and Infinity without others. */
	private untilForeign(): number {
		const { foreignPerSecond = 0 } = this.settings;
		if (foreignPerSecond === 0) return Infinity;
		return (-Math.log(1 - this.random()) * 1000) / foreignPerSecond;
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
		const own = {
			'x-ratelimit-limit': String(limit),
			'x-ratelimit-remaining': String(limit - this.times.length),
			...(isAdmitted ? {} : { 'x-ratelimit-reset': String(Math.ceil(ends / 1000)) }),
		};
		const isSilent = isAdmitted || headers === 'none';
		return { ...(headers === 'x' ? own : {}), ...(isSilent ? {} : { 'retry-after': seconds }) };
	}
}

/** Counts the requests of each sender. */
export class Throttle {
	private readonly counters = new Map<string, Counter>();
	private readonly clock: () => number;
	private readonly random: () => number;

	/** @param clock returns milliseconds since 1970 */
	constructor(clock: () => number, random: () => number) {
		[this.clock, this.random] = [clock, random];
	}

	/** Counts a request of a sender (an API key, or an empty text without a valid one). */
	admit(sender: string, settings: ThrottleSettings | null): Verdict {
		if (!settings) return { headers: {} };
		const now = this.clock();
		let counter = this.counters.get(sender);
		if (counter?.settings !== settings) counter = new Counter(settings, now, this.random);
		this.counters.set(sender, counter);
		const isAdmitted = counter.admit(now);
		const headers = counter.headers(now, isAdmitted);
		if (isAdmitted) return { headers };
		return { refusal: json(429, { message: 'Too Many Attempts.' }, headers) };
	}
}
