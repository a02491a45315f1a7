import {
	clickFields,
	clicksOf,
	linkClicks,
	minNewClicksProperty,
	thresholdsProperty,
} from './detectors/clicks';
import { createdLinks } from './detectors/created';
import type { EventDefinition } from './detectors/detector';
import { deletedLinks, disabledLinks, expiredLinks } from './detectors/listMembership';
import { updatedLinks } from './detectors/updated';

const table = [
	{
		name: 'Clicks Reached',
		value: 'clicksReached',
		description: 'A link reached a number of clicks in Thresholds',
		cost: '1 request per 100 links, up to 20, per poll',
		needs: thresholdsProperty,
		detector: linkClicks,
		testFields: (_, { thresholds }) => ({ threshold: thresholds[0] }),
	},
	{
		name: 'Link Clicked',
		value: 'clicked',
		description: 'A link was opened',
		cost: '1 request per 100 links, up to 20, per poll',
		needs: minNewClicksProperty,
		detector: linkClicks,
		testFields: (link) => clickFields(0, clicksOf(link) ?? 0),
	},
	{
		name: 'Link Created',
		value: 'created',
		description: 'A link was created',
		cost: '1 request per poll',
		detector: createdLinks,
	},
	{
		name: 'Link Deleted',
		value: 'deleted',
		description: 'A link was deleted',
		cost: '1 request per poll, and up to 20 more while it searches for deleted links',
		detector: deletedLinks,
		isGone: true,
	},
	{
		name: 'Link Disabled',
		value: 'disabled',
		description: 'A link was disabled',
		cost: '1 request per poll, shared with Link Enabled Again',
		detector: disabledLinks,
	},
	{
		name: 'Link Enabled Again',
		value: 'enabled',
		description: 'A disabled link was enabled',
		cost: '1 request per poll, shared with Link Disabled',
		detector: disabledLinks,
	},
	{
		name: 'Link Expired',
		value: 'expired',
		description: 'A link expired, by date or by clicks',
		cost: '1 request per poll',
		detector: expiredLinks,
	},
	{
		name: 'Link Updated',
		value: 'updated',
		description: 'A link was changed',
		cost: '1 request per 100 links, up to 20, per poll',
		detector: updatedLinks,
		testFields: ({ url }) => ({ changes: { url: String(url) } }),
	},
] as const satisfies readonly EventDefinition[];

export type EventName = (typeof table)[number]['value'];

/** All events, sorted by label. */
export const events: readonly EventDefinition[] = table;
