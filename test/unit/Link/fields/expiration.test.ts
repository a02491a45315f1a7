import fc from 'fast-check';
import '../../../support/randomTests.ts';
import { DateTime, Duration, IANAZone } from 'luxon';
import { expiration } from '../../../../nodes/Link/fields/expiration';
import {
	type EncodeOptions,
	type WireValue,
	Invalid,
} from '../../../../nodes/shared/contract/types';
import type { Comparison } from '../../../../nodes/shared/contract/resourceTypes';
import { reasonText } from '../../../../nodes/shared/contract/values';
import { instantsOf, wallTimeAt } from '../../../../nodes/shared/contract/wallTime';
import { encodeOptions } from '../../../support/encodeRow.ts';

/** Date and time as they are sent, in one text, or the reasons why nothing is. */
function read(value: unknown, changes: Partial<EncodeOptions> = {}): string {
	const options = { ...encodeOptions, ...changes };
	const given = expiration.wire.codec(value, expiration, { options });
	return given instanceof Invalid
		? given.reasons.map(reasonText).join()
		: given.map(([, text]) => text).join(' ');
}

const berlin = { timeZone: 'Europe/Berlin' };

it.each([
	['2030-12-31T18:30', '2030-12-31 18:30'],
	['2030-12-31T18:30:59.999', '2030-12-31 18:30'],
	[' 2030-12-31T18:30:00 ', '2030-12-31 18:30'],
	['2030-12-31', '2030-12-31 23:59'],
	['2030-12-31T18:30Z', '2030-12-31 19:30'],
	['2030-12-31T18:30+01:00', '2030-12-31 18:30'],
	['2030-12-31T18:30-0500', '2031-01-01 00:30'],
	['2030-12-31 18:30 +09', '2030-12-31 10:30'],
	[DateTime.fromISO('2030-12-31T18:30', { zone: 'America/New_York' }), '2031-01-01 00:30'],
	[new Date('2030-07-01T12:00Z'), '2030-07-01 14:00'],
	['9999-12-31T22:59:59.000000Z', '9999-12-31 23:59'],
])('%s is sent as %s in Berlin', (value, sent) => {
	expect(read(value, berlin)).toBe(sent);
});

it.each([
	...['31.12.2030', '2030-02-30', '2030-12-31T25:00', '2030-12-31T18', '18:30', '2030'],
	...['2030-12-31T18:30 Europe/Berlin', '2030-12-31T18:30:60', Duration.fromISO('P1D'), {}],
	...[new Date(NaN), new Date(9e14), DateTime.invalid('none'), 1924972200000, true, ['2030-12-31']],
])('%s is refused with the ways to write it', (value) => {
	expect(read(value)).toMatch(/ is not a date and time; enter it as 2030-12-31T23:59, /);
});

describe('when the clocks change in Berlin', () => {
	it.each([
		['2030-03-31T01:59', '2030-03-31 01:59'],
		['2030-03-31T00:59Z', '2030-03-31 01:59'],
		['2030-03-31T01:00Z', '2030-03-31 03:00'],
		['2030-10-27T00:30Z', '2030-10-27 02:30'],
		['2030-10-27T01:30Z', '2030-10-27 02:30'],
	])('%s is sent as %s', (value, sent) => {
		expect(read(value, berlin)).toBe(sent);
	});

	it.each(['2030-03-31T02:00', '2030-03-31T02:30', '2030-03-31T02:59'])(
		'%s is refused, because no clock shows it',
		(value) => {
			expect(read(value, berlin)).toBe(
				`"${value}" does not exist in Europe/Berlin because of daylight saving time; choose another time`,
			);
			expect(read(value, { timeZone: 'UTC' })).toBe(value.replace('T', ' '));
		},
	);

	it('a time that comes twice is over when its second coming is', () => {
		const between = Date.parse('2030-10-27T01:00Z');
		const after = Date.parse('2030-10-27T01:31Z');
		expect(read('2030-10-27T02:30', { ...berlin, now: between })).toBe('2030-10-27 02:30');
		expect(read('2030-10-27T02:30', { ...berlin, now: after })).toMatch(/ is in the past/);
	});
});

