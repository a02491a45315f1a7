type Headers = Readonly<Record<string, string | undefined>>;

/** The rate limit in the headers of a response (assumption: throttle). Times in milliseconds. */
export interface RateLimitHeaders {
	/** Max number of requests per window. */
	readonly limit?: number;
	/** Remaining number of requests in the current window. */
	readonly remaining?: number;
	/** The time until the current window ends. */
	readonly resetAfter?: number;
}

/** Max time in milliseconds, a day: a longer time is a mistake of the service. */
const longest = 24 * 60 * 60 * 1000;

const plausible = (milliseconds: number): number | undefined =>
	milliseconds > 0 && milliseconds <= longest ? milliseconds : undefined;

/** An HTTP date: `Wed, 21 Oct 2026 07:28:00 GMT`. Date accepts other forms, which HTTP does not allow. */
const httpDate = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;

/** Returns the time of the service's clock if the response contains it, so that neither clock needs to be right. */
const serviceTime = ({ date = '' }: Headers): number =>
	httpDate.test(date) ? Date.parse(date) : Date.now();

/**
 * Returns the milliseconds of a Retry-After header, which contains whole seconds or a date. Undefined if it is missing,
 * unreadable, in the past, or longer than a day.
 */
export function retryAfterOf(headers: Headers): number | undefined {
	const after = headers['retry-after']?.trim() ?? '';
	if (/^\d{1,15}$/.test(after)) return plausible(Number(after) * 1000);
	return httpDate.test(after) ? plausible(Date.parse(after) - serviceTime(headers)) : undefined;
}

/** Returns the whole number at the beginning of the first readable header. */
function numberIn(headers: Headers, ...names: readonly string[]): number | undefined {
	const texts = names.map((name) => /^\s*(\d{1,15})\s*(?:$|[,;])/.exec(headers[name] ?? '')?.[1]);
	const digits = texts.find((text) => text !== undefined);
	return digits === undefined ? undefined : Number(digits);
}

/** Returns the smallest number of a header of the draft that a pattern finds. The header may contain several policies. */
function smallestIn(header: string | undefined, pattern: RegExp): number | undefined {
	const numbers = [...(header ?? '').slice(0, 1000).matchAll(pattern)].map(([, digits]) => digits);
	return numbers.map(Number).sort((a, b) => a - b)[0];
}

/** Reads seconds from now, seconds since 1970, or milliseconds since 1970. Their sizes differ. */
function timeUntil(reset: number, headers: Headers): number | undefined {
	if (reset < 1e9) return plausible(reset * 1000);
	return plausible((reset < 1e11 ? reset * 1000 : reset) - serviceTime(headers));
}

/** Reads `X-RateLimit-*`, and `RateLimit-*` and `RateLimit` of the drafts. An unreadable header counts as absent. */
export function rateLimitOf(headers: Headers): RateLimitHeaders {
	const { ratelimit: draft, 'ratelimit-policy': policy } = headers;
	const reset =
		numberIn(headers, 'x-ratelimit-reset', 'ratelimit-reset') ??
		smallestIn(draft, /\b(?:reset|t)=(\d{1,15})/g);
	return {
		limit:
			numberIn(headers, 'x-ratelimit-limit', 'ratelimit-limit') ??
			smallestIn(draft, /\blimit=(\d{1,15})/g) ??
			smallestIn(policy, /\bq=(\d{1,15})/g),
		remaining:
			numberIn(headers, 'x-ratelimit-remaining', 'ratelimit-remaining') ??
			smallestIn(draft, /\b(?:remaining|r)=(\d{1,15})/g),
		resetAfter: reset === undefined ? undefined : timeUntil(reset, headers),
	};
}
