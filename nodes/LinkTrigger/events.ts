import { integerOf } from '../shared/contract/readers';
import { newestFirst } from '../shared/contract/endpoints';
import { clickedLinks } from './detectors/clicked';
import { clickFields } from './detectors/clickCounter';
import { clicksReached, mostClicksFirst } from './detectors/clicksReached';
import { createdLinks } from './detectors/created';
import { deletedLinks } from './detectors/deleted';
import { disabledLinks } from './detectors/disabled';
import { expiredLinks } from './detectors/expired';
import { updatedLinks } from './detectors/updated';
import type { EventDefinition } from './eventDefinition';
import { minNewClicksProperty, chosenLinksProperty, thresholdsProperty } from './properties';

const table = [
	{
		name: 'Clicks Reached',
		value: 'clicksReached',
		action: 'On click count reached',
		description: 'A link reached a number of clicks in Thresholds',
		cost: '1 API request per threshold, plus 1, per poll',
		promise: 'Reports each threshold once per link, even if its clicks fall and rise again',
		needs: [thresholdsProperty],
		detector: clicksReached,
		sample: {
			params: mostClicksFirst,
			isExample: ({ clicks }, { thresholds }) =>
				thresholds.some((number) => number <= (integerOf(clicks) ?? 0)),
			extraOf: ({ clicks }, { thresholds }) => ({
				threshold:
					thresholds.filter((number) => number <= (integerOf(clicks) ?? 0)).at(-1) ?? thresholds[0],
			}),
			advice: 'Open a link more often, or set a lower number in Thresholds.',
		},
	},
	{
		name: 'Link Clicked',
		value: 'clicked',
		description: 'A link was opened',
		cost: '1 API request per link in Links to Watch, or per 100 links, up to 20, per poll',
		promise:
			'Reports all clicks since the last event in one event, unless a poll finds fewer clicks than before',
		needs: [chosenLinksProperty, minNewClicksProperty],
		detector: clickedLinks,
		sample: {
			params: mostClicksFirst,
			isExample: ({ clicks }, { minNewClicks }) => (integerOf(clicks) ?? 0) >= minNewClicks,
			extraOf: ({ clicks }, { minNewClicks }) => {
				const now = integerOf(clicks) ?? 0;
				return clickFields(Math.max(0, now - minNewClicks), now);
			},
			advice: 'Open a link, or set a lower number in Min New Clicks.',
			chosenAdvice:
				'Check that the links in Links to Watch exist, open one of them, or set a lower number in Min New Clicks.',
		},
	},
	{
		name: 'Link Created',
		value: 'created',
		description: 'A link was created',
		cost: '1 API request per poll',
		promise: 'Reports each new link once, unless it is deleted before a poll reads it',
		detector: createdLinks,
		sample: { params: newestFirst, advice: 'Create a link.' },
	},
	{
		name: 'Link Deleted',
		value: 'deleted',
		description: 'A link was deleted',
		cost: '1 API request per poll, and up to 20 more while it searches for deleted links',
		promise: 'Reports each deleted link once, if an earlier poll read it',
		detector: deletedLinks,
		sample: { params: newestFirst, isGone: true, advice: 'Create a link.' },
	},
	{
		name: 'Link Disabled',
		value: 'disabled',
		description: 'A link was disabled',
		cost: '1 API request per poll, shared with Link Enabled Again',
		promise:
			'Reports a link each time it is disabled, unless it is enabled again before a poll reads it',
		detector: disabledLinks,
		sample: { params: [['status', '3'], ...newestFirst], advice: 'Disable a link.' },
	},
	{
		name: 'Link Enabled Again',
		value: 'enabled',
		description: 'A disabled link was enabled',
		cost: '1 API request per poll, shared with Link Disabled',
		promise:
			'Reports a link each time it is enabled, unless it is disabled again before a poll reads it',
		detector: disabledLinks,
		sample: { params: [['status', '1'], ...newestFirst], advice: 'Enable a link.' },
	},
	{
		name: 'Link Expired',
		value: 'expired',
		description: 'A link expired, by date or by clicks',
		cost: '1 API request per poll',
		promise:
			'Reports a link each time it expires, unless its expiry is postponed before a poll reads it',
		detector: expiredLinks,
		sample: {
			params: [['status', '2'], ...newestFirst],
			advice: 'Set an expiration in the near future for a link.',
		},
	},
	{
		name: 'Link Updated',
		value: 'updated',
		description: 'A link was changed',
		cost: '1 API request per 100 links, up to 20, per poll',
		promise:
			'Reports all changes since the last read in one event, unless they are undone before a poll reads the link',
		detector: updatedLinks,
		sample: {
			params: newestFirst,
			extraOf: ({ url }) => ({ changes: { url: String(url) } }),
			advice: 'Create a link.',
		},
	},
] as const satisfies readonly EventDefinition[];

export type EventName = (typeof table)[number]['value'];

/** All events, sorted by label. A poll runs their detectors in this order. */
export const events: readonly EventDefinition[] = table;
