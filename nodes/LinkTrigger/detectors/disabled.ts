import type { Resource } from '../../shared/contract/types';
import { flagOf } from '../../shared/contract/readers';
import { listMembership } from './listMembership';

const isDisabled = (link: Resource) => flagOf(link.disabled) === true;

/** Finds links that enter the list of disabled links (contract 3), and links that leave it because they are enabled. */
export const disabledLinks = listMembership('disabled', {
	params: [['status', '3']],
	entered: 'disabled',
	exitEvent: 'enabled',
	classifyExit: (link, { fits }) => {
		if (!link || fits(link) === false) return 'dropped';
		if (!isDisabled(link)) return 'happened';
		// A link that does not show the fields of the filters no longer matches them.
		return fits(link) ? 'member' : 'dropped';
	},
	isForeign: (link) => flagOf(link.disabled) === false,
});
