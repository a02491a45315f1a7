import {
	flag,
	flagOf,
	id,
	idIn,
	idsIn,
	integer,
	integerFrom,
	integerOf,
	nameIn,
	namesIn,
	rules,
	text,
} from '../shared/contract/readers';
import type { OutputField, Reader, Resource } from '../shared/contract/types';

/** A point in time as milliseconds; without a zone it is taken as UTC. NaN where there is none (assumption: one resource). */
function instantOf(value: unknown): number {
	if (typeof value !== 'string') return NaN;
	const isZoned = /(z|[+-]\d\d:?\d\d)$/i.test(value);
	return Date.parse(isZoned ? value : `${value.replace(' ', 'T')}Z`);
}

function isExpired(link: Resource): boolean {
	const clicks = integerOf(link.clicks) ?? 0;
	// Of no clicks at all a link would never have worked: 0 stands for no limit.
	const most = integerOf(link.expiration_clicks) || Infinity;
	return instantOf(link.ends_at) < Date.now() || clicks >= most;
}

/** The states of contract 3. No answer names them, so they are told from what makes them; Disabled outweighs Expired. */
const status: Reader = {
	schema: { type: 'string', enum: ['active', 'expired', 'disabled'] },
	read(link) {
		if (flagOf(link.disabled) === true) return 'disabled';
		return isExpired(link) ? 'expired' : 'active';
	},
};

/** What a link is in the output, most used first (assumption: one resource). */
export const linkOutput: OutputField[] = [
	{
		name: 'id',
		displayName: 'ID',
		description: 'ID of the link',
		isSimple: true,
		from: id('id'),
	},
	{
		name: 'alias',
		displayName: 'Alias',
		description: 'Last part of the short URL',
		isSimple: true,
		from: text('alias'),
	},
	{
		name: 'shortUrl',
		displayName: 'Short URL',
		description: 'The address to give to visitors',
		isSimple: true,
		from: text('short_url'),
	},
	{
		name: 'url',
		displayName: 'Destination URL',
		description: 'The address that the link points to',
		isSimple: true,
		from: text('url'),
	},
	{
		name: 'title',
		displayName: 'Title',
		description: 'Title of the destination page, as the service read it',
		isSimple: true,
		from: text('title'),
	},
	{
		name: 'status',
		displayName: 'Status',
		description: 'One of active, expired and disabled',
		isSimple: true,
		from: status,
	},
	{
		name: 'clicks',
		displayName: 'Clicks',
		description: 'How often the link was opened',
		isSimple: true,
		from: integerFrom('clicks', 0),
	},
	{
		name: 'domain',
		displayName: 'Domain',
		description: 'Name of the domain',
		isSimple: true,
		from: nameIn('domain'),
	},
	{
		name: 'space',
		displayName: 'Space',
		description: 'Name of the space; null where there is none',
		isSimple: true,
		from: nameIn('space'),
	},
	{
		name: 'pixels',
		displayName: 'Pixels',
		description: 'Names of the attached pixels',
		isSimple: true,
		from: namesIn('pixels'),
	},
	{
		name: 'expiresAt',
		displayName: 'Expires At',
		description: 'When the link expires; null where no time is set',
		isSimple: true,
		from: text('ends_at'),
	},
	{
		name: 'createdAt',
		displayName: 'Created At',
		description: 'When the link was created',
		isSimple: true,
		from: text('created_at'),
	},
	{
		name: 'updatedAt',
		displayName: 'Updated At',
		description: 'When the link was last changed',
		isSimple: false,
		from: text('updated_at'),
	},
	{
		name: 'domainId',
		displayName: 'Domain ID',
		description: 'ID of the domain',
		isSimple: false,
		from: idIn('domain'),
	},
	{
		name: 'spaceId',
		displayName: 'Space ID',
		description: 'ID of the space; null where there is none',
		isSimple: false,
		from: idIn('space'),
	},
	{
		name: 'pixelIds',
		displayName: 'Pixel IDs',
		description: 'IDs of the attached pixels',
		isSimple: false,
		from: idsIn('pixels'),
	},
	{
		name: 'disabled',
		displayName: 'Disabled',
		description: 'Whether the link is switched off',
		isSimple: false,
		// What a create did not send has its default (contract 2.1).
		from: {
			schema: { type: 'boolean' },
			read: ({ disabled }) => flagOf(disabled) ?? false,
		},
	},
	{
		name: 'privacy',
		displayName: 'Privacy',
		description: 'Who may see the statistics: 0 public, 1 private, 2 with the password',
		isSimple: false,
		from: integerFrom('privacy', 0),
	},
	{
		name: 'hasPassword',
		displayName: 'Has Password',
		description: 'Whether visitors must enter a password',
		isSimple: false,
		from: flag('password'),
	},
	{
		name: 'expirationUrl',
		displayName: 'Expiration URL',
		description: 'Address used when the link has expired',
		isSimple: false,
		from: text('expiration_url'),
	},
	{
		name: 'expirationClicks',
		displayName: 'Expiration Clicks',
		description: 'Number of clicks after which the link expires',
		isSimple: false,
		from: integer('expiration_clicks'),
	},
	{
		name: 'targetType',
		displayName: 'Target Type',
		description: 'The rules in force: 0 none, 1 country, 2 platform, 3 language, 4 rotation',
		isSimple: false,
		from: integerFrom('target_type', 0),
	},
	{
		name: 'countryRules',
		displayName: 'Country Rules',
		description: 'Country codes and their destination URLs',
		isSimple: false,
		from: rules('country_target', ['key', 'value']),
	},
	{
		name: 'languageRules',
		displayName: 'Language Rules',
		description: 'Language codes and their destination URLs',
		isSimple: false,
		from: rules('language_target', ['key', 'value']),
	},
	{
		name: 'platformRules',
		displayName: 'Platform Rules',
		description: 'Platforms and their destination URLs',
		isSimple: false,
		from: rules('platform_target', ['key', 'value']),
	},
	{
		name: 'rotationRules',
		displayName: 'Rotation Rules',
		description: 'Destination URLs that take turns',
		isSimple: false,
		from: rules('rotation_target', ['value']),
	},
];
