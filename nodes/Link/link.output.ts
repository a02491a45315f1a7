import { flagOf, further, integerOf, read, simple } from '../shared/contract/readers';
import { line } from '../shared/contract/codecs/scalar';
import type { Resource } from '../shared/contract/types';
import type { OutputField, QrCodeContract, Reader } from '../shared/contract/resourceTypes';
import { isTimeZone, readMoment } from '../shared/contract/wallTime';

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
export function statusOf(link: Resource, timeZone = 'UTC') {
	const isDisabled = flagOf(link.disabled);
	if (isDisabled === null) return null;
	if (isDisabled) return 'disabled';
	return isExpired(link, isTimeZone(timeZone) ? timeZone : 'UTC') ? 'expired' : 'active';
}

const status: Reader = {
	schema: { type: ['string', 'null'], enum: ['active', 'expired', 'disabled', null] },
	read: statusOf,
};

/** Reads the rules of a kind (contract 2.1). */
const rulesOf = (kind: string, parts = ['key', 'value']) => read.objects(parts)(`${kind}_target`);

/** The output fields of a link, most used first (assumption: one resource). */
export const linkOutput: OutputField[] = [
	simple('id', 'ID of the link', read.id('id')),
	simple('alias', 'Last part of the short URL', read.text('alias')),
	simple('shortUrl', 'URL of the link; null if it is no web address', read.webAddress('short_url')),
	simple('url', 'URL that the link redirects to', read.text('url'), 'Destination URL'),
	simple('status', 'One of active, expired or disabled; null if not shown', status),
	simple('clicks', 'Number of clicks', read.integer('clicks')),
	simple('domain', 'Name of the domain', read.relatedName('domain')),
	simple('space', 'Name of the space; null if the link has none', read.relatedName('space')),
	simple('expiresAt', 'When the link expires; null if it has no date', read.text('ends_at')),
	simple('createdAt', 'When the link was created', read.text('created_at')),
	further('title', 'Title of the destination page', read.text('title')),
	further('updatedAt', 'When the link was last changed', read.text('updated_at')),
	further('pixels', 'Names of the attached pixels', read.relatedNames('pixels')),
	further('hasPassword', 'Whether the link requires a password', read.flag('password')),
	further('domainId', 'ID of the domain', read.relatedId('domain')),
	further('spaceId', 'ID of the space; null if the link has none', read.relatedId('space')),
	further('pixelIds', 'IDs of the attached pixels', read.ids('pixels')),
	further('disabled', 'Whether to disable the link', read.flag('disabled')),
	further(
		'privacy',
		'Who can see the statistics: 0 public, 1 private, 2 password',
		read.integer('privacy'),
		'Statistics Privacy',
	),
	further(
		'hasPrivacyPassword',
		'Whether the statistics page requires a password',
		read.flag('privacy_password'),
		'Has Statistics Password',
	),
	further(
		'expirationUrl',
		'Where the link redirects after it expires',
		read.text('expiration_url'),
	),
	further('expirationClicks', 'Clicks after which it expires', read.integer('expiration_clicks')),
	further(
		'targetType',
		'Type of the active rules: 0 none, 1 country, 2 platform, 3 language, 4 rotation',
		read.integer('target_type'),
	),
	further('countryRules', 'Country codes and their destination URLs', rulesOf('country')),
	further('languageRules', 'Language codes and their destination URLs', rulesOf('language')),
	further('platformRules', 'Platforms and their destination URLs', rulesOf('platform')),
	further('rotationRules', 'Destination URLs in rotation', rulesOf('rotation', ['value'])),
];

/** The parameters of the QR code of a link. */
export const linkQrCode: QrCodeContract = {
	format: {
		displayName: 'Format',
		name: 'format',
		type: 'options',
		options: [
			{ name: 'PNG', value: 'png', description: 'A picture for emails and documents' },
			{ name: 'SVG', value: 'svg', description: 'A picture for print, sharp at any size' },
			{ name: 'SVG Text', value: 'svgText', description: 'SVG in the JSON, for AI tools' },
		],
		default: 'png',
	},
	size: {
		displayName: 'Size',
		name: 'size',
		type: 'number',
		typeOptions: { minValue: 29, maxValue: 2000 },
		default: 300,
		description: 'Max width in px',
	},
	outputField: {
		displayName: 'Put Output File in Field',
		name: 'binaryPropertyName',
		type: 'string',
		default: 'qrCode',
		isFor: ({ drawsQrCode }) => drawsQrCode,
		codec: line,
	},
};
