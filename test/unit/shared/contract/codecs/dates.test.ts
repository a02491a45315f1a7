import { date, time } from '../../../../../nodes/shared/contract/codecs/dates';
import { encodedBy, propertyLike } from '../../../../support/codecs.ts';

const noDate = 'is not a date that exists; write it as YYYY-MM-DD, such as 2030-12-31';
const noTime = 'is not a time of day; write it as HH:MM, such as 09:30 or 23:59';

/** A DateTime of Luxon, as far as the codecs use it. */
const dateTime = (iso: string | null) => ({ toISODate: () => null, toISO: () => iso });

describe('a date', () => {
	it.each<[written: unknown, sent: string]>([
		['2030-12-31', '2030-12-31'],
		[' 2030-12-31 ', '2030-12-31'],
		['2028-02-29', '2028-02-29'],
		['2030-12-31T23:59:59.999Z', '2030-12-31'],
		['2030-12-31 08:00', '2030-12-31'],
		['2030-12-31T23:00:00-08:00', '2030-12-31'],
		[{ __rl: true, mode: 'id', value: '2030-12-31' }, '2030-12-31'],
	])('is the written day: %j', (written, sent) => {
		expect(encodedBy(date, written)).toEqual([`=${sent}`]);
	});

	it.each(['2030-02-29', '2030-13-01', '31.12.2030', '2030-12-31T25:00', 'tomorrow', 20301231])(
		'must exist: %j',
		(written) => {
			expect(encodedBy(date, written)).toEqual([`!${JSON.stringify(written)} ${noDate}`]);
		},
	);

	it('refuses a list', () => {
		expect(encodedBy(date, ['2030-12-31'])).toEqual([`!["2030-12-31"] ${noDate}`]);
	});
});

describe('a time', () => {
	it.each<[written: string, sent: string]>([
		['23:59', '23:59'],
		['9:05', '09:05'],
		[' 00:00 ', '00:00'],
		['12:30:59', '12:30'],
		['12:30:59.999', '12:30'],
	])('is in hours and minutes: %j', (written, sent) => {
		expect(encodedBy(time, written)).toEqual([`=${sent}`]);
	});

	it.each(['24:00', '12:60', '12', '9:5', '12:30Z', 'noon'])(
		'must be on a clock: %j',
		(written) => {
			expect(encodedBy(time, written)).toEqual([`!"${written}" ${noTime}`]);
		},
	);
});

describe('objects of expressions', () => {
	const instant = new Date('2030-12-31T23:30:00Z');

	it.each<[timeZone: string | undefined, day: string, clock: string]>([
		[undefined, '2030-12-31', '23:30'],
		['Europe/Berlin', '2031-01-01', '00:30'],
		['America/New_York', '2030-12-31', '18:30'],
	])('read a Date in the time zone %s', (timeZone, day, clock) => {
		expect(encodedBy(date, instant, propertyLike(), { timeZone })).toEqual([`=${day}`]);
		expect(encodedBy(time, instant, propertyLike(), { timeZone })).toEqual([`=${clock}`]);
	});

	it('read a DateTime in its own time zone', () => {
		const value = dateTime('2030-12-31T23:30:00.000-08:00');
		const context = { timeZone: 'Europe/Berlin' };
		expect(encodedBy(date, value, propertyLike(), context)).toEqual(['=2030-12-31']);
		expect(encodedBy(time, value, propertyLike(), context)).toEqual(['=23:30']);
	});

	it('refuse an invalid Date or DateTime', () => {
		expect(encodedBy(date, new Date(NaN))).toEqual([`!"Invalid Date" ${noDate}`]);
		expect(encodedBy(time, dateTime(null))).toEqual([`!"[object Object]" ${noTime}`]);
	});

	it('refuse a year without four digits', () => {
		expect(encodedBy(date, new Date('+010000-01-01T00:00Z'))).toEqual([
			expect.stringMatching(/ is not a date that exists/),
		]);
		expect(encodedBy(date, new Date('9999-12-31T23:59Z'))).toEqual(['=9999-12-31']);
	});

	it('report a time zone that does not exist', () => {
		expect(encodedBy(date, instant, propertyLike(), { timeZone: 'Mars/Base' })).toEqual([
			'!needs a time zone, but "Mars/Base" does not exist; set Account Time Zone in the credential',
		]);
	});
});
