import type { INodeProperties } from 'n8n-workflow';
import type { ClientFilter, ResourceTest } from '../../shared/contract/clientFilterTypes';
import { flag, integer } from '../../shared/contract/codecs/scalar';
import { flagOf, integerOf } from '../../shared/contract/readers';
import {
	Invalid,
	type Codec,
	type EncodeOptions,
	type Resource,
} from '../../shared/contract/types';
import { isUnset, quote } from '../../shared/contract/values';
import { isTimeZone, noTimeZone } from '../../shared/contract/wallTime';
import { momentOfDate, momentsOf, type Moments } from './moments';

/** Returns the moment of a filter in ms since 1970, or why it is invalid. A `Z` in a filter means UTC. */
function boundOf(
	value: unknown,
	property: INodeProperties,
	options: EncodeOptions,
): Invalid | number {
	const { timeZone } = options;
	if (!isTimeZone(timeZone)) return new Invalid([noTimeZone(timeZone)]);
	const moments = typeof value === 'string' ? momentsOf(value, timeZone) : undefined;
	const bound = moments ? moments.assumed : momentOfDate(value);
	if (bound !== undefined) return bound;
	const reason = moments
		? `does not exist in ${timeZone} because of daylight saving time; choose another time`
		: 'is not a date and time; enter it as 2030-12-31T23:59, with or without an offset such as +02:00, or as 2030-12-31';
	return new Invalid([`${quote(value, property)} ${reason}`]);
}

/** The moments of a field: null if the link has none, undefined if the service does not show a readable one. */
type MomentsReader = (link: Resource) => Moments | null | undefined;

const readMoments = (value: unknown, timeZone: string) =>
	typeof value === 'string' ? momentsOf(value, timeZone) : undefined;

/** Every link has been created, so a missing date is unknown. */
const createdMoments =
	(timeZone: string): MomentsReader =>
	({ created_at: created }) =>
		readMoments(created, timeZone);

/** An empty `ends_at` means that the link never expires. */
const expiryMoments =
	(timeZone: string): MomentsReader =>
	({ ends_at: endsAt }) =>
		endsAt !== undefined && isUnset(endsAt) ? null : readMoments(endsAt, timeZone);

/** Returns the test that compares a moment of a link. Links without a moment fail. */
function momentTest(
	moments: MomentsReader,
	isWithin: (moment: number) => boolean,
): Pick<ResourceTest, 'isDoubtful' | 'passes'> {
	return {
		passes: (link) => {
			const read = moments(link);
			if (read === null) return false;
			return read?.assumed === undefined ? undefined : isWithin(read.assumed);
		},
		isDoubtful: (link) => {
			const { assumed, local } = moments(link) ?? {};
			return assumed !== undefined && local !== undefined && isWithin(assumed) !== isWithin(local);
		},
	};
}

/** Returns a filter by a date and time. */
function dateFilter(
	property: Pick<ClientFilter, 'description' | 'displayName' | 'name'>,
	key: 'created_at' | 'ends_at',
	direction?: 'asc' | 'desc',
): ClientFilter {
	const isAfter = direction === 'desc';
	return {
		...property,
		type: 'dateTime',
		default: '',
		filter: {
			key,
			read: (value, shown, options) => {
				const bound = boundOf(value, shown, options);
				if (bound instanceof Invalid) return bound;
				const reader = key === 'created_at' ? createdMoments : expiryMoments;
				const moments = reader(options.timeZone);
				const test = momentTest(moments, (at) => (isAfter ? at >= bound : at < bound));
				const createdAt = (link: Resource) => moments(link)?.assumed;
				return direction ? { ...test, end: { direction, createdAt } } : test;
			},
		},
	};
}

/** Returns a filter that compares a value of a link with the encoded text of the filter. */
const valueFilter = (
	property: INodeProperties,
	key: string,
	codec: Codec,
	passes: (value: unknown, text: string) => boolean | undefined,
): ClientFilter => ({
	...property,
	filter: {
		key,
		read: (value, shown) => {
			const encoded = codec(value, shown);
			if (encoded instanceof Invalid) return encoded;
			const text = encoded[0]?.[1] ?? '';
			return { passes: (link) => passes(link[key], text) };
		},
	},
});

/** Returns a filter by the number of clicks. A missing number is unknown, unlike in the response to a create. */
const clicksFilter = (
	property: Pick<ClientFilter, 'description' | 'displayName' | 'name'>,
	isWithin: (clicks: number, bound: number) => boolean,
): ClientFilter =>
	valueFilter(
		{ ...property, type: 'number', typeOptions: { minValue: 0 }, default: 0 },
		'clicks',
		integer,
		(value, text) => {
			const clicks = integerOf(value);
			return clicks === null ? undefined : isWithin(clicks, Number(text));
		},
	);

/** The filters of Get Many that the service does not have (contract 4.1). */
export const linkFilters: readonly ClientFilter[] = [
	dateFilter(
		{
			displayName: 'Created After',
			name: 'createdAfter',
			description: 'Only links that were created at this time or later',
		},
		'created_at',
		'desc',
	),
	dateFilter(
		{
			displayName: 'Created Before',
			name: 'createdBefore',
			description: 'Only links that were created before this time',
		},
		'created_at',
		'asc',
	),
	dateFilter(
		{
			displayName: 'Expires Before',
			name: 'expiresBefore',
			description: 'Only links that expire before this time, or have expired by date',
		},
		'ends_at',
	),
	clicksFilter(
		{
			displayName: 'Clicks At Least',
			name: 'clicksAtLeast',
			description: 'Only links with this number of clicks or more',
		},
		(clicks, bound) => clicks >= bound,
	),
	clicksFilter(
		{
			displayName: 'Clicks At Most',
			name: 'clicksAtMost',
			description: 'Only links with this number of clicks or fewer',
		},
		(clicks, bound) => clicks <= bound,
	),
	valueFilter(
		{
			displayName: 'Has Password',
			name: 'hasPassword',
			type: 'boolean',
			default: true,
			description: 'Whether to return the links with a password or the links without one',
		},
		'password',
		flag,
		(value, text) => {
			const hasPassword = flagOf(value);
			return hasPassword === null ? undefined : hasPassword === (text === '1');
		},
	),
];
