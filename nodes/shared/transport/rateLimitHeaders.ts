type Headers = Readonly<Record<string, string>>;

/** What the headers of an answer tell of the service's limit (assumption: throttle). Times in milliseconds. */
export interface RateLimitHeaders {
	/** Requests that a window takes. */
	readonly limit?: number;
	/** Requests that the present window still takes. */
	readonly remaining?: number;
	/** Until the present window ends. */
	readonly resetAfter?: number;
}

/** A longer wait than a day is a mistake of the service's, not something to wait for. */
const longest = 24 * 60 * 60 * 1000;

const sane = (milliseconds: number): number | undefined =>
	milliseconds > 0 && milliseconds <= longest ? milliseconds : undefined;

const whole = (text: string | undefined): number | undefined => {
	const [, digits] = text?.trim().match(/^(\d{1,15})\s*(?:$|[,;])/) ?? [];
	return digits === undefined ? undefined : Number(digits);
};

/** An HTTP date: `Wed, 21 Oct 2026 07:28:00 GMT`. What else a Date could be made of is none. */
export const httpDate = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;

/** The time on the service's own clock where the answer tells it, so that neither clock needs to be right. */
const serviceTime = ({ date = '' }: Headers): number =>
	httpDate.test(date) ? Date.parse(date) : Date.now();

/**
 * Milliseconds that a Retry-After header asks for: whole seconds, or a date. Undefined for one that is missing,
 * unreadable, over already, or longer than a day.
 */
export function retryAfterOf(headers: Headers): number | undefined {
	const after = headers['retry-after']?.trim() ?? '';
	if (/^\d{1,15}$/.test(after)) return sane(Number(after) * 1000);
	return httpDate.test(after) ? sane(Date.parse(after) - serviceTime(headers)) : undefined;
}

/** Seconds from now, seconds since 1970, or milliseconds since 1970: they differ by their size. */
function resetAfterOf(headers: Headers): number | undefined {
	const reset = whole(headers['x-ratelimit-reset']);
	if (reset === undefined) return undefined;
	if (reset < 1e9) return sane(reset * 1000);
	return sane((reset < 1e11 ? reset * 1000 : reset) - serviceTime(headers));
}

/** The smallest number that a draft's `RateLimit` header gives under one of two names, of all its policies. */
function memberOf(header: string | undefined, name: RegExp): number | undefined {
	const numbers = [...(header ?? '').matchAll(name)].map(([, digits]) => Number(digits));
	return numbers.sort((one, other) => one - other)[0];
}

/** Reads `X-RateLimit-*`, and the drafts' `RateLimit-*` and `RateLimit`; what is unreadable counts as absent. */
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
		resetAfter: resetAfterOf(headers) ?? (seconds === undefined ? undefined : sane(seconds * 1000)),
	};
}
