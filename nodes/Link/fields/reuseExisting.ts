import { flag } from '../../shared/contract/codecs/scalar';
import { parseAddress } from '../../shared/contract/textLimits';
import type { ReuseContract, ResourceOption } from '../../shared/contract/resourceTypes';
import { isSecret } from '../../shared/contract/values';
import { shownFor } from '../../shared/description/parameters';
import { allowPastExpiration } from './expiration';
import { statusOf } from '../link.output';

export const reuseExisting: ResourceOption = {
	displayName: 'Reuse Existing',
	name: 'reuseExisting',
	type: 'boolean',
	default: true,
	description:
		'Whether to return the oldest active link with the same values instead of creating another one',
	displayOptions: shownFor(({ creates }) => creates === 'always'),
	codec: flag,
};

/** Only active links are reused. */
export const linkReuse: ReuseContract = {
	option: reuseExisting.name,
	searchBy: 'url',
	searchTexts: (url) => [...new Set([url, parseAddress(url)?.href ?? url])],
	isActive: (link) => statusOf(link) === 'active',
	// Responses contain no passwords, and only active links are reused.
	isFoundAgain: ({ fields, options }) =>
		options.resourceOptions[allowPastExpiration.name] !== '1' &&
		fields.every(
			({ field, values, cleared }) =>
				cleared || !(isSecret(field) || (field.name === 'disabled' && values[0]?.[1] === '1')),
		),
};
