import { json, type Answer } from './answers.ts';
import type { Settings } from './settings.ts';

/** What the throttle has to say to a request: headers for its answer, or a refusal. */
export type Verdict = { headers: Record<string, string> } | { refusal: Answer };

/** Counts requests in fixed windows, each opened by its first request (assumption: throttle). */
export class Throttle {
	#windows = new Map<string, { opened: number; count: number }>();

	/** Counts a request of a sender (an API key or a client address), refused ones too. */
	admit(sender: string, throttle: Settings['throttle']): Verdict {
		if (!throttle) return { headers: {} };
		const { limit, windowSeconds } = throttle;
		const present = Date.now();
		let window = this.#windows.get(sender);
		if (!window || present >= window.opened + windowSeconds * 1000) {
			window = { opened: present, count: 0 };
			this.#windows.set(sender, window);
		}
		window.count += 1;
		const remaining = String(Math.max(0, limit - window.count));
		const headers = { 'x-ratelimit-limit': String(limit), 'x-ratelimit-remaining': remaining };
		if (window.count <= limit) return { headers };
		const closes = window.opened + windowSeconds * 1000;
		const late = {
			'retry-after': String(Math.ceil((closes - present) / 1000)),
			'x-ratelimit-reset': String(Math.ceil(closes / 1000)),
		};
		return { refusal: json(429, { message: 'Too Many Attempts.' }, { ...headers, ...late }) };
	}

	/** Forgets all windows. */
	reset(): void {
		this.#windows.clear();
	}
}
