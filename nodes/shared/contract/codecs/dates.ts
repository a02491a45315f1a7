import type { INodeProperties } from 'n8n-workflow';
import { trimTime } from '../textLimits';
import { Invalid, type Codec } from '../types';
import { isRecord, quote, quoteText, unwrapLocator } from '../values';
import { isTimeZone, noTimeZone, wallTimeAt, type WallTime } from '../wallTime';
import { scalar } from './scalar';

function isDay(written: string): boolean {
	const midnight = new Date(`${written}T00:00:00Z`);
	return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(`${written}T`);
}

/** A day alone, or at the beginning of a date-time as ISO 8601 and spreadsheets write it. */
const dayOf =
	/^(\d{4}-\d\d-\d\d)(?:[T ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d+)?)?(?:\s*(?:Z|[+-]\d\d(?::?\d\d)?))?)?$/i;

/** The first instants of the years 1 and 10000, in milliseconds since 1970: a year between them has four digits. */
const [firstInstant, endInstant] = [
	Date.parse('0001-01-02T00:00Z'),
	Date.parse('+010000-01-01T00:00Z'),
];

/** What a Date and Luxon's DateTime can do. The sandbox of expressions has classes of its own, so that methods decide. */
type DateLike = Readonly<Record<string, unknown>>;

const isDateTime = (value: DateLike): value is DateLike & { toISO: () => unknown } =>
	typeof value.toISODate === 'function' && typeof value.toISO === 'function';

const isDate = (value: DateLike): value is DateLike & { getTime: () => unknown } =>
	typeof value.getTime === 'function';

/**
 * Returns what the clock shows at a DateTime, in its own zone, or at a Date, in a time zone; undefined if the value is
 * neither or is no date, Invalid if there is no such zone.
 */
function shownBy(value: DateLike, timeZone: string): Invalid | WallTime | undefined {
	if (isDateTime(value)) {
		const [, date, time] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/.exec(String(value.toISO())) ?? [];
		return date === undefined || time === undefined ? undefined : { date, time };
	}
	const instant = isDate(value) ? Number(value.getTime()) : NaN;
	if (!(instant >= firstInstant && instant < endInstant)) return undefined;
	return isTimeZone(timeZone) ? wallTimeAt(instant, timeZone) : new Invalid([noTimeZone(timeZone)]);
}

/** A value as an error shows it: an invalid date has no JSON. */
const quoteDate = (value: DateLike, property: INodeProperties): string =>
	isDate(value) || isDateTime(value) ? quoteText(String(value)) : quote(value, property);

/**
 * A date or a time of day, from a text, a Date or a DateTime.
 *
 * @param part of the clock that is sent
 * @param read the text to send for what was written; undefined if it cannot be sent
 * @param wrong what is wrong then; reads on behind the quoted value
 */
function clockCodec(
	part: keyof WallTime,
	read: (written: string) => string | undefined,
	wrong: string,
): Codec {
	const written = scalar(read, () => wrong);
	return (value, property, { timeZone = 'UTC' } = {}) => {
		const inner = unwrapLocator(value);
		if (!isRecord(inner)) return written(inner, property);
		const text = shownBy(inner, timeZone);
		if (text instanceof Invalid) return text;
		return text ? [['', text[part]]] : new Invalid([`${quoteDate(inner, property)} ${wrong}`]);
	};
}

/**
 * YYYY-MM-DD, a day that exists (contract 2.1, `expiration_date`). Of a text and of a DateTime the day is taken as it is
 * written, of a Date that in the time zone.
 */
export const date = clockCodec(
	'date',
	(written) => {
		const [, day] = trimTime(written).match(dayOf) ?? [];
		return day !== undefined && isDay(day) ? day : undefined;
	},
	'is not a date that exists; write it as YYYY-MM-DD, such as 2030-12-31',
);

/**
 * HH:MM, 00:00 to 23:59 (contract 2.1, `expiration_time`). One digit of hours is taken as well; seconds are cut off. Of a
 * DateTime the time is taken as it is written, of a Date that in the time zone.
 */
export const time = clockCodec(
	'time',
	(written) => {
		const [, hours = '', minutes] =
			trimTime(written).match(/^([01]?\d|2[0-3]):([0-5]\d)(?::[0-5]\d(?:[.,]\d+)?)?$/) ?? [];
		return minutes === undefined ? undefined : `${hours.padStart(2, '0')}:${minutes}`;
	},
	'is not a time of day; write it as HH:MM, such as 09:30 or 23:59',
);
