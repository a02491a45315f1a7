import { shorten } from './values';

/** A day and a time of day as a clock on the wall shows them: `YYYY-MM-DD` and `HH:MM`. */
export interface WallTime {
	readonly date: string;
	readonly time: string;
}

/** Made once for each zone, because making one takes longer than a whole row. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatFor(timeZone: string): Intl.DateTimeFormat {
	const cached = formats.get(timeZone);
	if (cached) return cached;
	const format = new Intl.DateTimeFormat('en', {
		timeZone,
		calendar: 'iso8601',
		numberingSystem: 'latn',
		hourCycle: 'h23',
		year: 'numeric',
		month: '2-digit',
		day: '2-digit',
		hour: '2-digit',
		minute: '2-digit',
	});
	formats.set(timeZone, format);
	return format;
}

/** What is wrong with a moment whose time zone does not exist; reads on behind the field. */
export const noTimeZone = (name: string): string =>
	`needs a time zone, and there is none named "${shorten(name)}"; choose one such as Europe/Berlin under Options`;

/** Whether there is a time zone of this IANA name. */
export function isTimeZone(name: string): boolean {
	try {
		return formatFor(name) !== undefined;
	} catch {
		return false;
	}
}

/**
 * What the clocks of a zone show at an instant, seconds cut off.
 *
 * @param instant milliseconds since 1970
 * @throws RangeError where there is no such zone
 */
export function wallTimeAt(instant: number, timeZone: string): WallTime {
	const parts = formatFor(timeZone).formatToParts(instant);
	const of = (type: Intl.DateTimeFormatPartTypes) =>
		parts.find((part) => part.type === type)?.value ?? '';
	return {
		date: `${of('year').padStart(4, '0')}-${of('month')}-${of('day')}`,
		time: `${of('hour')}:${of('minute')}`,
	};
}

/** The instant at which the clocks of UTC show a time. Unlike a date's text it may have a year of five digits. */
function asUtc({ date, time }: WallTime): number {
	const [year = NaN, month = NaN, day = NaN] = date.split('-').map(Number);
	const [hour = NaN, minute = NaN] = time.split(':').map(Number);
	return new Date(0).setUTCFullYear(year, month - 1, day) + (hour * 60 + minute) * 60_000;
}

/** Returns how many minutes later one clock time is than another, as clocks that are never put forward or back show it. */
export const minutesBetween = (later: WallTime, earlier: WallTime): number =>
	(asUtc(later) - asUtc(earlier)) / 60_000;

const day = 24 * 60 * 60 * 1000;

/**
 * The instants at which the clocks of a zone show a time, earlier first: none in the gap when they are put forward, two
 * in the fold when they are put back, otherwise one. In milliseconds since 1970.
 *
 * @throws RangeError where there is no such zone
 */
export function instantsOf(wall: WallTime, timeZone: string): number[] {
	const utc = asUtc(wall);
	// Clocks change at most once in two days, so the offsets of the day before and the day after are all there are.
	const offsets = [-day, day].map(
		(shift) => asUtc(wallTimeAt(utc + shift, timeZone)) - (utc + shift),
	);
	const candidates = [...new Set(offsets.map((offset) => utc - offset))];
	return candidates
		.filter((instant) => asUtc(wallTimeAt(instant, timeZone)) === utc)
		.sort((a, b) => a - b);
}
