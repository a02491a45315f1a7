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
	readObjects,
	simple,
	readText,
	webAddress,
} from '../shared/contract/readers';
import type { OutputField, Reader } from '../shared/contract/resourceTypes';
import type { Resource } from '../shared/contract/types';
import { isTimeZone, readMoment } from '../shared/contract/wallTime';
import { rulesByTargetType } from './fields/targeting';

function isExpired({ ends_at: end, ...link }: Resource, timeZone: string): boolean {
	// A time without a zone is local time of the account (assumption: expiry).
	const { instant = Infinity } = (typeof end === 'string' && readMoment(end, timeZone)) || {};
	// 0 means no limit.
	const maxClicks = integerOf(link.expiration_clicks) || Infinity;
	return instant < Date.now() || (integerOf(link.clicks) ?? 0) >= maxClicks;
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

/** Reads the rules of a kind (contract 2.1). */
const rulesOf = (kind: string) => readObjects('key', 'value')(`${kind}_target`);

/** The output fields of a link, most used first (assumption: one resource). */
export const linkOutput: OutputField[] = [
	simple('id', 'ID of the link', readId('id')),
	simple('alias', 'Last part of the short URL', readText('alias')),
	simple('shortUrl', 'URL of the link; null if it is no web address', webAddress('short_url')),
	simple('url', 'URL that the link redirects to', readText('url'), 'Destination URL'),
	simple('status', 'One of active, expired or disabled; null if not shown', status),
	simple('clicks', 'Number of clicks', readInteger('clicks')),
	simple('domain', 'Name of the domain', relatedName('domain')),
	simple('space', 'Name of the space; null if the link has none', relatedName('space')),
	simple('expiresAt', 'When the link expires; null if it has no date', readText('ends_at')),
	simple('createdAt', 'When the link was created', readText('created_at')),
	further('title', 'Title of the destination page', readText('title')),
	further('updatedAt', 'When the link was last changed', readText('updated_at')),
	further('pixels', 'Names of the attached pixels', relatedNames('pixels')),
	further('targeting', 'Kind and number of the active rules, such as country: 2 rules', targeting),
	further('hasPassword', 'Whether the link requires a password', readFlag('password')),
	further('domainId', 'ID of the domain', relatedId('domain')),
	further('spaceId', 'ID of the space; null if the link has none', relatedId('space')),
	further('pixelIds', 'IDs of the attached pixels', idsIn('pixels')),
	further('disabled', 'Whether to disable the link', readFlag('disabled')),
	further(
		'privacy',
		'Who can see the statistics: 0 public, 1 private, 2 password',
		readInteger('privacy'),
		'Statistics Privacy',
	),
	further(
		'hasPrivacyPassword',
		'Whether the statistics page requires a password',
		readFlag('privacy_password'),
		'Has Statistics Password',
	),
	further('expirationUrl', 'Where the link redirects after it expires', readText('expiration_url')),
	further('expirationClicks', 'Clicks after which it expires', readInteger('expiration_clicks')),
	further(
		'targetType',
		'Type of the active rules: 0 none, 1 country, 2 platform, 3 language, 4 rotation',
		readInteger('target_type'),
	),
	further('countryRules', 'Country codes and their destination URLs', rulesOf('country')),
	further('languageRules', 'Language codes and their destination URLs', rulesOf('language')),
	further('platformRules', 'Platforms and their destination URLs', rulesOf('platform')),
	further('rotationRules', 'Destination URLs in rotation', readObjects('value')('rotation_target')),
];
