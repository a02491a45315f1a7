import { trimTime } from '../textLimits';
import { Invalid, type Codec, type FormParameter } from '../types';
import { isRecord, quote, quoteText, unwrapLocator } from '../values';
import { isTimeZone, noTimeZone, wallTimeAt, type WallTime } from '../wallTime';
import { scalar } from './scalar';

function isDay(written: string): boolean {
	const midnight = new Date(`${written}T00:00:00Z`);
	return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(`${written}T`);
}

/** Matches a date, alone or at the start of a date-time as ISO 8601 and spreadsheets write it. */
const dayOf =
	/^(\d{4}-\d\d-\d\d)(?:[T ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d+)?)?(?:\s*(?:Z|[+-]\d\d(?::?\d\d)?))?)?$/i;

/** The range of instants whose years have four digits in all time zones, in milliseconds since 1970. */
const [firstInstant, endInstant] = [
	Date.parse('0001-01-02T00:00Z'),
	Date.parse('+010000-01-01T00:00Z'),
];

/** A Date or a DateTime. Recognized by its methods, because the expression sandbox has its own classes. */
type DateLike = Readonly<Record<string, unknown>>;

const isDateTime = (value: DateLike): value is DateLike & { toISO: () => unknown } =>
	typeof value.toISODate === 'function' && typeof value.toISO === 'function';

const isDate = (value: DateLike): value is DateLike & { getTime: () => unknown } =>
	typeof value.getTime === 'function';

/**
 * Returns the local time of a DateTime in its own zone, or of a Date in a time zone. Returns undefined for any other
 * value and for an invalid date, and Invalid if the time zone does not exist.
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

/** Quotes a value for an error message. An invalid date has no JSON. */
const quoteDate = (value: DateLike, property: FormParameter): string =>
	isDate(value) || isDateTime(value) ? quoteText(String(value)) : quote(value, property);

/**
 * Builds a codec for a date or a time of day, from a text, a Date or a DateTime.
 *
 * @param part the part of the local time to send
 * @param read returns the text to send for a text; undefined if it is invalid
 * @param wrong the reason for an invalid value; continues the quoted value
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
 * A date in the form YYYY-MM-DD that exists (contract 2.1, `expiration_date`). The date of a Date depends on the time
 * zone; the date of a text or a DateTime does not.
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
 * A time in the form HH:MM, from 00:00 to 23:59 (contract 2.1, `expiration_time`). Accepts hours with one digit, and
 * drops seconds. The time of a Date depends on the time zone; the time of a text or a DateTime does not.
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
