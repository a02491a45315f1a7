import type { INodeProperties } from 'n8n-workflow';
import type {
	EncodedField,
	DerivedField,
	FieldInput,
	RowValues,
} from '../../shared/contract/fieldTypes';
import { Invalid, type EncodeOptions } from '../../shared/contract/types';
import { trimTime } from '../../shared/contract/textLimits';
import { isRecord, quote } from '../../shared/contract/values';
import {
	instantsOf,
	isTimeZone,
	noTimeZone,
	wallTimeAt,
	type WallTime,
} from '../../shared/contract/wallTime';
import { createAndUpdate } from './places';

/** Matches a date with an optional time and offset, in ISO 8601 or in the form of spreadsheets. */
const dateTimePattern =
	/^(?<date>\d{4}-\d\d-\d\d)(?:[T ](?<time>\d\d?:\d\d)(?::[0-5]\d(?:[.,]\d+)?)?\s*(?<offset>Z|[+-]\d\d(?::?\d\d)?)?)?$/i;

/** The time for a date without a time. */
const endOfDay = '23:59';

/** A moment and its clock time. The instant is missing if daylight saving time skips the clock time. */
interface Moment {
	readonly wall: WallTime;
	readonly instant?: number;
}

const momentAt = (instant: number, timeZone: string): Moment | undefined =>
	Number.isNaN(instant) ? undefined : { instant, wall: wallTimeAt(instant, timeZone) };

/** Returns whether a date and a time exist in the calendar. */
const exists = ({ date, time }: WallTime) => {
	const parsed = Date.parse(`${date}T${time}Z`);
	return !Number.isNaN(parsed) && new Date(parsed).toISOString().startsWith(`${date}T${time}`);
};

export function readExpiryText(text: string, timeZone: string): Moment | undefined {
	const {
		date = '',
		time: clock = endOfDay,
		offset,
	} = trimTime(text).match(dateTimePattern)?.groups ?? {};
	const time = clock.padStart(5, '0');
	const wall = { date, time };
	if (!exists(wall)) return undefined;
	if (offset) {
		const full = offset.replace(
			/^([+-]\d\d):?(\d\d)?$/,
			(_, hours, minutes = '00') => `${hours}:${minutes}`,
		);
		return momentAt(Date.parse(`${date}T${time}${full.toUpperCase()}`), timeZone);
	}
	// If the time occurs twice, the link expires at the later occurrence.
	return { wall, instant: instantsOf(wall, timeZone).at(-1) };
}

/** Returns the moment of a text, an n8n DateTime or a Date; undefined for any other value. */
function momentOf(value: unknown, timeZone: string): Moment | undefined {
	if (typeof value === 'string') return readExpiryText(value, timeZone);
	const isDate = isRecord(value) && ('getTime' in value || 'toJSDate' in value);
	return isDate ? momentAt(Number(value), timeZone) : undefined;
}

/** Returns the moment of a value, or why it cannot be sent. */
function readExpiration(
	value: unknown,
	{ now, refusesPast, timeZone }: EncodeOptions,
): Moment | string {
	if (!isTimeZone(timeZone)) return noTimeZone(timeZone);
	const moment = momentOf(value, timeZone);
	if (!moment)
		return 'is not a date and time; enter it as 2030-12-31T23:59, with or without an offset such as +02:00, or as 2030-12-31';
	const { instant } = moment;
	if (instant === undefined)
		return `does not exist in ${timeZone} because of daylight saving time; choose another time`;
	return refusesPast && instant <= now ? 'is in the past; choose a later time' : moment;
}

/** The columns that fill Expiration together. */
const expirationColumns: FieldInput[] = [
	{ name: 'expirationDate', displayName: 'Expiration Date' },
	{ name: 'expirationTime', displayName: 'Expiration Time' },
];

/** Matches a date without a time, or with the time that spreadsheets add to dates. */
const dayPattern =
	/^(\d{4}-\d\d-\d\d)(?:[T ]0?0:00(?::00(?:[.,]0+)?)?\s*(?:Z|[+-]\d\d(?::?\d\d)?)?)?$/i;

