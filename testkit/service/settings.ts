/** A limit of requests. Commonly the first request opens a window (assumption: throttle). */
export interface ThrottleSettings {
	/** Max number of requests in a window. */
	limit: number;
	windowSeconds: number;
	/** Whether each request counts for the length of a window, so that there are no fixed windows. */
	slides?: boolean;
	/** How responses report the limit: by default `x`, the headers of the framework. `retryAfter` is only that header. */
	headers?: 'none' | 'retryAfter' | 'x';
	/** Requests per second, at random times, of other programs with the same key. */
	foreignPerSecond?: number;
}

/** What a test can change while the service runs. The control route takes the same shape as JSON. */
export interface Settings {
	/** Null: no throttle at all. */
	throttle: ThrottleSettings | null;
	faults: Fault[];
	/** How a list is wrapped (assumption: list envelopes). */
	envelope: 'collection' | 'flat' | 'simple' | 'bare';
	/** How a 422 is written (assumption: field errors). */
	errorShape: 'family' | 'framework';
	/** Answers every list with its first page, as a service would that knows no `page` (contract 4.1 lists none). */
	ignorePage: boolean;
	/** Refuses what a lenient service lets pass: unknown fields, a missing Accept or Content-Type. */
	strict: boolean;
	/** Has the fields of version 46 and later: ignores those of the contract that were renamed, and shows others. */
	renamesFields: boolean;
}

export interface Fault {
	/** Which requests match; all when absent. A string is looked for anywhere in the path (which has no query). */
	on?: { method?: string; path?: RegExp | string };
	/** How many matching requests it hits; all when absent. */
	times?: number;
	/** So many matching requests pass first. */
	skip?: number;
	/** 0 to 1: this share of the matching requests is hit, the same ones on every run. */
	share?: number;
	effect: Effect;
}

/** The effects that decide the answer; at most one of them applies to a request. */
export type Disturbance =
	/** Destroys the socket, before or after the request was carried out. */
	| { kind: 'drop'; when: 'before' | 'after' }
	/** A JSON error; the request is not carried out. */
	| { kind: 'status'; status: number; retryAfter?: string; body?: unknown }
	/** An HTML page, by default with status 200; the request is not carried out. */
	| { kind: 'html'; status?: number }
	/** Carried out; half of the announced body, then the socket is destroyed. */
	| { kind: 'cut' }
	/** Carried out; a complete HTTP answer whose JSON stops half way. */
	| { kind: 'truncatedJson' }
	/** Carried out; this JSON instead of the answer, by default with the answer's own status. */
	| { kind: 'body'; status?: number; body: unknown }
	/** A 302; the request is not carried out. */
	| { kind: 'redirect'; location: string }
	/** Carried out; status 200 without a body. */
	| { kind: 'empty' }
	/** Never answered, and not carried out. */
	| { kind: 'hang' };

export type Effect = { kind: 'latency'; milliseconds: number } | Disturbance;

/**
 * The settings that a service starts with: those given, over a well-behaved service of the family. The answer
 * shares no object with `given`, so that changing it leaves `given` good for a reset.
 */
export function completeSettings(settings: Partial<Settings> = {}): Settings {
	return structuredClone({
		throttle: null,
		faults: [],
		envelope: 'collection',
		errorShape: 'family',
		ignorePage: false,
		strict: false,
		renamesFields: false,
		...settings,
	});
}
