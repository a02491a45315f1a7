import { rateLimitOf, retryAfterOf } from '../../../../nodes/shared/transport/rateLimitHeaders';

const date = 'Wed, 21 Oct 2026 07:28:00 GMT';

/** Seconds since 1970 at a number of seconds after `date`. */
const epoch = (after: number) => String(Date.parse(date) / 1000 + after);

it.each<[after: string | undefined, milliseconds: number | undefined]>([
	...[['7', 7000] as const, [' 007 ', 7000] as const, ['86400', 86_400_000] as const].map(
		([after, milliseconds]): [string, number] => [after, milliseconds],
	),
	['Wed, 21 Oct 2026 07:28:30 GMT', 30_000],
	['Thu, 22 Oct 2026 07:28:00 GMT', 86_400_000],
	...['0', '-5', '86401', '99999999999999999999', '1.5', '1e3', '0x10', '5, 5', 'soon', '', 'NaN']
		.concat(['Wed, 21 Oct 2026 07:27:30 GMT', date, 'Fri, 23 Oct 2026 07:28:00 GMT'])
		.concat(['Wed, 99 Oct 2026 07:28:30 GMT', '2026-10-21T07:28:30Z'])
		.map((after): [string, undefined] => [after, undefined]),
])('a Retry-After of %j is %s milliseconds', (after = '', milliseconds) => {
	expect(retryAfterOf({ date, 'retry-after': after })).toBe(milliseconds);
});

it('a date is compared with the time of this machine if the service reports none', () => {
	jest.useFakeTimers({ now: Date.parse(date) });
	expect(retryAfterOf({ 'retry-after': 'Wed, 21 Oct 2026 07:29:00 GMT' })).toBe(60_000);
	jest.useRealTimers();
});

it.each<[headers: Record<string, string>, limit: object]>([
	[
		{ 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '59' },
		{ limit: 60, remaining: 59 },
	],
	[
		{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': epoch(30), date },
		{ remaining: 0, resetAfter: 30_000 },
	],
	[{ 'x-ratelimit-limit': ' 60 ', 'x-ratelimit-remaining': '9'.repeat(16) }, { limit: 60 }],
	...[epoch(-1), '0', epoch(86_401), '30', `${epoch(30)}000`].map(
		(reset): [Record<string, string>, object] => [{ 'x-ratelimit-reset': reset, date }, {}],
	),
	...['-1', '1.5', 'many', '5, 5', ''].map((remaining): [Record<string, string>, object] => [
		{ 'x-ratelimit-remaining': remaining },
		{},
	]),
	// Not read: the drafts of the IETF.
	[{ 'ratelimit-limit': '60', 'ratelimit-remaining': '7', 'ratelimit-reset': '12' }, {}],
])('reads the limit of %j', (headers, limit) => {
	expect(rateLimitOf(headers)).toEqual(limit);
});