const clockPattern = /^(?:[01]?\d|2[0-3]):[0-5]\d(?=$|:[0-5]\d(?:[.,]\d+)?$)/;

/** Returns the expiration of the columns Expiration Date and Expiration Time; any other value as it is. */
function joinedExpiration(value: unknown, timeZone: string, property: INodeProperties): unknown {
	const isJoined = isRecord(value) && expirationColumns.some(({ name }) => name in value);
	if (!isJoined) return value;
	const { expirationDate: date, expirationTime: time } = value;
	if (date === undefined) {
		return new Invalid([`has the time ${quote(time, property)} without a date; fill in the date`]);
	}
	const { wall } = momentOf(date, timeZone) ?? {};
	if (!wall) {
		return new Invalid([
			`${quote(date, property)} is not a date that exists; write it as YYYY-MM-DD, such as 2030-12-31`,
		]);
	}
	const [, written] = (typeof date === 'string' && trimTime(date).match(dayPattern)) || [];
	const day = written ?? (wall.time === '00:00' ? wall.date : undefined);
	if (time === undefined) return day ?? date;
	const [clock] = (typeof time === 'string' && trimTime(time).match(clockPattern)) || [];
	if (clock === undefined) {
		return new Invalid([
			`${quote(time, property)} is not a time of day; write it as HH:MM, such as 09:30`,
		]);
	}
	return day === undefined
		? new Invalid([
				`has the date ${quote(date, property)} with a time, and the time ${quote(time, property)}; keep one time`,
			])
		: `${day} ${clock}`;
}

/** The date and time that sets both expiration fields of the service (contract 2.1), in a time zone (assumption: expiry). */
export const expiration: DerivedField = {
	displayName: 'Expiration',
	name: 'expiration',
	type: 'dateTime',
	default: '',
	hint: 'The date picker sets 00:00, the start of the day',
	description: 'When the link expires. A date without a time means the end of that day.',
	derive: {
		on: createAndUpdate,
		synonyms: ['expires', 'expires at', 'expiry', 'valid until'],
		stems: [
			...['active period end', 'active until', 'end date', 'ends at', 'ends on', 'expiration'],
			...['expire', 'expires', 'expiry', 'valid through', 'valid till', 'valid to', 'valid until'],
		],
		inputs: expirationColumns,
		joinsInputs: true,
		sets: ['expirationDate', 'expirationTime'],
		isGroup: true,
		read: (written, property, _values, options) => {
			const value = joinedExpiration(written, options.timeZone, property);
			if (value instanceof Invalid) return value;
			const outcome = readExpiration(value, options);
			return typeof outcome === 'string'
				? new Invalid([`${quote(value, property)} ${outcome}`])
				: { expirationDate: outcome.wall.date, expirationTime: outcome.wall.time };
		},
	},
};

/** Returns the label of Expiration if the fields that a row sends set it in the past; otherwise undefined. */
export function pastFieldOf(
	sent: readonly EncodedField[],
	{ now, timeZone }: EncodeOptions,
): string | undefined {
	const textOf = (name: string) => sent.find(({ field }) => field.name === name)?.values[0]?.[1];
	const [date, time] = [textOf('expirationDate'), textOf('expirationTime')];
	if (!date || !time) return undefined;
	const { instant = Infinity } = readExpiryText(`${date} ${time}`, timeZone) ?? {};
	return instant <= now ? expiration.displayName : undefined;
}

/** Returns a warning about expirations at 00:00, which the date picker sets; undefined if there are none. */
export function midnightWarning(rows: readonly RowValues[]): string | undefined {
	const isMidnight = ({ source, field, values }: EncodedField) =>
		source === expiration && field.name === 'expirationTime' && values[0]?.[1] === '00:00';
	const { length } = rows.filter(({ fields }) => fields.some(isMidnight));
	return length === 0
		? undefined
		: `Expiration is 00:00 in ${length} ${length === 1 ? 'item' : 'items'}, which is the start of the day. To include the whole day, set 23:59 or leave out the time.`;
}
