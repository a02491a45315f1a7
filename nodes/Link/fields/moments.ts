import { trimTime } from '../../shared/contract/textLimits';
import { isRecord } from '../../shared/contract/values';
import { instantsOf } from '../../shared/contract/wallTime';

/** Matches a date with an optional time and offset, in ISO 8601 or in the form of databases and spreadsheets. */
const momentPattern =
	/^(?<date>\d{4}-\d\d-\d\d)(?:[T ](?<time>\d\d?:\d\d)(?::(?<seconds>[0-5]\d(?:[.,]\d{1,9})?))?\s*(?<offset>Z|[+-]\d\d(?::?\d\d)?)?)?$/i;

/** The moments that a text can mean, in ms since 1970. */
export interface Moments {
	/** The moment that the node assumes; undefined if a change of daylight saving time skips the local time. */
	readonly assumed?: number;
	/** The moment if the `Z` of the text does not mean UTC (assumption: filtered lists); undefined if the text has no `Z`. */
	readonly local?: number;
}

/** Returns the offset of a text in the form of ISO 8601: `+0200` and `+02` become `+02:00`. */
const isoOffset = (offset: string): string =>
	offset.replace(/^([+-]\d\d):?(\d\d)?$/, (_, hours, minutes = '00') => `${hours}:${minutes}`);

/** Returns the whole milliseconds in a text of seconds. A product such as `1.001 * 1000` would be too small. */
function millisecondsOf(seconds = '0'): number {
	const [whole, fraction = ''] = seconds.split(/[.,]/);
	return Number(whole) * 1000 + Number(fraction.slice(0, 3).padEnd(3, '0'));
}

/**
 * Returns the moments that a date and time can mean. A time without an offset is local time of the time zone. A `Z` means
 * UTC or local time; the node assumes UTC. A date means its start. Returns undefined for a text in another form, and for a
 * date that does not exist.
 *
 * @throws RangeError if the time zone does not exist
 */
export function momentsOf(text: string, timeZone: string): Moments | undefined {
	const groups = trimTime(text).match(momentPattern)?.groups;
	if (!groups) return undefined;
	const { date = '', time: clock = '00:00', seconds, offset = '' } = groups;
	const time = clock.padStart(5, '0');
	const utc = Date.parse(`${date}T${time}Z`);
	const exists = !Number.isNaN(utc) && new Date(utc).toISOString().startsWith(`${date}T${time}`);
	if (!exists) return undefined;
	const milliseconds = millisecondsOf(seconds);
	const local = () => {
		// If the local time occurs twice, the text means the later occurrence.
		const instant = instantsOf({ date, time }, timeZone).at(-1);
		return instant === undefined ? undefined : instant + milliseconds;
	};
	if (offset === '') return { assumed: local() };
	if (offset.toUpperCase() === 'Z') return { assumed: utc + milliseconds, local: local() };
	const instant = Date.parse(`${date}T${time}${isoOffset(offset)}`);
	return Number.isNaN(instant) ? undefined : { assumed: instant + milliseconds };
}

/** Returns the moment of a Date or a DateTime; undefined for any other value and for an invalid date. */
export function momentOfDate(value: unknown): number | undefined {
	const isDate = isRecord(value) && ('getTime' in value || 'toJSDate' in value);
	const instant = isDate ? Number(value) : NaN;
	return Number.isNaN(instant) ? undefined : instant;
}
