import { listMembership } from './listMembership';

/** Finds deleted links: a link that leaves the list of all links, and that the service no longer knows. */
export const deletedLinks = listMembership('deleted', {
	params: [],
	growsAtEnd: true,
	exitEvent: 'deleted',
	isFinal: true,
	keepsFields: true,
	classifyExit: (link, { fits }) => {
		if (!link) return 'happened';
		return fits(link) ? 'member' : 'dropped';
	},
});
