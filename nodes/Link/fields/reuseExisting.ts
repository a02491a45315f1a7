import { flag } from '../../shared/contract/codecs/scalar';
import type { ReuseContract, ResourceOption } from '../../shared/contract/types';
import { isUnset } from '../../shared/contract/values';
import { aliasTemplate } from './aliasTemplate';
import { generateAlias } from './generateAlias';
import { statusOf } from '../link.output';

export const reuseExisting: ResourceOption = {
	displayName: 'Reuse Existing',
	name: 'reuseExisting',
	type: 'boolean',
	default: false,
	description:
		'Whether to return the oldest active link of the domain that has exactly this destination, and all other values of the row, in place of a second one',
	displayOptions: { show: { '/operation': ['create'] } },
	codec: flag,
};

/** A link is used again only while it works. */
export const linkReuse: ReuseContract = {
	option: reuseExisting.name,
	searchBy: 'url',
	isKeyRandom: (own) => isUnset(own[aliasTemplate.name]) && !isUnset(own[generateAlias.name]),
	isActive: (link) => statusOf(link) === 'active',
};
