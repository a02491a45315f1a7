import { type Codec, type FormParameter, Invalid } from '../../shared/contract/types';
import type { Field, FieldInput, Wire } from '../../shared/contract/resourceTypes';
import { refused, isRecord, isUnset, quote } from '../../shared/contract/values';
import { trimTime } from '../../shared/contract/text';
import {
	isTimeZone,
	minutesBetween,
	momentAt,
	noTimeZone,
	readMoment,
	type WallTime,
} from '../../shared/contract/wallTime';
import { placesOf } from '../../shared/contract/operations';

/** Returns the moment of a text, an n8n DateTime or a Date; undefined for any other value. */
function momentOf(value: unknown, timeZone: string) {
	if (typeof value === 'string') return readMoment(value, timeZone);
	const { getTime, toJSDate } = isRecord(value) ? value : {};
	const isDate = typeof (getTime ?? toJSDate) === 'function';
	return isDate ? momentAt(Number(value), timeZone) : undefined;
}

/** The columns that fill Expiration together. */
const expirationColumns: FieldInput[] = [
	{ name: 'expirationDate', displayName: 'Expiration Date' },
	{ name: 'expirationTime', displayName: 'Expiration Time' },
];

/** Matches a date without a time, or with the time that spreadsheets add to dates. */
const dayPattern = /^(\S{10})(?:$|[T ]0?0:00)/i;

const clockPattern = /^(?:[01]?\d|2[0-3]):[0-5]\d(?=$|:[0-5]\d(?:[.,]\d+)?$)/;

/** Returns the expiration of the columns Expiration Date and Expiration Time; any other value as it is. */
function joinedExpiration(value: unknown, timeZone: string, property: FormParameter): unknown {
	const isJoined = isRecord(value) && expirationColumns.some(({ name }) => name in value);
	if (!isJoined) return value;
	const { expirationDate: date, expirationTime: time } = value;
	const refuse = (cell: unknown, what: string, before?: string) =>
		refused(cell, property, what, { before });
	if (date === undefined) return refuse(time, 'without a date; fill in the date', 'has the time');
	const { wall } = momentOf(date, timeZone) ?? {};
	if (!wall) {
		return refuse(date, 'is not a valid date; write it as YYYY-MM-DD, such as 2030-12-31');
	}
	// A Date has the day of the text that n8n stores of it.
	const [, written] = trimTime(String(JSON.parse(JSON.stringify(date)))).match(dayPattern) ?? [];
	const day = written ?? (wall.time === '00:00' ? wall.date : undefined);
	if (time === undefined) return day ?? date;
	const [clock] = (typeof time === 'string' && trimTime(time).match(clockPattern)) || [];
	if (!clock) return refuse(time, 'is not a time of day; write it as HH:MM, such as 09:30');
	if (day) return `${day} ${clock}`;
	const what = `with a time, and the time ${quote(time, property)}; keep one time`;
	return refuse(date, what, 'has the date');
}

/** Without options, a value is read as the service would return it. */
const asReturned = { now: 0, refusesPast: false, timeZone: 'UTC' };

/** Encodes an expiration as date and time in the time zone of the account (assumption: expiry). */
const codec: Codec = (written, property, { options = asReturned } = {}) => {
	const { now, refusesPast, timeZone } = options;
	if (!isTimeZone(timeZone)) return refused(written, property, noTimeZone(timeZone));
	const value = joinedExpiration(written, timeZone, property);
	if (value instanceof Invalid) return value;
	const refuse = (what: string) => refused(value, property, what);
	const moment = momentOf(value, timeZone);
	// Before year 0 and after 9999, a year has more than four digits.
	if (moment?.wall.date.length !== 10) {
		return refuse(
			'is not a date and time; enter it as 2030-12-31T23:59, with or without an offset such as +02:00, or as 2030-12-31',
		);
	}
	const { wall, instant } = moment;
	if (instant === undefined) {
		return refuse(
			`does not exist in ${timeZone} because of daylight saving time; choose another time`,
		);
	}
	if (refusesPast && instant <= now) return refuse('is in the past; choose a later time');
	return [
		['_date', wall.date],
		['_time', wall.time],
	];
};

/** A time with a numeric offset. */
const hasOffset = /[+-]\d\d(?::?\d\d)?$/;

/**
 * Returns the local times that an `ends_at` can mean: its digits and, if it has a zone, its moment in the account's time zone.
 * Some services write `Z` after the local time of the account (assumption: expiry). Empty if it cannot be read.
 */
function timesOf(endsAt: unknown, timeZone: string): WallTime[] {
	const shown = typeof endsAt === 'string' ? trimTime(endsAt) : '';
	const zone = isTimeZone(timeZone) ? timeZone : 'UTC';
	const isZulu = /z$/i.test(shown);
	const moment = isZulu || hasOffset.test(shown) ? readMoment(shown, zone)?.wall : undefined;
	const digits = hasOffset.test(shown) ? undefined : readMoment(shown.replace(/z$/i, ''), 'UTC');
	return [moment, digits?.wall].filter((time) => time !== undefined);
}

/** Returns the expiration of a link as text; null if it never expires, undefined if the response does not show it. */
const currentExpiration: Wire['currentValue'] = ({ ends_at: endsAt }, timeZone) => {
	if (endsAt === undefined || isUnset(endsAt)) return endsAt === undefined ? undefined : null;
	const [time] = timesOf(endsAt, timeZone);
	return time ? `${time.date} ${time.time}` : endsAt;
};

/** Time zones differ by quarters of an hour, and by less than a day. */
const isZoneOffset = (minutes: number) => minutes % 15 === 0 && Math.abs(minutes) < 24 * 60;

/**
 * Compares an expiration with that of a link: the same local time or the same moment is the same. A difference between two time
 * zones is similar (assumption: expiry).
 */
const compareExpiration: Wire['compare'] = ({ ends_at: endsAt }, values, timeZone) => {
	const [[, date] = [], [, time] = []] = values;
	if (!date || !time) return undefined;
	const offsets = timesOf(endsAt, timeZone).map((shown) => minutesBetween(shown, { date, time }));
	if (offsets.length === 0) return 'unknown';
	if (offsets.includes(0)) return 'same';
	return offsets.some(isZoneOffset) ? 'similar' : 'different';
};

/** When a link expires. It sends two params: `expiration_date` and `expiration_time` (contract 2.1). */
export const expiration: Field = {
	displayName: 'Expiration',
	name: 'expiration',
	type: 'dateTime',
	default: '',
	hint: 'The date picker sets 00:00, the start of the day',
	description: 'When the link expires. A date without a time means the end of that day.',
	wire: {
		key: 'expiration',
		shownAs: 'expiresAt',
		codec,
		on: placesOf('optional'),
		inputs: expirationColumns,
		empty: ['_date', '_time'],
		createDefault: '',
		currentValue: currentExpiration,
		storedAs: (values) => ({
			ends_at: values.length > 0 ? values.map(([, text]) => text).join(' ') : null,
		}),
		compare: compareExpiration,
		failsIfDifferent: true,
		similarNote:
			'The service returned another time for Expiration. Set Account Time Zone in the credential, if the account has another time zone',
	},
};
