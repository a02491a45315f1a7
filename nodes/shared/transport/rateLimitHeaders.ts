type Headers = Readonly<Record<string, string>>;

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

const whole = (text: string | undefined): number | undefined => {
	const [, digits] = text?.trim().match(/^(\d{1,15})\s*(?:$|[,;])/) ?? [];
	return digits === undefined ? undefined : Number(digits);
};

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

/** Reads seconds from now, seconds since 1970, or milliseconds since 1970. Their sizes differ. */
function resetAfterOf(headers: Headers): number | undefined {
	const reset = whole(headers['x-ratelimit-reset']);
	if (reset === undefined) return undefined;
	if (reset < 1e9) return plausible(reset * 1000);
	return plausible((reset < 1e11 ? reset * 1000 : reset) - serviceTime(headers));
}

/** Returns the smallest number with a name in a `RateLimit` header of the draft, which may contain several policies. */
function memberOf(header: string | undefined, name: RegExp): number | undefined {
	const numbers = [...(header ?? '').matchAll(name)].map(([, digits]) => Number(digits));
	return numbers.sort((a, b) => a - b)[0];
}

/** Reads `X-RateLimit-*`, and `RateLimit-*` and `RateLimit` of the drafts. An unreadable header counts as absent. */
export function rateLimitOf(headers: Headers): RateLimitHeaders {
	const draft = headers.ratelimit?.slice(0, 1000);
	const policy = headers['ratelimit-policy']?.slice(0, 1000);
	const seconds = whole(headers['ratelimit-reset']) ?? memberOf(draft, /\b(?:reset|t)=(\d{1,15})/g);
	return {
		limit:
			whole(headers['x-ratelimit-limit']) ??
			whole(headers['ratelimit-limit']) ??
			memberOf(draft, /\b(?:limit)=(\d{1,15})/g) ??
			memberOf(policy, /\bq=(\d{1,15})/g),
		remaining:
			whole(headers['x-ratelimit-remaining']) ??
			whole(headers['ratelimit-remaining']) ??
			memberOf(draft, /\b(?:remaining|r)=(\d{1,15})/g),
		resetAfter:
			resetAfterOf(headers) ?? (seconds === undefined ? undefined : plausible(seconds * 1000)),
	};
}
