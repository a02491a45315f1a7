import { trimTime } from './text';
import { shorten } from './values';

/** A date and a time of day as a local clock shows them: `YYYY-MM-DD` and `HH:MM`. */
export interface WallTime {
	readonly date: string;
	readonly time: string;
}

/** Cached by time zone, because creating a format takes longer than encoding a row. */
const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * Returns the offset of a time zone from UTC at an instant, in milliseconds.
 *
 * @throws RangeError if the time zone does not exist
 */
function offsetAt(instant: number, timeZone: string): number {
	const format =
		formats.get(timeZone) ??
		new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
	formats.set(timeZone, format);
	const [, sign = '', ...parts] =
		format.format(instant).match(/GMT([+-])(\d\d):(\d\d)(?::(\d\d))?/) ?? [];
	const [hours = 0, minutes = 0, seconds = 0] = parts.map((part) => Number(part ?? 0));
	return Number(`${sign}1`) * ((hours * 60 + minutes) * 60 + seconds) * 1000;
}

/** Returns the reason for a time zone of the workflow that does not exist. */
export const noTimeZone = (name: string): string =>
	`needs a time zone, but "${shorten(name)}" does not exist; set Account Time Zone in the credential`;

/** Returns whether an IANA time zone exists. */
export function isTimeZone(name: string): boolean {
	try {
		return Number.isFinite(offsetAt(0, name));
	} catch {
		return false;
	}
}

/**
 * Returns the local time of a time zone at an instant, without seconds.
 *
 * @param instant milliseconds since 1970
 * @throws RangeError if the time zone does not exist
 */
export function wallTimeAt(instant: number, timeZone: string): WallTime {
	const local = new Date(instant + offsetAt(instant, timeZone));
	const [date = '', time = ''] = local.toISOString().split('T');
	return { date, time: time.slice(0, 5) };
}

/** Returns the instant of a local time in UTC, in milliseconds since 1970; NaN if it has no numbers. */
const asUtc = ({ date, time }: WallTime): number => Date.parse(`${date}T${time}Z`);

/** Returns the minutes between two local times, ignoring clock changes. */
export const minutesBetween = (later: WallTime, earlier: WallTime): number =>
	(asUtc(later) - asUtc(earlier)) / 60_000;

const day = 24 * 60 * 60 * 1000;

/**
 * Returns the instants at which a time zone shows a local time, in milliseconds since 1970, the earlier first. There
 * are none in the gap of a spring change, and two in the fold of an autumn change.
 *
 * @throws RangeError if the time zone does not exist
 */
export function instantsOf(wall: WallTime, timeZone: string): number[] {
	const utc = asUtc(wall);
	// Clocks change at most once in two days, so these two offsets are the only candidates.
	const offsets = [utc - day, utc + day].map((instant) => offsetAt(instant, timeZone));
	const candidates = [...new Set(offsets.map((offset) => utc - offset))];
	// Without a clock change in between, the local time occurs once.
	if (candidates.length === 1) return candidates;
	return candidates
		.filter((instant) => asUtc(wallTimeAt(instant, timeZone)) === utc)
		.sort((a, b) => a - b);
}

/** Matches a date with an optional time and offset, in ISO 8601 or in the form of spreadsheets. */
const dateTimePattern =
	/^(?<date>\d{4}-\d\d-\d\d)(?:[T ](?<time>\d\d?:\d\d)(?::[0-5]\d(?:[.,]\d+)?)?\s*(?<offset>Z|[+-]\d\d(?::?\d\d)?)?)?$/i;

/** The time for a date without a time. */
const endOfDay = '23:59';

/** Max distance in milliseconds from 1970: more than 10,000 years. */
const maxInstant = 4e14;

/** Returns the moment of an instant in milliseconds since 1970; undefined if it is NaN, or too far from 1970. */
export const momentAt = (instant: number, timeZone: string) =>
	Math.abs(instant) < maxInstant ? { instant, wall: wallTimeAt(instant, timeZone) } : undefined;

/** Returns whether a date and a time exist in the calendar. */
const exists = (wall: WallTime) => {
	const utc = asUtc(wall);
	return !Number.isNaN(utc) && new Date(utc).toISOString().startsWith(`${wall.date}T${wall.time}`);
};

/**
 * Reads a moment and its clock time, as `readMoment` does, from a trimmed text. The instant is missing if daylight saving time
 * skips the clock time.
 */
function parseMoment(text: string, timeZone: string) {
	const { date = '', time: clock = endOfDay, offset } = text.match(dateTimePattern)?.groups ?? {};
	const time = clock.padStart(5, '0');
	const wall = { date, time };
	if (!exists(wall)) return undefined;
	if (offset) {
		const [, hours, minutes = '00'] = offset.match(/^([+-]\d\d):?(\d\d)?$/) ?? [];
		const full = hours ? `${hours}:${minutes}` : 'Z';
		return momentAt(Date.parse(`${date}T${time}${full}`), timeZone);
	}
	// If the time occurs twice, the later occurrence counts.
	return { wall, instant: instantsOf(wall, timeZone).at(-1) };
}

/** Max number of moments to remember. */
const maxMoments = 1000;

/** The moments that were read last. Each value of a row is read several times, and most rows have the value of another one. */
const moments = new Map<string, ReturnType<typeof parseMoment>>();

/**
 * Returns the moment of a text. A text without an offset is local time of the time zone, and a date without a time is the
 * end of the day. Returns undefined for a text in another form, and for a date that does not exist.
 *
 * @throws RangeError if the time zone does not exist
 */
export function readMoment(text: string, timeZone: string) {
	const key = `${timeZone} ${trimTime(text)}`;
	if (moments.has(key)) return moments.get(key);
	if (moments.size >= maxMoments) moments.clear();
	const moment = parseMoment(trimTime(text), timeZone);
	moments.set(key, moment);
	return moment;
}
