type Headers = Readonly<Record<string, string | undefined>>;

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

/** Returns the whole number that a header contains; undefined if it is missing or unreadable. */
const numberIn = (header = ''): number | undefined =>
	/^\s*\d{1,15}\s*$/.test(header) ? Number(header) : undefined;

/**
 * Reads `X-RateLimit-*` (assumption: throttle). The reset is in seconds since 1970. An unreadable header counts as absent.
 *
 * @returns max number of requests per window, how many remain in the current one, and the milliseconds until it ends
 */
export function rateLimitOf(headers: Headers) {
	const reset = numberIn(headers['x-ratelimit-reset']);
	return {
		limit: numberIn(headers['x-ratelimit-limit']),
		remaining: numberIn(headers['x-ratelimit-remaining']),
		resetAfter: reset === undefined ? undefined : plausible(reset * 1000 - serviceTime(headers)),
	};
}
