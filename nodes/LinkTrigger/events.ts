import { integerOf } from '../shared/contract/readers';
import { newestFirst } from '../shared/contract/endpoints';
import { clicksReached, mostClicksFirst } from './detectors/clicksReached';
import { createdLinks } from './detectors/created';
import { deletedLinks } from './detectors/deleted';
import { disabledLinks } from './detectors/disabled';
import { expiredLinks } from './detectors/expired';
import { updatedLinks } from './detectors/updated';
import type { EventDefinition } from './eventDefinition';
import { thresholdsProperty } from './properties';

const table = [
	{
		name: 'Clicks Reached',
		value: 'clicksReached',
		description: 'A link was opened as often as Thresholds says',
		cost: 'one request for each threshold, and one more',
		promise: 'Each link reports each threshold once, also where its clicks fall and rise again',
		needs: thresholdsProperty,
		detector: clicksReached,
		sample: {
			params: mostClicksFirst,
			extraOf: ({ clicks }, thresholds) => {
				const threshold = thresholds.filter((number) => number <= (integerOf(clicks) ?? 0)).at(-1);
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
		detector: createdLinks,
		sample: { params: newestFirst, advice: 'Create a link.' },
	},
	{
		name: 'Link Deleted',
		value: 'deleted',
		description: 'A link is gone',
		cost: 'one request, and up to 20 more while it looks for links that were deleted',
		promise: 'Each link that a poll has seen is reported once when the service knows it no more',
		detector: deletedLinks,
		sample: { params: newestFirst, isGone: true, advice: 'Create a link.' },
	},
	{
		name: 'Link Disabled',
		value: 'disabled',
		description: 'A link was switched off',
		cost: 'one request, together with Link Enabled Again',
		promise: 'Reported each time, unless it is on again before a poll sees it',
		detector: disabledLinks,
		sample: { params: [['status', '3'], ...newestFirst], advice: 'Switch a link off.' },
	},
	{
		name: 'Link Enabled Again',
		value: 'enabled',
		description: 'A link that was switched off is on again',
		cost: 'one request, together with Link Disabled',
		promise: 'Reported each time, unless it is off again before a poll sees it',
		detector: disabledLinks,
		sample: { params: [['status', '1'], ...newestFirst], advice: 'Switch a link on.' },
	},
	{
		name: 'Link Expired',
		value: 'expired',
		description: 'The expiry of a link has come, by time or by clicks',
		cost: 'one request',
		promise: 'Reported each time, unless the expiry is put off before a poll sees it',
		detector: expiredLinks,
		sample: {
			params: [['status', '2'], ...newestFirst],
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
