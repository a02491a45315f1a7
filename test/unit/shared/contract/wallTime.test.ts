import {
	instantsOf,
	isTimeZone,
	minutesBetween,
	noTimeZone,
	wallTimeAt,
} from '../../../../nodes/shared/contract/wallTime';

const wall = (text: string) => {
	const [date = '', time = ''] = text.split(' ');
	return { date, time };
};

it.each<[name: string, isZone: boolean]>([
	['Europe/Berlin', true],
	['UTC', true],
	['Mars/Base', false],
	['', false],
])('%j is a time zone: %j', (name, isZone) => {
	expect(isTimeZone(name)).toBe(isZone);
});

it('reports a time zone that does not exist', () => {
	expect(noTimeZone('Mars')).toBe(
		'needs a time zone, but "Mars" does not exist; set Account Time Zone in the credential',
	);
});

it.each<[instant: string, zone: string, shown: string]>([
	['2030-01-01T00:00:59Z', 'UTC', '2030-01-01 00:00'],
	['2030-01-01T00:00Z', 'America/New_York', '2029-12-31 19:00'],
	['2030-07-01T00:00Z', 'Europe/Berlin', '2030-07-01 02:00'],
	['2030-01-01T00:00Z', 'Asia/Kathmandu', '2030-01-01 05:45'],
	['0099-01-01T00:00Z', 'UTC', '0099-01-01 00:00'],
])('returns the local time at %s in %s', (instant, zone, shown) => {
	expect(wallTimeAt(Date.parse(instant), zone)).toEqual(wall(shown));
});

it.each<[later: string, earlier: string, minutes: number]>([
	['2030-01-02 00:00', '2030-01-01 23:59', 1],
	['2030-01-01 00:00', '2030-01-01 01:30', -90],
	['2028-03-01 00:00', '2028-02-28 00:00', 2 * 24 * 60],
	['10000-01-01 00:00', '9999-12-31 00:00', 24 * 60],
])('returns the minutes from %s back to %s: %j', (later, earlier, minutes) => {
	expect(minutesBetween(wall(later), wall(earlier))).toBe(minutes);
});

it.each<[what: string, shown: string, instants: string[]]>([
	['in winter', '2030-01-01 12:00', ['2030-01-01T11:00:00.000Z']],
	['in the gap', '2030-03-31 02:30', []],
	['after the gap', '2030-03-31 03:00', ['2030-03-31T01:00:00.000Z']],
	['in the fold', '2030-10-27 02:30', ['2030-10-27T00:30:00.000Z', '2030-10-27T01:30:00.000Z']],
])('returns the instants of a local time in Berlin: %s', (_what, shown, instants) => {
	const actual = instantsOf(wall(shown), 'Europe/Berlin');
	expect(actual.map((instant) => new Date(instant).toISOString())).toEqual(instants);
});
