import { rateLimitOf, retryAfterOf } from '../../../../nodes/shared/transport/rateLimitHeaders';

const date = 'Wed, 21 Oct 2026 07:28:00 GMT';

/** Seconds since 1970 at so many seconds after `date`. */
const epoch = (after: number) => String(Date.parse(date) / 1000 + after);

describe('a Retry-After', () => {
	it.each<[string, Record<string, string>, number | undefined]>([
		['7', {}, 7000],
		[' 7 ', {}, 7000],
		['007', {}, 7000],
		['86400', {}, 86_400_000],
		['Wed, 21 Oct 2026 07:28:30 GMT', { date }, 30_000],
		['Thu, 22 Oct 2026 07:28:00 GMT', { date }, 86_400_000],
		// What is no wait, or none that anybody could want, counts as absent.
		['0', {}, undefined],
		['-5', {}, undefined],
		['86401', {}, undefined],
		['99999999999999999999', {}, undefined],
		['1.5', {}, undefined],
		['1e3', {}, undefined],
		['0x10', {}, undefined],
		['5, 5', {}, undefined],
		['5 seconds', {}, undefined],
		['soon', {}, undefined],
		['', {}, undefined],
		['Infinity', {}, undefined],
		['NaN', {}, undefined],
		['Wed, 21 Oct 2026 07:27:30 GMT', { date }, undefined],
		['Wed, 21 Oct 2026 07:28:00 GMT', { date }, undefined],
		['Fri, 23 Oct 2026 07:28:00 GMT', { date }, undefined],
		['Wed, 99 Oct 2026 07:28:30 GMT', { date }, undefined],
		['2026-10-21T07:28:30Z', { date }, undefined],
		['2026', { date }, 2_026_000],
	])('of "%s" beside %j is %s milliseconds', (after, headers, milliseconds) => {
		expect(retryAfterOf({ ...headers, 'retry-after': after })).toBe(milliseconds);
	});

	it('that is missing is none', () => {
		expect(retryAfterOf({ date })).toBeUndefined();
	});

	it.each([
		['tells none', {}],
		['tells an unreadable one', { date: 'now' }],
	])(
		'as a date is compared with the time of this machine where the service %s',
		(_name, headers) => {
			jest.useFakeTimers({ now: Date.parse(date) });
			const after = { 'retry-after': 'Wed, 21 Oct 2026 07:29:00 GMT', ...headers };
			expect(retryAfterOf(after)).toBe(60_000);
			jest.useRealTimers();
		},
	);
});

describe('what headers tell of a limit', () => {
	it.each<[string, Record<string, string>, object]>([
		['nothing', {}, {}],
		[
			'the headers of the framework',
			{ 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '59' },
			{ limit: 60, remaining: 59 },
		],
		[
			'a reset in seconds since 1970',
			{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': epoch(30), date },
			{ remaining: 0, resetAfter: 30_000 },
		],
		[
			'a reset in milliseconds since 1970',
			{ 'x-ratelimit-reset': `${epoch(30)}000`, date },
			{ resetAfter: 30_000 },
		],
		['a reset in seconds from now', { 'x-ratelimit-reset': '30' }, { resetAfter: 30_000 }],
		['a reset that is over', { 'x-ratelimit-reset': epoch(-1), date }, {}],
		['a reset of now', { 'x-ratelimit-reset': '0' }, {}],
		['a reset after more than a day', { 'x-ratelimit-reset': epoch(86_401), date }, {}],
		[
			'the headers of the first drafts',
			{ 'ratelimit-limit': '60', 'ratelimit-remaining': '7', 'ratelimit-reset': '12' },
			{ limit: 60, remaining: 7, resetAfter: 12_000 },
		],
		[
			'a limit with its policies',
			{ 'ratelimit-limit': '10, 10;w=1, 50;w=60', 'ratelimit-remaining': '9 ; x' },
			{ limit: 10, remaining: 9 },
		],
		[
			'one header with names',
			{ ratelimit: 'limit=100, remaining=50, reset=5' },
			{ limit: 100, remaining: 50, resetAfter: 5000 },
		],
		[
			'one header of the later drafts',
			{ ratelimit: '"default";r=50;t=30', 'ratelimit-policy': '"default";q=100;w=60' },
			{ limit: 100, remaining: 50, resetAfter: 30_000 },
		],
		[
			'one header of several policies, of which the smallest numbers count',
			{ ratelimit: '"minute";r=50;t=30, "day";r=3;t=4000' },
			{ remaining: 3, resetAfter: 30_000 },
		],
		[
			'both, of which those of the framework count',
			{ 'x-ratelimit-remaining': '5', 'ratelimit-remaining': '6' },
			{ remaining: 5 },
		],
		[
			'both, of which only one can be read',
			{ 'x-ratelimit-remaining': 'many', 'ratelimit-remaining': '6' },
			{ remaining: 6 },
		],
		[
			'what cannot be read',
			{
				'x-ratelimit-limit': 'sixty',
				'x-ratelimit-remaining': '-1',
				'x-ratelimit-reset': 'soon',
				'ratelimit-remaining': '1.5',
				'ratelimit-reset': '-3',
				ratelimit: 'plenty',
				'ratelimit-policy': '60',
			},
			{},
		],
		['other words that end alike', { ratelimit: 'over=3, at=5, preset=7' }, {}],
		['a number that is none', { 'x-ratelimit-remaining': '9'.repeat(16) }, {}],
	])('is read from %s', (_name, headers, told) => {
		expect(rateLimitOf(headers)).toEqual(told);
	});

	it('is read from the beginning of a header only, so that a long one costs no time', () => {
		const ratelimit = `${'"p";q=1, '.repeat(100_000)}"last";r=5;t=5`;
		expect(rateLimitOf({ ratelimit })).toEqual({});
	});
});
