import type { Resource } from '../../shared/contract/types';
import { integerOf } from '../../shared/contract/readers';
import { isUnset } from '../../shared/contract/values';
import { listMembership } from './listMembership';

/**
 * Returns whether a link shows that it has no expiry (assumption: one resource). The service
 * decides whether a link is expired, because the clock of this machine may be wrong.
 */
const neverExpires = ({ ends_at: endsAt, expiration_clicks: clicks }: Resource): boolean =>
	endsAt !== undefined && clicks !== undefined && isUnset(endsAt) && !integerOf(clicks ?? 0);

/** Finds links that enter the list of expired links (contract 3). */
export const expiredLinks = listMembership('expired', {
	params: [['status', '2']],
	entered: 'expired',
	isForeign: neverExpires,
});
