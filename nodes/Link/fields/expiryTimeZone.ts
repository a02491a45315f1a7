import { fieldsNamed } from '../../shared/contract/encodedRow';
import type { AmbiguousContract } from '../../shared/contract/resourceTypes';
import type { ComparedRow, RowValues, WrittenField } from '../../shared/contract/fieldTypes';
import type { Resource, WireValue } from '../../shared/contract/types';
import { trimTime } from '../../shared/contract/textLimits';
import { isUnset } from '../../shared/contract/values';
import {
	isTimeZone,
	minutesBetween,
	readMoment,
	type WallTime,
} from '../../shared/contract/wallTime';

/**
 * The clock times that the text of an expiration can mean. Most services write `Z` for UTC, and some services write it after
 * the local time of the account (assumption: expiry).
 */
interface Interpretations {
	/** The digits as local time of the account. */
	readonly clock?: WallTime;
	/** The moment, in the time zone in which the node sends expirations. */
	readonly moment?: WallTime;
}

const hasOffset = /[+-]\d\d(?::?\d\d)?$/;

/** Returns the clock times that an `ends_at` can mean; an empty object if it is invalid. */
function interpretationsOf(endsAt: unknown, zone: string): Interpretations {
	if (typeof endsAt !== 'string') return {};
	const shown = trimTime(endsAt);
	const isZulu = shown.endsWith('Z') || shown.endsWith('z');
	const moment =
		isZulu || hasOffset.test(shown)
			? readMoment(shown, isTimeZone(zone) ? zone : 'UTC')?.wall
			: undefined;
	const digits = isZulu ? shown.slice(0, -1) : shown;
	return { clock: hasOffset.test(shown) ? undefined : readMoment(digits, 'UTC')?.wall, moment };
}

const isSameTime = (first: WallTime | undefined, second: WallTime | undefined): boolean =>
	first?.date === second?.date && first?.time === second?.time;

/** The key of the field that sends the expiration. */
const key = 'expiration';

/** Returns the clock time that a row sends; undefined if it sends none. */
function sentTime(sent: readonly WireValue[] = []): WallTime | undefined {
	const [[, date] = [], [, time] = []] = sent;
	return date && time ? { date, time } : undefined;
}

const sentBy = (row: RowValues): WallTime | undefined =>
	sentTime(fieldsNamed(row, [key])[0]?.values);

/**
 * Returns when a link expires, in the form that the row would send: null if it never expires, undefined if the response
 * does not show it. Until the run knows whether `Z` means UTC, it prefers the interpretation that equals the row's value
 * (assumption: expiry).
 */
export function expiryOf({ ends_at: endsAt }: Resource, { options, sent }: ComparedRow) {
	if (endsAt === undefined || isUnset(endsAt)) return endsAt === undefined ? undefined : null;
	const { clock, moment } = interpretationsOf(endsAt, options.timeZone);
	if (!clock || !moment) return clock ?? moment;
	if (options.interpretation !== undefined)
		return options.interpretation === 'clock' ? clock : moment;
	return isSameTime(clock, sentTime(sent(key))) ? clock : moment;
}

/** Returns the minutes between the expirations of a row and a link, for each interpretation of the link's time. */
function offsets(row: RowValues, { ends_at: endsAt }: Resource): number[] {
	const sent = sentBy(row);
	if (!sent) return [];
	const { clock, moment } = interpretationsOf(endsAt, row.options.timeZone);
	return [moment, clock].flatMap((shown) => (shown ? minutesBetween(shown, sent) : []));
}

const isExpiryChanged = (before: Resource, answer: Resource) => before.ends_at !== answer.ends_at;

/** Time zones differ by multiples of 15 minutes, and by less than a day. */
const isZoneOffset = (minutes: number) => minutes % 15 === 0 && Math.abs(minutes) < 24 * 60;

/** Two time zones that agree in winter can differ by an hour in summer, if daylight saving time starts on different days. */
const isClockChange = (minutes: number) => Math.abs(minutes) <= 60;

/**
 * Returns whether a response contradicts the expiry that was sent. A difference between two time zones is no contradiction,
 * unless the expiry of another row matched. An unchanged expiry is a contradiction, unless several links of the list
 * differ by the same offset.
 */
export function isExpiryMismatch(answer: Resource, written: WrittenField): boolean {
	const { row, sent, before, hasAgreement, isSharedOffset } = written;
	if (isUnset(answer.ends_at)) return false;
	if (sent.cleared) return true;
	const all = offsets(row, answer);
	if (all.length === 0) return false;
	const isKept = before !== undefined && !isExpiryChanged(before, answer);
	if (all.includes(0)) {
		const shown = expiryOf(answer, { options: row.options, sent: () => sent.values });
		return isKept && shown != null && !isSameTime(shown, sentBy(row));
	}
	const explained = all.filter(
		(minutes) => isZoneOffset(minutes) && (!hasAgreement || isClockChange(minutes)),
	);
	return explained.length === 0 || (isKept && !explained.some(isSharedOffset));
}

/** Returns `2 hours later` or `90 minutes earlier`. */
function spanText(minutes: number): string {
	const whole = Math.abs(minutes);
	const [count, unit] = whole % 60 === 0 ? [whole / 60, 'hour'] : [whole, 'minute'];
	return `${count} ${unit}${count === 1 ? '' : 's'} ${minutes > 0 ? 'later' : 'earlier'}`;
}

/** Detects whether times with `Z` are UTC or the local time of the account (assumption: expiry). */
export const ambiguousExpiry: AmbiguousContract = {
	displayName: 'Expiration',
	keys: [key],
	interpretationOf: (row, { ends_at: endsAt }) => {
		const { clock, moment } = interpretationsOf(endsAt, row.options.timeZone);
		const sent = sentBy(row);
		if (!clock || !moment || isSameTime(clock, moment) || !sent) return undefined;
		const [isClock, isMoment] = [clock, moment].map((shown) => isSameTime(shown, sent));
		if (isClock === isMoment) return undefined;
		return isClock ? 'clock' : 'moment';
	},
	isChanged: isExpiryChanged,
	offsetOf: (row, resource) => {
		const all = offsets(row, resource);
		return all.includes(0) ? 0 : all[0];
	},
	adviceFor: (minutes) => {
		if (minutes === 0)
			return 'If the link already has this expiry, the node misinterpreted the Z at the end of the expiry in the list of links. Change the expiry of this item by a minute, and run the node again.';
		return isZoneOffset(minutes)
			? 'If the time zone of the account differs from that of the items, set Account Time Zone in the credential.'
			: undefined;
	},
	noteFor: (minutes, hasAgreement) => {
		const sorted = [...minutes].sort((first, second) => first - second);
		const spread = (sorted.at(-1) ?? 0) - (sorted[0] ?? 0);
		// Daylight saving time changes the offset of a zone by an hour, and of two zones by two hours.
		const isConstant = spread <= 120 && minutes.every(isZoneOffset);
		if (minutes.length === 0 || !isConstant || (hasAgreement && !minutes.every(isClockChange))) {
			return undefined;
		}
		if (hasAgreement) {
			return `The expiry that the service returns for ${minutes.length} ${minutes.length === 1 ? 'item' : 'items'} is ${spanText(minutes[0] ?? 0)} than the expiry that the node sent. Set Account Time Zone in the credential.`;
		}
		return `Every expiry that the service returns is ${spanText(minutes[0] ?? 0)} than the expiry that the node sent. Set Account Time Zone in the credential.`;
	},
};
