import type { INodeProperties } from 'n8n-workflow';
import { flagOf, integerOf } from '../shared/contract/readers';
import type { ScopeField } from '../shared/contract/resourceTypes';
import { changes } from '../shared/poll/changes';
import { created } from '../shared/poll/created';
import { members } from '../shared/poll/members';
import { thresholds } from '../shared/poll/thresholds';
import type { TriggerContract, TriggerEvent, WatchSpec } from '../shared/poll/types';
import { linkContract } from '../Link/link.contract';
import { domainListLocator, spaceListLocator } from '../Link/link.locators';
import { pixelLocator } from '../Pixel/pixel.contract';
import { newestFirst } from '../shared/contract/endpoints';

/** The values of the list's filter by state (contract 3). */
const active = [['status', '1']] as const;
const expired = [['status', '2']] as const;
const disabled = [['status', '3']] as const;

const key = 'clicks';

const clicksReached = 'clicksReached';

/** The numbers that Clicks Reached looks for. */
const clickThresholds: INodeProperties = {
	displayName: 'Thresholds',
	name: 'thresholds',
	type: 'string',
	required: true,
	default: '100',
	placeholder: 'e.g. 100, 1000, 10000',
	description:
		'Numbers of clicks, separated by commas. Each link reports each of them once. An expression may give a list.',
	displayOptions: { show: { events: [clicksReached] } },
};

/** What can happen to a link. */
const events: TriggerEvent[] = [
	{
		name: 'Clicks Reached',
		value: clicksReached,
		description: 'A link was opened as often as Thresholds says',
		cost: 'one request for each threshold, and one more',
		promise: 'Each link reports each threshold once, also where its clicks fall and rise again',
		sample: {
			params: [
				['sort_by', key],
				['sort', 'desc'],
			],
			tell: (link, numbers) => {
				const threshold = numbers.filter((number) => number <= (integerOf(link[key]) ?? 0)).at(-1);
				return threshold === undefined ? undefined : { threshold };
			},
			advice: 'Open a link often enough, or set a lower number in Thresholds.',
		},
	},
	{
		name: 'Link Created',
		value: 'created',
		description: 'A new link is there',
		cost: 'one request',
		promise: 'Each new link is reported once, unless it is deleted before a poll sees it',
		sample: { params: newestFirst, advice: 'Create a link.' },
	},
	{
		name: 'Link Deleted',
		value: 'deleted',
		description: 'A link is gone',
		cost: 'one request, and about ten more for each link that was deleted',
		promise: 'Each link that a poll has seen is reported once when the service knows it no more',
		sample: { params: newestFirst, isGone: true, advice: 'Create a link.' },
	},
	{
		name: 'Link Disabled',
		value: 'disabled',
		description: 'A link was switched off',
		cost: 'one request, together with Link Enabled Again',
		promise: 'Reported each time, unless it is on again before a poll sees it',
		sample: { params: [...disabled, ...newestFirst], advice: 'Switch a link off.' },
	},
	{
		name: 'Link Enabled Again',
		value: 'enabled',
		description: 'A link that was switched off is on again',
		cost: 'one request, together with Link Disabled',
		promise: 'Reported each time, unless it is off again before a poll sees it',
		sample: { params: [...active, ...newestFirst], advice: 'Switch a link on.' },
	},
	{
		name: 'Link Expired',
		value: 'expired',
		description: 'The expiry of a link has come, by time or by clicks',
		cost: 'one request',
		promise: 'Reported each time, unless the expiry is put off before a poll sees it',
		sample: {
			params: [...expired, ...newestFirst],
			advice: 'Give a link an expiry that is over soon.',
		},
	},
	{
		name: 'Link Updated',
		value: 'updated',
		description: 'Somebody has changed a link',
		cost: 'one request for each 100 links, at most 20',
		promise:
			'Reported once for all that was changed since the link was read last, unless it is undone before',
		sample: {
			params: newestFirst,
			tell: ({ url }) => ({ changes: { url: String(url) } }),
			advice: 'Create a link.',
		},
	},
];

/** The output fields that hold what people wrote; a title is read by the service, and clicks are counted. */
const written = linkContract.output.filter(({ name }) =>
	[
		'alias',
		'url',
		'spaceId',
		'pixelIds',
		'disabled',
		'privacy',
		'hasPassword',
		'hasPrivacyPassword',
		'expirationUrl',
		'expirationClicks',
		'expiresAt',
		'targetType',
		'countryRules',
		'languageRules',
		'platformRules',
		'rotationRules',
	].includes(name),
);

const isDisabled = (link: Record<string, unknown>) => flagOf(link.disabled) === true;

/** How each event is found. */
const watches: WatchSpec[] = [
	{ name: 'created', events: ['created'], begin: created('created') },
	{
		name: 'expired',
		events: ['expired'],
		begin: members({ params: expired, entered: 'expired' }),
	},
	{
		name: 'disabled',
		events: ['disabled', 'enabled'],
		begin: members({
			params: disabled,
			entered: 'disabled',
			left: 'enabled',
			judge: (link, { fits }) => {
				if (!link || fits(link) === false) return 'dropped';
				return isDisabled(link) ? 'member' : 'happened';
			},
		}),
	},
	{
		name: 'deleted',
		events: ['deleted'],
		begin: members({
			params: [],
			growsAtEnd: true,
			left: 'deleted',
			isFinal: true,
			judge: (link, { fits }) => {
				if (!link) return 'happened';
				return fits(link) ? 'member' : 'dropped';
			},
		}),
	},
	{
		name: clicksReached,
		events: [clicksReached],
		begin: thresholds({ event: clicksReached, key }),
	},
	{ name: 'updated', events: ['updated'], begin: changes({ event: 'updated', written }) },
];

/** A poll reads no names. */
const listLocators: Readonly<Record<string, Partial<ScopeField>>> = {
	domainId: domainListLocator,
	spaceId: spaceListLocator,
};

const filters: ScopeField[] = [
	...linkContract.sync.scope.map((property) => ({
		...property,
		...listLocators[property.name],
		description: (property.description ?? '').replace(/ Rows without .*/, ''),
	})),
	{
		displayName: 'Pixel',
		name: 'pixelId',
		...pixelLocator,
		description: 'Only links that this pixel is attached to',
		scope: { field: 'pixelId' },
	},
];

/** All that this package knows of what happens to links. */
export const linkTrigger: TriggerContract = {
	resource: linkContract,
	filters: filters.sort((one, other) => one.displayName.localeCompare(other.displayName)),
	events,
	watches,
	thresholds: { property: clickThresholds, event: clicksReached },
};
