import {
	readFlag,
	flagOf,
	further,
	readId,
	relatedId,
	idsIn,
	readInteger,
	integerOf,
	relatedName,
	relatedNames,
	readRulesOf,
	simple,
	readText,
	webAddress,
} from '../shared/contract/readers';
import type { OutputField, Reader } from '../shared/contract/resourceTypes';
import type { Resource } from '../shared/contract/types';
import { isTimeZone, readMoment } from '../shared/contract/wallTime';
import { rulesByTargetType } from './fields/targeting';

/**
 * Returns a time in milliseconds; NaN if it is invalid. A time without a zone is local time of the account (assumption:
 * expiry).
 */
function instantOf(value: unknown, timeZone: string): number {
	if (typeof value !== 'string') return NaN;
	const isZoned = /(z|[+-]\d\d:?\d\d)$/i.test(value);
	const local = isZoned ? undefined : readMoment(value, timeZone)?.instant;
	return local ?? Date.parse(isZoned ? value : `${value.replace(' ', 'T')}Z`);
}

function isExpired(link: Resource, timeZone: string): boolean {
	const clicks = integerOf(link.clicks) ?? 0;
	// 0 means no limit.
	const maxClicks = integerOf(link.expiration_clicks) || Infinity;
	return instantOf(link.ends_at, timeZone) < Date.now() || clicks >= maxClicks;
}

/**
 * Returns the status of a link (contract 3), from its other fields. A disabled link that has expired is disabled. Null if the
 * response does not show whether the link is disabled.
 *
 * @param timeZone IANA name of the account's time zone
 */
export function statusOf(
	link: Resource,
	timeZone = 'UTC',
): 'active' | 'disabled' | 'expired' | null {
	const isDisabled = flagOf(link.disabled);
	if (isDisabled === null) return null;
	if (isDisabled) return 'disabled';
	return isExpired(link, isTimeZone(timeZone) ? timeZone : 'UTC') ? 'expired' : 'active';
}

/**
 * Returns the kind and the number of the active rules: `country: 2 rules`. Only the kind if the response does not show the
 * rules; null if no rules are active.
 */
export function targetingOf(link: Resource): string | null {
	const kind = rulesByTargetType[String(integerOf(link.target_type))];
	if (kind === undefined) return null;
	// Null is an empty list (assumption: one resource).
	const rules = link[`${kind}_target`] === null ? [] : link[`${kind}_target`];
	if (!Array.isArray(rules)) return kind;
	if (rules.length === 0) return null;
	return `${kind}: ${rules.length} ${rules.length === 1 ? 'rule' : 'rules'}`;
}

const targeting: Reader = { schema: { type: ['string', 'null'] }, read: targetingOf };

const status: Reader = {
	schema: { type: ['string', 'null'], enum: ['active', 'expired', 'disabled', null] },
	read: statusOf,
};

/** The output fields of a link, most used first (assumption: one resource). */
export const linkOutput: OutputField[] = [
	simple('id', 'ID', 'ID of the link', readId('id')),
	simple('alias', 'Alias', 'Last part of the short URL', readText('alias')),
	simple(
		'shortUrl',
		'Short URL',
		'URL of the link; null unless it starts with http:// or https://',
		webAddress('short_url'),
	),
	simple('url', 'Destination URL', 'URL that the link redirects to', readText('url')),
	simple(
		'status',
		'Status',
		'One of active, expired or disabled; null if the response does not show it',
		status,
	),
	simple('clicks', 'Clicks', 'Number of clicks', readInteger('clicks')),
	simple('domain', 'Domain', 'Name of the domain', relatedName('domain')),
	simple('space', 'Space', 'Name of the space; null if the link has none', relatedName('space')),
	simple(
		'expiresAt',
		'Expires At',
		'When the link expires; null if it has no date',
		readText('ends_at'),
	),
	simple('createdAt', 'Created At', 'When the link was created', readText('created_at')),
	further('title', 'Title', 'Title of the destination page', readText('title')),
	further('updatedAt', 'Updated At', 'When the link was last changed', readText('updated_at')),
	further('pixels', 'Pixels', 'Names of the attached pixels', relatedNames('pixels')),
	further(
		'targeting',
		'Targeting',
		'Kind and number of the active rules, such as country: 2 rules; null if there are none',
		targeting,
	),
	further(
		'hasPassword',
		'Has Password',
		'Whether the link requires a password',
		readFlag('password'),
	),
	further('domainId', 'Domain ID', 'ID of the domain', relatedId('domain')),
	further('spaceId', 'Space ID', 'ID of the space; null if the link has none', relatedId('space')),
	further('pixelIds', 'Pixel IDs', 'IDs of the attached pixels', idsIn('pixels')),
	further('disabled', 'Disabled', 'Whether to disable the link', readFlag('disabled')),
	further(
		'privacy',
		'Statistics Privacy',
		'Who can see the statistics: 0 public, 1 private, 2 password',
		readInteger('privacy'),
	),
	further(
		'hasPrivacyPassword',
		'Has Statistics Password',
		'Whether the statistics page requires a password',
		readFlag('privacy_password'),
	),
	further(
		'expirationUrl',
		'Expiration URL',
		'The URL that the link redirects to after it expires',
		readText('expiration_url'),
	),
	further(
		'expirationClicks',
		'Expiration Clicks',
		'Number of clicks after which the link expires',
		readInteger('expiration_clicks'),
	),
	further(
		'targetType',
		'Target Type',
		'Type of the active rules: 0 none, 1 country, 2 platform, 3 language, 4 rotation',
		readInteger('target_type'),
	),
	further(
		'countryRules',
		'Country Rules',
		'Country codes and their destination URLs',
		readRulesOf('country_target', ['key', 'value']),
	),
	further(
		'languageRules',
		'Language Rules',
		'Language codes and their destination URLs',
		readRulesOf('language_target', ['key', 'value']),
	),
	further(
		'platformRules',
		'Platform Rules',
		'Platforms and their destination URLs',
		readRulesOf('platform_target', ['key', 'value']),
	),
	further(
		'rotationRules',
		'Rotation Rules',
		'Destination URLs in rotation',
		readRulesOf('rotation_target', ['value']),
	),
];