it('refuses a moment in the past, unless the operation accepts it', () => {
	const now = Date.parse('2030-06-01T12:00Z');
	expect(read('2030-06-01T12:01', { now })).toBe('2030-06-01 12:01');
	expect(read('2030-06-01', { now })).toBe('2030-06-01 23:59');
	expect(read('2030-06-01T12:00', { now })).toBe(
		'"2030-06-01T12:00" is in the past; choose a later time',
	);
	expect(read('2030-06-01T12:00', { now, refusesPast: false })).toBe('2030-06-01 12:00');
	// Noon in UTC is not over in a zone whose noon is yet to come.
	expect(read('2030-06-01T12:00', { now, timeZone: 'America/New_York' })).toBe('2030-06-01 12:00');
});

it('refuses a time zone that does not exist, naming it', () => {
	expect(read('2030-06-01', { timeZone: 'Mars/Base' })).toBe(
		'"2030-06-01" needs a time zone, but "Mars/Base" does not exist; set Account Time Zone in the credential',
	);
});

const sentAt = (text: string): WireValue[] => {
	const [date = '', time = ''] = text.split(' ');
	return [
		['_date', date],
		['_time', time],
	];
};

it.each<[sent: string, endsAt: unknown, expected: Comparison | undefined]>([
	// The same moment.
	['2030-12-31 19:30', '2030-12-31T18:30:00.000000Z', 'same'],
	['2031-01-01 00:30', '2030-12-31T23:30:00+00:00', 'same'],
	// The same local time: without a zone, and with the Z that some services write after it.
	['2030-12-31 18:30', '2030-12-31 18:30:00', 'same'],
	['2030-12-31 18:30', '2030-12-31T18:30:00.000000Z', 'same'],
	// Time zones differ by quarters of an hour, and by less than a day.
	['2030-12-31 18:30', '2030-12-31T18:30:00-05:00', 'similar'],
	['2030-12-31 18:30', '2030-12-30 18:45', 'similar'],
	['2030-12-31 18:30', '2030-12-30 18:30', 'different'],
	['2030-12-31 18:30', '2030-12-31 18:31', 'different'],
	['2030-12-31 18:30', 'never', 'unknown'],
	['2030-12-31 18:30', 1924972200, 'unknown'],
])('an expiry %s in Berlin and %j are: %s', (sent, endsAt, expected) => {
	const { compare } = expiration.wire;
	expect(compare?.({ ends_at: endsAt }, sentAt(sent), berlin.timeZone)).toBe(expected);
});

it.each([
	['2030-12-31T18:30:00.000000Z', '2030-12-31 19:30'],
	['2030-12-31 18:30:00', '2030-12-31 18:30'],
	[null, null],
	['', null],
	[undefined, undefined],
	['never', 'never'],
])('shows the expiry %j in Berlin as %j', (endsAt, expected) => {
	expect(expiration.wire.currentValue?.({ ends_at: endsAt }, berlin.timeZone)).toBe(expected);
});

/** Zones with half hours, changes at midnight, changes of half an hour, the far ends of the day, and none. */
const zones = [
	...['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe'],
	...['America/Asuncion', 'Pacific/Apia', 'Pacific/Kiritimati', 'Africa/Casablanca', 'Asia/Beirut'],
];

it('shows what luxon shows at every minute in every zone, and finds it again', () => {
	const [from, to] = ['2000-01-01', '2060-01-01'].map((day) => Date.parse(day) / 60_000);
	fc.assert(
		fc.property(fc.integer({ min: from, max: to }), fc.constantFrom(...zones), (minute, zone) => {
			const instant = minute * 60_000;
			const wall = wallTimeAt(instant, zone);
			const expected = DateTime.fromMillis(instant, { zone: IANAZone.create(zone) });
			expect(`${wall.date} ${wall.time}`).toBe(expected.toFormat('yyyy-MM-dd HH:mm'));
			expect(instantsOf(wall, zone)).toContain(instant);
		}),
		{ numRuns: 2000 },
	);
});
